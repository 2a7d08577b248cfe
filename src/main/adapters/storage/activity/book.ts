import { json } from '../sqlite/row.ts';
import { bookDocument } from '../documents.ts';
import type { BookStore } from '../../../core/activity-ports.ts';
import type { ActivityState } from './activity-state.ts';
import type { Synchronous } from '../store-ports.ts';

/** The user's names for addresses. */
export function createBookStore(state: ActivityState): Synchronous<BookStore> {
  return {
    list: () =>
      state.database
        .all("SELECT entry_json FROM book_entry ORDER BY entry_json ->> 'name', address")
        .map((row) => json(row, 'entry_json', bookDocument)),

    put(entry) {
      const { address } = entry;
      const sql = 'REPLACE INTO book_entry (address, entry_json) VALUES (?, ?)';
      state.writeWords((writer) => writer.run(sql, [address, JSON.stringify(entry)]), {
        addresses: [address],
      });
    },

    remove(address) {
      const sql = 'DELETE FROM book_entry WHERE address = ?';
      state.writeWords((writer) => writer.run(sql, [address]), { addresses: [address] });
    },
  };
}
