import { addressDocument, chainsDocument } from '../documents.ts';
import { addressColours } from '../../../../shared/activity/types.ts';
import type { StoredAddress, StoredChains, WatchlistStore } from '../../../core/activity-ports.ts';
import type { ActivityState } from './activity-state.ts';
import { integer, json } from '../sqlite/row.ts';
import { SqlFailure, type SqlDatabase, type SqlReader } from '../sqlite/sql.ts';
import type { Synchronous } from '../store-ports.ts';

/** The row id of a watched address, which everything of the address refers to. */
function addressRef(reader: SqlReader, address: string): number | null {
  const row = reader.prepare('SELECT id FROM watched WHERE address = ?').get(address);
  return row === undefined ? null : integer(row, 'id');
}

/** As `addressRef`; throws `missing-parent` for an address that is not, or no longer, watched. */
export function requireAddressRef(reader: SqlReader, address: string): number {
  const ref = addressRef(reader, address);
  if (ref === null) throw new SqlFailure('missing-parent', '');
  return ref;
}

/** Watched addresses and the chains they were seen on. */
export class SqlWatchlistStore implements Synchronous<WatchlistStore> {
  readonly #state: ActivityState;

  constructor(state: ActivityState) {
    this.#state = state;
  }

  get #database(): SqlDatabase {
    return this.#state.database;
  }

  list(): StoredAddress[] {
    return this.#database
      .prepare("SELECT address_json FROM watched ORDER BY address_json ->> 'addedAtMs', id")
      .all()
      .map((row) => {
        const stored = json(row, 'address_json', addressDocument);
        // A colour of a later version of the app is none of ours.
        return { ...stored, colour: addressColours.find((colour) => colour === stored.colour) ?? null };
      });
  }

  put(stored: StoredAddress): void {
    const { address } = stored;
    this.#state.writeWords(
      (writer) =>
        // Not REPLACE: that would delete the row first, and with it everything that refers to it.
        void writer
          .prepare(
            `INSERT INTO watch_address (address, address_json) VALUES (?, ?)
             ON CONFLICT (address) DO UPDATE SET address_json = excluded.address_json, is_removed = 0`,
          )
          .run(address, JSON.stringify(stored)),
      { address },
    );
  }

  remove(address: string, keepData: boolean): void {
    this.#state.writeWords(
      (writer) =>
        void writer
          .prepare(
            keepData
              ? 'UPDATE watch_address SET is_removed = 1 WHERE address = ?'
              : 'DELETE FROM watch_address WHERE address = ?',
          )
          .run(address),
      { address },
    );
    if (!keepData) this.#state.rowsRemoved();
  }

  readChains(address: string): StoredChains | null {
    const row = this.#database
      .prepare('SELECT chains_json FROM watched WHERE address = ? AND chains_json IS NOT NULL')
      .get(address);
    return row === undefined ? null : json(row, 'chains_json', chainsDocument);
  }

  writeChains(address: string, chains: StoredChains): void {
    this.#database.transaction((writer) => {
      writer
        .prepare('UPDATE watch_address SET chains_json = ? WHERE id = ?')
        .run(JSON.stringify(chains), requireAddressRef(writer, address));
    });
  }
}
