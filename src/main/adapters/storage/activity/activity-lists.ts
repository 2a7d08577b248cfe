import { syncDocument } from '../documents.ts';
import {
  intersectBlocks,
  mergeBlocks,
  readIntervals,
  writeIntervals,
  type Blocks,
} from '../../../../shared/activity/blocks.ts';
import type { ListPage, ListRef, StoredSync, SyncState } from '../../../core/activity-ports.ts';
import {
  listIds,
  type BlockInterval,
  type BlockProof,
  type ListId,
} from '../../../../shared/activity/types.ts';
import { largestInteger } from '../../../../shared/integers.ts';
import { choice, integer, integerOrNull, text, json } from '../sqlite/row.ts';
import type { SqlReader, SqlRow, SqlWriter } from '../sqlite/sql.ts';
import { requireAddressRef } from './watchlist.ts';

/** One list by the numbers that its rows carry. */
export interface List {
  listRef: number;
  addressRef: number;
  chainRef: number;
}

/** The list of a watched address on a chain, which comes into being when it is first written. */
export function openList(writer: SqlWriter, { address, chainId, list }: ListRef): List {
  const addressRef = requireAddressRef(writer, address);
  const chainRef = refOf(
    writer.prepare('SELECT id FROM chain WHERE chain_id = ?').get(chainId) ??
      writer.prepare('INSERT INTO chain (chain_id) VALUES (?) RETURNING id').get(chainId),
  );
  const key = [addressRef, chainRef, listIds.indexOf(list)];
  const listRef = refOf(
    writer
      .prepare('SELECT id FROM activity_list WHERE address_ref = ? AND chain_ref = ? AND list = ?')
      .get(...key) ??
      writer
        .prepare(
          `INSERT INTO activity_list (address_ref, chain_ref, list, sync_json, row_count)
           VALUES (?, ?, ?, ?, 0) RETURNING id`,
        )
        .get(...key, JSON.stringify(nothingSynced)),
  );
  return { listRef, addressRef, chainRef };
}

const nothingSynced: SyncState = { covered: [], reachedStart: false, resume: null, checkedAtMs: null };

function refOf(row: SqlRow = {}): number {
  return integer(row, 'id');
}

/** The number of a list of a watched address; null while nothing was written for it. */
export function findListRef(reader: SqlReader, list: ListRef): number | null {
  const row = reader
    .prepare(
      `SELECT activity_list.id AS list_ref ${fromLists} WHERE address = ? AND chain_id = ? AND list = ?`,
    )
    .get(list.address, list.chainId, listIds.indexOf(list.list));
  return row === undefined ? null : integer(row, 'list_ref');
}

const fromLists = `FROM activity_list
     JOIN watched ON watched.id = activity_list.address_ref
     JOIN chain ON chain.id = activity_list.chain_ref` as const;

const selectSync =
  `SELECT address, chain_id, list, sync_json, row_count, is_stopped, newest_timestamp_ms, oldest_timestamp_ms
     ${fromLists}` as const;

export function readSync(reader: SqlReader, { address, chainId, list }: ListRef): StoredSync | null {
  const row = reader
    .prepare(`${selectSync} WHERE address = ? AND chain_id = ? AND list = ?`)
    .get(address, chainId, listIds.indexOf(list));
  return row === undefined ? null : toSync(row);
}

export function listSyncs(reader: SqlReader): (ListRef & { sync: StoredSync })[] {
  return reader
    .prepare(`${selectSync} ORDER BY activity_list.id`)
    .all()
    .map((row) => ({
      address: text(row, 'address'),
      chainId: text(row, 'chain_id'),
      list: choice<ListId>(row, 'list', listIds),
      sync: toSync(row),
    }));
}

function toSync(row: SqlRow): StoredSync {
  return {
    ...json(row, 'sync_json', syncDocument),
    rowCount: integer(row, 'row_count'),
    stoppedByUser: integer(row, 'is_stopped') === 1,
    newestTimestampMs: integerOrNull(row, 'newest_timestamp_ms'),
    oldestTimestampMs: integerOrNull(row, 'oldest_timestamp_ms'),
  };
}

