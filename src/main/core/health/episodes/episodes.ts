import type { CheckRun } from '../../../../shared/health/check-run.ts';
import type { FailureEpisode } from '../../../../shared/health/types.ts';
import type { SeenRun } from './runs.ts';

/** The effect of one run on the episodes of its check: the open one, and those to store. */
export interface EpisodeStep {
  open: FailureEpisode | null;
  changed: readonly FailureEpisode[];
}

/**
 * Applies a new run to the open episode of its check. `previous` is the last passing or failing run before it. A pass
 * ends the episode; a failure begins or continues one; pending, unknown and stalled runs change nothing. If the time of
 * first failure is later or the failure count smaller than before, the check recovered unseen: the old episode ends as
 * `inferred` and a new one begins. Once checks were seen pending, the node has restarted and its counts and times began
 * anew: they prove nothing, and the episode goes on.
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

/** Ends the episode of a check that a healthy node no longer reports: its real end will never be known. */
export function endUnreported(open: FailureEpisode, polledAtMs: number): FailureEpisode {
  return { ...open, endedAtMs: Math.max(open.startedAtMs, polledAtMs), endKnownFrom: 'unreported' };
}

function endSeen(open: FailureEpisode | null, run: CheckRun): EpisodeStep {
  if (open === null) return { open: null, changed: [] };
  // Not before its own start, even if the node's clock was set back in between.
  const endedAtMs = Math.max(open.startedAtMs, run.ranAtMs);
  return { open: null, changed: [{ ...open, endedAtMs, endKnownFrom: 'seen' }] };
}

function begin(previous: SeenRun | null, run: CheckRun, id: string): FailureEpisode {
  // A start reported by the node is used only if it is after the last run seen: that run was not part of this failure.
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
