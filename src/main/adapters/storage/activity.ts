import * as z from 'zod/mini';
import type { ActivityStore, StoredRow, StoredSync, SyncState } from '../../core/ports.ts';
import { checkLimit, decodeCursor, encodeCursor, noBlockIndex, type RowPosition } from './cursor.ts';
import { bigInteger, choice, integer, integerOrNull, json, text } from './row.ts';
import {
  SqlFailure,
  type SqlDatabase,
  type SqlParam,
  type SqlReader,
  type SqlRow,
  type SqlWriter,
} from './sql.ts';
import type { Synchronous } from './store-ports.ts';
import { addressRef, requireAddressRef } from './watchlist.ts';

const coveredSchema = z.array(z.strictObject({ fromBlock: z.string(), toBlock: z.string() }));

const resumeSchema = z.strictObject({
  pageToken: z.string(),
  receivedAtMs: z.number(),
  fromBlock: z.nullable(z.string()),
  toBlock: z.nullable(z.string()),
  provenFrom: z.nullable(z.string()),
  provenTo: z.nullable(z.string()),
});

/** Places are the numbers of the column `is_complete`. */
const completenesses = ['partial', 'complete'] as const;

/** Transactions of watched addresses, and how far each list of them has been walked. */
export class SqlActivityStore implements Synchronous<ActivityStore> {
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  savePage(address: string, chainId: string, rows: readonly StoredRow[], sync: SyncState): StoredSync {
    return this.#database.transaction((writer) => {
      const list = openList(writer, address, chainId);
      let added = 0;
      for (const row of rows) {
        if (row.address !== address || row.chainId !== chainId) {
          throw new SqlFailure('defect', 'a row of another list is in the page');
        }
        if (saveRow(writer, list, row)) added += 1;
      }
      writer
        .prepare(
          `UPDATE activity_sync SET covered_json = ?, reached_start = ?, resume_json = ?, checked_at_ms = ?,
             row_count = row_count + ? WHERE id = ?`,
        )
        .run(
          JSON.stringify(sync.covered),
          sync.reachedStart ? 1 : 0,
          sync.resume === null ? null : JSON.stringify(sync.resume),
          sync.checkedAtMs,
          added,
          list.syncRef,
        );
      const saved = readSyncRow(writer, address, chainId);
      if (saved === null) throw new SqlFailure('defect', 'the sync is not there after it was written');
      return saved;
    });
  }

  readSync(address: string, chainId: string): StoredSync | null {
    return readSyncRow(this.#database, address, chainId);
  }

  listSyncs(): { address: string; chainId: string; sync: StoredSync }[] {
    return this.#database
      .prepare(`${selectSync} ORDER BY activity_sync.id`)
      .all()
      .map((row) => ({
        address: text(row, 'address'),
        chainId: text(row, 'chain_id'),
        sync: toSync(row),
      }));
  }

  complete(chainId: string, txHash: string, transactionJson: string, fetchedAtMs: number): string[] {
    return this.#database.transaction((writer) => {
      writer
        .prepare(
          `UPDATE activity_row SET is_complete = 1, transaction_json = ?, fetched_at_ms = ?
           WHERE tx_hash = ? AND sync_ref IN (
             SELECT activity_sync.id FROM activity_sync JOIN chain ON chain.id = chain_ref WHERE chain_id = ?)`,
        )
        .run(transactionJson, fetchedAtMs, txHash, chainId);
      return writer
        .prepare(
          `SELECT address FROM activity_sync
             JOIN chain ON chain.id = activity_sync.chain_ref
             JOIN watch_address ON watch_address.id = activity_sync.address_ref
             JOIN activity_row ON activity_row.sync_ref = activity_sync.id AND tx_hash = ?
           WHERE chain_id = ? ORDER BY watch_address.added_at_ms, watch_address.id`,
        )
        .all(txHash, chainId)
        .map((row) => text(row, 'address'));
    });
  }

  readRows(query: { address: string | null; chainId: string | null; cursor: string | null; limit: number }): {
    rows: StoredRow[];
    nextCursor: string | null;
    totalCount: number;
  } {
    const limit = checkLimit(query.limit);
    const after = query.cursor === null ? beforeAll : decodeCursor(query.cursor);
    const filter = findFilter(this.#database, query.address, query.chainId);
    if (filter === null) return { rows: [], nextCursor: null, totalCount: 0 };
    // One more than asked for tells whether there is a next page.
    const found = filter.page.all(
      ...filter.params,
      after.timestampMs,
      after.blockNumber,
      after.blockIndex,
      after.txHash,
      after.rowId,
      limit + 1,
    );
    const shown = found.slice(0, limit);
    const last = shown.at(-1);
    const count = filter.count.get(...filter.params);
    return {
      rows: shown.map(toRow),
      nextCursor: found.length > limit && last !== undefined ? encodeCursor(toPosition(last)) : null,
      totalCount: count === undefined ? 0 : integer(count, 'total'),
    };
  }
}

