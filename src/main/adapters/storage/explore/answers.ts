import type { AnswerStore, StoredAnswer } from '../../../core/ports.ts';
import { checkLimit } from '../sqlite/cursor.ts';
import { integer, text } from '../sqlite/row.ts';
import type { SqlDatabase, SqlRow } from '../sqlite/sql.ts';
import type { Synchronous } from '../store-ports.ts';

/** Stored answers of endpoints. */
export class SqlAnswerStore implements Synchronous<AnswerStore> {
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  read(key: string): StoredAnswer | null {
    const row = this.#database
      .prepare('SELECT key, endpoint_id, params_json, body_text, fetched_at_ms FROM answer WHERE key = ?')
      .get(key);
    return row === undefined ? null : toAnswer(row);
  }

  holding(query: { endpointId: string; text: string; limit: number }): StoredAnswer[] {
    return this.#database
      .prepare(
        `SELECT key, endpoint_id, params_json, body_text, fetched_at_ms FROM answer
         WHERE endpoint_id = ? AND instr(body_text, ?) > 0 ORDER BY fetched_at_ms DESC, key LIMIT ?`,
      )
      .all(query.endpointId, query.text, checkLimit(query.limit))
      .map(toAnswer);
  }

  write(answer: StoredAnswer): void {
    this.#database.transaction((writer) => {
      writer
        .prepare(
          'REPLACE INTO answer (key, endpoint_id, params_json, body_text, fetched_at_ms) VALUES (?, ?, ?, ?, ?)',
        )
        .run(answer.key, answer.endpointId, answer.paramsJson, answer.bodyText, answer.fetchedAtMs);
    });
  }
}

function toAnswer(row: SqlRow): StoredAnswer {
  return {
    key: text(row, 'key'),
    endpointId: text(row, 'endpoint_id'),
    paramsJson: text(row, 'params_json'),
    bodyText: text(row, 'body_text'),
    fetchedAtMs: integer(row, 'fetched_at_ms'),
  };
}
