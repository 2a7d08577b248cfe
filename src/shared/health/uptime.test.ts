import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  claimsOf,
  nothingPrior,
  passesOf,
  runTimeMs,
  spanHistory,
  sumKnown,
  type Change,
  type Claim,
  type Known,
  type SeenPoll,
} from './uptime.ts';

type SeenRun = SeenPoll['runs'][number];

const minuteMs = 60_000;
const dayMs = 86_400_000;

const run = (ranAtMs: number, state: SeenRun['state'], fields: Partial<SeenRun> = {}): SeenRun => ({
  check: 'C',
  state,
  ranAtMs,
  contiguousFailures: null,
  firstFailureAtMs: null,
  ...fields,
});

const poll = (polledAtMs: number, state: SeenPoll['state'], ...runs: SeenRun[]): SeenPoll => ({
  polledAtMs,
  state,
  runs,
});

/** All that the polls, in the order of recording, tell of a check (null: the node) over a span. */
function known(
  polls: readonly SeenPoll[],
  check: string | null,
  fromMs: number,
  toMs: number,
): [up: number, down: number, unknown: number, unreachable?: number] {
  const inOrder = [...polls].sort((a, b) => a.polledAtMs - b.polledAtMs);
  const { changes } = spanHistory(nothingPrior(), inOrder, fromMs - 2 * dayMs, Infinity);
  const claims = allClaims(polls).filter((claim) => claim.check === check);
  const sums = sumKnown(changes.get(check) ?? [], claims, fromMs, toMs);
  const { upMs, downMs, unknownMs, unreachableMs } = sums;
  return unreachableMs === 0 ? [upMs, downMs, unknownMs] : [upMs, downMs, unknownMs, unreachableMs];
}

function allClaims(polls: readonly SeenPoll[]): Claim[] {
  const lastPass = new Map<string, number>();
  return polls.flatMap((one) => {
    const claims = claimsOf(one, (check) => lastPass.get(check) ?? null);
    for (const [check, atMs] of passesOf(one)) {
      lastPass.set(check, Math.max(lastPass.get(check) ?? atMs, atMs));
    }
    return claims;
  });
}

describe('the time of a run', () => {
  it.each([
    [1_000, 2_000, 1_000],
    [2_000, 2_000, 2_000],
    [2_001, 2_000, 2_000],
    [1, dayMs, 1],
    [0, dayMs, dayMs],
    [Number.MIN_SAFE_INTEGER, 5, 5],
    [Number.MAX_SAFE_INTEGER, 5, 5],
  ])('said to be %i and seen at %i is %i', (ranAtMs, polledAtMs, expected) => {
    expect(runTimeMs(ranAtMs, polledAtMs)).toBe(expected);
  });
});

