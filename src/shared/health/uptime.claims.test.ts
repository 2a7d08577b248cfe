import { describe, expect, it } from 'vitest';
import { claimsOf, passesOf, sumKnown, uptimePpm, type Claim, type SeenPoll } from './uptime.ts';

type SeenRun = SeenPoll['runs'][number];

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

describe('what a poll claims of the past', () => {
  const failed = run(60_000, 'fail', { firstFailureAtMs: 30_000 });
  const ofCheck = { check: 'C', fromMs: 30_000, toMs: 60_000 };
  const ofNode = { check: null, fromMs: 30_000, toMs: 62_000 };

  it.each<[string, SeenPoll['state'], SeenRun, number | null, Claim[]]>([
    ['a failure all the time, of the node too', 'unhealthy', failed, null, [ofCheck, ofNode]],
    ['of the check alone, where the node is well', 'healthy', failed, null, [ofCheck]],
    ['nothing where it passes', 'unhealthy', { ...failed, state: 'pass' }, null, []],
    ['nothing without a first failure', 'unhealthy', { ...failed, firstFailureAtMs: null }, null, []],
    [
      'nothing where the run was the first failure',
      'unhealthy',
      { ...failed, firstFailureAtMs: 60_000 },
      null,
      [],
    ],
    ['nothing that begins when it was seen to pass', 'unhealthy', failed, 30_000, []],
    ['what begins after that', 'unhealthy', failed, 29_999, [ofCheck, ofNode]],
  ])('%s', (_what, state, seen, lastPassMs, claims) => {
    expect(claimsOf(poll(62_000, state, seen), () => lastPassMs)).toEqual(claims);
  });

  it('is of the node from the earliest of its checks on', () => {
    const other = run(61_000, 'fail', { check: 'P', firstFailureAtMs: 10_000 });
    expect(claimsOf(poll(62_000, 'unhealthy', other, failed), () => null).at(-1)).toEqual({
      ...ofNode,
      fromMs: 10_000,
    });
  });

  it('ends with the last passing run, which later polls remember', () => {
    const runs = [
      run(20_000, 'pass'),
      run(10_000, 'pass'),
      run(30_000, 'fail'),
      run(5_000, 'fail', { check: 'P' }),
    ];
    expect(passesOf(poll(62_000, 'unhealthy', ...runs))).toEqual(new Map([['C', 20_000]]));
  });

  it('counts once where claims overlap, in whatever order they come', () => {
    const claims = [
      [50, 80],
      [10, 30],
      [20, 60],
      [20, 25],
      [80, 81],
    ].map(([fromMs = 0, toMs = 0]) => ({ fromMs, toMs }));
    const up = [{ fromMs: 0, known: 'up' as const }];
    expect(sumKnown(up, claims, 0, 100)).toEqual({ upMs: 29, downMs: 71, unreachableMs: 0, unknownMs: 0 });
    expect(sumKnown(up, claims, 25, 55)).toEqual({ upMs: 0, downMs: 30, unreachableMs: 0, unknownMs: 0 });
  });
});

it('a year in which a check failed every four minutes is summed up in a moment', () => {
  const flaps = Array.from({ length: 130_000 }, (_, flap) => flap * 240_000);
  const claims = flaps.map((atMs) => ({ fromMs: atMs + 90_000, toMs: atMs + 120_000 }));
  const changes = flaps.flatMap((atMs) => [
    { fromMs: atMs, known: 'up' as const },
    { fromMs: atMs + 120_000, known: 'down' as const },
  ]);
  const { upMs, downMs } = sumKnown(changes, claims, 0, flaps.length * 240_000);
  expect([upMs, downMs]).toEqual([flaps.length * 90_000, flaps.length * 150_000]);
});

describe('the uptime of a node', () => {
  const sums = { upMs: 0, downMs: 0, unreachableMs: 0, unknownMs: 0 };
  it.each([
    ['that was killed after half of the time', { ...sums, upMs: 500, unreachableMs: 500 }, 500_000],
    ['that never answered', { ...sums, unreachableMs: 500 }, 0],
    ['over no time', sums, null],
    ['that nobody looked at', { ...sums, unknownMs: 500 }, null],
    ['with all of it', { upMs: 2, downMs: 1, unreachableMs: 1, unknownMs: 4 }, 500_000],
    ['of which more than half is not known', { upMs: 2, downMs: 1, unreachableMs: 1, unknownMs: 5 }, null],
  ])('%s', (_what, known, ppm) => {
    expect(uptimePpm(known)).toBe(ppm);
  });
});
