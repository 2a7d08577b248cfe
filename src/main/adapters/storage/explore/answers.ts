import type { AnswerStore, StoredAnswer } from '../../../core/ports.ts';
import { checkLimit } from '../sqlite/cursor.ts';
import { insertRow, integer, text } from '../sqlite/row.ts';
import type { SqlDatabase, SqlRow, SqlWriter } from '../sqlite/sql.ts';
import type { Synchronous } from '../store-ports.ts';

/** Stored answers of endpoints. */
export function createAnswerStore(database: SqlDatabase): Synchronous<AnswerStore> {
  return {
    read(key) {
      const row = database.get(`${select} WHERE key = ?`, [key]);
      return row === undefined ? null : toAnswer(row);
    },

    holding: (query) =>
      database
        .all(
          `${select} WHERE endpoint_id = ? AND instr(body_text, ?) > 0 ORDER BY fetched_at_ms DESC, key LIMIT ?`,
          [query.endpointId, query.text, checkLimit(query.limit)],
        )
        .map(toAnswer),

    write: (answer) => database.transaction((writer) => put(writer, answer)),

    replace(answers, superseded) {
      database.transaction((writer) => {
        for (const key of superseded) writer.run('DELETE FROM answer WHERE key = ?', [key]);
        for (const answer of answers) put(writer, answer);
      });
    },
  };
}

function put(writer: SqlWriter, { key, endpointId, paramsJson, bodyText, fetchedAtMs }: StoredAnswer): void {
  const asked = { key, endpoint_id: endpointId, params_json: paramsJson };
  insertRow(writer, 'answer', { ...asked, body_text: bodyText, fetched_at_ms: fetchedAtMs }, 'REPLACE');
}

const select = 'SELECT key, endpoint_id, params_json, body_text, fetched_at_ms FROM answer';

function toAnswer(row: SqlRow): StoredAnswer {
  return {
    key: text(row, 'key'),
    endpointId: text(row, 'endpoint_id'),
    paramsJson: text(row, 'params_json'),
    bodyText: text(row, 'body_text'),
    fetchedAtMs: integer(row, 'fetched_at_ms'),
  };
}
