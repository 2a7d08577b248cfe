import { mostPasses } from '../../../../../shared/health/stored.ts';
import type { UpkeepLimits } from '../../../../core/health-ports.ts';
import { insertRow, integer, integerOrNull, text } from '../../sqlite/row.ts';
import type { SqlDatabase, SqlReader, SqlRow, SqlWriter } from '../../sqlite/sql.ts';
import { packBlock, type HistoryPoll } from './block.ts';
import { dayMs } from '../../../../../shared/time.ts';
import { contentOfDay, dayOf, packDay, type DayContent } from './day.ts';
import { History } from './history.ts';
import { pack, packLoosely } from './packed.ts';
import { blockSpanMs, reachOf, type StoredPolls } from './stored-polls.ts';

/** Limits of one step: a few hundredths of a second of work, after which other calls can run. */
const stepBytes = 2_500_000;
const stepPolls = 240;
const stepRuns = 10_000;
/** Runs that a node reports this late still belong to the day. */
const lateMs = blockSpanMs;
const stepRows = 24;
const stepNames = 1_000;

/**
 * Does one step of pending upkeep and returns whether there was any. Each step is one transaction. When nothing is left
 * to do, throws once for what could not be read.
 */
export function keepUp(database: SqlDatabase, polls: StoredPolls, limits: UpkeepLimits): boolean {
  const hourMs = Math.floor(limits.nowMs / blockSpanMs) * blockSpanMs;
  const firstDay = dayOf(limits.nowMs) - limits.keepDays;
  // The latest runs of checks that have not run within the time that is kept.
  const names = 'health_check WHERE coalesce(last_ran_at_ms, 0) < ?';
  const nodes = database.all('SELECT id FROM health_node ORDER BY id').map((row) => integer(row, 'id'));
  const hasDone =
    dropUnreadableDays(database, polls) ||
    nodes.some((node) => packRecent(database, polls, node, hourMs)) ||
    computeDay(database, polls, hourMs) ||
    forgetOld(database, polls, firstDay) ||
    nodes.some((node) => forgetFailures(database, node, firstDay, limits)) ||
    nodes.some((node) => forgetClaims(database, node, limits.keepBytesPerNode)) ||
    nodes.some((node) => makeRoom(database, polls, node, limits.keepBytesPerNode)) ||
    deleteSome(database, names, stepNames, firstDay * dayMs);
  const unreadable = hasDone ? null : polls.unreadable();
  if (unreadable !== null) throw unreadable;
  return hasDone;
}

/** Removes unreadable days, which are then computed again if their hours are still stored. */
function dropUnreadableDays(database: SqlDatabase, polls: StoredPolls): boolean {
  const days = [...polls.unreadableDays];
  polls.unreadableDays.clear();
  const markDay = 'UPDATE health_day SET is_stale = 1 WHERE id = ? AND has_runs = 1';
  return database.transaction((writer) => days.filter((id) => writer.run(markDay, [id]) > 0).length > 0);
}

/** Packs the oldest polls of a node whose hour is over into one block. */
function packRecent(database: SqlDatabase, polls: StoredPolls, node: number, hourMs: number): boolean {
  const rows: SqlRow[] = [];
  let endMs = hourMs;
  let size = 0;
  for (const row of database.iterate(
    `SELECT id, from_ms, byte_count FROM health_block WHERE node_ref = ? AND is_packed = 0 AND from_ms < ?
     ORDER BY from_ms, id LIMIT ${stepPolls}`,
    [node, hourMs],
  )) {
    const fromMs = integer(row, 'from_ms');
    if (rows.length === 0) endMs = (Math.floor(fromMs / blockSpanMs) + 1) * blockSpanMs;
    if (fromMs >= endMs) break;
    rows.push(row);
    size += integer(row, 'byte_count');
    if (size > stepBytes) break;
  }
  if (rows.length === 0) return false;
  database.transaction((writer) => {
    const all: HistoryPoll[] = [];
    let firstId: number | null = null;
    for (const row of rows) {
      const id = integer(row, 'id');
      const whole = polls.wholeBlock(row);
      // An unreadable block stays as it is.
      const sql = whole === null ? 'UPDATE health_block SET is_packed = 1' : 'DELETE FROM health_block';
      writer.run(`${sql} WHERE id = ?`, [id]);
      if (whole !== null) firstId ??= id;
      all.push(...(whole ?? []));
    }
    if (firstId !== null) saveBlock(writer, node, all, { id: firstId });
  });
  polls.forgetBlocks();
  return true;
}

