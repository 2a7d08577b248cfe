import type { BlockProof } from '../../../../shared/activity/types.ts';
import { findList, readProofs } from '../../../adapters/storage/activity/activity-lists.ts';
import type { SqlReader, SqlRow } from '../../../adapters/storage/sqlite/sql.ts';
import type { ListRef, StoredSync } from '../../activity-ports.ts';

/** Values by column name. */
export type StoredValues = Readonly<Record<string, unknown>>;

/** Everything stored for a list, without row ids. */
export interface StoredList {
  sync: StoredSync | null;
  proofs: BlockProof[];
  /** By hash, with their bodies. References to parties, methods and tokens are resolved. */
  rows: { row: StoredValues; versions: StoredValues[] }[];
  records: StoredValues[];
}

/** Reads a list directly from the tables rather than through the stores, so that nothing is missed. */
export function readStoredList(reader: SqlReader, ref: ListRef): StoredList {
  const list = findList(reader, ref);
  if (list === null) return { sync: null, proofs: [], rows: [], records: [] };
  const { listRef, sync } = list;
  const facet = (id: unknown): unknown =>
    id === null
      ? null
      : reader.get('SELECT content_json FROM activity_facet WHERE id = ?', [Number(id)])?.['content_json'];
  const versionsOf = ({ id }: SqlRow): StoredValues[] =>
    reader
      .all('SELECT * FROM activity_version WHERE row_ref = ? ORDER BY id', [Number(id)])
      .map((version) => without(version, ['id', 'row_ref']));
  const rows = reader.all(
    'SELECT * FROM activity_row JOIN activity_body ON row_ref = id WHERE list_ref = ? ORDER BY tx_hash',
    [listRef],
  );
  const records = reader.all(
    'SELECT * FROM activity_record WHERE list_ref = ? ORDER BY record_json, number',
    [listRef],
  );
  return {
    sync,
    proofs: readProofs(reader, listRef),
    rows: rows.map((row) => ({
      row: {
        ...without(row, ['id', 'row_ref', 'list_ref', 'address_ref', 'chain_ref']),
        counterparty_ref: facet(row['counterparty_ref']),
        method_ref: facet(row['method_ref']),
        tokens_json: (JSON.parse(String(row['tokens_json'])) as [id: number, amount: unknown][]).map(
          ([id, amount]) => [facet(id), amount],
        ),
      },
      versions: versionsOf(row),
    })),
    records: records.map((record) => without(record, ['list_ref'])),
  };
}

/** The values without these columns. */
export function without(values: StoredValues, names: readonly string[]): StoredValues {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
}