// ---- One list --------------------------------------------------------------------------------------------------------

interface List {
  syncRef: number;
  addressRef: number;
  chainRef: number;
}

/** The list of a watched address on a chain, which comes into being with its first page. */
function openList(writer: SqlWriter, address: string, chainId: string): List {
  const owner = requireAddressRef(writer, address);
  writer.prepare('INSERT INTO chain (chain_id) VALUES (?) ON CONFLICT DO NOTHING').run(chainId);
  const chainRef = requireChainRef(writer, chainId);
  writer
    .prepare(
      `INSERT INTO activity_sync
         (address_ref, chain_ref, covered_json, reached_start, resume_json, checked_at_ms, row_count)
       VALUES (?, ?, '[]', 0, NULL, NULL, 0) ON CONFLICT DO NOTHING`,
    )
    .run(owner, chainRef);
  const syncRef = findSyncRef(writer, owner, chainRef);
  if (syncRef === null) throw new SqlFailure('defect', 'the list is not there after it was added');
  return { syncRef, addressRef: owner, chainRef };
}

function requireChainRef(reader: SqlReader, chainId: string): number {
  const chain = chainRef(reader, chainId);
  if (chain === null) throw new SqlFailure('defect', 'the chain is not there after it was added');
  return chain;
}

function chainRef(reader: SqlReader, chainId: string): number | null {
  const row = reader.prepare('SELECT id FROM chain WHERE chain_id = ?').get(chainId);
  return row === undefined ? null : integer(row, 'id');
}

function findSyncRef(reader: SqlReader, addressRef: number, chainRef: number): number | null {
  const row = reader
    .prepare('SELECT id FROM activity_sync WHERE address_ref = ? AND chain_ref = ?')
    .get(addressRef, chainRef);
  return row === undefined ? null : integer(row, 'id');
}

/** Returns whether the row is new. */
function saveRow(writer: SqlWriter, list: List, row: StoredRow): boolean {
  const isComplete = completenesses.indexOf(row.completeness);
  const blockIndex = row.blockIndex ?? noBlockIndex;
  const inserted = writer
    .prepare(
      `INSERT INTO activity_row (sync_ref, address_ref, chain_ref, tx_hash, block_number, block_index, timestamp_ms,
         is_complete, transaction_json, fetched_at_ms)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (sync_ref, tx_hash) DO NOTHING`,
    )
    .run(
      list.syncRef,
      list.addressRef,
      list.chainRef,
      row.txHash,
      row.blockNumber,
      blockIndex,
      row.timestampMs,
      isComplete,
      row.transactionJson,
      row.fetchedAtMs,
    );
  if (inserted === 1) return true;
  writer
    .prepare(
      `UPDATE activity_row SET block_number = ?, block_index = ?, timestamp_ms = ?, is_complete = ?,
         transaction_json = ?, fetched_at_ms = ?
       WHERE sync_ref = ? AND tx_hash = ? AND is_complete <= ?`,
    )
    .run(
      row.blockNumber,
      blockIndex,
      row.timestampMs,
      isComplete,
      row.transactionJson,
      row.fetchedAtMs,
      list.syncRef,
      row.txHash,
      isComplete,
    );
  return false;
}

// Both ends of the history are one step into the index each.
const selectSync =
  `SELECT address, chain_id, covered_json, reached_start, resume_json, checked_at_ms, row_count,
    (SELECT max(timestamp_ms) FROM activity_row WHERE sync_ref = activity_sync.id) AS newest_timestamp_ms,
    (SELECT min(timestamp_ms) FROM activity_row WHERE sync_ref = activity_sync.id) AS oldest_timestamp_ms
  FROM activity_sync
    JOIN watch_address ON watch_address.id = address_ref
    JOIN chain ON chain.id = chain_ref` as const;

function readSyncRow(reader: SqlReader, address: string, chainId: string): StoredSync | null {
  const row = reader.prepare(`${selectSync} WHERE address = ? AND chain_id = ?`).get(address, chainId);
  return row === undefined ? null : toSync(row);
}

