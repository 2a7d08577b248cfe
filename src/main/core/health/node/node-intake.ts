import type { HealthReport, ReceivedAnswer } from '../../../../shared/health/types.ts';
import { heightsOf } from '../../../../shared/health/glance.ts';
import { parseStoredReport } from '../../../../shared/health/stored.ts';
import { remoteHost } from '../../remote-host.ts';
import { dayMs } from '../../../../shared/time.ts';
import type { HealthStore, StoredPoll } from '../../health-ports.ts';
import type { Ports } from '../../ports.ts';
import { boundNames } from '../ask/check-names.ts';
import { noReport, type NoReport } from '../ask/no-report.ts';
import { clockAhead, inOurTime, nodeTicks, type Lag, type NodeReport } from '../ask/node-clock.ts';
import {
  foldAnswer,
  restoreHistory,
  type CheckHistory,
  type JudgedAnswer,
} from '../episodes/check-history.ts';
import type { NodeEntry } from './node-entry.ts';
import { noteNodeId, settleNodeId, severalNodesReason } from './node-identity.ts';
import { isNetworkFailure, ownNetworkDownSince, wasAnswered, type RemoteNode } from '../ask/node-network.ts';
import { scanPolls } from '../history/history-source.ts';
import type { PollAnswer, Rhythm } from '../poll/poller.ts';
import { reportReading, type Reading } from '../ask/report.ts';
import { addPast, slowChecks, spanOfPastMs, watchDurations } from '../episodes/slow.ts';
import { markStalled, usualPeriodMs, watchStanding } from '../episodes/stall.ts';

export interface IntakePorts extends Pick<Ports, 'clock' | 'random' | 'log' | 'isOnline'> {
  store: HealthStore;
}

/** A poll that was stored, with its episodes, or refused by the disk: these are stored with the next one that it takes. */
export interface TakenPoll extends StoredPoll {
  isStored: boolean;
}

export interface IntakeEvents {
  onTaken(poll: TakenPoll): void;
  /** A node's state was judged, maybe although the node itself did not answer; it is not stored yet. */
  onJudged(entry: NodeEntry): void;
  /** The network seems to be back: the node should be polled. Returns whether a poll of it was under way. */
  onNetworkBack(entry: NodeEntry): boolean;
  /** Our own network may be down: ask for an answer from anything remote that would disprove it. */
  onDoubt(): void;
}

/** Episodes that are kept for the next poll while the disk refuses them. */
const mostUnsaved = 1_000;
/** The store's limit for one read. */
const mostPastPolls = 1_000;
/** Enough to see a long period, at a poll every two minutes. */
const pollsForPeriod = 720;

/** Why the state of nodes on other computers is unknown. */
export const ownNetworkReason =
  'This computer’s network seems to be down: the app can’t reach any node on another computer.';

/** Of two polls at least so far apart, nobody looked in between where the interval is shorter. */
const shortestAwayMs = 120_000;
/** A larger step of one clock against the other is a sleep, or somebody has set the clock. */
const largestStepMs = 15_000;

