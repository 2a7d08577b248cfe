import { describe, expect, it } from 'vitest';
import type { AppError } from '../../../../shared/errors.ts';
import { createFakeTime } from '../../health/testing/fake-ports.ts';
import { RetryLater, retryPauseMs } from './retry-later.ts';

const unreachable: AppError = { code: 'unreachable', message: '' };
const nowMs = 1_700_000_000_000;

describe('retryPauseMs', () => {
  it('doubles from half a minute to a quarter of an hour', () => {
    expect([1, 2, 3, 4, 5, 6, 60].map((failures) => retryPauseMs(unreachable, failures, 0))).toEqual([
      30_000, 60_000, 120_000, 240_000, 480_000, 900_000, 900_000,
    ]);
  });

  it.each<[AppError, number | null]>([
    [{ code: 'timeout', message: '' }, 30_000],
    [{ code: 'upstream', message: '', status: 500 }, 30_000],
    [{ code: 'upstream', message: '', status: 400 }, null],
    [{ code: 'rate-limited', message: '', retryAtMs: nowMs + 4_000 }, 4_000],
    [{ code: 'rate-limited', message: '', retryAtMs: nowMs + 5 }, 1_000],
    [{ code: 'rate-limited', message: '', retryAtMs: nowMs + 3_600_000 }, 3_600_000],
    [{ code: 'unauthorized', message: '' }, null],
    [{ code: 'bad-response', message: '', issues: [] }, 30_000],
    [{ code: 'storage', message: '' }, 30_000],
    [{ code: 'cancelled', message: '' }, null],
    [{ code: 'internal', message: '', ref: '' }, null],
  ])('%j: %s', (error, pauseMs) => {
    expect(retryPauseMs(error, 1, nowMs)).toBe(pauseMs);
  });
});

describe('RetryLater', () => {
  it('tries what the user asked for quickly first, then later each time, and says when', async () => {
    const time = createFakeTime(nowMs);
    const retry = new RetryLater(time);
    const broken = { code: 'upstream', message: '', status: 500 } as const;
    const delays: number[] = [];
    const fail = () => {
      const error = retry.failed(broken, () => undefined);
      if (error.code !== 'upstream') throw new Error(error.code);
      delays.push((error.retryAtMs ?? 0) - time.clock.nowMs());
    };
    fail();
    retry.asked();
    for (let failures = 0; failures < 12; failures += 1) fail();
    retry.asked();
    fail();
    retry.succeeded();
    fail();
    expect(delays).toEqual(
      [30, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 1, 30].map((seconds) => seconds * 1_000),
    );
  });

  it('tries again after each failure, later each time, and from the start after a success', async () => {
    const time = createFakeTime();
    const retry = new RetryLater(time);
    const tried: number[] = [];
    const fail = () => {
      retry.failed(unreachable, () => tried.push(time.clock.monotonicMs()));
    };
    fail();
    expect(retry.isPlanned).toBe(true);
    await time.advance(30_000);
    expect(retry.isPlanned).toBe(false);
    fail();
    await time.advance(60_000);
    retry.succeeded();
    fail();
    await time.advance(30_000);
    expect(tried).toEqual([30_000, 90_000, 120_000]);
  });

  it('says of a rate limit when it tries again', () => {
    const { clock, timers } = createFakeTime(nowMs);
    const retry = new RetryLater({ clock, timers });
    const limited = { code: 'rate-limited', message: '', retryAtMs: nowMs + 5 } as const;
    expect(retry.failed(limited, () => undefined)).toEqual({ ...limited, retryAtMs: nowMs + 1_000 });
    expect(retry.failed(limited, () => undefined)).toEqual({ ...limited, retryAtMs: nowMs + 2_000 });
  });

  it('plans one attempt at a time, and none after it is cancelled', async () => {
    const time = createFakeTime();
    const retry = new RetryLater(time);
    let tries = 0;
    retry.failed(unreachable, () => (tries += 1));
    retry.failed(unreachable, () => (tries += 1));
    retry.cancel();
    await time.advance(3_600_000);
    expect(tries).toBe(0);
    retry.failed(unreachable, () => (tries += 1));
    retry.failed({ code: 'cancelled', message: '' }, () => (tries += 1));
    expect(retry.isPlanned).toBe(false);
  });
});
