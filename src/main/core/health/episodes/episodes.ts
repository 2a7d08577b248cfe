import type { CheckRun } from '../../../../shared/health/check-run.ts';
import { mostPasses } from '../../../../shared/health/stored.ts';
import type { FailureEpisode } from '../../../../shared/health/types.ts';
import type { SeenRun } from './runs.ts';

/** The effect of one run on the episodes of its check: the one that goes on, and those to store. */
export interface EpisodeStep {
  /** Open, or ended with passes that are still counted. */
  current: FailureEpisode | null;
  changed: readonly FailureEpisode[];
}

/**
 * Applies a new run to the current episode of its check. `previous` is the last passing or failing run before it. A pass
 * ends the episode, and the passes after it are counted while a setting may require more; a failure begins or continues
 * one; pending, unknown and stalled runs change nothing. If the time of first failure is later or the failure count
 * smaller than before, the check recovered unseen: the old episode ends as `inferred` and a new one begins. Once the
 * node may have restarted, its counts and times began anew: they prove nothing, and the episode goes on.
 */
export function foldRun(
  current: FailureEpisode | null,
  previous: SeenRun | null,
  run: CheckRun,
  newId: () => string,
): EpisodeStep {
  if (run.state === 'pass') return pass(current, run);
  if (run.state !== 'fail') return { current, changed: [] };
  const open = current?.endedAtMs === null ? current : null;
  if (open === null) {
    const begun = begin([previous?.ranAtMs, current?.endedAtMs], run, newId());
    // Ended by another clock or another node: this failure is no part of it, and no more passes will come.
    const isApart = (current?.endedAtMs ?? -Infinity) > begun.startedAtMs;
    const settled = isApart && current !== null ? [{ ...current, passes: mostPasses }] : [];
    return { current: begun, changed: [...settled, begun] };
  }
  if (hasRecoveredUnseen(open, previous, run)) {
    const begun = begin([previous?.ranAtMs], run, newId());
    // One pass at least, which was not seen; no more will come where our clock was ahead as it began.
    const passes = begun.startedAtMs < open.startedAtMs ? mostPasses : 1;
    return { current: begun, changed: [endEpisode(open, begun.startedAtMs, 'inferred', passes), begun] };
  }
  const longer: FailureEpisode = {
    ...open,
    failuresSeen: open.failuresSeen + 1,
    failuresReported: larger(open.failuresReported, run.contiguousFailures),
    firstError: open.firstError ?? run.error,
    lastError: run.error ?? open.lastError,
  };
  return { current: longer, changed: [longer] };
}

/** Settles the episode of a check that a healthy node no longer reports: its end is unknown, and no pass will come. */
export function settleUnreported(current: FailureEpisode, polledAtMs: number): FailureEpisode {
  if (current.endedAtMs !== null) return { ...current, passes: mostPasses };
  return endEpisode(current, polledAtMs, 'unreported', mostPasses);
}

/** It does not end before its own start, even if the node's clock was set back in between. */
export function endEpisode(
  open: FailureEpisode,
  atMs: number,
  endKnownFrom: FailureEpisode['endKnownFrom'],
  passes: number,
): FailureEpisode {
  return { ...open, endedAtMs: Math.max(open.startedAtMs, atMs), endKnownFrom, passes };
}

function pass(current: FailureEpisode | null, run: CheckRun): EpisodeStep {
  if (current === null) return { current, changed: [] };
  const passed =
    current.endedAtMs !== null
      ? { ...current, passes: current.passes + 1 }
      : endEpisode(current, run.ranAtMs, 'seen', 1);
  return { current: passed.passes < mostPasses ? passed : null, changed: [passed] };
}

function begin(knownMs: readonly (number | null | undefined)[], run: CheckRun, id: string): FailureEpisode {
  // A start reported by the node is used only if it is after what is known of the check: that was not part of this failure.
  const reported = run.firstFailureAtMs;
  // What is after this run is of a time when our clock was ahead.
  const beforeMs = Math.max(...knownMs.map((ms) => (ms == null || ms > run.ranAtMs ? -Infinity : ms)));
  const isUsable = reported !== null && reported < run.ranAtMs && reported > beforeMs;
  return {
    id,
    check: run.check,
    startedAtMs: isUsable ? reported : run.ranAtMs,
    startKnownFrom: isUsable ? 'node-reported' : 'seen',
    endedAtMs: null,
    endKnownFrom: null,
    failuresSeen: 1,
    failuresReported: run.contiguousFailures,
    firstError: run.error,
    lastError: run.error,
    passes: 0,
  };
}

function hasRecoveredUnseen(open: FailureEpisode, previous: SeenRun | null, run: CheckRun): boolean {
  if (previous?.countsAnew === true) return false;
  const countBefore = previous?.contiguousFailures ?? open.failuresReported;
  if (run.contiguousFailures !== null && countBefore !== null && run.contiguousFailures < countBefore)
    return true;
  return run.firstFailureAtMs !== null && run.firstFailureAtMs > latestKnownStart(open, previous);
}

/** A first failure later than this cannot belong to the open episode. */
function latestKnownStart(open: FailureEpisode, previous: SeenRun | null): number {
  const reported = open.startKnownFrom === 'node-reported' ? open.startedAtMs : null;
  return previous?.firstFailureAtMs ?? reported ?? previous?.ranAtMs ?? open.startedAtMs;
}

function larger(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.max(a, b);
}
