import { classifyFailure } from '../src/main/core/health/ask/no-report.ts';
import { foldAnswer, restoreHistory } from '../src/main/core/health/episodes/check-history.ts';
import { markStalled, watchStanding, type StandingChecks } from '../src/main/core/health/episodes/stall.ts';
import { inOurTime } from '../src/main/core/health/ask/node-clock.ts';
import { readReport, reportReading, type Reading } from '../src/main/core/health/ask/report.ts';
import type { StoredEpisode, StoredNode, StoredPoll } from '../src/main/core/health-ports.ts';
import { coreOf, type HistoryPoll } from '../src/main/adapters/storage/health/history/block.ts';
import { allSteps, contentOfDay, dayOf } from '../src/main/adapters/storage/health/history/day.ts';
import { dayMs } from '../src/shared/time.ts';
import { blockSpanMs } from '../src/main/adapters/storage/health/history/stored-polls.ts';
import { saveBlock, saveDay } from '../src/main/adapters/storage/health/history/upkeep.ts';
import { createHealthStore, requireNodeRef } from '../src/main/adapters/storage/health/health.ts';
import { openLadder } from '../src/main/adapters/storage/opening/ladder.ts';
import { loadDriver } from '../src/main/adapters/storage/sqlite/load-driver.ts';
import type { SqlDatabase, SqlWriter } from '../src/main/adapters/storage/sqlite/sql.ts';
import type { HealthReport } from '../src/shared/health/types.ts';
import { nothingPrior } from '../src/shared/health/uptime.ts';
import type { ToldPast } from '../sample-service/node/past.ts';

/**
 * Writes the past of sample nodes into a profile while the app is not running: the app's own rules turn the answers
 * into runs and episodes, and its own store keeps them, packed as its upkeep would have packed them by now.
 */

/** The poll interval for a node whose checks run every half minute. */
const intervalMs = 30_000;
/** Across a longer gap between two answers it is unknown whether checks were stalled. */
const longestGapMs = 90_000;

/** Turns answers into the polls that the app would have stored. */
function* foldPast(id: string, { answers, nodeId }: ToldPast): Generator<StoredPoll> {
  let history = restoreHistory(null, 0, []);
  let standing: StandingChecks | null = null;
  let episodeCount = 0;
  const newId = () => `${id}-${(episodeCount += 1)}`;
  for (const answer of answers) {
    let reading: Reading<HealthReport>;
    if ('failure' in answer) {
      reading = classifyFailure({ kind: 'failure', reason: answer.failure, detail: '' });
    } else {
      const read = readReport(answer.status, answer.body);
      if (read.kind === 'report') {
        const report = inOurTime(read.report, 0);
        standing = watchStanding(standing, report.checks, answer.atMs, longestGapMs);
        reading = reportReading(markStalled(report, standing, intervalMs));
      } else reading = read;
    }
    const reportedNodeId = 'failure' in answer ? null : nodeId;
    const polled = { targetId: id, polledAtMs: answer.atMs, reportedNodeId, reading };
    const step = foldAnswer(id, history, polled, newId);
    ({ history } = step);
    yield step.poll;
  }
}

/** Adds these nodes with their past to the store in a profile's folder, which is created if missing. */
export function seedPast(
  directory: string,
  pasts: readonly ToldPast[],
  nodes: readonly { name: string; url: string }[],
): void {
  const nowMs = Math.max(0, ...pasts.map(({ untilMs }) => untilMs));
  const opened = openLadder({
    driver: loadDriver(),
    directory,
    nowMs,
    busyTimeoutMs: 1_000,
    thoroughUpToBytes: 0,
  });
  try {
    // Losing this data in a power failure would not matter.
    opened.database.pragma('synchronous = OFF');
    for (const past of pasts) {
      const url = nodes.find(({ name }) => name === past.name)?.url;
      if (url === undefined) throw new RangeError(`There is no node ${past.name}.`);
      addPast(opened.database, past, url);
    }
  } finally {
    opened.close();
  }
}

function addPast(database: SqlDatabase, past: ToldPast, url: string): void {
  const store = createHealthStore(database);
  const { name: id, notes, fromMs, untilMs } = past;
  store.putNode(nodeOf(id, url, fromMs));
  // Counted from two minutes ago, because an hour that has just begun may not have a poll yet.
  const hourMs = Math.floor((untilMs - 120_000) / blockSpanMs) * blockSpanMs;
  const episodes = new Map<string, StoredEpisode>();
  /** The polls of the current hour. */
  const recent: StoredPoll[] = [];
  database.transaction((writer) => {
    const packing = startPacking(writer, requireNodeRef(writer, id), dayOf(hourMs - blockSpanMs));
    for (const poll of foldPast(id, past)) {
      for (const episode of poll.episodes) episodes.set(episode.id, episode);
      if (poll.polledAtMs < hourMs) packing.add(poll);
      else recent.push(poll);
    }
    packing.finish();
  });
  // The store takes its newest runs and reports from these.
  const [first, ...others] = recent;
  if (first === undefined) throw new RangeError('the past of a node ends too early');
  store.recordPoll({ ...first, episodes: [...episodes.values()] });
  for (const poll of others) store.recordPoll({ ...poll, episodes: [] });
  for (const { fromMs: beganMs, toMs, note } of notes) {
    const about = [...episodes.values()].find(
      ({ startedAtMs }) => startedAtMs >= beganMs && startedAtMs <= toMs,
    );
    if (about !== undefined) store.putIncidentMark(id, { episodeId: about.id, note });
  }
}

/** Stores past hours and days in the upkeep's packed form; `today` is the first day that is not yet packed. */
function startPacking(writer: SqlWriter, node: number, today: number) {
  let hour: HistoryPoll[] = [];
  let day: HistoryPoll[] = [];
  let prior = nothingPrior();
  let lastReport: string | null = null;

  /** Stores the hour of the polls added last. */
  function finish(): void {
    if (hour.length > 0) saveBlock(writer, node, hour);
    hour = [];
  }

  function keepDay(number: number): void {
    const polls = day.map(coreOf);
    const slice = { fromMs: number * dayMs, toMs: (number + 1) * dayMs, polls: () => polls };
    const content = allSteps(contentOfDay(number, prior, [slice]));
    ({ prior } = content.timeline);
    saveDay(writer, node, number, content);
  }

  function add({ nodeId: _node, episodes: _episodes, ...poll }: StoredPoll): void {
    const [oldest] = hour;
    if (oldest !== undefined && numberOf(oldest, blockSpanMs) !== numberOf(poll, blockSpanMs)) finish();
    // Heights change with every round, so only polls within the same round have equal reports.
    const isChange = poll.reportJson !== null && poll.reportJson !== lastReport;
    lastReport = poll.reportJson ?? lastReport;
    const core = { ...poll, isChange };
    hour.push(core);
    const [first] = day;
    day.push(core);
    // The first poll of a day may report runs from the day before.
    if (first === undefined || numberOf(first, dayMs) === dayOf(poll.polledAtMs)) return;
    if (numberOf(first, dayMs) < today) keepDay(numberOf(first, dayMs));
    day = [core];
  }

  return { add, finish };
}

function numberOf({ polledAtMs }: { polledAtMs: number }, spanMs: number): number {
  return Math.floor(polledAtMs / spanMs);
}

function nodeOf(name: string, url: string, addedAtMs: number): StoredNode {
  return {
    id: name,
    name,
    url,
    intervalMs: null,
    tags: [],
    headerNames: [],
    certificate: null,
    paused: false,
    addedAtMs,
    previousNodeId: null,
    tagChecks: [],
  };
}