function toSync(row: SqlRow): StoredSync {
  return {
    covered: json(row, 'covered_json', (value) => z.parse(coveredSchema, value)),
    reachedStart: integer(row, 'reached_start') === 1,
    resume:
      row['resume_json'] === null ? null : json(row, 'resume_json', (value) => z.parse(resumeSchema, value)),
    checkedAtMs: integerOrNull(row, 'checked_at_ms'),
    rowCount: integer(row, 'row_count'),
    newestTimestampMs: integerOrNull(row, 'newest_timestamp_ms'),
    oldestTimestampMs: integerOrNull(row, 'oldest_timestamp_ms'),
  };
}

// ---- Rows in order ---------------------------------------------------------------------------------------------------

interface Filter {
  page: ReturnType<SqlReader['prepare']>;
  count: ReturnType<SqlReader['prepare']>;
  params: SqlParam[];
}

/** Above every position that can be stored. */
const beforeAll: RowPosition = {
  timestampMs: Number.MAX_SAFE_INTEGER,
  blockNumber: 2n ** 63n - 1n,
  blockIndex: Number.MAX_SAFE_INTEGER,
  txHash: '',
  rowId: 0,
};

/** The statements for the filter asked for; null when nothing can match it. */
function findFilter(reader: SqlReader, address: string | null, chainId: string | null): Filter | null {
  if (address === null && chainId === null) return filterBy(reader, 'TRUE', 'TRUE', []);
  const owner = address === null ? null : addressRef(reader, address);
  if (address !== null && owner === null) return null;
  const chain = chainId === null ? null : chainRef(reader, chainId);
  if (chainId !== null && chain === null) return null;
  if (chain === null) return filterBy(reader, 'activity_row.address_ref = ?', 'address_ref = ?', [owner]);
  if (owner === null) return filterBy(reader, 'activity_row.chain_ref = ?', 'chain_ref = ?', [chain]);
  const sync = findSyncRef(reader, owner, chain);
  return sync === null ? null : filterBy(reader, 'activity_row.sync_ref = ?', 'id = ?', [sync]);
}

/** Each condition on rows is the first column of an index that goes on with the order below. */
function filterBy(
  reader: SqlReader,
  rowCondition: 'TRUE' | `activity_row.${'address_ref' | 'chain_ref' | 'sync_ref'} = ?`,
  syncCondition: 'TRUE' | `${'address_ref' | 'chain_ref' | 'id'} = ?`,
  params: SqlParam[],
): Filter {
  return {
    page: reader.prepare(
      `SELECT activity_row.id AS row_id, chain_id, address, tx_hash, block_number, block_index, timestamp_ms,
         is_complete, transaction_json, fetched_at_ms
       FROM activity_row
         CROSS JOIN watch_address ON watch_address.id = activity_row.address_ref
         CROSS JOIN chain ON chain.id = activity_row.chain_ref
       WHERE ${rowCondition}
         AND (timestamp_ms, block_number, block_index, tx_hash, activity_row.id) < (?, ?, ?, ?, ?)
       ORDER BY timestamp_ms DESC, block_number DESC, block_index DESC, tx_hash DESC, activity_row.id DESC
       LIMIT ?`,
    ),
    count: reader.prepare(
      `SELECT coalesce(sum(row_count), 0) AS total FROM activity_sync WHERE ${syncCondition}`,
    ),
    params,
  };
}

function toRow(row: SqlRow): StoredRow {
  const blockIndex = integer(row, 'block_index');
  return {
    chainId: text(row, 'chain_id'),
    address: text(row, 'address'),
    txHash: text(row, 'tx_hash'),
    blockNumber: bigInteger(row, 'block_number'),
    blockIndex: blockIndex === noBlockIndex ? null : blockIndex,
    timestampMs: integer(row, 'timestamp_ms'),
    completeness: choice(row, 'is_complete', completenesses),
    transactionJson: text(row, 'transaction_json'),
    fetchedAtMs: integer(row, 'fetched_at_ms'),
  };
}

function toPosition(row: SqlRow): RowPosition {
  return {
    timestampMs: integer(row, 'timestamp_ms'),
    blockNumber: bigInteger(row, 'block_number'),
    blockIndex: integer(row, 'block_index'),
    txHash: text(row, 'tx_hash'),
    rowId: integer(row, 'row_id'),
  };
}
