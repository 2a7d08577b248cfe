import type { StoredEpisode } from '../../../core/health-ports.ts';
import { checkRow } from './health-record.ts';
import { parseText } from '../sqlite/row.ts';
import { integer, integerOrNull, json, text } from '../sqlite/row.ts';
import type { SqlRow, SqlWriter } from '../sqlite/sql.ts';

/** Adds an episode of a node, or replaces the one with its id. */
export function saveEpisode(writer: SqlWriter, node: number, episode: StoredEpisode): void {
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
      endSeen[episode.endKnownFrom ?? 'unreported'],
      episode.failuresSeen,
      episode.failuresReported,
      episode.firstError === null ? null : JSON.stringify(episode.firstError),
      episode.lastError === null ? null : JSON.stringify(episode.lastError),
    );
}

/** Its rows are read by `toEpisode`. */
export const selectEpisode =
  `SELECT episode_id, name_json, started_at_ms, is_start_seen, ended_at_ms, is_end_seen,
    failures_seen, failures_reported, first_error_json, last_error_json
  FROM health_episode
    JOIN health_node ON health_node.id = health_episode.node_ref
    JOIN health_check ON health_check.id = check_ref` as const;

/** A row of `selectEpisode`. */
export function toEpisode(row: SqlRow): StoredEpisode {
  const endedAtMs = integerOrNull(row, 'ended_at_ms');
  return {
    id: text(row, 'episode_id'),
    check: json(row, 'name_json', parseText),
    startedAtMs: integer(row, 'started_at_ms'),
    startKnownFrom: integer(row, 'is_start_seen') === 1 ? 'seen' : 'node-reported',
    endedAtMs,
    endKnownFrom: endedAtMs === null ? null : endOf(integerOrNull(row, 'is_end_seen')),
    failuresSeen: integer(row, 'failures_seen'),
    failuresReported: integerOrNull(row, 'failures_reported'),
    firstError: row['first_error_json'] === null ? null : json(row, 'first_error_json', parseText),
    lastError: row['last_error_json'] === null ? null : json(row, 'last_error_json', parseText),
  };
}

/** The column `is_end_seen` of an episode that has ended; null for a check that is not reported any more. */
const endSeen = { seen: 1, inferred: 0, unreported: null } as const;

function endOf(isEndSeen: number | null): StoredEpisode['endKnownFrom'] {
  if (isEndSeen === null) return 'unreported';
  return isEndSeen === 1 ? 'seen' : 'inferred';
}
