import type { HealthReport, ReceivedAnswer } from '../../../../shared/health/types.ts';
import { heightsOf } from '../../../../shared/health/glance.ts';
import { parseStoredReport } from '../../../../shared/health/stored.ts';
import type { HealthStore, StoredPoll } from '../../health-ports.ts';
import type { Clock, Log, Random } from '../../ports.ts';
import { boundNames } from '../ask/check-names.ts';
import { foldAnswer, restoreHistory } from '../episodes/check-history.ts';
import type { NodeEntry } from './node-entry.ts';
import { isNetworkFailure, isOwnNetworkDown, remoteHost, type RemoteNode } from '../ask/node-network.ts';
import type { PollAnswer, Rhythm } from '../poll/poller.ts';
import { reportReading, type Reading } from '../ask/report.ts';
import { durationsOfPast, slowChecks, spanOfPastMs, watchDurations } from '../episodes/slow.ts';
import { markStalled, usualPeriodMs, watchStanding } from '../episodes/stall.ts';

export interface IntakePorts {
  store: HealthStore;
  clock: Clock;
  random: Random;
  log: Log;
  /** False when the system knows that this computer has no network. */
  isOnline: () => boolean;
}

export interface IntakeEvents {
  /** Stored, with its episodes. */
  onRecorded(poll: StoredPoll): void;
  /** The state of a node changed without an answer of its own. */
  onJudged(entry: NodeEntry): void;
  /** The network seems to be back that this node was not reached over. */
  onNetworkBack(entry: NodeEntry): void;
  /** It seems to be our own network that is down: an answer of anything remote would show that it is not. */
  onDoubt(): void;
}

/** As many as the store gives at once. */
const mostPastPolls = 1_000;

const ownNetworkReason =
  'The network of this computer seems to be down: no node on another computer can be reached.';

