import { json } from '../sqlite/row.ts';
import { bookDocument } from '../documents.ts';
import type { BookEntry } from '../../../../shared/activity/types.ts';
import type { BookStore } from '../../../core/activity-ports.ts';
import type { ActivityState } from './activity-state.ts';
import type { Synchronous } from '../store-ports.ts';

/** The user's names for addresses. */
export class SqlBookStore implements Synchronous<BookStore> {
  readonly #state: ActivityState;

  constructor(state: ActivityState) {
    this.#state = state;
  }

  list(): BookEntry[] {
    return this.#state.database
      .prepare("SELECT entry_json FROM book_entry ORDER BY entry_json ->> 'name', address")
      .all()
      .map((row) => json(row, 'entry_json', bookDocument));
  }

  put(entry: BookEntry): void {
    const { address } = entry;
    this.#state.writeWords(
      (writer) =>
        void writer
          .prepare('REPLACE INTO book_entry (address, entry_json) VALUES (?, ?)')
          .run(address, JSON.stringify(entry)),
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
