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
import { choice, idOf, integer, integerOrNull, text, json } from '../sqlite/row.ts';
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
  const chainRef =
    idOf(writer.get('SELECT id FROM chain WHERE chain_id = ?', [chainId])) ??
    writer.insert('INSERT INTO chain (chain_id) VALUES (?)', [chainId]);
  const key = [addressRef, chainRef, listIds.indexOf(list)];
  const find = 'SELECT id FROM activity_list WHERE address_ref = ? AND chain_ref = ? AND list = ?';
  const listRef =
    idOf(writer.get(find, key)) ??
    writer.insert(
      'INSERT INTO activity_list (address_ref, chain_ref, list, sync_json, row_count) VALUES (?, ?, ?, ?, 0)',
      [...key, JSON.stringify(nothingSynced)],
    );
  return { listRef, addressRef, chainRef };
}

const nothingSynced: SyncState = { covered: [], reachedStart: false, checkedAtMs: null };

/** The id of a list of a watched address; null when nothing was written for it yet. */
export function findListRef(reader: SqlReader, list: ListRef): number | null {
  const row = reader.get(
    `SELECT activity_list.id AS id ${fromLists} WHERE address = ? AND chain_id = ? AND list = ?`,
    [list.address, list.chainId, listIds.indexOf(list.list)],
  );
  return idOf(row);
}

const fromLists = `FROM activity_list
     JOIN watched ON watched.id = activity_list.address_ref
     JOIN chain ON chain.id = activity_list.chain_ref` as const;

const selectSync =
  `SELECT address, chain_id, list, sync_json, row_count, is_stopped, owed, doubt_count, newest_timestamp_ms,
     oldest_timestamp_ms ${fromLists}` as const;

export function readSync(reader: SqlReader, { address, chainId, list }: ListRef): StoredSync | null {
  const row = reader.get(`${selectSync} WHERE address = ? AND chain_id = ? AND list = ?`, [
    address,
    chainId,
    listIds.indexOf(list),
  ]);
  return row === undefined ? null : toSync(row);
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
  writer.run('UPDATE activity_list SET sync_json = ? WHERE id = ?', [JSON.stringify(sync), listRef]);
}

/** Adds to the list's count and widens its range of times; nulls in `timesMs` are ignored. */
export function countElements(
  writer: SqlWriter,
  listRef: number,
  added: number,
  timesMs: readonly (number | null)[],
): void {
  const known = timesMs.filter((timeMs) => timeMs !== null);
  const newest = known.length === 0 ? null : known.reduce((a, b) => Math.max(a, b));
  const oldest = known.length === 0 ? null : known.reduce((a, b) => Math.min(a, b));
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
    if (last !== undefined && joined !== null) {
      writer.run('UPDATE activity_proof SET from_block = ?, to_block = ?, proven_at_ms = ? WHERE id = ?', [
        joined.fromBlock,
        joined.toBlock,
        proof.provenAtMs,
        integer(last, 'id'),
      ]);
    } else {
      writer.run(
        'INSERT INTO activity_proof (list_ref, run_id, proven_at_ms, from_block, to_block) VALUES (?, ?, ?, ?, ?)',
        [listRef, proof.runId, proof.provenAtMs, block.fromBlock, block.toBlock],
      );
    }
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
