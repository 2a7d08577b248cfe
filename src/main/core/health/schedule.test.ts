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
  phase: null,
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

  it('is moved by at most what is documented, whatever a node says of its runs', () => {
    const lagMs = fc.double({ min: -1e15, max: 1e15, noNaN: true });
    const phase = fc.record({
      check: fc.constant('C'),
      lastRunMs: fc.integer({ min: 0, max: 8_640_000_000_000_000 }),
      lastSentMs: fc.nat(),
      gapsMs: fc.constant([]),
      periodMs: fc.option(fc.double({ min: 1, max: 1e12, noNaN: true })),
      jitterMs: fc.double({ min: 0, max: 1e6, noNaN: true }),
      minLagMs: lagMs,
      maxLagMs: lagMs,
    });
    fc.assert(
      fc.property(
        phase,
        fc.integer({ min: 1_000, max: 86_400_000 }),
        fc.nat(20_000),
        (known, intervalMs, tookMs) => {
          const poll = { ...calm, endedMs: calm.dueMs + tookMs, intervalMs };
          const slotMs = nextDueMs(poll);
          const next = nextDueMs({ ...poll, phase: known });
          expect(next).toBeGreaterThanOrEqual(Math.max(poll.endedMs, slotMs - intervalMs / 10));
          expect(next).toBeLessThanOrEqual(slotMs + intervalMs);
        },
      ),
    );
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
          const next = nextDueMs({ ...rest, dueMs, endedMs, retryAfterMs: null, phase: null });
          expect(next).toBeGreaterThanOrEqual(Math.max(endedMs, dueMs + rest.intervalMs));
          expect(next).toBeLessThanOrEqual(endedMs + Math.max(rest.intervalMs, 60_000));
          if (rest.failuresInRow === 0) expect((next - dueMs) % rest.intervalMs).toBe(0);
        },
      ),
    );
  });
});