/** Judges the answers of polls, adds them to the history and stores them. */
export function createNodeIntake(
  { store, clock, random, log, isOnline }: IntakePorts,
  entries: ReadonlyMap<string, NodeEntry>,
  events: IntakeEvents,
) {
  /** When something remote other than a watched node last answered, by the monotonic clock. */
  let lastAnswerMs: number | null = null;

  /** What is shown does not wait for the store. */
  async function takeIn(entry: NodeEntry, answer: PollAnswer, rhythm: Rhythm): Promise<void> {
    if (entry.removed) return;
    const blindBefore = entry.blindPolls;
    entry.received = receivedOf(answer) ?? entry.received;
    const { previousNodeId } = entry.stored;
    const reading = judge(entry, answer, rhythm);
    const { state, reason } = reading;
    const error = reading.kind === 'no-report' ? reading.error : null;
    entry.hasChanged = state !== entry.seen.state;
    Object.assign(entry.seen, { lastPollAtMs: answer.polledAtMs, state, reason, error });
    if (state === 'unreachable') entry.seen.silentAtMs = answer.polledAtMs;
    if (reading.kind === 'report') {
      if (!hasSameChecks(entry.seen.report, reading.report)) entry.askedTags.clear();
      entry.seen.report = reading.report;
      entry.seen.heights = heightsOf(entry.seen.heights, reading.report.checks);
      entry.seen.reportAtMs = answer.polledAtMs;
      entry.reportCount += 1;
    }
    events.onJudged(entry);
    // A failed read of the store is retried here.
    await loadHistory(entry);
    if (entry.stored.previousNodeId !== previousNodeId) await keep(entry);
    const isFirst = wasAway(entry, answer.polledAtMs, rhythm.intervalMs);
    await record(entry, { ...answer, reading, isFirst, blindPolls: entry.blindPolls ?? blindBefore ?? 0 });
    if (reading.kind === 'report') await loadDurations(entry, rhythm.intervalMs);
  }

  function judge(
    entry: NodeEntry,
    answer: PollAnswer,
    { periodMs, guessMs, intervalMs, lag }: Rhythm,
  ): Reading<HealthReport> {
    const { reading: given, reportedNodeId, polledAtMs, wasOffline } = answer;
    const blindBefore = entry.mayFailOfBefore ? (entry.blindPolls ?? 0) : 0;
    entry.blindPolls = null;
    entry.mayFailOfBefore = false;
    if (reportedNodeId !== null) {
      noteNodeId(entry, reportedNodeId, clock.monotonicMs());
      settleNodeId(entry, reportedNodeId);
    }
    entry.saysNothing = !isNetworkFailure(given) && !wasAnswered(answer);
    if (wasAnswered(answer)) noteAnswer(entry);
    if (given.kind === 'no-report') return judgeSilence(entry, given, blindBefore, wasOffline);
    if (entry.seen.nodeIds.length > 0)
      return noReport({ code: 'bad-response', message: severalNodesReason, issues: [] });
    const { names, report } = boundNames(entry.names, timed(entry, given.report, lag), polledAtMs);
    entry.names = names;
    const reading = { ...given, report };
    // Two intervals and the longest poll: a longer gap between two reports means that polling was interrupted.
    const longestGapMs = 2.5 * intervalMs + 15_000;
    entry.standing = watchStanding(entry.standing, report.checks, clock.monotonicMs(), longestGapMs);
    entry.durations = watchDurations(entry.durations, report.checks);
    entry.seen.slowChecks = slowChecks(entry.durations);
    // Learning the period takes two runs; until then the last known one is used, after a start as after sleep. A guess
    // may only make it more patient.
    const patientMs = (ms: number | null): number | null => ms && Math.max(ms, guessMs ?? 0);
    entry.usualPeriodMs = patientMs(periodMs) ?? entry.usualPeriodMs;
    const usualMs = patientMs(entry.usualPeriodMs);
    const marked = markStalled(report, entry.standing, usualMs);
    return marked === report ? reading : reportReading(marked);
  }

  /** The report with its times by our clock. */
  function timed(entry: NodeEntry, report: NodeReport, lag: Lag | null): HealthReport {
    const now = { wallMs: clock.nowMs(), monotonicMs: clock.monotonicMs() };
    const aheadMs = clockAhead(entry.aheadMs ?? aheadBefore(entry, report), lag, report, now);
    // What was seen before has other times now.
    if ((aheadMs ?? 0) !== (entry.aheadMs ?? 0)) entry.countAnew();
    entry.aheadMs = aheadMs;
    return inOurTime(report, aheadMs);
  }

  /**
   * A failure is not blamed on the node when our own network is probably down, nor when the poll began while it was:
   * after so many polls that failed of it.
   */
  function judgeSilence(
    entry: NodeEntry,
    reading: NoReport,
    blindBefore: number,
    wasOffline: boolean,
  ): NoReport {
    if (!isNetworkFailure(reading)) return reading;
    entry.failingSinceMs ??= clock.monotonicMs();
    entry.failedPolls += 1;
    const beganMs = ownNetworkDownSince(remoteNodes(), isOnline() && !wasOffline, lastAnswerMs);
    const unknown = { ...reading, state: 'unknown', reason: ownNetworkReason } as const;
    if (beganMs === null && blindBefore > 0) {
      entry.blindPolls = blindBefore + 1;
      return unknown;
    }
    if (remoteHost(entry.stored.url) === null || beganMs === null) return reading;
    const blame = (one: NodeEntry): void => {
      one.blindPolls = (one.failingSinceMs ?? -Infinity) >= beganMs ? one.failedPolls : 0;
    };
    for (const other of entries.values()) {
      if (other === entry || other.failingSinceMs === null || other.seen.state !== 'unreachable') continue;
      if (remoteHost(other.stored.url) === null) continue;
      other.seen.state = 'unknown';
      other.seen.reason = ownNetworkReason;
      blame(other);
      events.onJudged(other);
    }
    if (isOnline()) events.onDoubt();
    blame(entry);
    return unknown;
  }

  /** Call when something remote other than a watched node has answered. */
  function remoteAnswered(): void {
    lastAnswerMs = clock.monotonicMs();
    networkIsBack();
  }

  function networkIsBack(): void {
    for (const entry of entries.values())
      if (entry.blindPolls !== null) entry.mayFailOfBefore = events.onNetworkBack(entry);
  }

  /** A node answered again; if our network was down, the others are polled without waiting for their next slot. */
  function noteAnswer(entry: NodeEntry): void {
    const wasFailing = entry.failingSinceMs !== null;
    entry.failingSinceMs = null;
    entry.lastAnsweredMs = clock.monotonicMs();
    entry.failedPolls = 0;
    if (wasFailing && remoteHost(entry.stored.url) !== null) networkIsBack();
  }

  function remoteNodes(): RemoteNode[] {
    return [...entries.values()].flatMap((entry) => {
      const { stored, seen, failingSinceMs, lastAnsweredMs: answeredMs } = entry;
      const host = remoteHost(stored.url);
      const wasAsked = seen.lastPollAtMs !== null || failingSinceMs !== null;
      const isAsked = wasAsked && !stored.paused && !entry.saysNothing;
      return host !== null && isAsked ? { host, failingSinceMs, answeredMs } : [];
    });
  }

  async function keep({ removed, stored }: NodeEntry): Promise<void> {
    if (!removed) await store.putNode(stored).catch((cause: unknown) => log.error('node.put', cause));
  }

  async function record(entry: NodeEntry, answer: JudgedAnswer): Promise<void> {
    // Without its history the poll would be stored as the node's first; the next poll tries to load it again.
    if (entry.history === null || entry.removed) return;
    const fold = (history: CheckHistory) => foldAnswer(entry.stored.id, history, answer, () => random.id());
    const { poll: folded, history } = fold(entry.history);
    const ahead = entry.unsaved === null ? { poll: folded, history } : fold(entry.unsaved.history);
    const before = entry.unsaved?.poll.episodes ?? [];
    const episodes = new Map([...before, ...ahead.poll.episodes].map((episode) => [episode.id, episode]));
    const poll = { ...folded, episodes: [...episodes.values()] };
    try {
      await store.recordPoll(poll);
      // Only after the write: if it fails, the runs of the next answer are compared with what the store really has.
      entry.history = { ...history, current: ahead.history.current };
      entry.unsaved = null;
      entry.recorded = { wallMs: poll.polledAtMs, monotonicMs: clock.monotonicMs() };
    } catch (error) {
      log.error('node.record', error);
      const kept = poll.episodes.slice(-mostUnsaved);
      entry.unsaved = { history: ahead.history, poll: { ...poll, episodes: kept } };
      // That it was gone is known all the same.
      if (poll.state === 'unreachable') entry.countAnew();
      events.onTaken({ ...poll, isStored: false });
      return;
    }
    events.onTaken({ ...poll, isStored: true });
    for (const other of entries.values())
      if (other.stored.paused && other.unsaved !== null) void other.turns.take(() => storeUnsaved(other));
  }

  /** Stores what the disk has refused, where no poll follows that would. */
  async function storeUnsaved(entry: NodeEntry): Promise<void> {
    const { unsaved } = entry;
    if (unsaved === null) return;
    try {
      await store.recordPoll(unsaved.poll);
      entry.history = unsaved.history;
      entry.unsaved = null;
    } catch (error) {
      log.error('node.record', error);
    }
  }

  /** Whether nobody has looked since the last poll that is stored, or the clock was set. */
  function wasAway({ recorded }: NodeEntry, polledAtMs: number, intervalMs: number): boolean {
    if (recorded === null) return true;
    const passedMs = clock.monotonicMs() - recorded.monotonicMs;
    const isStep = Math.abs(polledAtMs - recorded.wallMs - passedMs) > largestStepMs;
    return isStep || passedMs > 3 * Math.max(intervalMs, shortestAwayMs);
  }

  /** Loads the node's history from the store, once. */
  async function loadHistory(entry: NodeEntry): Promise<void> {
    if (entry.history !== null) return;
    const { id } = entry.stored;
    try {
      const [{ poll, lastReport }, episodes] = await Promise.all([
        store.latest(id),
        store.currentEpisodes(id),
      ]);
      const { reportJson = null, polledAtMs: reportAtMs = null } = lastReport ?? {};
      const report = parseStoredReport(reportJson);
      if (reportJson !== null && report === null) log.warn('node.stored-report-unreadable', { nodeId: id });
      const lastNodeId = lastReport?.reportedNodeId ?? poll?.reportedNodeId ?? null;
      // The node before has been heard last where the user has changed the address since.
      const isMoved = lastNodeId !== null && lastNodeId === entry.stored.previousNodeId;
      const mayBeNew = isMoved || poll?.reportJson === null;
      entry.history = restoreHistory(report, reportAtMs ?? 0, episodes, mayBeNew);
      entry.pastUntilMs = reportAtMs;
      if (!isMoved) entry.seen.nodeId ??= lastNodeId;
      // Answers received while the store could not be read are newer than what it has.
      if (entry.seen.lastPollAtMs !== null) return;
      entry.seen.report = report;
      entry.seen.heights = heightsOf([], report?.checks ?? []);
      entry.seen.reportAtMs = report && reportAtMs;
      entry.seen.lastPollAtMs = poll?.polledAtMs ?? null;
      entry.seen.silentAtMs = poll?.state === 'unreachable' ? poll.polledAtMs : null;
    } catch (error) {
      log.error('node.history', error);
    }
  }

  /**
   * Loads the usual durations and period after a start or a pause. Not with the first report: all nodes are polled at
   * the same time then.
   */
  async function loadDurations(entry: NodeEntry, intervalMs: number): Promise<void> {
    const { pastUntilMs } = entry;
    const { id } = entry.stored;
    if (pastUntilMs === null || entry.reportCount < 2) return;
    entry.pastUntilMs = null;
    try {
      const fromMs = pastUntilMs - spanOfPastMs(intervalMs);
      const toMs = Math.max(pastUntilMs, entry.seen.lastPollAtMs ?? pastUntilMs);
      const polls: StoredPoll[] = [];
      entry.durations = new Map();
      for await (const poll of scanPolls({ id, store }, fromMs, toMs)) {
        polls.push(poll);
        entry.durations = addPast(entry.durations, poll, entry.seen.nodeId);
        if (polls.length === mostPastPolls) break;
      }
      entry.seen.slowChecks = slowChecks(entry.durations);
      entry.usualPeriodMs ??= usualPeriodMs(polls, entry.seen.nodeId);
      // A long period takes a long past to be seen, and the app may have been closed for most of it.
      for (const days of [1, 30, 400]) {
        if (entry.usualPeriodMs !== null) break;
        const afterMs = pastUntilMs - days * dayMs;
        const older = await store.scanPolls(id, afterMs, pastUntilMs, pollsForPeriod);
        entry.usualPeriodMs = usualPeriodMs(older, entry.seen.nodeId);
      }
    } catch (error) {
      log.error('node.durations', error);
    }
  }

  return { takeIn, loadHistory, storeUnsaved, remoteAnswered };
}

/** Runs that were stored under the same times, before this start of the app, show that the clocks agreed. */
function aheadBefore({ history }: NodeEntry, { checks }: NodeReport): number | null {
  const isStored = checks.some(
    ({ name, ranAtMs }) => ranAtMs !== null && history?.seen.get(name)?.reportedAtMs === nodeTicks(ranAtMs),
  );
  return isStored ? 0 : null;
}

function hasSameChecks(before: HealthReport | null, after: HealthReport): boolean {
  if (before === null || before.checks.length !== after.checks.length) return false;
  const names = new Set(before.checks.map(({ name }) => name));
  return after.checks.every(({ name }) => names.has(name));
}

/** Characters that are kept of a response. */
const longestReceived = 262_144;

function receivedOf({ polledAtMs, httpStatus = 0, body = '' }: PollAnswer): ReceivedAnswer | null {
  if (httpStatus === 0) return null;
  return { atMs: polledAtMs, httpStatus, body: body.slice(0, longestReceived), length: body.length };
}