export function writeSync(writer: SqlWriter, listRef: number, sync: SyncState): void {
  writer.prepare('UPDATE activity_list SET sync_json = ? WHERE id = ?').run(JSON.stringify(sync), listRef);
}

/** Counts what was added, and widens the times; `null` times were not among it. */
export function countElements(
  writer: SqlWriter,
  listRef: number,
  added: number,
  timesMs: readonly (number | null)[],
): void {
  const known = timesMs.filter((timeMs) => timeMs !== null);
  const newest = known.length === 0 ? null : known.reduce((a, b) => Math.max(a, b));
  const oldest = known.length === 0 ? null : known.reduce((a, b) => Math.min(a, b));
  writer
    .prepare(
      `UPDATE activity_list SET row_count = row_count + ?1,
         newest_timestamp_ms = coalesce(max(newest_timestamp_ms, ?2), newest_timestamp_ms, ?2),
         oldest_timestamp_ms = coalesce(min(oldest_timestamp_ms, ?3), oldest_timestamp_ms, ?3)
       WHERE id = ?4`,
    )
    .run(added, newest, oldest, listRef);
}

/** Finds the times again, after an element that was at either end has changed its own or is gone. */
export function recountTimes(
  writer: SqlWriter,
  listRef: number,
  table: 'activity_row' | 'activity_record',
): void {
  writer
    .prepare(
      `UPDATE activity_list SET
         newest_timestamp_ms = (SELECT max(timestamp_ms) FROM ${table} WHERE list_ref = ?1),
         oldest_timestamp_ms = (SELECT min(timestamp_ms) FROM ${table} WHERE list_ref = ?1)
       WHERE id = ?1`,
    )
    .run(listRef);
}

// ---- The ledger --------------------------------------------------------------------------------------------------------

export function addProof(writer: SqlWriter, listRef: number, proof: NonNullable<ListPage['proof']>): void {
  for (const block of proof.blocks) {
    const last = writer
      .prepare(
        `SELECT id, run_id, from_block, to_block FROM activity_proof WHERE list_ref = ? ORDER BY id DESC LIMIT 1`,
      )
      .get(listRef);
    const joined =
      last !== undefined && text(last, 'run_id') === proof.runId
        ? joinBlocks({ fromBlock: text(last, 'from_block'), toBlock: text(last, 'to_block') }, block)
        : null;
    if (last !== undefined && joined !== null) {
      writer
        .prepare('UPDATE activity_proof SET from_block = ?, to_block = ?, proven_at_ms = ? WHERE id = ?')
        .run(joined.fromBlock, joined.toBlock, proof.provenAtMs, integer(last, 'id'));
    } else {
      writer
        .prepare(
          'INSERT INTO activity_proof (list_ref, run_id, proven_at_ms, from_block, to_block) VALUES (?, ?, ?, ?, ?)',
        )
        .run(listRef, proof.runId, proof.provenAtMs, block.fromBlock, block.toBlock);
    }
  }
}

/** In order of blocks, which are decimal digits; of equal ones the earlier proof first. */
export function readProofs(reader: SqlReader, listRef: number): BlockProof[] {
  return reader
    .prepare(
      `SELECT run_id, proven_at_ms, from_block, to_block FROM activity_proof WHERE list_ref = ?
       ORDER BY length(from_block), from_block, length(to_block), to_block, id`,
    )
    .all(listRef)
    .map((row) => ({
      runId: text(row, 'run_id'),
      provenAtMs: integer(row, 'proven_at_ms'),
      fromBlock: text(row, 'from_block'),
      toBlock: text(row, 'to_block'),
    }));
}

/** The union of two ranges that overlap or touch; null of any other two. */
function joinBlocks(a: BlockInterval, b: BlockInterval): BlockInterval | null {
  const [joined, other] = writeIntervals(mergeBlocks(readIntervals([a, b])));
  return joined !== undefined && other === undefined ? joined : null;
}

/** Ranges of blocks as far as rows can lie in them: SQLite holds no larger block. */
export function storableBlocks(intervals: readonly BlockInterval[]): Blocks[] {
  return intersectBlocks(readIntervals(intervals), [{ from: 0n, to: largestInteger + 1n }]);
}
