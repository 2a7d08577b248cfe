/**
 * What is stored of nodes: the list, what each poll saw, failures and notes. `history/` packs the polls of hours and days and
 * answers from them. Uses the room `sqlite`.
 */
import { nodeDocument, episodeDocument, latestDocument } from '../documents.ts';
import type {
  HealthStore,
  StoredCell,
  StoredEpisode,
  StoredIncidentMark,
  StoredNode,
  StoredPoll,
  StoredUptime,
} from '../../../core/health-ports.ts';
import type { HistoryUse, ReportMoment } from '../../../../shared/health/types.ts';
import { claimsOf } from '../../../../shared/health/uptime.ts';
import { checkLimit } from '../sqlite/cursor.ts';
import { checkRow, checkValues, saveClaim, saveEpisode, saveSeen, type CheckRow } from './health-record.ts';
import { dayOf } from './history/day.ts';
import { History } from './history/history.ts';
import { isChanged } from './history/report-change.ts';
import { reachOf, StoredPolls } from './history/stored-polls.ts';
import { bytesOf, keepUp, markStale, saveBlock, type UpkeepLimits } from './history/upkeep.ts';
import { integer, integerOrNull, json, parseText, text } from '../sqlite/row.ts';
import { SqlFailure, type SqlDatabase, type SqlReader, type SqlRow, type SqlWriter } from '../sqlite/sql.ts';
import type { Synchronous } from '../store-ports.ts';

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
      .prepare('SELECT node_json FROM health_node ORDER BY added_at_ms, id')
      .all()
      .map((row) => json(row, 'node_json', nodeDocument));
  }

  putNode(node: StoredNode): void {
    this.#database.transaction((writer) => {
      // Not REPLACE: that would delete the row first, and with it everything that refers to it.
      writer
        .prepare(
          `INSERT INTO health_node (node_id, node_json) VALUES (?, ?)
           ON CONFLICT (node_id) DO UPDATE SET node_json = excluded.node_json`,
        )
        .run(node.id, JSON.stringify(node));
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
        saveClaim(writer, node, claim);
      }
      saveSeen(writer, stored, checks);
      const { polledAtMs, state, reason, reportedNodeId, reportJson } = poll;
      const isChange = isChanged(before.lastReport, poll);
      const recorded = { polledAtMs, state, isChange, reason, reportedNodeId, runs, reportJson };
      saveBlock(writer, node, [recorded], { isLoose: true });
      saveLatest(writer, node, poll);
      for (const episode of poll.episodes) saveEpisode(writer, node, episode);
      const { firstAtMs } = reachOf([stored]);
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
      .prepare(`${selectEpisode} AND ended_at_ms IS NULL ORDER BY started_at_ms, episode_id`)
      .all(nodeId)
      .map(toEpisode);
  }

  readEpisodes(nodeId: string, check: string | null, limit: number): StoredEpisode[] {
    if (check === null) {
      return this.#database
        .prepare(`${selectEpisode} ${newestFirst}`)
        .all(nodeId, checkLimit(limit))
        .map(toEpisode);
    }
    return this.#database
      .prepare(`${selectEpisode} AND check_json = ? ${newestFirst}`)
      .all(nodeId, JSON.stringify(check), checkLimit(limit))
      .map(toEpisode);
  }

  readEpisodesIn(nodeId: string, fromMs: number, toMs: number, limit: number): StoredEpisode[] {
    return this.#database
      .prepare(
        `${selectEpisode} AND started_at_ms < ? AND (ended_at_ms IS NULL OR ended_at_ms >= ?) ${newestFirst}`,
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
      .prepare(`SELECT episode_id, note_json FROM health_incident_mark WHERE ${ofNode} ORDER BY episode_id`)
      .all(nodeId)
      .map((row) => ({ episodeId: text(row, 'episode_id'), note: json(row, 'note_json', parseText) }));
  }

  putIncidentMark(nodeId: string, mark: StoredIncidentMark): void {
    this.#database.transaction((writer) => {
      writer
        .prepare('REPLACE INTO health_incident_mark (node_ref, episode_id, note_json) VALUES (?, ?, ?)')
        .run(requireNodeRef(writer, nodeId), mark.episodeId, JSON.stringify(mark.note));
    });
  }
}

const ofNode = 'node_ref = (SELECT id FROM health_node WHERE node_id = ?)';
const selectEpisode = `SELECT episode_json FROM health_episode WHERE ${ofNode}` as const;
const newestFirst = 'ORDER BY started_at_ms DESC, episode_id DESC LIMIT ?';

function toEpisode(row: SqlRow): StoredEpisode {
  return json(row, 'episode_json', episodeDocument);
}

// ---- Nodes and polls -------------------------------------------------------------------------------------------------

function nodeRef(reader: SqlReader, nodeId: string): number | null {
  const row = reader.prepare('SELECT id FROM health_node WHERE node_id = ?').get(nodeId);
  return row === undefined ? null : integer(row, 'id');
}

export function requireNodeRef(reader: SqlReader, nodeId: string): number {
  const ref = nodeRef(reader, nodeId);
  if (ref === null) throw new SqlFailure('missing-parent', '');
  return ref;
}

function saveLatest(writer: SqlWriter, node: number, poll: StoredPoll): void {
  const columns =
    poll.reportJson === null ? 'no_report_json = ?' : 'last_report_json = ?, no_report_json = NULL';
  writer
    .prepare(`UPDATE health_node SET ${columns} WHERE id = ?`)
    .run(JSON.stringify({ ...poll, runs: [], episodes: [] }), node);
}

function latestPolls(
  reader: SqlReader,
  nodeId: string,
): { poll: StoredPoll | null; lastReport: StoredPoll | null } {
  const row = reader
    .prepare('SELECT last_report_json, no_report_json FROM health_node WHERE node_id = ?')
    .get(nodeId);
  const poll = (column: string): StoredPoll | null =>
    row?.[column] == null ? null : json(row, column, latestDocument);
  const lastReport = poll('last_report_json');
  return { poll: poll('no_report_json') ?? lastReport, lastReport };
}

const selectUse = `SELECT min(from_ms) AS from_ms, coalesce(sum(poll_count), 0) AS poll_count
  FROM health_block WHERE node_ref = ?` as const;
