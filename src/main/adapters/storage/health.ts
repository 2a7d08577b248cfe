import type { HealthStore, StoredCell, StoredEpisode, StoredNode, StoredPoll } from '../../core/ports.ts';
import type { CheckState, NodeState } from '../../../shared/health/types.ts';
import { checkLimit } from './cursor.ts';
import { internText, pruneTexts } from './health-texts.ts';
import { choice, integer, integerOrNull, json, text, textOrNull } from './row.ts';
import { SqlFailure, type SqlDatabase, type SqlReader, type SqlRow, type SqlWriter } from './sql.ts';
import type { Synchronous } from './store-ports.ts';

// Places are the numbers in the columns `state`: what is added goes to the end.
const checkStates: readonly CheckState[] = ['pass', 'fail', 'pending', 'unknown'];
const nodeStates: readonly NodeState[] = ['healthy', 'unhealthy', 'starting', 'unreachable', 'unknown'];

/** Nodes, what their polls saw, and the failures of their checks. */
export class SqlHealthStore implements Synchronous<HealthStore> {
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  listNodes(): StoredNode[] {
    return this.#database
      .prepare(
        'SELECT node_id, name, url, interval_ms, added_at_ms FROM health_node ORDER BY added_at_ms, id',
      )
      .all()
      .map((row) => ({
        id: text(row, 'node_id'),
        name: text(row, 'name'),
        url: text(row, 'url'),
        intervalMs: integer(row, 'interval_ms'),
        addedAtMs: integer(row, 'added_at_ms'),
      }));
  }

