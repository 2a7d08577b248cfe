import { noAnswer } from '../../../../shared/health/no-answer.ts';
import { mostPasses } from '../../../../shared/health/stored.ts';
import type { FailureEpisode } from '../../../../shared/health/types.ts';
import type { StoredPoll } from '../../health-ports.ts';
import { endEpisode, foldRun, type EpisodeStep } from './episodes.ts';

/**
 * Applies a poll to the episode during which the node is unreachable. It begins with an unreachable poll and ends with
 * an answer: a report, or any response whose header names the node. Where all its polls turn out to be the fault of our
 * own network (`blindPolls`), which shows a little later, it is withdrawn, by setting its failures to 0; so is a single
 * unanswered poll that is followed by one that tells nothing. Other polls change nothing.
 */
export function foldSilence(
  open: FailureEpisode | null,
  poll: Pick<StoredPoll, 'polledAtMs' | 'state' | 'reason' | 'reportedNodeId' | 'reportJson'>,
  blindPolls: number,
  newId: () => string,
): EpisodeStep {
  const { polledAtMs, state, reason } = poll;
  if (state === 'unreachable') {
    const run = { check: noAnswer, state: 'fail', ranAtMs: polledAtMs, error: reason } as const;
    return foldRun(open, null, { ...run, contiguousFailures: null, firstFailureAtMs: null }, newId);
  }
  if (open === null) return { current: null, changed: [] };
  const hasAnswered = poll.reportJson !== null || poll.reportedNodeId !== null;
  if (open.failuresSeen <= Math.max(blindPolls, hasAnswered ? 0 : 1))
    return end({ ...open, failuresSeen: 0 }, open.startedAtMs, 'inferred');
  if (hasAnswered) return end(open, polledAtMs, 'seen');
  return { current: open, changed: [] };
}

function end(open: FailureEpisode, atMs: number, knownFrom: FailureEpisode['endKnownFrom']): EpisodeStep {
  return { current: null, changed: [endEpisode(open, atMs, knownFrom, mostPasses)] };
}
