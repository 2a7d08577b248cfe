import type {
  HealthStore,
  StoredCell,
  StoredEpisode,
  StoredIncidentMark,
  StoredNode,
  StoredPoll,
  StoredUptime,
} from '../../core/ports.ts';
import type { HistoryUse, ReportMoment } from '../../../shared/health/types.ts';
import { claimsOf, passesOf, type Claim } from '../../../shared/health/uptime.ts';
import { toBound } from './bind.ts';
import { checkLimit } from './cursor.ts';
import { dayOf } from './history/day.ts';
import { History } from './history/history.ts';
import { isChanged } from './history/report-change.ts';
import { nodeStates } from './history/states.ts';
import { parseText, reachOf, StoredPolls, writeRuns } from './history/stored-polls.ts';
import { bytesOf, keepUp, markStale, type UpkeepLimits } from './history/upkeep.ts';
import { choice, integer, integerOrNull, json, text, textOrNull } from './row.ts';
import { SqlFailure, type SqlDatabase, type SqlReader, type SqlRow, type SqlWriter } from './sql.ts';
import type { Synchronous } from './store-ports.ts';

/** More than a page of rows: incidents of a year are made of all episodes. */
const mostEpisodes = 20_000;
const mostMoments = 1_000_000;

/** Nodes, what their polls saw, and the failures of their checks. */
export class SqlHealthStore implements Synchronous<HealthStore> {
  readonly #database: SqlDatabase;
  readonly #polls: StoredPolls;
  readonly #history: History;

  constructor(database: SqlDatabase) {
    this.#database = database;
    this.#polls = new StoredPolls(database);
    this.#history = new History(database, this.#polls);
  }

  listNodes(): StoredNode[] {
    return this.#database
      .prepare(
        `SELECT node_id, name, url, interval_ms, tags_json, header_names_json, is_paused, added_at_ms,
           previous_node_id_json, tag_checks_json
         FROM health_node ORDER BY added_at_ms, id`,
      )
      .all()
      .map(toNode);
  }

