import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextDueMs, type PollEnd } from './schedule.ts';

const calm: PollEnd = {
  dueMs: 1_000,
  endedMs: 1_200,
  intervalMs: 30_000,
  failuresInRow: 0,
  retryAfterMs: null,
  jitter: 0,
};

describe('nextDueMs', () => {
  it.each([
    ['one interval after it was due, not after it ended', calm, 31_000],
    ['though it ended at that very moment', { ...calm, endedMs: 31_000 }, 31_000],
    ['skips what has passed', { ...calm, endedMs: 95_000 }, 121_000],
    ['a first failure waits no longer', { ...calm, failuresInRow: 1 }, 31_000],
    ['5 s after a first failure', { ...calm, intervalMs: 1_000, failuresInRow: 1 }, 6_200],
    ['10 s after a second', { ...calm, intervalMs: 1_000, failuresInRow: 2 }, 11_200],
    ['20 s after a third', { ...calm, intervalMs: 1_000, failuresInRow: 3 }, 21_200],
    ['60 s after a fifth', { ...calm, failuresInRow: 5 }, 61_200],
    ['60 s after a thousandth', { ...calm, failuresInRow: 1_000 }, 61_200],
    ['a fifth less by chance', { ...calm, failuresInRow: 5, jitter: 0.5 }, 55_200],
    ['what it was asked to wait', { ...calm, failuresInRow: 1, retryAfterMs: 90_000 }, 91_200],
    [
      'an interval that is longer than that',
      { ...calm, intervalMs: 3_600_000, failuresInRow: 9, retryAfterMs: 5 },
      3_601_000,
    ],
  ])('%s', (_case, poll, dueMs) => {
    expect(nextDueMs(poll)).toBe(dueMs);
  });

  it('is never in the past, never faster than the interval, and at most the longest wait beyond it', () => {
    fc.assert(
      fc.property(
        fc.record({
          dueMs: fc.integer({ min: 0, max: 1_000_000 }),
          tookMs: fc.integer({ min: 0, max: 1_000_000 }),
          intervalMs: fc.integer({ min: 1_000, max: 86_400_000 }),
          failuresInRow: fc.nat(50),
          jitter: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        }),
        ({ dueMs, tookMs, ...rest }) => {
          const endedMs = dueMs + tookMs;
          const next = nextDueMs({ ...rest, dueMs, endedMs, retryAfterMs: null });
          expect(next).toBeGreaterThanOrEqual(Math.max(endedMs, dueMs + rest.intervalMs));
          expect(next).toBeLessThanOrEqual(endedMs + Math.max(rest.intervalMs, 60_000));
          if (rest.failuresInRow === 0) expect((next - dueMs) % rest.intervalMs).toBe(0);
        },
      ),
    );
  });
});
