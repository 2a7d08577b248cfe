import * as z from 'zod/mini';
import type { StoredAddress, StoredChains, WatchlistStore } from '../../core/ports.ts';
import { integer, json, text, textOrNull } from './row.ts';
import { SqlFailure, type SqlDatabase, type SqlReader } from './sql.ts';
import type { Synchronous } from './store-ports.ts';

const idsSchema = z.array(z.string());

/** The row id of a watched address, which everything of the address refers to. */
export function addressRef(reader: SqlReader, address: string): number | null {
  const row = reader.prepare('SELECT id FROM watch_address WHERE address = ?').get(address);
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
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  list(): StoredAddress[] {
    return this.#database
      .prepare('SELECT address, label, added_at_ms FROM watch_address ORDER BY added_at_ms, id')
      .all()
      .map((row) => ({
        address: text(row, 'address'),
        label: textOrNull(row, 'label'),
        addedAtMs: integer(row, 'added_at_ms'),
      }));
  }

  put(address: StoredAddress): void {
    this.#database.transaction((writer) => {
      // Not REPLACE: that would delete the row first, and with it everything that refers to it.
      writer
        .prepare(
          `INSERT INTO watch_address (address, label, added_at_ms) VALUES (?, ?, ?)
           ON CONFLICT (address) DO UPDATE SET label = excluded.label, added_at_ms = excluded.added_at_ms`,
        )
        .run(address.address, address.label, address.addedAtMs);
    });
  }

  remove(address: string): void {
    this.#database.transaction((writer) => {
      writer.prepare('DELETE FROM watch_address WHERE address = ?').run(address);
    });
  }

  readChains(address: string): StoredChains | null {
    const row = this.#database
      .prepare(
        `SELECT indexed_json, unindexed_ids_json, fetched_at_ms
         FROM watch_chains JOIN watch_address ON watch_address.id = address_ref
         WHERE address = ?`,
      )
      .get(address);
    if (row === undefined) return null;
    return {
      indexedJson: text(row, 'indexed_json'),
      unindexedIds: json(row, 'unindexed_ids_json', (value) => z.parse(idsSchema, value)),
      fetchedAtMs: integer(row, 'fetched_at_ms'),
    };
  }

  writeChains(address: string, chains: StoredChains): void {
    this.#database.transaction((writer) => {
      writer
        .prepare(
          `INSERT INTO watch_chains (address_ref, indexed_json, unindexed_ids_json, fetched_at_ms)
           VALUES (?, ?, ?, ?)
           ON CONFLICT (address_ref) DO UPDATE SET indexed_json = excluded.indexed_json,
             unindexed_ids_json = excluded.unindexed_ids_json, fetched_at_ms = excluded.fetched_at_ms`,
        )
        .run(
          requireAddressRef(writer, address),
          chains.indexedJson,
          JSON.stringify(chains.unindexedIds),
          chains.fetchedAtMs,
        );
    });
  }
}
