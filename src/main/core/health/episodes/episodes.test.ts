import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CheckRun } from '../../../../shared/health/check-run.ts';
import { foldIncidents } from '../../../../shared/health/incidents.ts';
import { mostPasses } from '../../../../shared/health/stored.ts';
import type { FailureEpisode } from '../../../../shared/health/types.ts';
import { foldRun, settleUnreported } from './episodes.ts';
import type { SeenRun } from './runs.ts';

const failed = (ranAtMs: number, fields: Partial<CheckRun> = {}): CheckRun => ({
  check: 'C',
  state: 'fail',
  ranAtMs,
  contiguousFailures: null,
  firstFailureAtMs: null,
  error: `error at ${ranAtMs}`,
  ...fields,
});
const passed = (ranAtMs: number): CheckRun => failed(ranAtMs, { state: 'pass', error: null });

const seen = (run: CheckRun): SeenRun => ({
  state: run.state === 'pass' ? 'pass' : 'fail',
  reportedAtMs: run.ranAtMs,
  ranAtMs: run.ranAtMs,
  contiguousFailures: run.contiguousFailures,
  firstFailureAtMs: run.firstFailureAtMs,
  countsAnew: false,
});

const newId = (): string => 'new';

const open: FailureEpisode = {
  id: 'old',
  check: 'C',
  startedAtMs: 100,
  startKnownFrom: 'seen',
  endedAtMs: null,
  endKnownFrom: null,
  failuresSeen: 1,
  failuresReported: 1,
  firstError: 'first',
  lastError: 'first',
  passes: 0,
};

describe('the beginning of an episode', () => {
  it.each<[string, SeenRun | null, CheckRun, number, 'seen' | 'node-reported']>([
    ['the first run ever', null, failed(100), 100, 'seen'],
    ['its first failure is this run', null, failed(100, { firstFailureAtMs: 100 }), 100, 'seen'],
    ['failing before we looked', null, failed(100, { firstFailureAtMs: 40 }), 40, 'node-reported'],
    [
      'failing since after the last pass',
      seen(passed(50)),
      failed(100, { firstFailureAtMs: 80 }),
      80,
      'node-reported',
    ],
    [
      'said to fail while it was seen to pass',
      seen(passed(50)),
      failed(100, { firstFailureAtMs: 50 }),
      100,
      'seen',
    ],
    [
      'said to fail before it was seen to pass',
      seen(passed(50)),
      failed(100, { firstFailureAtMs: 10 }),
      100,
      'seen',
    ],
    ['said to fail in the future', null, failed(100, { firstFailureAtMs: 900 }), 100, 'seen'],
  ])('%s', (_case, previous, run, startedAtMs, startKnownFrom) => {
    const { current: begun, changed } = foldRun(null, previous, run, newId);
    expect(begun).toEqual({
      ...open,
      id: 'new',
      startedAtMs,
      startKnownFrom,
      failuresReported: null,
      firstError: 'error at 100',
      lastError: 'error at 100',
    });
    expect(changed).toEqual([begun]);
  });

  it('is not before the end of the one before it, of which no run is known any more: its URL led elsewhere', () => {
    const ended = { ...open, endedAtMs: 120, endKnownFrom: 'seen', passes: 1 } as const;
    const again = failed(200, { firstFailureAtMs: 100 });
    expect(foldRun(ended, null, again, newId).current).toMatchObject({ id: 'new', startedAtMs: 200 });
  });

  it('settles the one before it that began later: our clock was ahead, and it recovered unseen', () => {
    const ahead = { ...open, startedAtMs: 300, failuresReported: 5 };
    expect(foldRun(ahead, null, failed(200, { contiguousFailures: 1 }), newId).changed).toMatchObject([
      { id: 'old', startedAtMs: 300, endedAtMs: 300, passes: mostPasses },
      { id: 'new', startedAtMs: 200 },
    ]);
  });

  it('settles the one before it that ended later: another node stood at its URL, or our clock was ahead', () => {
    const ended = { ...open, endedAtMs: 220, endKnownFrom: 'seen', passes: 1 } as const;
    const { changed } = foldRun(ended, null, failed(200), newId);
    expect(changed).toMatchObject([
      { id: 'old', endedAtMs: 220, passes: mostPasses },
      { id: 'new', startedAtMs: 200 },
    ]);
    // As long as it is not settled, it never ends where an alert waits for two passes.
    const incidents = foldIncidents({
      ...{ nodeId: 'n', episodes: changed, marks: [], chainChecks: new Set() },
      thresholds: { failAfter: 1, recoverAfter: 2 },
    });
    expect(incidents.map(({ endedAtMs }) => endedAtMs)).toEqual([null, 220]);
  });
});

