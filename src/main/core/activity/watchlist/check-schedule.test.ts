import { expect, it } from 'vitest';
import { createFakeTime } from '../../health/testing/fake-ports.ts';
import { CheckSchedule } from './check-schedule.ts';

function build(first: number) {
  const time = createFakeTime();
  const setting = { minutes: first };
  let checks = 0;
  const schedule = new CheckSchedule({
    timers: time.timers,
    minutes: () => setting.minutes,
    check: () => {
      checks += 1;
    },
  });
  schedule.plan();
  return { time, setting, schedule, checks: () => checks };
}

it('checks in the rhythm of the setting, and follows it', async () => {
  const { time, setting, schedule, checks } = build(5);
  await time.advance(299_999);
  expect(checks()).toBe(0);
  await time.advance(1);
  expect(checks()).toBe(1);
  await time.advance(600_000);
  expect(checks()).toBe(3);
  setting.minutes = 1;
  schedule.plan();
  await time.advance(60_000);
  expect(checks()).toBe(4);
  // Another setting was changed: the rhythm goes on.
  await time.advance(30_000);
  schedule.plan();
  await time.advance(30_000);
  expect(checks()).toBe(5);
  // What was planned by the setting before does not come.
  await time.advance(600_000);
  expect(checks()).toBe(15);
});

it('never checks with 0, nor after its end', async () => {
  const off = build(0);
  await off.time.advance(86_400_000);
  expect(off.checks()).toBe(0);
  const { time, schedule, checks } = build(1);
  schedule.stop();
  await time.advance(86_400_000);
  expect(checks()).toBe(0);
});
