import { noAnswer } from '../../../../shared/health/no-answer.ts';
import type { FailureEpisode } from '../../../../shared/health/types.ts';
import type { StoredPoll } from '../../health-ports.ts';
import type { EpisodeStep } from './episodes.ts';

/**
 * Folds a poll into the episode in which the node does not answer. It begins with a poll that finds the node unreachable
 * and ends with one that has an answer: a report, or whatever else names the node in its header. A poll that could not
 * tell says nothing; but where it follows a single unanswered one, that one was no silence of the node's either (our own
 * network was down, which shows a little later), and the episode is taken back: it has no failures then.
 */
export function foldSilence(
  open: FailureEpisode | null,
  poll: Pick<StoredPoll, 'polledAtMs' | 'state' | 'reason' | 'reportedNodeId' | 'reportJson'>,
  newId: () => string,
): EpisodeStep {
  const { polledAtMs, state, reason } = poll;
  if (state === 'unreachable') {
    const longer: FailureEpisode =
      open === null
        ? begin(polledAtMs, reason, newId())
        : { ...open, failuresSeen: open.failuresSeen + 1, lastError: reason };
    return { open: longer, changed: [longer] };
  }
  if (open === null) return { open, changed: [] };
  const hasAnswered = poll.reportJson !== null || poll.reportedNodeId !== null;
  if (hasAnswered) return end(open, Math.max(open.startedAtMs, polledAtMs), 'seen');
  if (open.failuresSeen > 1) return { open, changed: [] };
  return end({ ...open, failuresSeen: 0 }, open.startedAtMs, 'inferred');
}

function begin(startedAtMs: number, reason: string, id: string): FailureEpisode {
  return {
    id,
    check: noAnswer,
    startedAtMs,
    startKnownFrom: 'seen',
    endedAtMs: null,
    endKnownFrom: null,
    failuresSeen: 1,
    failuresReported: null,
    firstError: reason,
    lastError: reason,
  };
}

function end(
  open: FailureEpisode,
  endedAtMs: number,
  endKnownFrom: FailureEpisode['endKnownFrom'],
): EpisodeStep {
  return { open: null, changed: [{ ...open, endedAtMs, endKnownFrom }] };
}
