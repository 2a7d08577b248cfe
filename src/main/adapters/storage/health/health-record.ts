import type { StoredPoll } from '../../../core/health-ports.ts';
import { passesOf, type Claim } from '../../../../shared/health/uptime.ts';
import type { HistoryPoll } from './history/block.ts';
import { reachOf, recentJson } from './history/stored-polls.ts';
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

/** The poll as a row, until its hour is over. */
export function saveRecent(writer: SqlWriter, node: number, poll: HistoryPoll): void {
  const { firstAtMs, firstRanAtMs, lastRanAtMs } = reachOf(poll);
  writer
    .prepare(
      `INSERT INTO health_recent (node_ref, polled_at_ms, first_at_ms, first_ran_at_ms, last_ran_at_ms, poll_json,
         report_json) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(node, poll.polledAtMs, firstAtMs, firstRanAtMs, lastRanAtMs, recentJson(poll), poll.reportJson);
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

/** In the column `check_ref` of claims. */
export const nodeItself = 0;

/** Adds what the node claims to what it has claimed before, where that touches. */
export function saveClaim(writer: SqlWriter, node: number, check: number, claim: Claim): void {
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
