import { describe, expect, it } from 'vitest';
import type { Result } from '../../../shared/errors.ts';
import { createFakeTime } from '../health/testing/fake-ports.ts';
import type { Priority } from './budget.ts';
import { Scheduler, type CallRequest, type Permit } from './scheduler.ts';

const origin = 'https://data.example.com';

function build() {
  const time = createFakeTime();
  const scheduler = new Scheduler({ clock: time.clock, timers: time.timers });
  const order: string[] = [];
  const permits = new Map<string, Permit>();
  const results = new Map<string, Result<Permit>>();

  /** Asks for a call and notes when it is let out. */
  function ask(name: string, priority: Priority, change: Partial<CallRequest> = {}): void {
    const request = { origin, api: 'data', costUnits: 20, priority, mayWaitMs: Infinity, ...change } as const;
    void scheduler.admit(request).then((result) => {
      results.set(name, result);
      if (!result.ok) return;
      order.push(name);
      permits.set(name, result.value);
    });
  }

  function end(
    name: string,
    answer: Partial<{ status: number; headers: Record<string, string>; holdMs: number }> = {},
  ) {
    permits.get(name)?.end({ status: 200, headers: {}, holdMs: null, resetMs: null, ...answer });
  }

  return { time, scheduler, ask, end, order, results, permits };
}

