import * as z from 'zod/mini';
import { addressColours } from '../../../../shared/activity/types.ts';
import type { StoredAddress, StoredChains, WatchlistStore } from '../../../core/activity-ports.ts';
import type { ActivityState } from './activity-state.ts';
import { integer, json, text, textOrNull } from '../sqlite/row.ts';
import { SqlFailure, type SqlDatabase, type SqlReader } from '../sqlite/sql.ts';
import type { Synchronous } from '../store-ports.ts';

const idsSchema = z.array(z.string());

const newSinceSchema = z.record(z.string(), z.number());
const tagsSchema = z.array(z.string());

/** The row id of a watched address, which everything of the address refers to. */
function addressRef(reader: SqlReader, address: string): number | null {
  const row = reader
    .prepare('SELECT id FROM watch_address WHERE address = ? AND is_removed = 0')
    .get(address);
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
      .prepare(
        `SELECT address, label, tags_json, colour, is_paused, added_at_ms FROM watch_address WHERE is_removed = 0
         ORDER BY added_at_ms, id`,
      )
      .all()
      .map((row) => ({
        address: text(row, 'address'),
        label: textOrNull(row, 'label'),
        tags: json(row, 'tags_json', (value) => z.parse(tagsSchema, value)),
        // A colour of a later version of the app is none of ours.
        colour: addressColours.find((colour) => colour === row['colour']) ?? null,
        paused: integer(row, 'is_paused') === 1,
        addedAtMs: integer(row, 'added_at_ms'),
      }));
  }

  put({ address, label, tags, colour, paused, addedAtMs }: StoredAddress): void {
    this.#state.writeWords(
      (writer) =>
        // Not REPLACE: that would delete the row first, and with it everything that refers to it.
        void writer
          .prepare(
            `INSERT INTO watch_address (address, label, tags_json, colour, is_paused, added_at_ms) VALUES (?, ?, ?, ?, ?, ?)
             ON CONFLICT (address) DO UPDATE SET label = excluded.label, tags_json = excluded.tags_json,
               colour = excluded.colour, is_paused = excluded.is_paused, added_at_ms = excluded.added_at_ms,
               is_removed = 0`,
          )
          .run(address, label, JSON.stringify(tags), colour, paused ? 1 : 0, addedAtMs),
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
      .prepare(
        `SELECT indexed_json, unindexed_ids_json, fetched_at_ms, new_since_json
         FROM watch_chains JOIN watch_address ON watch_address.id = address_ref AND is_removed = 0
         WHERE address = ?`,
      )
      .get(address);
    if (row === undefined) return null;
    return {
      indexedJson: text(row, 'indexed_json'),
      unindexedIds: json(row, 'unindexed_ids_json', (value) => z.parse(idsSchema, value)),
      fetchedAtMs: integer(row, 'fetched_at_ms'),
      newSinceMs: json(row, 'new_since_json', (value) => z.parse(newSinceSchema, value)),
    };
  }

  writeChains(address: string, chains: StoredChains): void {
    this.#database.transaction((writer) => {
      writer
        .prepare(
          `INSERT INTO watch_chains (address_ref, indexed_json, unindexed_ids_json, fetched_at_ms, new_since_json)
           VALUES (?, ?, ?, ?, ?)
           ON CONFLICT (address_ref) DO UPDATE SET indexed_json = excluded.indexed_json,
             unindexed_ids_json = excluded.unindexed_ids_json, fetched_at_ms = excluded.fetched_at_ms,
             new_since_json = excluded.new_since_json`,
        )
        .run(
          requireAddressRef(writer, address),
          chains.indexedJson,
          JSON.stringify(chains.unindexedIds),
          chains.fetchedAtMs,
          JSON.stringify(chains.newSinceMs),
        );
    });
  }
}