/**
 * Stores polls of one node and hour, in order of time, as one block. It takes the `id` of the block it replaces,
 * because ids are in the order of recording. A loose block will be packed later, with the others of its hour.
 */
export function saveBlock(
  writer: SqlWriter,
  node: number,
  polls: readonly HistoryPoll[],
  { id = null, isLoose = false }: { id?: number | null; isLoose?: boolean } = {},
): void {
  const { core, texts } = packBlock(polls, isLoose ? packLoosely : pack);
  const { firstAtMs, firstRanAtMs, lastRanAtMs } = reachOf(polls);
  const toMs = polls.at(-1)?.polledAtMs ?? 0;
  insertRow(writer, 'health_block', {
    id,
    node_ref: node,
    is_packed: isLoose ? 0 : 1,
    from_ms: polls[0]?.polledAtMs ?? 0,
    to_ms: toMs,
    first_at_ms: firstAtMs,
    first_ran_at_ms: firstRanAtMs,
    last_ran_at_ms: lastRanAtMs,
    poll_count: polls.length,
    report_count: polls.filter(({ reportJson }) => reportJson !== null).length,
    byte_count: core.length + texts.length,
    core,
    texts,
  });
  for (let day = dayOf(firstAtMs); day <= dayOf(toMs); day += 1) {
    writer.run(
      `INSERT INTO health_day (node_ref, day, is_stale, has_runs, byte_count)
       SELECT ?1, ?2, 1, 1, 0 WHERE NOT EXISTS (SELECT 1 FROM health_day WHERE node_ref = ?1 AND day = ?2)`,
      [node, day],
    );
  }
}

/** Days from `fromDay` on must be computed again, except those whose single runs were removed. */
export function markStale(writer: SqlWriter, node: number, fromDay: number): void {
  writer.run(
    'UPDATE health_day SET is_stale = 1 WHERE node_ref = ? AND day >= ? AND is_stale = 0 AND has_runs = 1',
    [node, fromDay],
  );
}

/** Computes the oldest day that is over and fully packed but not computed yet: of many checks, a part of it. */
function computeDay(database: SqlDatabase, polls: StoredPolls, hourMs: number): boolean {
  const lastDay = dayOf(hourMs - lateMs) - 1;
  const sql = 'SELECT node_ref, day FROM health_day WHERE is_stale = 1 AND day <= ? ORDER BY node_ref, day';
  const row = database.get(`${sql} LIMIT 1`, [lastDay]);
  if (row === undefined) return false;
  const node = integer(row, 'node_ref');
  const day = integer(row, 'day');
  const toMs = (day + 1) * dayMs;
  const { hours } = polls;
  const begin = () => {
    const { prior } = new History(polls).priorTo(node, day);
    return contentOfDay(day, prior, polls.slices(node, day * dayMs, toMs));
  };
  const begun = hours.day?.node === node && hours.day.toMs === toMs ? hours.day.steps : begin();
  // One that fails is begun anew.
  hours.day = null;
  for (let read = 0; read < stepRuns;) {
    const step = begun.next();
    if (step.done === true) {
      database.transaction((writer) => saveDay(writer, node, day, step.value));
      polls.forget();
      return true;
    }
    read += step.value;
  }
  hours.day = { node, toMs, steps: begun };
  return true;
}

/** Stores a day's summary; its blocks stay. */
export function saveDay(writer: SqlWriter, node: number, day: number, content: DayContent): void {
  const { cells, timeline, moments } = packDay(content);
  writer.run(
    `UPDATE health_day SET is_stale = 0, cells = ?1, timeline = ?2, moments = ?3,
       byte_count = length(?1) + length(?2) + length(?3) WHERE node_ref = ?4 AND day = ?5`,
    [cells, timeline, moments, node, day],
  );
}

/** Null where the episode cannot be read. */
export const storedPasses = `iif(json_valid(episode_json), episode_json ->> 'passes', NULL)`;

/** Consecutive episodes of a check that have ended; with fewer passes between them than end a failure they are one. */
interface Failure {
  ids: number[];
  /** When it was over; null where too few passes have followed. */
  overMs: number | null;
  /** Passes after it are not counted any more: the next one would store it again. */
  isSettled: boolean;
}