describe('the scheduler', () => {
  it('lets the most urgent out first, and equals in their order', async () => {
    const { time, ask, end, order } = build();
    for (let i = 0; i < 4; i += 1) ask(`running-${i}`, 'backfill');
    await time.settle();
    ask('backfill', 'backfill');
    ask('completion-1', 'completion');
    ask('completion-2', 'completion');
    ask('the user', 'user');
    await time.settle();
    expect(order.slice(4)).toEqual(['the user']);
    for (let i = 0; i < 4; i += 1) {
      end(`running-${i}`);
      await time.settle();
    }
    expect(order.slice(5)).toEqual(['completion-1', 'completion-2', 'backfill']);
  });

  it('lets the user through at once, whatever history is under way', async () => {
    const { time, ask, order } = build();
    for (let i = 0; i < 50; i += 1) ask(`history-${i}`, 'backfill');
    await time.settle();
    ask('the user', 'user');
    await time.settle();
    expect(order).toEqual(['history-0', 'history-1', 'history-2', 'history-3', 'the user']);
  });

  it('sends nothing before the time that a 429 told, to no interface of the origin', async () => {
    const { time, ask, end, order } = build();
    ask('first', 'backfill');
    await time.settle();
    end('first', { status: 429, holdMs: 30_000 });
    ask('data', 'user');
    ask('metrics', 'user', { api: 'metrics' });
    ask('elsewhere', 'user', { origin: 'https://other.example.com' });
    // The system's clock may jump: the hold is measured by the other one.
    time.stepClock(3_600_000);
    await time.advance(29_999);
    expect(order).toEqual(['first', 'elsewhere']);
    await time.advance(1);
    await time.settle();
    expect(order).toEqual(['first', 'elsewhere', 'data', 'metrics']);
  });

  it('decides once for all calls that are asked for together: thousands, where as many addresses are added', async () => {
    const { time, ask, order } = build();
    let looks = 0;
    const { monotonicMs } = time.clock;
    time.clock.monotonicMs = () => {
      looks += 1;
      return monotonicMs();
    };
    for (let at = 0; at < 1_000; at += 1) ask(`call-${at}`, 'user');
    await time.settle();
    expect(order).toHaveLength(6);
    expect(looks).toBe(1);
  });

  it('a 503 that names a time holds back its chain alone, and everything where it names none', async () => {
    const { time, ask, end, order, results } = build();
    ask('first', 'backfill', { chainId: '1' });
    ask('second', 'backfill', { chainId: '1' });
    await time.settle();
    end('first', { status: 503, holdMs: 2_000 });
    // One that was sent before does not shorten it.
    end('second', { status: 503, holdMs: 1_000 });
    ask('of the chain', 'backfill', { chainId: '1' });
    ask('of another', 'backfill', { chainId: '2' });
    ask('of none', 'backfill');
    await time.advance(1_999);
    expect(order.slice(2)).toEqual(['of another', 'of none']);
    await time.advance(1);
    expect(order.slice(4)).toEqual(['of the chain']);
    end('of none', { status: 503, holdMs: 30_000 });
    ask('patient', 'backfill', { chainId: '2' });
    ask('hasty', 'user', { chainId: '1', mayWaitMs: 2_000 });
    await time.advance(29_999);
    expect(results.get('hasty')).toMatchObject({ error: { code: 'rate-limited' } });
    expect(order).toHaveLength(5);
    await time.advance(1);
    expect(order.slice(5)).toEqual(['patient']);
  });

  it('refuses at once whoever may not wait that long, and says how long it would be', async () => {
    const { time, ask, end, results } = build();
    ask('first', 'backfill');
    await time.settle();
    end('first', { status: 429, holdMs: 30_000 });
    ask('hasty', 'user', { mayWaitMs: 2_000 });
    ask('patient', 'user', { mayWaitMs: 30_000 });
    await time.settle();
    expect(results.get('hasty')).toMatchObject({
      ok: false,
      error: {
        code: 'rate-limited',
        retryAtMs: time.clock.nowMs() + 30_000,
        message: expect.stringContaining('30 s') as string,
      },
    });
    expect(results.has('patient')).toBe(false);
  });

  it('uses up what the service allows, keeps the user’s share, and goes on with the next window', async () => {
    const { time, ask, end, order } = build();
    let remaining = 400;
    const answer = (name: string) => {
      remaining -= 20;
      end(name, { headers: { 'ratelimit-limit': '400', 'ratelimit-remaining': String(remaining) } });
    };
    for (let i = 0; i < 30; i += 1) {
      ask(`call-${i}`, 'backfill');
      await time.settle();
      if (order.length === i + 1) answer(`call-${i}`);
    }
    expect(order).toHaveLength(16);
    await time.advance(59_999);
    expect(order).toHaveLength(16);
    remaining = 400;
    await time.advance(2);
    await time.settle();
    expect(order.length).toBeGreaterThan(16);
  });

  it('lets go of a call that is cancelled while it waits', async () => {
    const { time, ask, end, order, results } = build();
    const abort = new AbortController();
    for (let i = 0; i < 4; i += 1) ask(`running-${i}`, 'backfill');
    ask('cancelled', 'backfill', { signal: abort.signal });
    ask('next', 'backfill');
    await time.settle();
    abort.abort();
    await time.settle();
    expect(results.get('cancelled')).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    end('running-0');
    await time.settle();
    expect(order.at(-1)).toBe('next');
    ask('too late', 'backfill', { signal: abort.signal });
    await time.settle();
    expect(results.get('too late')).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  });

  it('takes no limit of another key from an answer that comes after the key has changed', async () => {
    const { time, scheduler, ask, end, order } = build();
    ask('first', 'backfill');
    ask('second', 'backfill');
    await time.settle();
    scheduler.keyChanged();
    end('first', { status: 429, holdMs: 30_000 });
    end('second', { headers: { 'ratelimit-limit': '400', 'ratelimit-remaining': '0' } });
    ask('with the other key', 'user');
    await time.settle();
    expect(order.at(-1)).toBe('with the other key');
    expect(scheduler.budget(origin, 'data')).toMatchObject({ remainingUnits: null, inFlight: 1 });
  });

  it('takes back a permit once only', async () => {
    const { time, scheduler, ask, end, permits } = build();
    ask('a', 'backfill');
    ask('b', 'backfill');
    await time.settle();
    end('a');
    permits.get('a')?.end(null);
    expect(scheduler.budget(origin, 'data').inFlight).toBe(1);
  });
});
