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
  syncWhats,
  type BlockInterval,
  type BlockProof,
  type ListId,
} from '../../../../shared/activity/types.ts';
import { largestInteger } from '../../../../shared/integers.ts';
import { choice, idFor, insertRow, integer, integerOrNull, json, text, updateRow } from '../sqlite/row.ts';
import type { SqlReader, SqlRow, SqlWriter } from '../sqlite/sql.ts';
import { requireAddressRef } from './watchlist.ts';

/** A list, by its row ids in the store. */
export interface List {
  listRef: number;
  addressRef: number;
  chainRef: number;
}

/** The list of a watched address on a chain; it is created when it is first written. */
export function openList(writer: SqlWriter, { address, chainId, list }: ListRef): List {
  const addressRef = requireAddressRef(writer, address);
  const chainRef = idFor(writer, 'chain', { chain_id: chainId });
  const key = { address_ref: addressRef, chain_ref: chainRef, list: listIds.indexOf(list) };
  const begun = { sync_json: JSON.stringify(nothingSynced), row_count: 0 };
  return { listRef: idFor(writer, 'activity_list', key, begun), addressRef, chainRef };
}

const nothingSynced: SyncState = { covered: [], reachedStart: false, checkedAtMs: null };

const selectSync =
  `SELECT activity_list.id AS id, address, chain_id, list, sync_json, row_count, is_stopped, owed,
     doubt_count, newest_timestamp_ms, oldest_timestamp_ms
   FROM activity_list
     JOIN watched ON watched.id = activity_list.address_ref
     JOIN chain ON chain.id = activity_list.chain_ref` as const;

/** A list of a watched address, with its row id; null when nothing was written for it yet. */
export function findList(reader: SqlReader, asked: ListRef): { listRef: number; sync: StoredSync } | null {
  const { address, chainId, list } = asked;
  const place = [address, chainId, listIds.indexOf(list)];
  const row = reader.get(`${selectSync} WHERE address = ? AND chain_id = ? AND list = ?`, place);
  return row === undefined ? null : { listRef: integer(row, 'id'), sync: toSync(row) };
}

export function readSync(reader: SqlReader, list: ListRef): StoredSync | null {
  return findList(reader, list)?.sync ?? null;
}

export function listSyncs(reader: SqlReader): (ListRef & { sync: StoredSync })[] {
  return reader.all(`${selectSync} ORDER BY activity_list.id`).map((row) => ({
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
    owed: syncWhats.find((what) => what === row['owed']) ?? null,
    doubts: integer(row, 'doubt_count'),
    newestTimestampMs: integerOrNull(row, 'newest_timestamp_ms'),
    oldestTimestampMs: integerOrNull(row, 'oldest_timestamp_ms'),
  };
}

export function writeSync(writer: SqlWriter, listRef: number, sync: SyncState): void {
  updateRow(writer, 'activity_list', listRef, { sync_json: JSON.stringify(sync) });
}

/** Adds to the list's count and widens its range by the times of these elements. */
export function countElements(
  writer: SqlWriter,
  listRef: number,
  added: number,
  elements: readonly { timestampMs: number | null }[],
): void {
  const timesMs = elements.flatMap(({ timestampMs }) => timestampMs ?? []);
  const newest = timesMs.reduce<number | null>((a, b) => Math.max(a ?? b, b), null);
  const oldest = timesMs.reduce<number | null>((a, b) => Math.min(a ?? b, b), null);
  writer.run(
    `UPDATE activity_list SET row_count = row_count + ?1,
       newest_timestamp_ms = coalesce(max(newest_timestamp_ms, ?2), newest_timestamp_ms, ?2),
       oldest_timestamp_ms = coalesce(min(oldest_timestamp_ms, ?3), oldest_timestamp_ms, ?3)
     WHERE id = ?4`,
    [added, newest, oldest, listRef],
  );
}

/** Narrows the range of times again, after an element at either end has changed its time or was removed. */
export function recountTimes(
  writer: SqlWriter,
  listRef: number,
  table: 'activity_row' | 'activity_record',
): void {
  // Times mostly follow blocks, and what was removed may be there anew: then not all elements are looked at.
  const timesFrom = (end: 'ASC' | 'DESC') =>
    `(SELECT timestamp_ms FROM (SELECT timestamp_ms FROM ${table} WHERE list_ref = ?1 ORDER BY block_number ${end} LIMIT 100))`;
  const stillHeld = writer.get(
    `SELECT 1 AS found FROM activity_list WHERE id = ?1
       AND newest_timestamp_ms IN ${timesFrom('DESC')} AND oldest_timestamp_ms IN ${timesFrom('ASC')}`,
    [listRef],
  );
  if (stillHeld !== undefined) return;
  writer.run(
    `UPDATE activity_list SET
       newest_timestamp_ms = (SELECT max(timestamp_ms) FROM ${table} WHERE list_ref = ?1),
       oldest_timestamp_ms = (SELECT min(timestamp_ms) FROM ${table} WHERE list_ref = ?1)
     WHERE id = ?1`,
    [listRef],
  );
}

// ---- The ledger --------------------------------------------------------------------------------------------------------

export function addProof(writer: SqlWriter, listRef: number, proof: NonNullable<ListPage['proof']>): void {
  for (const block of proof.blocks) {
    const last = writer.get(
      `SELECT id, run_id, from_block, to_block FROM activity_proof WHERE list_ref = ? ORDER BY id DESC LIMIT 1`,
      [listRef],
    );
    const joined =
      last !== undefined && text(last, 'run_id') === proof.runId
        ? joinBlocks({ fromBlock: text(last, 'from_block'), toBlock: text(last, 'to_block') }, block)
        : null;
    const { fromBlock, toBlock } = joined ?? block;
    const proven = { from_block: fromBlock, to_block: toBlock, proven_at_ms: proof.provenAtMs };
    if (joined !== null) updateRow(writer, 'activity_proof', integer(last, 'id'), proven);
    else insertRow(writer, 'activity_proof', { list_ref: listRef, run_id: proof.runId, ...proven });
  }
}

/** In order of blocks, which are stored as decimal digits; for the same blocks the earlier proof comes first. */
export function readProofs(reader: SqlReader, listRef: number): BlockProof[] {
  return reader
    .all(
      `SELECT run_id, proven_at_ms, from_block, to_block FROM activity_proof WHERE list_ref = ?
       ORDER BY length(from_block), from_block, length(to_block), to_block, id`,
      [listRef],
    )
    .map((row) => ({
      runId: text(row, 'run_id'),
      provenAtMs: integer(row, 'proven_at_ms'),
      fromBlock: text(row, 'from_block'),
      toBlock: text(row, 'to_block'),
    }));
}

/** The union of two ranges that overlap or touch; otherwise null. */
function joinBlocks(a: BlockInterval, b: BlockInterval): BlockInterval | null {
  const [joined, other] = writeIntervals(mergeBlocks(readIntervals([a, b])));
  return joined !== undefined && other === undefined ? joined : null;
}

/** Cuts ranges to the blocks that SQLite's integers can hold; rows cannot be in larger ones. */
export function storableBlocks(intervals: readonly BlockInterval[]): Blocks[] {
  return intersectBlocks(readIntervals(intervals), [{ from: 0n, to: largestInteger + 1n }]);
}