  putNode(node: StoredNode): void {
    this.#database.transaction((writer) => {
      writer
        .prepare(
          `INSERT INTO health_node (node_id, name, url, interval_ms, tags_json, header_names_json, is_paused, added_at_ms,
             previous_node_id_json, tag_checks_json) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (node_id) DO UPDATE SET name = excluded.name, url = excluded.url,
             interval_ms = excluded.interval_ms, tags_json = excluded.tags_json,
             header_names_json = excluded.header_names_json, is_paused = excluded.is_paused,
             added_at_ms = excluded.added_at_ms, previous_node_id_json = excluded.previous_node_id_json,
             tag_checks_json = excluded.tag_checks_json`,
        )
        .run(
          node.id,
          node.name,
          node.url,
          node.intervalMs ?? automaticInterval,
          JSON.stringify(node.tags),
          JSON.stringify(node.headerNames),
          node.paused ? 1 : 0,
          node.addedAtMs,
          JSON.stringify(node.previousNodeId),
          JSON.stringify(node.tagChecks),
        );
    });
  }

  removeNode(id: string): void {
    this.#database.transaction((writer) => {
      writer.prepare('DELETE FROM health_node WHERE node_id = ?').run(id);
    });
    this.#polls.forget();
  }

  recordPoll(poll: StoredPoll): void {
    checkValues(poll);
    this.#database.transaction((writer) => {
      const node = requireNodeRef(writer, poll.nodeId);
      const checks = new Map<string, CheckRow>();
      const taken = new Set<string>();
      const runs = poll.runs.filter((run) => {
        const check = checks.get(run.check) ?? checkRow(writer, node, run.check);
        checks.set(run.check, check);
        const key = `${run.ranAtMs} ${run.check}`;
        // Most runs are newer than all before them.
        const mayBeKnown = check.lastRanAtMs !== null && run.ranAtMs <= check.lastRanAtMs;
        if (taken.has(key) || (mayBeKnown && this.#polls.hasRun(node, run.check, run.ranAtMs))) return false;
        taken.add(key);
        return true;
      });
      const stored = { ...poll, runs };
      const before = latestPolls(writer, poll.nodeId);
      for (const claim of claimsOf(stored, (check) => checks.get(check)?.lastPassAtMs ?? null)) {
        saveClaim(
          writer,
          node,
          claim.check === null ? nodeItself : (checks.get(claim.check)?.id ?? 0),
          claim,
        );
      }
      saveSeen(writer, stored, checks);
      saveRecent(writer, node, stored, isChanged(before.lastReport, poll));
      saveLatest(writer, node, poll);
      for (const episode of poll.episodes) saveEpisode(writer, node, episode);
      const { firstAtMs } = reachOf(stored);
      // A poll of a time that lies before the last one changes how that one began.
      const isLate = before.poll !== null && poll.polledAtMs < before.poll.polledAtMs;
      markStale(writer, node, dayOf(firstAtMs) - (isLate ? 1 : 0));
    });
  }

  latest(nodeId: string): { poll: StoredPoll | null; lastReport: StoredPoll | null } {
    return latestPolls(this.#database, nodeId);
  }

  readCells(nodeId: string, fromMs: number, cellMs: number, cellCount: number): StoredCell[] {
    if (!Number.isInteger(cellMs) || cellMs < 1 || !Number.isInteger(cellCount) || cellCount < 0) {
      throw new SqlFailure('value', 'spans are a whole number of milliseconds');
    }
    const node = nodeRef(this.#database, nodeId);
    if (node === null) return [];
    return this.#history.cells(node, fromMs, cellMs, cellCount);
  }

  openEpisodes(nodeId: string): StoredEpisode[] {
    return this.#database
      .prepare(
        `${selectEpisode} WHERE health_node.node_id = ? AND ended_at_ms IS NULL
         ORDER BY started_at_ms, episode_id`,
      )
      .all(nodeId)
      .map(toEpisode);
  }

  readEpisodes(nodeId: string, check: string | null, limit: number): StoredEpisode[] {
    const newestFirst = 'ORDER BY started_at_ms DESC, episode_id DESC LIMIT ?';
    if (check === null) {
      return this.#database
        .prepare(`${selectEpisode} WHERE health_node.node_id = ? ${newestFirst}`)
        .all(nodeId, checkLimit(limit))
        .map(toEpisode);
    }
    return this.#database
      .prepare(`${selectEpisode} WHERE health_node.node_id = ? AND name_json = ? ${newestFirst}`)
      .all(nodeId, JSON.stringify(check), checkLimit(limit))
      .map(toEpisode);
  }

  readEpisodesIn(nodeId: string, fromMs: number, toMs: number, limit: number): StoredEpisode[] {
    return this.#database
      .prepare(
        `${selectEpisode} WHERE health_node.node_id = ? AND started_at_ms < ?
           AND (ended_at_ms IS NULL OR ended_at_ms >= ?)
         ORDER BY started_at_ms DESC, episode_id DESC LIMIT ?`,
      )
      .all(nodeId, toMs, fromMs, checkLimit(limit, mostEpisodes))
      .map(toEpisode);
  }

  readUptime(nodeId: string, fromMs: number, toMs: number): StoredUptime[] {
    if (!Number.isSafeInteger(fromMs) || !Number.isSafeInteger(toMs) || toMs <= fromMs) {
      throw new SqlFailure('value', 'a span has an end after its start');
    }
    const node = nodeRef(this.#database, nodeId);
    return node === null ? [] : this.#history.uptime(node, fromMs, toMs);
  }

  readMoments(
    nodeId: string,
    fromMs: number,
    toMs: number,
    limit: number,
  ): { moments: ReportMoment[]; isCut: boolean } {
    const node = nodeRef(this.#database, nodeId);
    if (node === null) return { moments: [], isCut: false };
    return this.#history.moments(node, fromMs, toMs, checkLimit(limit, mostMoments));
  }

  readPollAt(nodeId: string, atMs: number): StoredPoll | null {
    const node = nodeRef(this.#database, nodeId);
    const poll = node === null ? null : this.#polls.lastReportAt(node, atMs);
    if (poll === null) return null;
    const { isChange, ...rest } = poll;
    void isChange;
    return { nodeId, ...rest, runs: [], episodes: [] };
  }

  scanPolls(nodeId: string, afterMs: number, toMs: number, limit: number): StoredPoll[] {
    const node = nodeRef(this.#database, nodeId);
    if (node === null) return [];
    return this.#polls
      .scan(node, afterMs, toMs, checkLimit(limit))
      .map(({ isChange, ...poll }) => (void isChange, { nodeId, ...poll, episodes: [] }));
  }

  historyUse(): HistoryUse[] {
    return this.#database
      .prepare('SELECT id, node_id FROM health_node ORDER BY added_at_ms, id')
      .all()
      .map((row) => {
        const node = integer(row, 'id');
        const counts = this.#database.prepare(selectUse).get(node) ?? {};
        return {
          nodeId: text(row, 'node_id'),
          bytes: bytesOf(this.#database, node),
          fromMs: integerOrNull(counts, 'from_ms'),
          pollCount: integer(counts, 'poll_count'),
        };
      });
  }

  maintain(limits: UpkeepLimits): boolean {
    return keepUp(this.#database, this.#polls, limits);
  }

  readIncidentMarks(nodeId: string): StoredIncidentMark[] {
    return this.#database
      .prepare(
        `SELECT episode_id, lead_episode_id, note_json
         FROM health_incident_mark JOIN health_node ON health_node.id = node_ref
         WHERE health_node.node_id = ? ORDER BY episode_id`,
      )
      .all(nodeId)
      .map((row) => ({
        episodeId: text(row, 'episode_id'),
        leadEpisodeId: textOrNull(row, 'lead_episode_id'),
        note: json(row, 'note_json', parseText),
      }));
  }

  putIncidentMark(nodeId: string, mark: StoredIncidentMark): void {
    this.#database.transaction((writer) => {
      writer
        .prepare(
          `INSERT INTO health_incident_mark (node_ref, episode_id, lead_episode_id, note_json) VALUES (?, ?, ?, ?)
           ON CONFLICT (node_ref, episode_id) DO UPDATE SET lead_episode_id = excluded.lead_episode_id,
             note_json = excluded.note_json`,
        )
        .run(requireNodeRef(writer, nodeId), mark.episodeId, mark.leadEpisodeId, JSON.stringify(mark.note));
    });
  }
}

// ---- Nodes and polls -------------------------------------------------------------------------------------------------

function nodeRef(reader: SqlReader, nodeId: string): number | null {
  const row = reader.prepare('SELECT id FROM health_node WHERE node_id = ?').get(nodeId);
  return row === undefined ? null : integer(row, 'id');
}

function requireNodeRef(reader: SqlReader, nodeId: string): number {
  const ref = nodeRef(reader, nodeId);
  if (ref === null) throw new SqlFailure('missing-parent', '');
  return ref;
}

/** Stands in the column `interval_ms`, which is older than automatic intervals, for null. */
const automaticInterval = 0;

function toNode(row: SqlRow): StoredNode {
  const intervalMs = integer(row, 'interval_ms');
  return {
    id: text(row, 'node_id'),
    name: text(row, 'name'),
    url: text(row, 'url'),
    intervalMs: intervalMs === automaticInterval ? null : intervalMs,
    // All four are written by `putNode`.
    tags: json(row, 'tags_json', (value) => value as string[]),
    headerNames: json(row, 'header_names_json', (value) => value as string[]),
    paused: integer(row, 'is_paused') === 1,
    addedAtMs: integer(row, 'added_at_ms'),
    previousNodeId: json(row, 'previous_node_id_json', (value) => value as string | null),
    tagChecks: json(row, 'tag_checks_json', (value) => value as StoredNode['tagChecks']),
  };
}

/** Whole numbers of at most 64 bits, as columns would hold them: in JSON anything goes. */
function checkValues(poll: StoredPoll): void {
  const mustBeWhole = (value: number | null): void => {
    if (value !== null && !Number.isSafeInteger(value))
      throw new SqlFailure('value', 'a number is not exact');
  };
  mustBeWhole(poll.polledAtMs);
  for (const run of poll.runs) {
    mustBeWhole(run.ranAtMs);
    mustBeWhole(run.contiguousFailures);
    mustBeWhole(run.firstFailureAtMs);
    toBound(run.durationNs);
  }
}

function saveRecent(writer: SqlWriter, node: number, poll: StoredPoll, isChange: boolean): void {
  const { runsJson, messagesJson } = writeRuns(poll.runs);
  const { firstAtMs, firstRanAtMs, lastRanAtMs } = reachOf(poll);
  writer
    .prepare(
      `INSERT INTO health_recent (node_ref, polled_at_ms, first_at_ms, first_ran_at_ms, last_ran_at_ms, state, is_change,
         reason_json, reported_node_id_json, runs_json, messages_json, report_json)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      node,
      poll.polledAtMs,
      firstAtMs,
      firstRanAtMs,
      lastRanAtMs,
      nodeStates.indexOf(poll.state),
      isChange ? 1 : 0,
      JSON.stringify(poll.reason),
      JSON.stringify(poll.reportedNodeId),
      runsJson,
      messagesJson,
      poll.reportJson,
    );
}

function saveLatest(writer: SqlWriter, node: number, poll: StoredPoll): void {
  const hasReport = poll.reportJson === null ? 0 : 1;
  writer.prepare('DELETE FROM health_latest WHERE node_ref = ? AND has_report <= ?').run(node, hasReport);
  writer
    .prepare(
      `INSERT INTO health_latest (node_ref, has_report, polled_at_ms, state, reason_json, reported_node_id,
         report_json) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      node,
      hasReport,
      poll.polledAtMs,
      nodeStates.indexOf(poll.state),
      JSON.stringify(poll.reason),
      poll.reportedNodeId,
      poll.reportJson,
    );
}

function latestPolls(
  reader: SqlReader,
  nodeId: string,
): { poll: StoredPoll | null; lastReport: StoredPoll | null } {
  const polls = reader
    .prepare(
      `SELECT node_id, polled_at_ms, state, reason_json, reported_node_id, report_json
       FROM health_latest JOIN health_node ON health_node.id = node_ref
       WHERE node_id = ? ORDER BY has_report`,
    )
    .all(nodeId)
    .map(toPoll);
  // Without a report first: that row is there only while it is the newer one.
  return { poll: polls[0] ?? null, lastReport: polls.find((poll) => poll.reportJson !== null) ?? null };
}

const selectUse = `SELECT (SELECT min(at_ms) FROM (
      SELECT min(from_ms) AS at_ms FROM health_block WHERE node_ref = ?1
      UNION ALL SELECT min(polled_at_ms) FROM health_recent WHERE node_ref = ?1
      UNION ALL SELECT min(polled_at_ms) FROM health_old_poll WHERE node_ref = ?1)) AS from_ms,
    coalesce((SELECT sum(poll_count) FROM health_block WHERE node_ref = ?1), 0)
      + (SELECT count(*) FROM health_recent WHERE node_ref = ?1)
      + (SELECT count(*) FROM health_old_poll WHERE node_ref = ?1) AS poll_count` as const;

function toPoll(row: SqlRow): StoredPoll {
  return {
    nodeId: text(row, 'node_id'),
    polledAtMs: integer(row, 'polled_at_ms'),
    state: choice(row, 'state', nodeStates),
    reason: json(row, 'reason_json', parseText),
    reportedNodeId: textOrNull(row, 'reported_node_id'),
    reportJson: textOrNull(row, 'report_json'),
    runs: [],
    episodes: [],
  };
}

// ---- Checks ----------------------------------------------------------------------------------------------------------

interface CheckRow {
  id: number;
  /** Of all its runs: the latest time of the node's, and the latest moment at which it was seen to pass. */
  lastRanAtMs: number | null;
  lastPassAtMs: number | null;
}

/** The row of a check, which comes into being with its first run. */
function checkRow(writer: SqlWriter, node: number, check: string): CheckRow {
  const name = JSON.stringify(check);
  const row = writer
    .prepare(
      'SELECT id, last_ran_at_ms, last_pass_at_ms FROM health_check WHERE node_ref = ? AND name_json = ?',
    )
    .get(node, name);
  if (row !== undefined) {
    return {
      id: integer(row, 'id'),
      lastRanAtMs: integerOrNull(row, 'last_ran_at_ms'),
      lastPassAtMs: integerOrNull(row, 'last_pass_at_ms'),
    };
  }
  writer.prepare('INSERT INTO health_check (node_ref, name_json) VALUES (?, ?)').run(node, name);
  return checkRow(writer, node, check);
}

function saveSeen(writer: SqlWriter, poll: StoredPoll, checks: ReadonlyMap<string, CheckRow>): void {
  const passes = passesOf(poll);
  const lastRan = new Map<string, number>();
  for (const { check, ranAtMs } of poll.runs) {
    lastRan.set(check, Math.max(lastRan.get(check) ?? ranAtMs, ranAtMs));
  }
  const update = writer.prepare(
    'UPDATE health_check SET last_ran_at_ms = ?, last_pass_at_ms = ? WHERE id = ?',
  );
  for (const [check, ranAtMs] of lastRan) {
    const row = checks.get(check);
    if (row === undefined) continue;
    const passAtMs = passes.get(check) ?? null;
    update.run(
      Math.max(row.lastRanAtMs ?? ranAtMs, ranAtMs),
      passAtMs === null ? row.lastPassAtMs : Math.max(row.lastPassAtMs ?? passAtMs, passAtMs),
      row.id,
    );
  }
}

/** In the column `check_ref` of claims. */
const nodeItself = 0;

/** Adds what the node claims to what it has claimed before, where that touches. */
function saveClaim(writer: SqlWriter, node: number, check: number, claim: Claim): void {
  const touching = writer
    .prepare(
      `SELECT id, from_ms, to_ms FROM health_claim
       WHERE node_ref = ? AND check_ref = ? AND to_ms >= ? AND from_ms <= ?`,
    )
    .all(node, check, claim.fromMs, claim.toMs);
  let { fromMs, toMs } = claim;
  for (const row of touching) {
    fromMs = Math.min(fromMs, integer(row, 'from_ms'));
    toMs = Math.max(toMs, integer(row, 'to_ms'));
    writer.prepare('DELETE FROM health_claim WHERE id = ?').run(integer(row, 'id'));
  }
  writer
    .prepare('INSERT INTO health_claim (node_ref, check_ref, from_ms, to_ms) VALUES (?, ?, ?, ?)')
    .run(node, check, fromMs, toMs);
}

// ---- Episodes --------------------------------------------------------------------------------------------------------

function saveEpisode(writer: SqlWriter, node: number, episode: StoredEpisode): void {
  writer
    .prepare(
      `INSERT INTO health_episode (episode_id, node_ref, check_ref, started_at_ms, is_start_seen, ended_at_ms,
         is_end_seen, failures_seen, failures_reported, first_error_json, last_error_json)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (episode_id) DO UPDATE SET node_ref = excluded.node_ref, check_ref = excluded.check_ref,
         started_at_ms = excluded.started_at_ms, is_start_seen = excluded.is_start_seen,
         ended_at_ms = excluded.ended_at_ms, is_end_seen = excluded.is_end_seen,
         failures_seen = excluded.failures_seen,
         failures_reported = excluded.failures_reported, first_error_json = excluded.first_error_json,
         last_error_json = excluded.last_error_json`,
    )
    .run(
      episode.id,
      node,
      checkRow(writer, node, episode.check).id,
      episode.startedAtMs,
      episode.startKnownFrom === 'seen' ? 1 : 0,
      episode.endedAtMs,
      episode.endKnownFrom === null ? null : episode.endKnownFrom === 'seen' ? 1 : 0,
      episode.failuresSeen,
      episode.failuresReported,
      episode.firstError === null ? null : JSON.stringify(episode.firstError),
      episode.lastError === null ? null : JSON.stringify(episode.lastError),
    );
}

const selectEpisode = `SELECT episode_id, name_json, started_at_ms, is_start_seen, ended_at_ms, is_end_seen,
    failures_seen, failures_reported, first_error_json, last_error_json
  FROM health_episode
    JOIN health_node ON health_node.id = health_episode.node_ref
    JOIN health_check ON health_check.id = check_ref` as const;

function toEpisode(row: SqlRow): StoredEpisode {
  return {
    id: text(row, 'episode_id'),
    check: json(row, 'name_json', parseText),
    startedAtMs: integer(row, 'started_at_ms'),
    startKnownFrom: integer(row, 'is_start_seen') === 1 ? 'seen' : 'node-reported',
    endedAtMs: integerOrNull(row, 'ended_at_ms'),
    endKnownFrom: endOf(integerOrNull(row, 'is_end_seen')),
    failuresSeen: integer(row, 'failures_seen'),
    failuresReported: integerOrNull(row, 'failures_reported'),
    firstError: row['first_error_json'] === null ? null : json(row, 'first_error_json', parseText),
    lastError: row['last_error_json'] === null ? null : json(row, 'last_error_json', parseText),
  };
}

function endOf(isEndSeen: number | null): StoredEpisode['endKnownFrom'] {
  if (isEndSeen === null) return null;
  return isEndSeen === 1 ? 'seen' : 'inferred';
}