/** The failures of a node, oldest first. */
function failuresOf(reader: SqlReader, node: number, recoverAfter: number): Failure[] {
  const failures: Failure[] = [];
  const latest = new Map<string, Failure>();
  for (const row of reader.iterate(
    `SELECT rowid AS id, check_json, ended_at_ms, coalesce(${storedPasses}, ${mostPasses}) AS passes
     FROM health_episode WHERE node_ref = ? ORDER BY started_at_ms, episode_id`,
    [node],
  )) {
    const check = text(row, 'check_json');
    const endedAtMs = integerOrNull(row, 'ended_at_ms');
    let failure = latest.get(check);
    if (failure !== undefined) failure.isSettled = true;
    if (endedAtMs === null) continue;
    if (failure === undefined || failure.overMs !== null) {
      failure = { ids: [], overMs: null, isSettled: false };
      failures.push(failure);
      latest.set(check, failure);
    }
    failure.ids.push(integer(row, 'id'));
    failure.isSettled = integer(row, 'passes') >= mostPasses;
    if (integer(row, 'passes') >= recoverAfter) failure.overMs = endedAtMs;
  }
  return failures;
}

/** Removes days that are older than the limit. */
function forgetOld(database: SqlDatabase, polls: StoredPolls, firstDay: number): boolean {
  const hasForgotten =
    deleteSome(database, 'health_block WHERE to_ms < ?', stepRows, firstDay * dayMs) ||
    deleteSome(database, 'health_claim WHERE to_ms < ?', stepRows, firstDay * dayMs) ||
    // Last: what is read of the days after them would need all polls that are left of theirs.
    deleteSome(database, 'health_day WHERE day < ?', stepRows, firstDay);
  if (hasForgotten) polls.forget();
  return hasForgotten;
}

/** Deletes the first `limit` of these rows; false when there are none. */
function deleteSome(database: SqlDatabase, rows: string, limit: number, ...values: number[]): boolean {
  const table = rows.slice(0, rows.indexOf(' '));
  const sql = `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${rows} LIMIT ${limit})`;
  return database.transaction((writer) => writer.run(sql, values)) > 0;
}

/** More failures serve nobody, and a list of incidents is made of all of them. */
const mostEpisodes = 10_000;

/**
 * Failures that were over before what is kept go, and the oldest that are over where there are too many or they take more
 * than half of the limit, each with all of its episodes. Of one that lasts, those between its first and its last one go then.
 */
function forgetFailures(
  database: SqlDatabase,
  node: number,
  firstDay: number,
  { keepBytesPerNode: keepBytes, recoverAfter }: UpkeepLimits,
): boolean {
  const { count, bytes, firstEndMs } = episodeUse(database, node);
  const isTooMuch = count > mostEpisodes || bytes > keepBytes / 2;
  const beforeMs = isTooMuch ? Infinity : firstDay * dayMs;
  if (firstEndMs >= beforeMs) return false;
  const failures = failuresOf(database, node, recoverAfter);
  const ids: number[] = [];
  for (const failure of failures) {
    if (failure.overMs === null || failure.overMs >= beforeMs || !failure.isSettled) continue;
    if (ids.length > 0 && ids.length + failure.ids.length > stepNames) break;
    ids.push(...failure.ids);
  }
  if (ids.length === 0 && isTooMuch)
    ids.push(...failures.flatMap((failure) => failure.ids.slice(1, -1)).slice(0, stepNames));
  database.transaction((writer) => {
    for (const id of ids) writer.run('DELETE FROM health_episode WHERE rowid = ?', [id]);
  });
  return ids.length > 0;
}

/** What the node says of a failure that nobody saw takes about so many bytes; all of them may take a tenth of the limit. */
const claimBytes = 100;

function forgetClaims(database: SqlDatabase, node: number, keepBytes: number): boolean {
  const row = database.get('SELECT count(*) AS count FROM health_claim WHERE node_ref = ?', [node]);
  const tooMany = Math.ceil(integer(row, 'count') - keepBytes / 10 / claimBytes);
  if (tooMany <= 0) return false;
  const oldest = 'health_claim WHERE node_ref = ? ORDER BY to_ms';
  return deleteSome(database, oldest, Math.min(stepNames, tooMany), node);
}

function episodeUse(reader: SqlReader, node: number): { count: number; bytes: number; firstEndMs: number } {
  const row = reader.get(
    `SELECT count(*) AS count, coalesce(sum(length(CAST(episode_json AS BLOB))), 0) AS bytes,
       min(ended_at_ms) AS first_end_ms FROM health_episode WHERE node_ref = ?`,
    [node],
  );
  const firstEndMs = integerOrNull(row, 'first_end_ms') ?? Infinity;
  return { count: integer(row, 'count'), bytes: integer(row, 'bytes'), firstEndMs };
}

