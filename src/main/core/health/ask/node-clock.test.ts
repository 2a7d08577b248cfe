import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clockAhead, inOurTime, nodeTime, type Lag, type NodeCheck, type NodeReport } from './node-clock.ts';

const now = { wallMs: 1_700_000_000_000, monotonicMs: 5_000 };
const { wallMs } = now;

function report(...ranMs: (number | null)[]): NodeReport {
  const checks = ranMs.map((ms, index): NodeCheck => {
    const ranAtMs = ms === null ? null : nodeTime(ms);
    const none = { error: null, message: null, durationNs: null, contiguousFailures: null };
    return { ...none, name: `${index}`, state: 'pass', ranAtMs, firstFailureAtMs: ranAtMs };
  });
  return { healthy: true, checks, notes: ['a note'] };
}

/** Of a node that our clock is so far ahead of, as far as is known. */
const lagOf = (leastMs: number, mostMs: number): Lag => ({
  minMs: leastMs - wallMs + now.monotonicMs,
  maxMs: mostMs - wallMs + now.monotonicMs,
});

describe('how far our clock is ahead of a node’s', () => {
  const hourMs = 3_600_000;
  /** The node's newest run was made 3 s ago by a clock that is an hour slow. */
  const slow = [wallMs - hourMs - 3_000];
  const known = lagOf(hourMs, hourMs + 500);
  it.each<[string, number | null, Lag | null, (number | null)[], number | null]>([
    ['no run was seen yet', null, null, [null], null],
    ['no run was seen since', 70, null, [], 70],
    ['a run of a second ago: they agree', null, null, [wallMs - 1_000], 0],
    ['a run of ten minutes ago as well', null, null, [wallMs - 600_000], 0],
    ['one of longer ago: it was made when it was seen', null, null, [wallMs - 600_001], 600_001],
    ['a run 10 s in the future: they agree', null, null, [wallMs + 10_000], 0],
    ['one further in the future: it was made when it was seen', null, null, [wallMs + 10_001], -10_001],
    ['the newest run counts, whichever check it is of', null, null, [0, wallMs - 1_000, null], 0],
    ['what was known stays while no run contradicts it', hourMs, null, slow, hourMs],
    ['also if it is up to 10 s too much', hourMs + 13_000, null, slow, hourMs + 13_000],
    ['and not if it is more', hourMs + 13_001, null, slow, hourMs + 3_000],
    ['the lag tells it: the middle of what it leaves', null, known, slow, hourMs + 250],
    ['what was known stays while the lag leaves it', hourMs - 10_000, known, slow, hourMs - 10_000],
    ['and goes when the lag does not', hourMs - 10_001, known, slow, hourMs + 250],
    ['a lag that is not known to 10 s', null, lagOf(hourMs - 10_001, hourMs), slow, hourMs],
    ['a lag that is', null, lagOf(hourMs - 10_000, hourMs), slow, hourMs - 5_000],
    ['a lag of which only one end is known', null, lagOf(-Infinity, hourMs), slow, hourMs],
    ['the run was seen before the lag allows', null, lagOf(hourMs + 3_001, 2 * hourMs), slow, hourMs + 3_000],
    ['half a millisecond is none', null, lagOf(hourMs, hourMs + 1), slow, hourMs + 1],
  ])('%s', (_what, before, lag, ranMs, aheadMs) => {
    expect(clockAhead(before, lag, report(...ranMs), now)).toBe(aheadMs);
  });

  it('is once found and then stays, for any runs that follow', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), fc.array(fc.nat(1e8)), (aheadMs, waits) => {
        let known: number | null = null;
        let atMs = wallMs;
        for (const waitMs of [0, ...waits]) {
          atMs += waitMs;
          const at = { wallMs: atMs, monotonicMs: atMs - wallMs };
          const next = clockAhead(known, null, report(atMs - aheadMs), at);
          if (known !== null) expect(next).toBe(known);
          known = next;
        }
        // A run a little old, or of a clock a little fast, is taken as one by our clock.
        expect(known).toBe(aheadMs >= -10_000 && aheadMs <= 600_000 ? 0 : aheadMs);
      }),
    );
  });
});

it('the times of a report are told by our clock, and all else as the node said it', () => {
  const told = report(1_000, null);
  expect(inOurTime(told, 500)).toEqual({
    ...told,
    checks: told.checks.map((check, index) => {
      const ms = index === 0 ? 1_500 : null;
      return { ...check, ranAtMs: ms, firstFailureAtMs: ms };
    }),
  });
  expect(inOurTime(told, null).checks[0]?.ranAtMs).toBe(1_000);
});
