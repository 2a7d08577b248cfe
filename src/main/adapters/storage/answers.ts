import type { AnswerStore, StoredAnswer } from '../../core/ports.ts';
import { integer, text } from './row.ts';
import type { SqlDatabase } from './sql.ts';
import type { Synchronous } from './store-ports.ts';

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
    if (row === undefined) return null;
    return {
      key: text(row, 'key'),
      endpointId: text(row, 'endpoint_id'),
      paramsJson: text(row, 'params_json'),
      bodyText: text(row, 'body_text'),
      fetchedAtMs: integer(row, 'fetched_at_ms'),
    };
  }

  write(answer: StoredAnswer): void {
    this.#database.transaction((writer) => {
      writer
        .prepare(
          `INSERT INTO answer (key, endpoint_id, params_json, body_text, fetched_at_ms) VALUES (?, ?, ?, ?, ?)
           ON CONFLICT (key) DO UPDATE SET endpoint_id = excluded.endpoint_id, params_json = excluded.params_json,
             body_text = excluded.body_text, fetched_at_ms = excluded.fetched_at_ms`,
        )
        .run(answer.key, answer.endpointId, answer.paramsJson, answer.bodyText, answer.fetchedAtMs);
    });
  }
}
