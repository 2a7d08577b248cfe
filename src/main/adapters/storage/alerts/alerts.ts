import { dayMs } from '../../../../shared/time.ts';
import { alertSchema, messageSchema } from '../../../../shared/alerts/types.ts';
import type { AlertStore } from '../../../core/ports.ts';
import { checkLimit } from '../sqlite/cursor.ts';
import { readable } from '../sqlite/row.ts';
import type { SqlDatabase } from '../sqlite/sql.ts';
import type { Synchronous } from '../store-ports.ts';

/**
 * Of each, so many of the newest are kept; what waits or is open, with its messages, is kept besides, and alerts that
 * ended within the last day.
 */
const mostKept = 900;
/** Both are as `JSON.stringify` writes them. */
const isOfOpen = `message_json -> '$.alertKey' IN (SELECT '"' || alert_key || '"' FROM alert WHERE ended_at_ms IS NULL)`;

export function createAlertStore(database: SqlDatabase): Synchronous<AlertStore> {
  const alertsOf = (which: string, ...params: number[]) =>
    database
      .all(`SELECT alert_json FROM alert ${which}`, params)
      .map((row) => readable(row, 'alert_json', alertSchema));
  const messagesOf = (which: string, ...params: number[]) =>
    database
      .all(`SELECT message_json FROM alert_message ${which}`, params)
      .map((row) => readable(row, 'message_json', messageSchema));
  return {
    put({ alerts, messages }) {
      database.transaction((writer) => {
        for (const alert of alerts) {
          writer.run(
            `INSERT INTO alert (alert_key, started_at_ms, ended_at_ms, alert_json) VALUES (?, ?, ?, ?)
             ON CONFLICT (alert_key) DO UPDATE SET started_at_ms = excluded.started_at_ms,
               ended_at_ms = excluded.ended_at_ms, alert_json = excluded.alert_json`,
            [
              storable(alert.key),
              Math.round(alert.startedAtMs),
              alert.endedAtMs && Math.round(alert.endedAtMs),
              JSON.stringify(alert),
            ],
          );
        }
        for (const message of messages) {
          const isWaiting = message.sent.some(({ state }) => state === 'waiting');
          writer.run(
            `INSERT INTO alert_message (message_id, is_waiting, message_json) VALUES (?, ?, ?)
             ON CONFLICT (message_id) DO UPDATE SET is_waiting = excluded.is_waiting, message_json = excluded.message_json`,
            [storable(message.id), isWaiting ? 1 : 0, JSON.stringify(message)],
          );
        }
        writer.run(
          `DELETE FROM alert WHERE id <= (SELECT max(id) FROM alert) - ?
             AND ended_at_ms < (SELECT max(ended_at_ms) FROM alert) - ?`,
          [mostKept, dayMs],
        );
        writer.run(
          `DELETE FROM alert_message
           WHERE is_waiting = 0 AND id <= (SELECT max(id) FROM alert_message) - ? AND NOT ${isOfOpen}`,
          [mostKept],
        );
      });
    },

    read: (endedSinceMs) =>
      alertsOf(
        `WHERE ended_at_ms IS NULL OR ended_at_ms >= ? OR alert_json ->> 'isHeld'
           OR alert_json ->> 'flapping' = 'said' ORDER BY id`,
        Math.round(endedSinceMs),
      ),

    past: (limit) =>
      alertsOf(
        'WHERE ended_at_ms IS NOT NULL ORDER BY started_at_ms DESC, id DESC LIMIT ?',
        checkLimit(limit),
      ),

    waiting: () => messagesOf('WHERE is_waiting = 1 ORDER BY id'),

    messages: (limit) =>
      messagesOf(
        `WHERE id IN (SELECT id FROM alert_message ORDER BY id DESC LIMIT ?) OR ${isOfOpen} ORDER BY id DESC`,
        checkLimit(limit),
      ),
  };
}

/** Both ids have names of checks in them, which may hold what no column does: escaped as in JSON. */
function storable(id: string): string {
  return JSON.stringify(id).slice(1, -1);
}