describe('an open episode', () => {
  const previous = seen(failed(100, { contiguousFailures: 1, firstFailureAtMs: 100 }));

  it('goes on with the next failure', () => {
    const run = failed(130, { contiguousFailures: 2, firstFailureAtMs: 100 });
    expect(foldRun(open, previous, run, newId)).toEqual({
      current: { ...open, failuresSeen: 2, failuresReported: 2, lastError: 'error at 130' },
      changed: [{ ...open, failuresSeen: 2, failuresReported: 2, lastError: 'error at 130' }],
    });
  });

  it('keeps the largest count and the last text that there was', () => {
    const run = failed(130, { error: null, firstFailureAtMs: 100 });
    expect(foldRun({ ...open, failuresReported: 7 }, previous, run, newId).current).toMatchObject({
      failuresReported: 7,
      lastError: 'first',
    });
    expect(foldRun({ ...open, firstError: null }, previous, failed(130), newId).current).toMatchObject({
      firstError: 'error at 130',
    });
  });

  const ended: FailureEpisode = { ...open, endedAtMs: 160, endKnownFrom: 'seen', passes: 1 };

  it('ends with the first pass that is seen', () => {
    expect(foldRun(open, previous, passed(160), newId)).toEqual({ current: ended, changed: [ended] });
    // The node's clock was set back: an episode does not end before it began.
    expect(foldRun(open, previous, passed(20), newId).changed).toEqual([{ ...ended, endedAtMs: 100 }]);
  });

  it('counts the passes after its end while a setting may require more, until the check fails again', () => {
    const second = { ...ended, passes: 2 };
    expect(foldRun(ended, seen(passed(160)), passed(190), newId)).toEqual({
      current: second,
      changed: [second],
    });
    expect(foldRun({ ...ended, passes: 19 }, seen(passed(160)), passed(190), newId)).toEqual({
      current: null,
      changed: [{ ...ended, passes: 20 }],
    });
    const { current, changed } = foldRun(second, seen(passed(190)), failed(220), newId);
    expect(changed).toEqual([current]);
    expect(current).toMatchObject({ id: 'new', startedAtMs: 220, endedAtMs: null, passes: 0 });
  });

  it('of a check that is not reported any more is settled', () => {
    expect(settleUnreported(open, 400)).toMatchObject({
      endedAtMs: 400,
      endKnownFrom: 'unreported',
      passes: 20,
    });
    expect(settleUnreported(open, 40)).toMatchObject({ endedAtMs: 100 });
    // It was seen to pass: that is its end.
    expect(settleUnreported(ended, 400)).toEqual({ ...ended, passes: 20 });
  });

  it.each(['pending', 'unknown', 'stalled'] as const)('is left alone by a run that is %s', (state) => {
    expect(foldRun(open, previous, failed(130, { state }), newId)).toEqual({ current: open, changed: [] });
    expect(foldRun(null, previous, failed(130, { state }), newId)).toEqual({ current: null, changed: [] });
  });

  const reportedOpen: FailureEpisode = { ...open, startedAtMs: 40, startKnownFrom: 'node-reported' };
  // What proves a recovery that nobody saw; the times are of the new run, `null` previous is after a restart.
  it.each<[string, FailureEpisode, SeenRun | null, CheckRun, boolean]>([
    [
      'later first failure',
      open,
      previous,
      failed(190, { firstFailureAtMs: 160, contiguousFailures: 2 }),
      true,
    ],
    [
      'smaller count',
      open,
      { ...previous, contiguousFailures: 5 },
      failed(190, { contiguousFailures: 1 }),
      true,
    ],
    [
      'both',
      open,
      { ...previous, contiguousFailures: 5 },
      failed(190, { firstFailureAtMs: 190, contiguousFailures: 1 }),
      true,
    ],
    [
      'same first failure, larger count',
      open,
      previous,
      failed(190, { firstFailureAtMs: 100, contiguousFailures: 4 }),
      false,
    ],
    [
      'earlier first failure: no new one',
      open,
      previous,
      failed(190, { firstFailureAtMs: 90, contiguousFailures: 4 }),
      false,
    ],
    ['same count', open, previous, failed(190, { contiguousFailures: 1 }), false],
    ['the node says neither', open, previous, failed(190), false],
    [
      'first failure said for the first time, after the last failure',
      open,
      seen(failed(100)),
      failed(190, { firstFailureAtMs: 160 }),
      true,
    ],
    [
      'first failure said for the first time, before it',
      open,
      seen(failed(100)),
      failed(190, { firstFailureAtMs: 70 }),
      false,
    ],
    [
      'after a restart: later than the start',
      reportedOpen,
      null,
      failed(190, { firstFailureAtMs: 160 }),
      true,
    ],
    ['after a restart: the same start', reportedOpen, null, failed(190, { firstFailureAtMs: 40 }), false],
    [
      'after a restart: smaller count',
      { ...open, failuresReported: 9 },
      null,
      failed(190, { contiguousFailures: 2 }),
      true,
    ],
    [
      'the node has restarted: a smaller count and a later first failure',
      open,
      { ...seen(failed(150, { contiguousFailures: 5, firstFailureAtMs: 100 })), countsAnew: true },
      failed(190, { contiguousFailures: 1, firstFailureAtMs: 190 }),
      false,
    ],
    ['after a restart: nothing to go by', open, null, failed(190), false],
  ])('%s', (_case, episode, before, run, isRecovered) => {
    const { current: now, changed } = foldRun(episode, before, run, newId);
    expect(changed.map(({ id }) => id)).toEqual(isRecovered ? ['old', 'new'] : ['old']);
    expect(now?.id).toBe(isRecovered ? 'new' : 'old');
    if (isRecovered) {
      expect(changed[0]).toEqual({
        ...episode,
        endedAtMs: now?.startedAtMs,
        endKnownFrom: 'inferred',
        passes: 1,
      });
    }
  });

  it('ends at the latest moment at which an unseen pass can have been', () => {
    const later = failed(190, { firstFailureAtMs: 160, contiguousFailures: 2 });
    expect(foldRun(open, previous, later, newId).changed).toMatchObject([
      { endedAtMs: 160, endKnownFrom: 'inferred' },
      {
        startedAtMs: 160,
        startKnownFrom: 'node-reported',
        endedAtMs: null,
        failuresSeen: 1,
        failuresReported: 2,
      },
    ]);
  });
});