describe('what is known of a check', () => {
  const from = 10_000;

  it.each([
    ['pass', [90_000, 0, 10_000]],
    ['fail', [0, 90_000, 10_000]],
    ['pending', [0, 0, 100_000]],
    ['unknown', [0, 0, 100_000]],
    ['stalled', [0, 0, 100_000]],
  ] as const)('is that it was %s from its run on', (state, expected) => {
    const polls = [poll(from + 11_000, 'healthy', run(from + 10_000, state))];
    expect(known(polls, 'C', from, from + 100_000)).toEqual(expected);
  });

  it('changes with the next run, not with the poll that saw it', () => {
    const polls = [
      poll(from, 'healthy', run(from, 'pass')),
      poll(from + 30_000, 'unhealthy', run(from + 29_000, 'fail')),
      poll(from + 60_000, 'healthy', run(from + 58_000, 'pass')),
    ];
    expect(known(polls, 'C', from, from + 60_000)).toEqual([31_000, 29_000, 0]);
  });

  it('ends two minutes after the last poll, and goes on with the next run', () => {
    const polls = [
      poll(from, 'healthy', run(from, 'pass')),
      poll(from + 10 * minuteMs, 'healthy', run(from + 9 * minuteMs, 'pass')),
    ];
    expect(known(polls, 'C', from, from + 10 * minuteMs)).toEqual([3 * minuteMs, 0, 7 * minuteMs]);
  });

  it('is no less for one poll between two others, as somebody may want one', () => {
    const atMinutes = [0, 10, 20, 21, 30, 40];
    const polls = atMinutes.map((minute) =>
      poll(from + minute * minuteMs, 'healthy', ...(minute === 0 ? [run(from, 'pass')] : [])),
    );
    expect(known(polls, 'C', from + 20 * minuteMs, from + 60 * minuteMs)).toEqual([40 * minuteMs, 0, 0]);
  });

  it.each([
    ['three waits where polls are rare', false, 180],
    ['two minutes where each poll is the first one after a start', true, 2],
  ])('lasts for %s', (_name, isFirst, minutes) => {
    const atMs = [0, 1, 2].map((n) => from + n * 60 * minuteMs);
    const polls = atMs.map((ms) => ({ ...poll(ms, 'healthy', run(ms, 'pass')), isFirst }));
    const lastMs = atMs[2] ?? 0;
    const expected = [minutes * minuteMs, 0, (300 - minutes) * minuteMs];
    expect(known(polls, 'C', lastMs, lastMs + 300 * minuteMs)).toEqual(expected);
  });

  it('lasts for the middle one of three waits after a pause', () => {
    const polls = [0, 1, 2, 3].map((n) => poll(from + n * 60 * minuteMs, 'healthy'));
    const wokenMs = from + 3 * 60 * minuteMs;
    const woken = [30_000, 60_000].map((ms) => poll(wokenMs + ms, 'healthy', run(wokenMs, 'pass')));
    const lastMs = wokenMs + 60_000;
    const sums = known([...polls, ...woken], 'C', lastMs, lastMs + 10 * minuteMs);
    expect(sums).toEqual([2 * minuteMs, 0, 8 * minuteMs]);
  });

  it.each(['unreachable', 'unknown', 'stalled'] as const)('is nothing while the node is %s', (state) => {
    const polls = [
      poll(from, 'healthy', run(from, 'pass')),
      poll(from + 30_000, state),
      poll(from + 60_000, 'healthy'),
    ];
    expect(known(polls, 'C', from, from + 90_000)).toEqual([60_000, 0, 30_000]);
  });

  it('is told by a run for the time before the poll that saw it, even if a poll in between saw nothing', () => {
    const polls = [
      poll(from, 'healthy', run(from, 'pass')),
      poll(from + 30_000, 'unreachable'),
      poll(from + 60_000, 'unhealthy', run(from + 40_000, 'fail')),
    ];
    expect(known(polls, 'C', from, from + 60_000)).toEqual([30_000, 20_000, 10_000]);
  });

  it('is a failure as far back as the node says, over what was not seen', () => {
    const failed = run(from + 600_000, 'fail', { firstFailureAtMs: from + 30_000 });
    const polls = [poll(from, 'healthy', run(from, 'pass')), poll(from + 600_000, 'unhealthy', failed)];
    expect(known(polls, 'C', from, from + 600_000)).toEqual([30_000, 570_000, 0]);
    expect(known(polls, null, from, from + 600_000)).toEqual([30_000, 570_000, 0]);
  });

  it('is not what a node claims of a time after which the check was seen to pass', () => {
    const failed = run(from + 60_000, 'fail', { firstFailureAtMs: from - 1 });
    const polls = [poll(from, 'healthy', run(from, 'pass')), poll(from + 60_000, 'unhealthy', failed)];
    expect(known(polls, 'C', from, from + 60_000)).toEqual([60_000, 0, 0]);
  });

  it('reaches back before the first poll', () => {
    const failed = run(from, 'fail', { firstFailureAtMs: from - 30 * dayMs });
    const polls = [poll(from, 'unhealthy', failed)];
    expect(known(polls, 'C', from - 30 * dayMs, from)).toEqual([0, 30 * dayMs, 0]);
  });
});

