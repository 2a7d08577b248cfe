import { addressDocument, chainsDocument } from '../documents.ts';
import { addressColours } from '../../../../shared/activity/types.ts';
import { Turns } from '../../../../shared/turns.ts';
import type { WatchlistStore } from '../../../core/activity-ports.ts';
import type { ActivityState } from './activity-state.ts';
import { asDeleted, deleteRest } from './deletion.ts';
import { idOf, json, jsonOrNull, updateRow } from '../sqlite/row.ts';
import { SqlFailure, type SqlReader, type SqlWriter } from '../sqlite/sql.ts';
import type { Served } from '../store-ports.ts';

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
  delete: `UPDATE watch_address SET ${asDeleted} WHERE address = ?`,
} as const;

/** Watched addresses and their chains. */
export function createWatchlistStore(state: ActivityState) {
  const { database } = state;
  const deletions = new Turns();
  return {
    list() {
      const rows = database.all("SELECT address_json FROM watched ORDER BY address_json ->> 'addedAtMs', id");
      return rows.map((row) => {
        const stored = json(row, 'address_json', addressDocument);
        // A later version of the app may have stored a colour unknown here.
        return { ...stored, colour: addressColours.find((colour) => colour === stored.colour) ?? null };
      });
    },

    put(...addresses) {
      // Not REPLACE: it deletes the row first, and with it everything that refers to it.
      const sql = `INSERT INTO watch_address (address, address_json) VALUES (?, ?)
        ON CONFLICT (address) DO UPDATE SET address_json = excluded.address_json, is_removed = 0`;
      const put = (writer: SqlWriter): void => {
        for (const stored of addresses) writer.run(sql, [stored.address, JSON.stringify(stored)]);
      };
      state.writeWords(put, { addresses: addresses.map(({ address }) => address) });
    },

    remove(address, data) {
      state.writeWords((writer) => writer.run(removals[data], [address]), { addresses: [address] });
      return data === 'delete' ? deletions.take(() => deleteRest(state)) : undefined;
    },

    removeLeft() {
      const sql = `UPDATE watch_address SET ${asDeleted} WHERE is_removed = 1 AND address_json ->> 'isLeft'`;
      const count = database.transaction((writer) => writer.run(sql));
      return count > 0 ? deletions.take(() => deleteRest(state)) : undefined;
    },

    readChains(address) {
      const row = database.get('SELECT chains_json FROM watched WHERE address = ?', [address]);
      return jsonOrNull(row, 'chains_json', chainsDocument);
    },

    writeChains(address, chains) {
      database.transaction((writer) => {
        const ref = requireAddressRef(writer, address);
        updateRow(writer, 'watch_address', ref, { chains_json: JSON.stringify(chains) });
      });
    },
  } satisfies Served<WatchlistStore>;
}
