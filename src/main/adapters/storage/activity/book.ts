import type { BookEntry } from '../../../../shared/activity/types.ts';
import type { BookStore } from '../../../core/activity-ports.ts';
import type { ActivityState } from './activity-state.ts';
import { integer, text, textOrNull } from '../sqlite/row.ts';
import type { Synchronous } from '../store-ports.ts';

/** The user's names for addresses. */
export class SqlBookStore implements Synchronous<BookStore> {
  readonly #state: ActivityState;

  constructor(state: ActivityState) {
    this.#state = state;
  }

  list(): BookEntry[] {
    return this.#state.database
      .prepare('SELECT address, name, note, changed_at_ms FROM book_entry ORDER BY name, address')
      .all()
      .map((row) => ({
        address: text(row, 'address'),
        name: text(row, 'name'),
        note: textOrNull(row, 'note'),
        changedAtMs: integer(row, 'changed_at_ms'),
      }));
  }

  put({ address, name, note, changedAtMs }: BookEntry): void {
    this.#state.writeWords(
      (writer) =>
        void writer
          .prepare(
            `INSERT INTO book_entry (address, name, note, changed_at_ms) VALUES (?, ?, ?, ?)
             ON CONFLICT (address) DO UPDATE SET name = excluded.name, note = excluded.note,
               changed_at_ms = excluded.changed_at_ms`,
          )
          .run(address, name, note, changedAtMs),
      { address },
    );
  }

  remove(address: string): void {
    this.#state.writeWords(
      (writer) => void writer.prepare('DELETE FROM book_entry WHERE address = ?').run(address),
      { address },
    );
  }
}