describe('what is known of a node', () => {
  it.each([
    ['healthy', [2, 0, 0]],
    ['unhealthy', [0, 2, 0]],
    ['starting', [0, 0, 2]],
    ['unreachable', [0, 0, 0, 2]],
    ['unknown', [0, 0, 2]],
    ['stalled', [0, 0, 2]],
  ] as const)('while it is %s', (state, minutes) => {
    const expected = minutes.map((count) => count * minuteMs);
    expect(known([poll(1_000, state)], null, 1_000, 1_000 + 2 * minuteMs)).toEqual(expected);
  });

  it.each<[string, SeenPoll['state'], SeenPoll['state'], SeenRun[], number]>([
    [
      'its last run',
      'unhealthy',
      'healthy',
      [run(20_000, 'pass'), run(10_000, 'pass', { check: 'P' })],
      20_000,
    ],
    [
      'its last run, in whatever order',
      'unhealthy',
      'healthy',
      [run(10_000, 'pass'), run(20_000, 'pass')],
      20_000,
    ],
    [
      'its first failing run',
      'healthy',
      'unhealthy',
      [run(10_000, 'pass'), run(25_000, 'fail'), run(20_000, 'fail')],
      20_000,
    ],
    ['the poll where no run failed', 'healthy', 'unhealthy', [run(20_000, 'pass')], 32_000],
    ['the poll where there was no run', 'unhealthy', 'healthy', [], 32_000],
    [
      'the poll where the run is as old as the poll before',
      'unhealthy',
      'healthy',
      [run(2_000, 'pass')],
      32_000,
    ],
    ['the poll where the run is older', 'healthy', 'unhealthy', [run(1_000, 'fail')], 32_000],
    ['the poll while it starts', 'healthy', 'starting', [run(20_000, 'fail')], 32_000],
  ])('changes with %s', (_what, before, after, runs, beginMs) => {
    const polls = [poll(2_000, before), poll(32_000, after, ...runs)];
    const { changes } = spanHistory(nothingPrior(), polls, 2_000, 32_001);
    const knownOf: Partial<Record<SeenPoll['state'], Known>> = {
      healthy: 'up',
      unhealthy: 'down',
      starting: 'unknown',
    };
    expect(changes.get(null)).toEqual([
      { fromMs: 2_000, known: knownOf[before] },
      { fromMs: beginMs, known: knownOf[after] },
    ]);
  });
});

describe('runs', () => {
  const counted = (...runs: SeenRun[]) => {
    const polls = runs.map((one) => poll(one.ranAtMs, 'unhealthy', one));
    return spanHistory(nothingPrior(), polls, 0, Infinity)
      .runs.get('C')
      ?.map((one) => one.counted);
  };

  it.each([
    ['without a count', [null, null], [1, 1, 1]],
    ['that the node has counted in between', [2, 5], [1, 2, 3]],
    ['begun again', [4, 2], [1, 4, 2]],
    ['begun again with the same count', [3, 3], [1, 3, 3]],
    ['counted as zero', [0, 0], [1, 1, 1]],
    ['more often than there was time for', [1e15, 2e15], [1, 30, 30]],
  ])('%s', (_what, [first, second], expected) => {
    expect(
      counted(
        run(0, 'pass'),
        run(30_000, 'fail', { contiguousFailures: first ?? null }),
        run(60_000, 'fail', { contiguousFailures: second ?? null }),
      ),
    ).toEqual(expected);
  });

  it('of which no one before is known, and those that pass, stand for themselves', () => {
    expect(counted(run(0, 'fail', { contiguousFailures: 7 }))).toEqual([1]);
    expect(counted(run(0, 'fail'), run(30_000, 'pass', { contiguousFailures: 7 }))).toEqual([1, 1]);
  });
});