/**
 * When a node's history exceeds its size limit: removes the single runs of its oldest day, and then what days come to
 * where that is too much. For days not computed yet, the oldest polls first lose their reports, messages and long errors,
 * and are then removed altogether.
 */
function makeRoom(database: SqlDatabase, polls: StoredPolls, node: number, keepBytes: number): boolean {
  if (bytesOf(database, node) <= keepBytes) return false;
  const hasMadeRoom =
    forgetRuns(database, node) ||
    forgetSummary(database, node, keepBytes) ||
    leaveOutTexts(database, polls, node) ||
    deleteSome(database, 'health_block WHERE node_ref = ? ORDER BY from_ms, id', 1, node);
  if (hasMadeRoom) polls.forget();
  return hasMadeRoom;
}

function forgetRuns(database: SqlDatabase, node: number): boolean {
  const sql = 'SELECT min(day) AS day FROM health_day WHERE node_ref = ? AND is_stale = 0 AND has_runs = 1';
  const day = integerOrNull(database.get(sql, [node]), 'day');
  if (day === null) return false;
  database.transaction((writer) => {
    const blocks = 'DELETE FROM health_block WHERE node_ref = ? AND from_ms >= ? AND to_ms < ?';
    writer.run(blocks, [node, day * dayMs, (day + 1) * dayMs]);
    writer.run(
      `UPDATE health_day SET has_runs = 0, moments = NULL, byte_count = length(cells) + length(timeline)
       WHERE node_ref = ? AND day = ?`,
      [node, day],
    );
  });
  return true;
}

/** What days without their runs come to may take this share of the limit before polls go for it. */
const mostOfSummaries = 0.25;

function forgetSummary(database: SqlDatabase, node: number, keepBytes: number): boolean {
  const ofNode = 'health_day WHERE node_ref = ?1 AND has_runs = 0';
  const row = database.get(
    `SELECT sum(byte_count) AS bytes FROM ${ofNode} AND EXISTS (SELECT 1 FROM health_block WHERE node_ref = ?1)`,
    [node],
  );
  if ((integerOrNull(row, 'bytes') ?? 0) <= mostOfSummaries * keepBytes) return false;
  return deleteSome(database, `${ofNode} ORDER BY day`, 1, node);
}

/** Errors are cut to this length when space is short. */
const shortError = 200;

function withoutTexts(poll: HistoryPoll): HistoryPoll {
  const runs = poll.runs.map((run) => ({ ...run, error: run.error?.slice(0, shortError) ?? null }));
  return { ...poll, reportJson: null, runs };
}

/** Only polls that still have a report have texts to remove. */
function leaveOutTexts(database: SqlDatabase, polls: StoredPolls, node: number): boolean {
  const blocks: SqlRow[] = [];
  let pollCount = 0;
  for (const block of database.iterate(
    `SELECT id, is_packed, poll_count FROM health_block WHERE node_ref = ? AND report_count > 0
     ORDER BY from_ms, id LIMIT ${stepRows}`,
    [node],
  )) {
    blocks.push(block);
    pollCount += integer(block, 'poll_count');
    if (pollCount >= stepPolls / 2) break;
  }
  database.transaction((writer) => {
    for (const block of blocks) {
      const id = integer(block, 'id');
      const short = polls.pollsOf(block, () => true).map(withoutTexts);
      // An unreadable block cannot be shortened: it goes when it is the oldest.
      if (short.length === 0) writer.run('UPDATE health_block SET report_count = 0 WHERE id = ?', [id]);
      else {
        writer.run('DELETE FROM health_block WHERE id = ?', [id]);
        saveBlock(writer, node, short, { id, isLoose: integer(block, 'is_packed') === 0 });
      }
    }
  });
  return blocks.length > 0;
}

/** Bytes of all stored history of a node. */
export function bytesOf(reader: SqlReader, node: number): number {
  const row = reader.get(
    `SELECT coalesce((SELECT sum(byte_count) FROM health_block WHERE node_ref = ?1), 0)
       + coalesce((SELECT sum(byte_count) FROM health_day WHERE node_ref = ?1), 0) AS bytes`,
    [node],
  );
  return integer(row, 'bytes') + episodeUse(reader, node).bytes;
}
