import { nodeDocument, latestDocument } from '../documents.ts';
import type { HealthStore, StoredEpisode, StoredPoll } from '../../../core/health-ports.ts';
import { failureEpisode, mostPasses } from '../../../../shared/health/stored.ts';
import { claimsOf } from '../../../../shared/health/uptime.ts';
import { orAdd } from '../../../../shared/or-add.ts';
import { checkLimit } from '../sqlite/cursor.ts';
import { checkRow, checkValues, saveClaim, saveEpisode, saveSeen, type CheckRow } from './health-record.ts';
import type { HistoryPoll } from './history/block.ts';
import { dayOf, sightOf } from './history/day.ts';
import { History } from './history/history.ts';
import { isChanged } from './history/report-change.ts';
import { blockSpanMs, reachOf, StoredPolls } from './history/stored-polls.ts';
import { bytesOf, keepUp, markStale, saveBlock, storedPasses } from './history/upkeep.ts';
import {
  idOf,
  insertRow,
  integer,
  integerOrNull,
  json,
  textSchema,
  readable,
  text,
  updateRow,
} from '../sqlite/row.ts';
import { SqlFailure, type SqlDatabase, type SqlReader, type SqlWriter } from '../sqlite/sql.ts';
import type { Synchronous } from '../store-ports.ts';

/** Nodes, their polls, and the failures of their checks. */
export function createHealthStore(database: SqlDatabase): Synchronous<HealthStore> {
  const polls = new StoredPolls(database);
  const history = new History(polls);

  function ofNode<T>(nodeId: string, read: (node: number) => T, none: T): T {
    const node = nodeRef(database, nodeId);
    return node === null ? none : read(node);
  }

  /** Those that cannot be read are left out, which the upkeep tells. */
  function episodes(which: string, params: (string | number)[], limit = Infinity): StoredEpisode[] {
    const found: StoredEpisode[] = [];
    for (const row of database.iterate(`${selectEpisode} ${which}`, params)) {
      const read = () => json(row, 'episode_json', failureEpisode);
      const episode = polls.readable('health_episode', integer(row, 'id'), read);
      if (episode !== null && found.push(episode) === limit) break;
    }
    return found;
  }

  return {
    listNodes: () =>
      database
        .all('SELECT node_json FROM health_node ORDER BY added_at_ms, id')
        .map((row) => json(row, 'node_json', nodeDocument)),

    putNode(node) {
      database.transaction((writer) => {
        // Not REPLACE: it deletes the row first, and with it everything that refers to it.
        writer.run(
          `INSERT INTO health_node (node_id, node_json) VALUES (?, ?)
           ON CONFLICT (node_id) DO UPDATE SET node_json = excluded.node_json`,
          [node.id, JSON.stringify(node)],
        );
      });
    },

    removeNode(id) {
      database.transaction((writer) => writer.run('DELETE FROM health_node WHERE node_id = ?', [id]));
      polls.forget();
    },

    recordPoll(poll) {
      checkValues(poll);
      const told = database.transaction((writer) => {
        const node = requireNodeRef(writer, poll.nodeId);
        const checks = new Map<string, CheckRow>();
        const taken = new Set<string>();
        const runs = poll.runs.filter((run) => {
          const check = orAdd(checks, run.check, () => checkRow(writer, node, run.check));
          const key = `${run.ranAtMs} ${run.check}`;
          // Skips the look-up for most runs: they are newer than all stored ones.
          const mayBeKnown = check.lastRanAtMs !== null && run.ranAtMs <= check.lastRanAtMs;
          if (taken.has(key) || (mayBeKnown && polls.hasRun(node, run.check, run.ranAtMs))) return false;
          taken.add(key);
          return true;
        });
        const stored = { ...poll, runs };
        const before = latestPolls(writer, poll.nodeId);
        for (const claim of claimsOf(stored, (check) => checks.get(check)?.lastPassAtMs ?? null)) {
          saveClaim(writer, node, claim);
        }
        saveSeen(writer, stored, checks);
        const { nodeId: _nodeId, episodes: _episodes, ...recorded } = stored;
        const isChange = isChanged(before.lastReport, poll);
        saveBlock(writer, node, [{ ...recorded, isChange }], { isLoose: true });
        saveLatest(writer, node, poll);
        for (const episode of poll.episodes) saveEpisode(writer, node, episode);
        const { firstAtMs } = reachOf([stored]);
        // A poll dated before the last one may also change the end of the hour or day before.
        const isLate = before.poll !== null && poll.polledAtMs < before.poll.polledAtMs;
        markStale(writer, node, dayOf(firstAtMs) - (isLate ? 1 : 0));
        return { node, firstAtMs: isLate ? firstAtMs - blockSpanMs : firstAtMs };
      });
      polls.hours.recorded(told.node, told.firstAtMs, sightOf(poll));
    },

    latest: (nodeId) => latestPolls(database, nodeId),

    readCells: (nodeId, fromMs, cellMs, cellCount, ofNodeAlone) =>
      ofNode(nodeId, (node) => history.cells(node, fromMs, cellMs, cellCount, ofNodeAlone), []),

    currentEpisodes: (nodeId) =>
      episodes(`AND (${isCurrent}) ORDER BY started_at_ms, episode_id`, [nodeId, nodeId]),

    readEpisodes(nodeId, check, limit, after) {
      const isIts = check === null ? '' : 'AND check_json = ?';
      const isAfter = after === undefined ? '' : 'AND (started_at_ms, episode_id) < (?, ?)';
      const params = [
        nodeId,
        ...(check === null ? [] : [JSON.stringify(check)]),
        ...(after === undefined ? [] : [after.startedAtMs, after.id]),
      ];
      return episodes(`${isIts} ${isAfter} ${newestFirst}`, params, checkLimit(limit));
    },

    readUptime: (nodeId, fromMs, toMs) => ofNode(nodeId, (node) => history.uptime(node, fromMs, toMs), []),

    readMoments: (nodeId, fromMs, toMs, limit) =>
      ofNode(nodeId, (node) => history.moments(node, fromMs, toMs, limit), { moments: [], isCut: false }),

    readPollAt(nodeId, atMs) {
      const poll = ofNode(nodeId, (node) => polls.lastReportAt(node, atMs), null);
      return poll && { ...toPoll(nodeId, poll), runs: [] };
    },

    scanPolls(nodeId, afterMs, toMs, limit) {
      const found = ofNode(nodeId, (node) => polls.scan(node, afterMs, toMs, checkLimit(limit)), []);
      return found.map((poll) => toPoll(nodeId, poll));
    },

    historyUse: () =>
      database.all(selectUse).map((row) => ({
        nodeId: text(row, 'node_id'),
        bytes: bytesOf(database, integer(row, 'id')),
        fromMs: integerOrNull(row, 'from_ms'),
        pollCount: integer(row, 'poll_count'),
      })),

    maintain: (limits) => keepUp(database, polls, limits),

    readIncidentMarks: (nodeId) =>
      database.all(`${selectMark} ORDER BY episode_id`, [nodeId]).map((row) => ({
        episodeId: text(row, 'episode_id'),
        // One that is damaged is shown as it is stored.
        note: readable(row, 'note_json', textSchema) ?? text(row, 'note_json'),
      })),

    putIncidentMark(nodeId, { episodeId, note }) {
      database.transaction((writer) => {
        const node = requireNodeRef(writer, nodeId);
        const row = { node_ref: node, episode_id: episodeId, note_json: JSON.stringify(note) };
        insertRow(writer, 'health_incident_mark', row, 'REPLACE');
      });
    },
  };
}

