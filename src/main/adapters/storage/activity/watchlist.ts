import { addressDocument, chainsDocument } from '../documents.ts';
import { addressColours } from '../../../../shared/activity/types.ts';
import type { WatchlistStore } from '../../../core/activity-ports.ts';
import type { ActivityState } from './activity-state.ts';
import { idOf, json } from '../sqlite/row.ts';
import { SqlFailure, type SqlReader, type SqlWriter } from '../sqlite/sql.ts';
import type { Synchronous } from '../store-ports.ts';

/**
 * The row id of a watched address, to which all its data refers; throws `missing-parent` if it is not, or no longer,
 * watched.
 */
export function requireAddressRef(reader: SqlReader, address: string): number {
  const ref = findAddressRef(reader, address);
  if (ref === null) throw new SqlFailure('missing-parent', '');
  return ref;
}

export function findAddressRef(reader: SqlReader, address: string): number | null {
  return idOf(reader.get('SELECT id FROM watched WHERE address = ?', [address]));
}

const removals = {
  keep: 'UPDATE watch_address SET is_removed = 1 WHERE address = ?',
  // Removed when the address is added again, as that replaces the whole text.
  leave: `UPDATE watch_address SET is_removed = 1, address_json = json_set(address_json, '$.isLeft', 1) WHERE address = ?`,
  delete: 'DELETE FROM watch_address WHERE address = ?',
} as const;

/** Parties, tokens and methods that no row refers to any more. */
const removeFacets = `DELETE FROM activity_facet WHERE id NOT IN (
  SELECT counterparty_ref FROM activity_row WHERE counterparty_ref IS NOT NULL
  UNION SELECT method_ref FROM activity_row WHERE method_ref IS NOT NULL
  UNION SELECT value FROM activity_row, json_each(other_sides_json)
  UNION SELECT value ->> 0 FROM activity_row, json_each(tokens_json))`;

/** Watched addresses and their chains. */
export function createWatchlistStore(state: ActivityState): Synchronous<WatchlistStore> {
  const { database } = state;
  return {
    list() {
      const rows = database.all("SELECT address_json FROM watched ORDER BY address_json ->> 'addedAtMs', id");
      return rows.map((row) => {
        const stored = json(row, 'address_json', addressDocument);
        // A later version of the app may have stored a colour unknown here.
        return { ...stored, colour: addressColours.find((colour) => colour === stored.colour) ?? null };
      });
    },

    put(stored) {
      const { address } = stored;
      state.writeWords(
        (writer) =>
          // Not REPLACE: it deletes the row first, and with it everything that refers to it.
          writer.run(
            `INSERT INTO watch_address (address, address_json) VALUES (?, ?)
             ON CONFLICT (address) DO UPDATE SET address_json = excluded.address_json, is_removed = 0`,
            [address, JSON.stringify(stored)],
          ),
        { address },
      );
    },

    remove(address, data) {
      const work = (writer: SqlWriter) => {
        const count = writer.run(removals[data], [address]);
        if (count > 0 && data === 'delete') writer.run(removeFacets);
      };
      state.writeWords(work, { address });
      if (data === 'delete') state.rowsRemoved();
    },

    removeLeft() {
      const sql = "DELETE FROM watch_address WHERE is_removed = 1 AND address_json ->> 'isLeft'";
      database.transaction((writer) => {
        if (writer.run(sql) > 0) writer.run(removeFacets);
      });
      state.rowsRemoved();
    },

    readChains(address) {
      const row = database.get(
        'SELECT chains_json FROM watched WHERE address = ? AND chains_json IS NOT NULL',
        [address],
      );
      return row === undefined ? null : json(row, 'chains_json', chainsDocument);
    },

    writeChains(address, chains) {
      const sql = 'UPDATE watch_address SET chains_json = ? WHERE id = ?';
      database.transaction((writer) =>
        writer.run(sql, [JSON.stringify(chains), requireAddressRef(writer, address)]),
      );
    },
  };
}
