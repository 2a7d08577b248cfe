import type { StoredCheckRun } from '../../../core/health-ports.ts';
import { choice, integer, integerOrNull, json, text, bigInteger, parseText } from '../row.ts';
import type { SqlReader } from '../sql.ts';
import type { HistoryPoll } from './poll-parts.ts';
import { checkStates, nodeStates } from './states.ts';

/**
 * Polls that the first layout stored, each with the runs that came before it and after the poll before. Reports of the past
 * were not kept then.
 */
export function oldPolls(
  reader: SqlReader,
  node: number,
  fromMs: number,
  toMs: number,
  limit = 1_000_000,
): HistoryPoll[] {
  const rows = reader
    .prepare(
      `SELECT polled_at_ms, state, content_json AS reason_json
       FROM health_old_poll LEFT JOIN health_text ON health_text.id = reason_text_ref
       WHERE node_ref = ? AND polled_at_ms >= ? AND polled_at_ms < ? ORDER BY polled_at_ms LIMIT ?`,
    )
    .all(node, fromMs, toMs, limit);
  const first = rows[0];
  const last = rows.at(-1);
  if (first === undefined || last === undefined) return [];
  const beforeMs = reader
    .prepare('SELECT max(polled_at_ms) AS at_ms FROM health_old_poll WHERE node_ref = ? AND polled_at_ms < ?')
    .get(node, integer(first, 'polled_at_ms'));
  const later = reader
    .prepare('SELECT 1 FROM health_old_poll WHERE node_ref = ? AND polled_at_ms > ? LIMIT 1')
    .get(node, integer(last, 'polled_at_ms'));
  const polls = rows.map((row) => {
    const runs: StoredCheckRun[] = [];
    return {
      polledAtMs: integer(row, 'polled_at_ms'),
      state: choice(row, 'state', nodeStates),
      isChange: false,
      reason: row['reason_json'] === null ? '' : json(row, 'reason_json', parseText),
      reportedNodeId: null,
      reportJson: null,
      runs,
    };
  });
  const runs = reader
    .prepare(
      `SELECT name_json, ran_at_ms, state, duration_ns, contiguous_failures, first_failure_at_ms,
         errors.content_json AS error_json, messages.content_json AS message_json
       FROM health_check CROSS JOIN health_old_run ON check_ref = health_check.id
         LEFT JOIN health_text AS errors ON errors.id = error_text_ref
         LEFT JOIN health_text AS messages ON messages.id = message_text_ref
       WHERE node_ref = ? AND ran_at_ms > ? AND ran_at_ms <= ? ORDER BY ran_at_ms`,
    )
    .all(
      node,
      beforeMs === undefined
        ? Number.MIN_SAFE_INTEGER
        : (integerOrNull(beforeMs, 'at_ms') ?? Number.MIN_SAFE_INTEGER),
      // What no poll follows on goes to the last one.
      later === undefined ? Number.MAX_SAFE_INTEGER : integer(last, 'polled_at_ms'),
    );
  let at = 0;
  for (const row of runs) {
    const ranAtMs = integer(row, 'ran_at_ms');
    while (at < polls.length - 1 && (polls[at]?.polledAtMs ?? 0) < ranAtMs) at += 1;
    polls[at]?.runs.push({
      check: json(row, 'name_json', parseText),
      state: choice(row, 'state', checkStates),
      ranAtMs,
      durationNs: row['duration_ns'] === null ? null : bigInteger(row, 'duration_ns'),
      contiguousFailures: integerOrNull(row, 'contiguous_failures'),
      firstFailureAtMs: integerOrNull(row, 'first_failure_at_ms'),
      error: row['error_json'] === null ? null : json(row, 'error_json', parseText),
      messageJson: row['message_json'] === null ? null : text(row, 'message_json'),
    });
  }
  return polls;
}