const isOfNode = 'node_ref = (SELECT id FROM health_node WHERE node_id = ?)';
const selectEpisode = `SELECT rowid AS id, episode_json FROM health_episode WHERE ${isOfNode}` as const;
const selectMark = `SELECT episode_id, note_json FROM health_incident_mark WHERE ${isOfNode}` as const;
/** Passes after an episode are counted until the check fails again: then it has a later one. */
const isCurrent = `ended_at_ms IS NULL OR (${storedPasses} < ${mostPasses} AND rowid IN (
  SELECT max(rowid) FROM health_episode WHERE ${isOfNode} GROUP BY check_json))` as const;
const newestFirst = 'ORDER BY started_at_ms DESC, episode_id DESC';

function toPoll(nodeId: string, { isChange: _, ...poll }: HistoryPoll): StoredPoll {
  return { nodeId, ...poll, episodes: [] };
}

// ---- Nodes and polls -------------------------------------------------------------------------------------------------

function nodeRef(reader: SqlReader, nodeId: string): number | null {
  return idOf(reader.get('SELECT id FROM health_node WHERE node_id = ?', [nodeId]));
}

export function requireNodeRef(reader: SqlReader, nodeId: string): number {
  const ref = nodeRef(reader, nodeId);
  if (ref === null) throw new SqlFailure('missing-parent', '');
  return ref;
}

function saveLatest(writer: SqlWriter, node: number, poll: StoredPoll): void {
  const json = JSON.stringify({ ...poll, runs: [], episodes: [] });
  const latest =
    poll.reportJson === null ? { no_report_json: json } : { last_report_json: json, no_report_json: null };
  updateRow(writer, 'health_node', node, latest);
}

/** One that cannot be read counts as none, until the next one takes its place. */
function latestPolls(reader: SqlReader, nodeId: string) {
  const sql = 'SELECT last_report_json, no_report_json FROM health_node WHERE node_id = ?';
  const row = reader.get(sql, [nodeId]);
  const poll = (column: string): StoredPoll | null =>
    row?.[column] == null ? null : readable(row, column, latestDocument);
  const lastReport = poll('last_report_json');
  return { poll: poll('no_report_json') ?? lastReport, lastReport };
}

const selectUse =
  `SELECT node.id, node_id, min(from_ms) AS from_ms, coalesce(sum(poll_count), 0) AS poll_count
  FROM health_node AS node LEFT JOIN health_block ON node_ref = node.id
  GROUP BY node.id ORDER BY added_at_ms, node.id` as const;