describe('any runs at all', () => {
  const anyRun = fc.record({
    state: fc.constantFrom('pass', 'fail', 'pending', 'unknown', 'stalled'),
    ranAtMs: fc.nat(1_000),
    contiguousFailures: fc.option(fc.nat(5)),
    firstFailureAtMs: fc.option(fc.nat(1_000)),
    error: fc.option(fc.string()),
  });

  it('make episodes that end once, after they began, and count what was seen', () => {
    fc.assert(
      fc.property(fc.array(anyRun), (fields) => {
        const stored = new Map<string, FailureEpisode>();
        let now: FailureEpisode | null = null;
        let previous: SeenRun | null = null;
        let ids = 0;
        for (const field of fields) {
          const run = failed(field.ranAtMs, field);
          const step = foldRun(now, previous, run, () => `id-${(ids += 1)}`);
          for (const episode of step.changed) {
            const { endedAtMs = null, passes = 0 } = stored.get(episode.id) ?? {};
            const counted = run.state === 'fail' ? mostPasses : passes + 1;
            if (endedAtMs !== null) expect(episode).toMatchObject({ endedAtMs, passes: counted });
            stored.set(episode.id, episode);
          }
          now = step.current;
          if (run.state === 'pass' || run.state === 'fail') previous = seen(run);
          if (run.state === 'pass') expect(now?.endedAtMs).not.toBeNull();
          if (run.state === 'fail') expect(now?.endedAtMs).toBeNull();
        }
        const episodes = [...stored.values()];
        expect(episodes.filter((episode) => episode.endedAtMs === null)).toEqual(
          now?.endedAtMs === null ? [now] : [],
        );
        for (const { startedAtMs, endedAtMs, endKnownFrom } of episodes) {
          expect(endKnownFrom === null).toBe(endedAtMs === null);
          if (endedAtMs !== null) expect(endedAtMs).toBeGreaterThanOrEqual(startedAtMs);
        }
        const failures = fields.filter((field) => field.state === 'fail').length;
        expect(episodes.reduce((sum, episode) => sum + episode.failuresSeen, 0)).toBe(failures);
      }),
    );
  });
});