describe('over any history', () => {
  const step = fc.record({
    waitMs: fc.integer({ min: 0, max: 400_000 }),
    isFirst: fc.boolean(),
    state: fc.constantFrom('healthy', 'unhealthy', 'starting', 'unreachable', 'unknown', 'stalled'),
    runs: fc.array(
      fc.record({
        state: fc.constantFrom('pass', 'fail', 'pending'),
        agoMs: fc.integer({ min: 0, max: 300_000 }),
        failedForMs: fc.option(fc.integer({ min: -10, max: 900_000 }), { nil: null }),
      }),
      { maxLength: 2 },
    ),
  });

  const pollsOf = (steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[]) => {
    let atMs = 10 * dayMs;
    return steps.map(({ waitMs, state, runs, isFirst }) => {
      atMs += waitMs;
      const polledAtMs = atMs;
      const seen = runs.map(({ state: runState, agoMs, failedForMs }) =>
        run(polledAtMs - agoMs, runState, {
          firstFailureAtMs: failedForMs === null ? null : polledAtMs - agoMs - failedForMs,
        }),
      );
      return { ...poll(polledAtMs, state, ...seen), isFirst };
    });
  };

  /** The rule as docs/uptime.md has it, for one moment, by looking at everything. */
  function knownAt(polls: readonly SeenPoll[], claims: readonly Claim[], atMs: number): Known {
    if (claims.some((claim) => claim.check === 'C' && claim.fromMs <= atMs && atMs < claim.toMs))
      return 'down';
    const runs = polls
      .flatMap((one) =>
        one.runs.map((seen) => ({
          ...seen,
          atMs: runTimeMs(seen.ranAtMs, one.polledAtMs),
          seenAtMs: one.polledAtMs,
        })),
      )
      .sort((a, b) => a.atMs - b.atMs);
    const last = runs.findLast((seen) => seen.atMs <= atMs);
    if (last === undefined || last.state === 'pending') return 'unknown';
    const says = last.state === 'pass' ? 'up' : 'down';
    if (atMs < last.seenAtMs) return says;
    const index = polls.findLastIndex((one) => one.polledAtMs <= atMs);
    const current = polls[index];
    if (current === undefined || ['unreachable', 'unknown', 'stalled'].includes(current.state))
      return 'unknown';
    const gaps = polls.slice(0, index + 1).flatMap((one, at) => {
      const before = polls[at - 1];
      return before === undefined || one.isFirst === true ? [] : [one.polledAtMs - before.polledAtMs];
    });
    const counted = gaps.slice(current.isFirst === true ? -2 : -3).sort((x, y) => x - y);
    const usual = counted.length < 2 ? 0 : (counted[counted.length > 2 ? 1 : 0] ?? 0);
    return atMs < current.polledAtMs + Math.max(120_000, 3 * usual) ? says : 'unknown';
  }

  it('is at every moment what the rule says', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), fc.array(fc.nat(4_000_000)), (steps, moments) => {
        const polls = pollsOf(steps);
        const claims = allClaims(polls);
        const edges = polls.flatMap((one) => [
          one.polledAtMs,
          one.polledAtMs - 1,
          ...one.runs.flatMap((seen) => [seen.ranAtMs, seen.ranAtMs - 1]),
        ]);
        for (const atMs of [...edges, ...moments.map((ms) => 10 * dayMs + ms - 1_000_000)]) {
          const [upMs, downMs, unknownMs] = known(polls, 'C', atMs, atMs + 1);
          const says = upMs === 1 ? 'up' : downMs === 1 ? 'down' : 'unknown';
          expect([says, upMs + downMs + unknownMs]).toEqual([knownAt(polls, claims, atMs), 1]);
        }
      }),
    );
  });

  it('is the same a span at a time, each with what was known prior to it, as all at once', () => {
    const fromMs = 10 * dayMs - 1_000_000;
    const toMs = 10 * dayMs + 4_000_000;
    const cuts = fc.uniqueArray(fc.integer({ min: fromMs + 1, max: toMs - 1 }), { maxLength: 3 });
    const changed = (changes: readonly Change[]): Change[] =>
      changes.filter(({ known: now }, at) => (changes[at - 1]?.known ?? 'unknown') !== now);
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), cuts, (steps, between) => {
        const polls = pollsOf(steps);
        // A cut where something happens is the likeliest to go wrong.
        const edges = new Set([...between, ...polls.slice(-1).map((one) => one.polledAtMs), toMs]);
        const whole = spanHistory(nothingPrior(), polls, fromMs, toMs);
        let prior = nothingPrior();
        let startMs = fromMs;
        const parts = [...edges]
          .sort((a, b) => a - b)
          .map((endMs) => {
            const beginMs = startMs;
            const later = polls.filter(({ polledAtMs }) => polledAtMs >= beginMs);
            const part = spanHistory(prior, later, beginMs, endMs);
            [prior, startMs] = [part.prior, endMs];
            return { beginMs, ...part };
          });
        for (const check of ['C', null]) {
          const joined = parts.flatMap(
            ({ changes, beginMs }) => changes.get(check) ?? [{ fromMs: beginMs, known: 'unknown' as const }],
          );
          expect(changed(joined)).toEqual(changed(whole.changes.get(check) ?? []));
        }
        expect(parts.flatMap(({ runs }) => runs.get('C') ?? [])).toEqual(whole.runs.get('C') ?? []);
        expect(prior).toEqual(whole.prior);
      }),
    );
  });

  it('adds up to the span, and a span to its parts', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 8 }),
        fc.constantFrom('C', null),
        fc.nat(3_000_000),
        fc.nat(3_000_000),
        (steps, check, first, second) => {
          const polls = pollsOf(steps);
          const from = 10 * dayMs - 1_000_000;
          const parts = [
            known(polls, check, from, from + first),
            known(polls, check, from + first, from + first + second),
          ];
          const whole = known(polls, check, from, from + first + second);
          expect(whole.reduce<number>((a, b) => a + (b ?? 0), 0)).toBe(first + second);
          expect(whole).toEqual(whole.map((_, at) => (parts[0]?.[at] ?? 0) + (parts[1]?.[at] ?? 0)));
        },
      ),
    );
  });
});
