import type { FailureEpisode, HealthReport } from '../../../../shared/health/types.ts';
import type { StoredPoll } from '../../health-ports.ts';
import { noAnswer } from '../../../../shared/health/no-answer.ts';
import { foldRun, settleUnreported, type EpisodeStep } from './episodes.ts';
import type { PollAnswer } from '../poll/poller.ts';
import type { Reading } from '../ask/report.ts';
import { newRuns, timeOf, toSeenRun, type SeenRun } from './runs.ts';
import { foldSilence } from './silence.ts';

/** What must be known of a node's past to process its next answer. */
export interface CheckHistory {
  seen: ReadonlyMap<string, SeenRun>;
  /** Episodes that are open, or whose passes are still counted, by check; under `noAnswer` that of the node itself. */
  current: ReadonlyMap<string, FailureEpisode>;
  lastReport: HealthReport | null;
}

/** How many checks missing from the reports are kept with their episodes: a node may keep making up new names. */
const mostAbsent = 200;

/**
 * Rebuilds the history from the last stored report, polled at `reportAtMs`, and the current episodes. `mayBeNew`: the
 * node has answered without a report since, if at all, so it may have restarted.
 */
export function restoreHistory(
  lastReport: HealthReport | null,
  reportAtMs: number,
  episodes: readonly FailureEpisode[],
  mayBeNew = false,
): CheckHistory {
  const seen = new Map<string, SeenRun>();
  const current = new Map(episodes.map((episode) => [episode.check, episode]));
  const checks = new Map(lastReport?.checks.map((check) => [check.name, check]));
  for (const check of checks.values()) {
    const run = toSeenRun(check, timeOf(check, reportAtMs));
    if (run !== null) seen.set(check.name, run);
  }
  // A node that has just started has not run all of its checks, or does not name them yet.
  for (const { check, startedAtMs: ranAtMs, endedAtMs } of episodes) {
    const state = checks.get(check)?.state ?? 'pending';
    if (state === 'pending' && endedAtMs === null && check !== noAnswer)
      seen.set(check, { ...unreported, state: 'fail', ranAtMs, countsAnew: true });
  }
  return { seen: mayBeNew ? countedAnew(seen) : seen, current, lastReport };
}

/** Its counts and times of first failure prove nothing: the node may have restarted, or they are reckoned otherwise now. */
export const countedAnew = (seen: CheckHistory['seen']): Map<string, SeenRun> =>
  new Map([...seen].map(([check, run]) => [check, { ...run, countsAnew: true }]));

/** An answer of which all times are by our clock. */
export type JudgedAnswer = Pick<PollAnswer, 'polledAtMs' | 'reportedNodeId'> & {
  reading: Reading<HealthReport>;
  /** Of the last failed polls, so many were the fault of our own network. */
  blindPolls?: number;
  isFirst?: boolean;
};

/** Computes what an answer adds to the store, and the history after that is stored. */
export function foldAnswer(
  nodeId: string,
  history: CheckHistory,
  answer: JudgedAnswer,
  newId: () => string,
): { poll: StoredPoll; history: CheckHistory } {
  const { reading, polledAtMs, reportedNodeId, blindPolls = 0, isFirst = false } = answer;
  const { state, reason } = reading;
  const reportJson = reading.kind === 'report' ? JSON.stringify(reading.report) : null;
  const answered = { nodeId, polledAtMs, state, reason, reportedNodeId, reportJson };
  const poll = { ...answered, ...(isFirst && { isFirst }) };
  const episodes: FailureEpisode[] = [];
  const current = new Map(history.current);
  const take = (check: string, step: EpisodeStep): void => {
    episodes.push(...step.changed);
    if (step.current === null) current.delete(check);
    else current.set(check, step.current);
  };
  take(noAnswer, foldSilence(current.get(noAnswer) ?? null, poll, blindPolls, newId));
  if (reading.kind === 'no-report') {
    const seen = state === 'unreachable' ? countedAnew(history.seen) : history.seen;
    return { poll: { ...poll, runs: [], episodes }, history: { ...history, seen, current } };
  }
  const { report } = reading;
  const seen = new Map(history.seen);
  const runs = newRuns(report, history.lastReport, seen, polledAtMs);
  const checks = new Map(report.checks.map((check) => [check.name, check]));
  for (const run of runs) {
    const check = checks.get(run.check);
    const seenRun = check === undefined ? null : toSeenRun(check, run.ranAtMs);
    const known = seen.get(run.check);
    take(run.check, foldRun(current.get(run.check) ?? null, known ?? null, run, newId));
    if (seenRun !== null) seen.set(run.check, seenRun);
    else if ((run.state === 'pending' || check === undefined) && known !== undefined)
      seen.set(run.check, { ...known, countsAnew: true });
  }
  const absent = [...current.values()].filter(({ check }) => !checks.has(check));
  // A report without any checks says nothing about their failures.
  const isOver = state === 'healthy' && checks.size > 0;
  for (const episode of isOver ? absent : absent.slice(0, -mostAbsent)) {
    episodes.push(settleUnreported(episode, polledAtMs));
    current.delete(episode.check);
  }
  for (const check of [...seen.keys()].filter((name) => !checks.has(name)).slice(0, -mostAbsent))
    seen.delete(check);
  return { poll: { ...poll, runs, episodes }, history: { seen, current, lastReport: report } };
}

/** Nothing is known any more of the last run of a failing check from before the node restarted. */
const unreported = { reportedAtMs: null, contiguousFailures: null, firstFailureAtMs: null } as const;