  putNode(node: StoredNode): void {
    this.#database.transaction((writer) => {
      writer
        .prepare(
          `INSERT INTO health_node (node_id, name, url, interval_ms, added_at_ms) VALUES (?, ?, ?, ?, ?)
           ON CONFLICT (node_id) DO UPDATE SET name = excluded.name, url = excluded.url,
             interval_ms = excluded.interval_ms, added_at_ms = excluded.added_at_ms`,
        )
        .run(node.id, node.name, node.url, node.intervalMs, node.addedAtMs);
    });
  }

  removeNode(id: string): void {
    this.#database.transaction((writer) => {
      writer.prepare('DELETE FROM health_node WHERE node_id = ?').run(id);
    });
  }

  recordPoll(poll: StoredPoll): void {
    this.#database.transaction((writer) => {
      const node = requireNodeRef(writer, poll.nodeId);
      savePoll(writer, node, poll);
      for (const run of poll.runs) {
        const check = checkRef(writer, node, run.check);
        const stored = writer
          .prepare('SELECT 1 FROM health_run WHERE check_ref = ? AND ran_at_ms = ?')
          .get(check, run.ranAtMs);
        if (stored !== undefined) continue;
        const error = run.error === null ? null : JSON.stringify(run.error);
        writer
          .prepare(
            `INSERT INTO health_run (check_ref, ran_at_ms, state, duration_ns, contiguous_failures,
               first_failure_at_ms, error_text_ref, message_text_ref) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
          )
          .run(
            check,
            run.ranAtMs,
            checkStates.indexOf(run.state),
            run.durationNs,
            run.contiguousFailures,
            run.firstFailureAtMs,
            error === null ? null : internText(writer, error, run.ranAtMs),
            run.messageJson === null ? null : internText(writer, run.messageJson, run.ranAtMs),
          );
      }
      for (const episode of poll.episodes) saveEpisode(writer, node, episode);
    });
  }

  latest(nodeId: string): { poll: StoredPoll | null; lastReport: StoredPoll | null } {
    const rows = this.#database
      .prepare(
        `SELECT node_id, polled_at_ms, state, reason_json, reported_node_id, report_json
         FROM health_latest JOIN health_node ON health_node.id = node_ref
         WHERE node_id = ? ORDER BY has_report`,
      )
      .all(nodeId);
    // Without a report first: that row is there only while it is the newer one.
    const polls = rows.map(toPoll);
    return { poll: polls[0] ?? null, lastReport: polls.find((poll) => poll.reportJson !== null) ?? null };
  }

  readCells(nodeId: string, fromMs: number, cellMs: number, cellCount: number): StoredCell[] {
    if (!Number.isInteger(cellMs) || cellMs < 1 || !Number.isInteger(cellCount) || cellCount < 0) {
      throw new SqlFailure('value', 'spans are a whole number of milliseconds');
    }
    const node = nodeRef(this.#database, nodeId);
    if (node === null) return [];
    const untilMs = fromMs + cellMs * cellCount;
    const ofNode = this.#database
      .prepare(selectNodeCells)
      .all(fromMs, cellMs, node, fromMs, untilMs)
      .map((row) => ({ ...toCell(row), check: null, state: choice(row, 'state', nodeStates) }));
    const ofChecks = this.#database
      .prepare(selectCheckCells)
      .all(fromMs, cellMs, node, fromMs, untilMs)
      .map((row) => ({
        ...toCell(row),
        check: json(row, 'name_json', parseText),
        state: choice(row, 'state', checkStates),
      }));
    return [...ofNode, ...ofChecks];
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

  prune(beforeMs: number): void {
    this.#database.transaction((writer) => {
      writer
        .prepare(
          'DELETE FROM health_poll WHERE node_ref IN (SELECT id FROM health_node) AND polled_at_ms < ?',
        )
        .run(beforeMs);
      writer
        .prepare('DELETE FROM health_run WHERE check_ref IN (SELECT id FROM health_check) AND ran_at_ms < ?')
        .run(beforeMs);
      pruneTexts(writer, beforeMs);
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

function savePoll(writer: SqlWriter, node: number, poll: StoredPoll): void {
  const state = nodeStates.indexOf(poll.state);
  const reason = JSON.stringify(poll.reason);
  writer
    .prepare(
      `INSERT INTO health_poll (node_ref, polled_at_ms, state, reason_text_ref) VALUES (?, ?, ?, ?)
       ON CONFLICT (node_ref, polled_at_ms) DO UPDATE SET state = excluded.state,
         reason_text_ref = excluded.reason_text_ref`,
    )
    .run(node, poll.polledAtMs, state, internText(writer, reason, poll.polledAtMs));
  const hasReport = poll.reportJson === null ? 0 : 1;
  writer.prepare('DELETE FROM health_latest WHERE node_ref = ? AND has_report <= ?').run(node, hasReport);
  writer
    .prepare(
      `INSERT INTO health_latest (node_ref, has_report, polled_at_ms, state, reason_json, reported_node_id,
         report_json) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(node, hasReport, poll.polledAtMs, state, reason, poll.reportedNodeId, poll.reportJson);
}

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

/** Texts of strangers are stored as JSON strings. */
function parseText(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('not a text');
  return value;
}

// ---- Checks ----------------------------------------------------------------------------------------------------------

/** The row of a check, which comes into being with its first run. */
function checkRef(writer: SqlWriter, node: number, check: string): number {
  const name = JSON.stringify(check);
  const row = writer
    .prepare('SELECT id FROM health_check WHERE node_ref = ? AND name_json = ?')
    .get(node, name);
  if (row !== undefined) return integer(row, 'id');
  writer.prepare('INSERT INTO health_check (node_ref, name_json) VALUES (?, ?)').run(node, name);
  return checkRef(writer, node, check);
}

// With a single min(), SQLite takes the other columns from the row that holds the minimum: the first of the group.
const selectNodeCells = `SELECT cell, state, runs, content_json AS first_error_json
  FROM (
    SELECT (polled_at_ms - ?) / ? AS cell, state, count(*) AS runs, min(polled_at_ms), reason_text_ref AS text_ref
    FROM health_poll WHERE node_ref = ? AND polled_at_ms >= ? AND polled_at_ms < ?
    GROUP BY cell, state
  ) LEFT JOIN health_text ON health_text.id = text_ref
  ORDER BY cell, state` as const;

const selectCheckCells = `SELECT name_json, cell, state, runs, content_json AS first_error_json
  FROM (
    SELECT name_json, (ran_at_ms - ?) / ? AS cell, state, count(*) AS runs, min(ran_at_ms), error_text_ref AS text_ref
    FROM health_check CROSS JOIN health_run ON check_ref = health_check.id
    WHERE node_ref = ? AND ran_at_ms >= ? AND ran_at_ms < ?
    GROUP BY name_json, cell, state
  ) LEFT JOIN health_text ON health_text.id = text_ref
  ORDER BY name_json, cell, state` as const;

function toCell(row: SqlRow): { cell: number; count: number; firstError: string | null } {
  return {
    cell: integer(row, 'cell'),
    count: integer(row, 'runs'),
    firstError: row['first_error_json'] === null ? null : json(row, 'first_error_json', parseText),
  };
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
      checkRef(writer, node, episode.check),
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