/** Judges answers, folds them into history and stores that. */
export function createNodeIntake(
  { store, clock, random, log, isOnline }: IntakePorts,
  entries: ReadonlyMap<string, NodeEntry>,
  events: IntakeEvents,
) {
  /** When something remote last answered that is no watched node. */
  let lastAnswerMs: number | null = null;

  async function takeIn(entry: NodeEntry, answer: PollAnswer, rhythm: Rhythm): Promise<void> {
    if (entry.removed) return;
    // Needed to tell whether the node is still the same one; tries again if the store could not be read before.
    await loadHistory(entry);
    if (answer.reading.kind === 'report') await loadDurations(entry, rhythm.intervalMs);
    entry.isBlind = false;
    entry.received = receivedOf(answer) ?? entry.received;
    const reading = judge(entry, answer, rhythm);
    entry.seen.lastPollAtMs = answer.polledAtMs;
    entry.hasChanged = reading.state !== entry.seen.state;
    entry.seen.state = reading.state;
    entry.seen.reason = reading.reason;
    entry.seen.error = reading.kind === 'no-report' ? reading.error : null;
    if (reading.kind === 'report') {
      if (!hasSameChecks(entry.seen.report, reading.report)) entry.askedTags.clear();
      entry.seen.report = reading.report;
      entry.seen.heights = heightsOf(entry.seen.heights, reading.report.checks);
      entry.seen.reportAtMs = answer.polledAtMs;
      entry.reportCount += 1;
    }
    if (answer.reportedNodeId !== null) await meet(entry, answer.reportedNodeId);
    await record(entry, { ...answer, reading });
  }

  function judge(
    entry: NodeEntry,
    { reading: given, polledAtMs }: PollAnswer,
    { periodMs, intervalMs }: Rhythm,
  ): Reading {
    if (given.kind === 'no-report') return judgeSilence(entry, given);
    noteAnswer(entry);
    const { names, report } = boundNames(entry.names, given.report, polledAtMs);
    entry.names = names;
    const reading = { ...given, report };
    entry.standing = watchStanding(
      entry.standing,
      report.checks,
      clock.monotonicMs(),
      longestGapMs(intervalMs),
    );
    entry.durations = watchDurations(entry.durations, report.checks);
    entry.seen.slowChecks = slowChecks(entry.durations);
    // Learning it anew takes two periods: until then what was known holds, after a start as after sleep.
    entry.usualPeriodMs = periodMs ?? entry.usualPeriodMs;
    const marked = markStalled(report, entry.standing, entry.usualPeriodMs);
    return marked === report ? reading : reportReading(marked);
  }

  /** What we could not see is not the node's fault when nothing else can be seen either. */
  function judgeSilence(entry: NodeEntry, reading: Reading & { kind: 'no-report' }): Reading {
    if (!isNetworkFailure(reading)) {
      noteAnswer(entry);
      return reading;
    }
    entry.failingSinceMs ??= clock.monotonicMs();
    if (remoteHost(entry.stored.url) === null || !isOwnNetworkDown(remoteNodes(), isOnline(), lastAnswerMs))
      return reading;
    for (const other of entries.values()) {
      if (other === entry || other.failingSinceMs === null || other.seen.state !== 'unreachable') continue;
      if (remoteHost(other.stored.url) === null) continue;
      other.seen.state = 'unknown';
      other.seen.reason = ownNetworkReason;
      other.isBlind = true;
      events.onJudged(other);
    }
    if (isOnline()) events.onDoubt();
    entry.isBlind = true;
    return { ...reading, state: 'unknown', reason: ownNetworkReason };
  }

  /** Something on another computer answered that is no watched node. */
  function remoteAnswered(): void {
    lastAnswerMs = clock.monotonicMs();
    for (const entry of entries.values()) if (entry.isBlind) events.onNetworkBack(entry);
  }

  /** Something came back; if it is the network that is back, the others need not wait for their turn. */
  function noteAnswer(entry: NodeEntry): void {
    const wasFailing = entry.failingSinceMs !== null;
    entry.failingSinceMs = null;
    if (!wasFailing || remoteHost(entry.stored.url) === null) return;
    for (const other of entries.values()) {
      if (other !== entry && other.isBlind) events.onNetworkBack(other);
    }
  }

  function remoteNodes(): RemoteNode[] {
    const nodes: RemoteNode[] = [];
    for (const { stored, seen, failingSinceMs } of entries.values()) {
      const host = remoteHost(stored.url);
      const isAsked = !stored.paused && (seen.lastPollAtMs !== null || failingSinceMs !== null);
      if (host !== null && isAsked) nodes.push({ host, failingSinceMs });
    }
    return nodes;
  }

  /** The node has told its name. */
  async function meet(entry: NodeEntry, nodeId: string): Promise<void> {
    if (nodeId === entry.seen.nodeId) return;
    const previousNodeId = entry.seen.nodeId;
    entry.seen.nodeId = nodeId;
    if (previousNodeId === null) return;
    entry.stored = { ...entry.stored, previousNodeId };
    await keep(entry);
  }

  async function keep(entry: NodeEntry): Promise<void> {
    if (entry.removed) return;
    try {
      await store.putNode(entry.stored);
    } catch (error) {
      log.error('node.put', error);
    }
  }

  async function record(entry: NodeEntry, answer: PollAnswer): Promise<void> {
    // Without its past a poll would be recorded as if the node had none; the next one tries again.
    if (entry.history === null || entry.removed) return;
    const { poll, history } = foldAnswer(entry.stored.id, entry.history, answer, () => random.id());
    try {
      await store.recordPoll(poll);
      // Only now: what could not be stored is folded again from what the store knows.
      entry.history = history;
    } catch (error) {
      log.error('node.record', error);
      return;
    }
    events.onRecorded(poll);
  }

  /** Reads what the store knows of the node's past, unless that was done. */
  async function loadHistory(entry: NodeEntry): Promise<void> {
    if (entry.history !== null) return;
    const { id } = entry.stored;
    try {
      const [{ poll, lastReport }, openEpisodes] = await Promise.all([
        store.latest(id),
        store.openEpisodes(id),
      ]);
      const reportJson = lastReport?.reportJson ?? null;
      const report = reportJson === null ? null : parseStoredReport(reportJson);
      if (reportJson !== null && report === null) log.warn('node.stored-report-unreadable', { nodeId: id });
      entry.history = restoreHistory(report, lastReport?.polledAtMs ?? 0, openEpisodes);
      entry.pastUntilMs = lastReport?.polledAtMs ?? null;
      // What was seen since the start, while the store could not be read, is newer.
      if (entry.seen.lastPollAtMs !== null) return;
      entry.seen.report = report;
      entry.seen.heights = heightsOf([], report?.checks ?? []);
      entry.seen.reportAtMs = report === null ? null : (lastReport?.polledAtMs ?? null);
      entry.seen.lastPollAtMs = poll?.polledAtMs ?? null;
      entry.seen.nodeId = poll?.reportedNodeId ?? lastReport?.reportedNodeId ?? null;
    } catch (error) {
      log.error('node.history', error);
    }
  }

  /**
   * What is usual outlives a restart and a pause. Read with the second report and not with the first, for which all nodes are
   * asked at the same moment.
   */
  async function loadDurations(entry: NodeEntry, intervalMs: number): Promise<void> {
    const { pastUntilMs } = entry;
    if (pastUntilMs === null || entry.reportCount === 0) return;
    entry.pastUntilMs = null;
    try {
      const fromMs = pastUntilMs - spanOfPastMs(intervalMs);
      const toMs = Math.max(pastUntilMs, entry.seen.lastPollAtMs ?? pastUntilMs);
      const polls = await store.scanPolls(entry.stored.id, fromMs, toMs, mostPastPolls);
      entry.durations = durationsOfPast(polls, entry.seen.nodeId);
      entry.usualPeriodMs ??= usualPeriodMs(polls);
    } catch (error) {
      log.error('node.durations', error);
    }
  }

  return { takeIn, loadHistory, remoteAnswered };
}

/** Two polls and what one of them may take: with more time between two reports nobody looked. */
function longestGapMs(intervalMs: number): number {
  return 2.5 * intervalMs + 15_000;
}

function hasSameChecks(before: HealthReport | null, after: HealthReport): boolean {
  if (before === null || before.checks.length !== after.checks.length) return false;
  const names = new Set(before.checks.map(({ name }) => name));
  return after.checks.every(({ name }) => names.has(name));
}

/** What is kept of an answer of megabytes. */
const longestReceived = 262_144;

function receivedOf({ polledAtMs, httpStatus = 0, body = '' }: PollAnswer): ReceivedAnswer | null {
  if (httpStatus === 0) return null;
  return { atMs: polledAtMs, httpStatus, body: body.slice(0, longestReceived), length: body.length };
}
