import type { StoredEpisode, StoredPoll } from '../../../core/health-ports.ts';
import { passesOf, type Claim } from '../../../../shared/health/uptime.ts';
import { insertRow, integer, integerOrNull, updateRow } from '../sqlite/row.ts';
import { SqlFailure, type SqlWriter } from '../sqlite/sql.ts';

/** What `recordPoll` writes besides the latest state and the episodes. */

/** Throws unless all numbers are safe integers: unlike columns, JSON would accept anything. */
export function checkValues(poll: StoredPoll): void {
  const ofRuns = poll.runs.flatMap((run) => [run.ranAtMs, run.contiguousFailures, run.firstFailureAtMs]);
  if ([poll.polledAtMs, ...ofRuns].some((value) => value !== null && !Number.isSafeInteger(value)))
    throw new SqlFailure('value', 'a number is not exact');
}

/** A check as `recordPoll` needs it. */
export interface CheckRow {
  id: number;
  /** Over all its runs: the latest time by the node's clock, and the time it was last seen to pass. */
  lastRanAtMs: number | null;
  lastPassAtMs: number | null;
}

/** The row of a check; it is created with the check's first run. */
export function checkRow(writer: SqlWriter, node: number, check: string): CheckRow {
  const params = [node, JSON.stringify(check)];
  const columns = 'id, last_ran_at_ms, last_pass_at_ms';
  const row =
    writer.get(`SELECT ${columns} FROM health_check WHERE node_ref = ? AND name_json = ?`, params) ??
    writer.get(`INSERT INTO health_check (node_ref, name_json) VALUES (?, ?) RETURNING ${columns}`, params);
  return {
    id: integer(row, 'id'),
    lastRanAtMs: integerOrNull(row, 'last_ran_at_ms'),
    lastPassAtMs: integerOrNull(row, 'last_pass_at_ms'),
  };
}

/** Updates the latest runs of the checks in a poll. */
export function saveSeen(writer: SqlWriter, poll: StoredPoll, checks: ReadonlyMap<string, CheckRow>): void {
  const passes = passesOf(poll);
  const lastRan = new Map<string, number>();
  for (const { check, ranAtMs } of poll.runs) {
    lastRan.set(check, Math.max(lastRan.get(check) ?? ranAtMs, ranAtMs));
  }
  for (const [check, ranAtMs] of lastRan) {
    const row = checks.get(check);
    if (row === undefined) continue;
    const passAtMs = passes.get(check) ?? null;
    updateRow(writer, 'health_check', row.id, {
      last_ran_at_ms: Math.max(row.lastRanAtMs ?? ranAtMs, ranAtMs),
      last_pass_at_ms:
        passAtMs === null ? row.lastPassAtMs : laterOf(passAtMs, row.lastPassAtMs, poll.polledAtMs),
    });
  }
}

/** The later one, unless that is after the poll: our clock was ahead then. */
function laterOf(atMs: number, knownMs: number | null, polledAtMs: number): number {
  return knownMs === null || knownMs > polledAtMs ? atMs : Math.max(knownMs, atMs);
}

/** Stores what the node says of a past failure, merged with earlier such claims that it touches. */
export function saveClaim(writer: SqlWriter, node: number, claim: Claim): void {
  const check = JSON.stringify(claim.check);
  const touching = writer.all(
    `DELETE FROM health_claim WHERE node_ref = ? AND check_json = ? AND to_ms >= ? AND from_ms <= ?
     RETURNING from_ms, to_ms`,
    [node, check, claim.fromMs, claim.toMs],
  );
  const fromMs = Math.min(claim.fromMs, ...touching.map((row) => integer(row, 'from_ms')));
  const toMs = Math.max(claim.toMs, ...touching.map((row) => integer(row, 'to_ms')));
  insertRow(writer, 'health_claim', { node_ref: node, check_json: check, from_ms: fromMs, to_ms: toMs });
}

/** Adds an episode of a node, or replaces the one with the same id. */
export function saveEpisode(writer: SqlWriter, node: number, episode: StoredEpisode): void {
  const row = {
    episode_id: episode.id,
    node_ref: node,
    check_json: JSON.stringify(episode.check),
    started_at_ms: episode.startedAtMs,
    ended_at_ms: episode.endedAtMs,
    episode_json: JSON.stringify(episode),
  };
  insertRow(writer, 'health_episode', row, 'REPLACE');
}
