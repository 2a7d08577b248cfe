import { expect, it } from 'vitest';
import { createUpkeepWorld, dayMs, hourMs, run, startMs, untilDone } from '../../testing/upkeep-world.ts';
import { integer } from '../../sqlite/row.ts';
import { samplePoll } from '../../testing/sample-data.ts';

it('the polls of today have room however much the days before come to, of which the oldest go', () => {
  const world = createUpkeepWorld('node:sqlite');
  const health = world.health();
  const limits = { keepDays: 400, keepBytesPerNode: 16_000, recoverAfter: 1 };
  const days = 25;
  for (let hour = 0; hour < days * 24; hour += 1) {
    const atMs = startMs + hour * hourMs + 1_000;
    const runs = Array.from({ length: 20 }, (_, at) =>
      run(atMs - 1, { check: `check ${at}`, state: (at + hour) % 7 === 0 ? 'fail' : 'pass' }),
    );
    health.recordPoll(samplePoll({ polledAtMs: atMs, runs }));
    untilDone(() => health.maintain({ ...limits, nowMs: atMs + hourMs }));
  }
  const [use] = health.historyUse();
  expect(use?.bytes).toBeLessThanOrEqual(limits.keepBytesPerNode);
  const upMs = (day: number) =>
    health.readUptime('n1', startMs + day * dayMs, startMs + (day + 1) * dayMs)[0]?.upMs ?? 0;
  expect(upMs(days - 1)).toBeGreaterThan(dayMs - hourMs);
  expect(upMs(days - 2)).toBe(dayMs);
  expect(upMs(0)).toBe(0);
});

it('a day comes to no more for checks that a node has made up on the days before, and does not report any more', () => {
  const world = createUpkeepWorld('node:sqlite');
  const health = world.health();
  const names = 200;
  let before: string[] = [];
  for (let day = 0; day < 8; day += 1) {
    const atMs = startMs + day * dayMs + 1_000;
    const made = Array.from({ length: names }, (_, at) => `made up ${Math.sin(day * names + at)}`);
    const runs = [
      ...made.map((check) => run(atMs - 1, { check })),
      ...before.map((check) => run(atMs, { check, state: 'unknown' })),
    ];
    health.recordPoll(samplePoll({ polledAtMs: atMs, runs }));
    before = made;
  }
  world.keepUp(startMs + 9 * dayMs);
  const sizes = world.database
    .all('SELECT byte_count FROM health_day ORDER BY day')
    .map((row) => integer(row, 'byte_count'));
  expect(sizes[7]).toBeLessThan(1.1 * (sizes[3] ?? 0));
});
