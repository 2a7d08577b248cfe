import { describe, expect, it } from 'vitest';
import type { BudgetStatus } from '../../../shared/explore/types.ts';
import { unwrap } from '../../../shared/errors.ts';
import { sampleServiceProfile } from '../../../shared/settings.ts';
import { createFakeTime } from '../health/testing/fake-ports.ts';
import { BudgetMonitor } from './budget-status.ts';
import { Scheduler } from './scheduler.ts';
import { createFakeEvents } from '../testing/fake-events.ts';

const unknown = {
  remainingThisMinute: null,
  limitPerMinute: null,
  remainingToday: null,
  limitPerDay: null,
  heldUntilMs: null,
};

function build() {
  const time = createFakeTime();
  const scheduler = new Scheduler({ clock: time.clock, timers: time.timers });
  const current = { profile: sampleServiceProfile };
  const events = createFakeEvents();
  const monitor = new BudgetMonitor({
    emit: events.emit,
    scheduler,
    profile: () => current.profile,
    clock: time.clock,
    timers: time.timers,
  });
  const told: BudgetStatus[] = [];
  events.on('budget.changed', (status) => told.push(status));
  /** One call that is answered with these headers. */
  const call = async (headers: Record<string, string>, holdMs: number | null = null) => {
    const origin = new URL(sampleServiceProfile.dataUrl).origin;
    const admitted = await scheduler.admit({
      origin,
      api: 'data',
      costUnits: 20,
      priority: 'user',
      mayWaitMs: 0,
    });
    unwrap(admitted).end({ status: holdMs === null ? 200 : 429, headers, holdMs, resetMs: null });
  };
  return { time, current, monitor, told, call };
}

const minute = (remaining: number) => ({
  'ratelimit-policy': '8000;w=60, 1000000;w=86400',
  'ratelimit-limit': '8000',
  'ratelimit-remaining': String(remaining),
});

describe('the budget that is shown', () => {
  it('is unknown until the service has told it', () => {
    expect(build().monitor.status()).toEqual({ data: unknown, metrics: unknown });
  });

  it('is what the service last told, and unknown again when its window is over', async () => {
    const { time, monitor, told, call } = build();
    await call(minute(7980));
    const known = { ...unknown, remainingThisMinute: 7980, limitPerMinute: 8000, limitPerDay: 1_000_000 };
    expect(monitor.status()).toEqual({ data: known, metrics: unknown });
    expect(told).toEqual([{ data: known, metrics: unknown }]);
    await time.advance(60_000);
    expect(told.at(-1)?.data).toEqual({ ...known, remainingThisMinute: null });
  });

  it('has the units of a call, of which a service that counts requests tells fewer', async () => {
    const { monitor, call } = build();
    expect(monitor.callUnits()).toBe(20);
    await call({ 'ratelimit-limit': '60', 'ratelimit-remaining': '59' });
    expect(monitor.callUnits()).toBe(1);
  });

  it('is a day’s when the window that counts is a day', async () => {
    const { monitor, call } = build();
    await call({
      'ratelimit-policy': '1000000;w=86400',
      'ratelimit-limit': '1000000',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '3600',
    });
    expect(monitor.status().data).toEqual({ ...unknown, remainingToday: 0, limitPerDay: 1_000_000 });
  });

  it('says until when nothing may be sent, by the system’s clock', async () => {
    const { time, monitor, told, call } = build();
    await call({}, 30_000);
    const untilMs = time.clock.nowMs() + 30_000;
    expect(monitor.status().data.heldUntilMs).toBe(untilMs);
    await time.advance(31_000);
    expect(told.map(({ data }) => data.heldUntilMs)).toEqual([untilMs, null]);
  });

  it('is that of the service that is set now', async () => {
    const { time, current, monitor, told, call } = build();
    await call(minute(100));
    await time.advance(1_000);
    current.profile = {
      ...sampleServiceProfile,
      dataUrl: 'https://x.example.com',
      metricsUrl: 'https://x.example.com',
    };
    monitor.refresh();
    await time.advance(1_000);
    expect(told.at(-1)).toEqual({ data: unknown, metrics: unknown });
  });
});
