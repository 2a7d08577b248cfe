import type { StoredEpisode, StoredPoll } from '../../../core/health-ports.ts';
import { passesOf, type Claim } from '../../../../shared/health/uptime.ts';
import { integer, integerOrNull } from '../sqlite/row.ts';
import { SqlFailure, type SqlWriter } from '../sqlite/sql.ts';

/** What `recordPoll` writes beside the state of now and the episodes. */

/** Whole numbers that are exact, as columns would hold them: in JSON anything goes. */
export function checkValues(poll: StoredPoll): void {
  for (const value of [
    poll.polledAtMs,
    ...poll.runs.flatMap((run) => [run.ranAtMs, run.contiguousFailures, run.firstFailureAtMs]),
  ]) {
    if (value !== null && !Number.isSafeInteger(value)) {
      throw new SqlFailure('value', 'a number is not exact');
    }
  }
}

/** A check as `recordPoll` needs it. */
export interface CheckRow {
  id: number;
  /** Of all its runs: the latest time of the node's, and the latest moment at which it was seen to pass. */
  lastRanAtMs: number | null;
  lastPassAtMs: number | null;
}

/** The row of a check, which comes into being with its first run. */
export function checkRow(writer: SqlWriter, node: number, check: string): CheckRow {
  const name = JSON.stringify(check);
  const columns = 'id, last_ran_at_ms, last_pass_at_ms';
  const row =
    writer
      .prepare(`SELECT ${columns} FROM health_check WHERE node_ref = ? AND name_json = ?`)
      .get(node, name) ??
    writer
      .prepare(`INSERT INTO health_check (node_ref, name_json) VALUES (?, ?) RETURNING ${columns}`)
      .get(node, name) ??
    {};
  return {
    id: integer(row, 'id'),
    lastRanAtMs: integerOrNull(row, 'last_ran_at_ms'),
    lastPassAtMs: integerOrNull(row, 'last_pass_at_ms'),
  };
}

/** Remembers the latest runs of the checks in a poll. */
export function saveSeen(writer: SqlWriter, poll: StoredPoll, checks: ReadonlyMap<string, CheckRow>): void {
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

/** Adds what the node claims to what it has claimed before, where that touches. */
export function saveClaim(writer: SqlWriter, node: number, claim: Claim): void {
  const check = JSON.stringify(claim.check);
  const touching = writer
    .prepare(
      `DELETE FROM health_claim WHERE node_ref = ? AND check_json = ? AND to_ms >= ? AND from_ms <= ?
       RETURNING from_ms, to_ms`,
    )
    .all(node, check, claim.fromMs, claim.toMs);
  const fromMs = Math.min(claim.fromMs, ...touching.map((row) => integer(row, 'from_ms')));
  const toMs = Math.max(claim.toMs, ...touching.map((row) => integer(row, 'to_ms')));
  writer
    .prepare('INSERT INTO health_claim (node_ref, check_json, from_ms, to_ms) VALUES (?, ?, ?, ?)')
    .run(node, check, fromMs, toMs);
}

/** Adds an episode of a node, or replaces the one with its id. */
export function saveEpisode(writer: SqlWriter, node: number, episode: StoredEpisode): void {
  writer
    .prepare(
      `REPLACE INTO health_episode (episode_id, node_ref, check_json, started_at_ms, ended_at_ms, episode_json)
       VALUES (?, ?, ?, ?, ?, ?)`,
    )
    .run(
      episode.id,
      node,
      JSON.stringify(episode.check),
      episode.startedAtMs,
      episode.endedAtMs,
      JSON.stringify(episode),
    );
}
