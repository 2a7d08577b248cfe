import type { CheckRun } from '../../../../shared/health/check-run.ts';
import type { FailureEpisode } from '../../../../shared/health/types.ts';
import type { SeenRun } from './runs.ts';

/** What one run did to the episodes of its check: the one that is open now, and those to be stored. */
export interface EpisodeStep {
  open: FailureEpisode | null;
  changed: readonly FailureEpisode[];
}

/**
 * Folds a run that was not folded before into the open episode of its check. `previous` is the last passing or failing run
 * before it. A pass ends the episode; a failure begins one or goes on with it; a run that is pending, unknown or
 * stalled says nothing. A failure whose first failure is later, or whose count is smaller, than before proves that the check had
 * recovered unseen: the old episode ends, marked `inferred`, and a new one begins. After a restart of the node, seen by checks
 * that have not run yet, its counts and times begin anew and prove nothing: the episode goes on.
 */
export function foldRun(
  open: FailureEpisode | null,
  previous: SeenRun | null,
  run: CheckRun,
  newId: () => string,
): EpisodeStep {
  if (run.state === 'pass') return endSeen(open, run);
  if (run.state !== 'fail') return { open, changed: [] };
  if (open === null) {
    const begun = begin(previous, run, newId());
    return { open: begun, changed: [begun] };
  }
  if (hasRecoveredUnseen(open, previous, run)) {
    const begun = begin(previous, run, newId());
    const ended: FailureEpisode = {
      ...open,
      endedAtMs: Math.max(open.startedAtMs, begun.startedAtMs),
      endKnownFrom: 'inferred',
    };
    return { open: begun, changed: [ended, begun] };
  }
  const longer: FailureEpisode = {
    ...open,
    failuresSeen: open.failuresSeen + 1,
    failuresReported: larger(open.failuresReported, run.contiguousFailures),
    firstError: open.firstError ?? run.error,
    lastError: run.error ?? open.lastError,
  };
  return { open: longer, changed: [longer] };
}

/** The failure of a check that a healthy node does not report any more: nothing will be known of its end. */
export function endUnreported(open: FailureEpisode, polledAtMs: number): FailureEpisode {
  return { ...open, endedAtMs: Math.max(open.startedAtMs, polledAtMs), endKnownFrom: 'unreported' };
}

function endSeen(open: FailureEpisode | null, run: CheckRun): EpisodeStep {
  if (open === null) return { open: null, changed: [] };
  // Not before its own start, even when the node's clock was set back meanwhile.
  const endedAtMs = Math.max(open.startedAtMs, run.ranAtMs);
  return { open: null, changed: [{ ...open, endedAtMs, endKnownFrom: 'seen' }] };
}

function begin(previous: SeenRun | null, run: CheckRun, id: string): FailureEpisode {
  // A start that the node reports reaches back at most to the last run that was seen, which belongs to what was before.
  const reported = run.firstFailureAtMs;
  const isUsable =
    reported !== null && reported < run.ranAtMs && (previous === null || reported > previous.ranAtMs);
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
  };
}

function hasRecoveredUnseen(open: FailureEpisode, previous: SeenRun | null, run: CheckRun): boolean {
  if (previous?.countsAnew === true) return false;
  const countBefore = previous?.contiguousFailures ?? open.failuresReported;
  if (run.contiguousFailures !== null && countBefore !== null && run.contiguousFailures < countBefore) {
    return true;
  }
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
