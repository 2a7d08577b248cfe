import { syncDocument } from '../documents.ts';
import {
  intersectBlocks,
  largestBlock,
  mergeBlocks,
  readIntervals,
  subtractBlocks,
  writeIntervals,
  type Blocks,
} from '../../../../shared/activity/blocks.ts';
import { otherLists, type BlockInterval } from '../../../../shared/activity/types.ts';
import type { ListRef, StoredRow, SyncState } from '../../../core/activity-ports.ts';
import { findList, storableBlocks, writeSync, type List } from './activity-lists.ts';
import { bigIntegerOrNull, integer, json } from '../sqlite/row.ts';
import type { SqlReader, SqlWriter } from '../sqlite/sql.ts';
import { recordFinder } from './audit.ts';
import { hasHash } from './stored-rows.ts';

/** Takes back a list's proof of blocks; `around`: up to the nearest stored elements. */
export function withdraw(
  writer: SqlWriter,
  list: ListRef,
  intervals: readonly BlockInterval[],
  around: boolean,
): void {
  const found = findList(writer, list);
  if (found === null) return;
  const { listRef, sync } = found;
  const blocks = readIntervals(intervals).map((range) =>
    around ? withNeighbours(writer, list, listRef, range) : range,
  );
  withdrawFrom(writer, listRef, sync, mergeBlocks(blocks));
}

/**
 * Takes back what the lists of the address and chain have proven from a block on, all of them or those that are not the
 * given one. Of the latter, also those that have proven none: a walk may be under way that has seen these blocks and
 * proves them at its end. Returns whether there was any list.
 */
export function doubtLists(
  writer: SqlWriter,
  { listRef, addressRef, chainRef }: List,
  from: bigint,
  which: 'all' | 'others',
): boolean {
  const doubted = [{ from, to: largestBlock }];
  const lists = writer
    .all('SELECT id, sync_json FROM activity_list WHERE address_ref = ? AND chain_ref = ?', [
      addressRef,
      chainRef,
    ])
    .map((row) => ({ ref: integer(row, 'id'), sync: json(row, 'sync_json', syncDocument) }))
    .filter(({ ref }) => which === 'all' || ref !== listRef)
    .filter(
      ({ sync }) => which === 'others' || intersectBlocks(readIntervals(sync.covered), doubted).length > 0,
    );
  for (const { ref, sync } of lists) withdrawFrom(writer, ref, sync, doubted);
  return lists.length > 0;
}

/**
 * Another list has an element whose transaction the list of transactions never showed, although it has now proven the block:
 * the chain may have taken both back in between. Returns the lowest such block. (A row that is gone was noticed when it went.)
 */
export function lowestWithoutRow(
  reader: SqlReader,
  { listRef, addressRef, chainRef }: List,
  covered: readonly BlockInterval[],
  before: readonly BlockInterval[],
): bigint | null {
  for (const { from, to } of readIntervals(before).reduce(subtractBlocks, storableBlocks(covered))) {
    const row = reader.get(
      `SELECT min(block_number) AS block FROM activity_list JOIN activity_record ON list_ref = activity_list.id
       WHERE address_ref = ? AND chain_ref = ? AND block_number BETWEEN ? AND ? AND NOT EXISTS (
         SELECT 1 FROM activity_row
         WHERE activity_row.list_ref = ? AND ${hasHash('activity_record.tx_hash')})`,
      [addressRef, chainRef, from, to - 1n, listRef],
    );
    const block = bigIntegerOrNull(row, 'block');
    if (block !== null) return block;
  }
  return null;
}

/**
 * Rows that are new to the store, in blocks that another list has proven: without an element that belongs there, or with
 * one in another block. The chain may have changed since. Returns the lowest such block.
 */
export function lowestWithoutRecord(
  reader: SqlReader,
  { listRef: rowsRef }: List,
  { address, chainId }: Omit<ListRef, 'list'>,
  rows: readonly StoredRow[],
): bigint | null {
  const gaps: (bigint | null)[] = [];
  for (const list of otherLists) {
    const found = findList(reader, { address, chainId, list });
    if (found === null) continue;
    const { listRef } = found;
    const covered = storableBlocks(found.sync.covered);
    const inProven = rows.filter(
      ({ blockNumber: from }) => intersectBlocks(covered, [{ from, to: from + 1n }]).length > 0,
    );
    // To begin with, the finder may read all of the list.
    if (inProven.length === 0) continue;
    const withoutRecord = recordFinder(reader, { list, listRef, rowsRef, address });
    for (const { blockNumber: from, txHash } of inProven) {
      const first =
        'SELECT min(block_number) AS block FROM activity_record WHERE list_ref = ? AND tx_hash = ?';
      const record = bigIntegerOrNull(reader.get(first, [listRef, txHash]), 'block');
      if (record === null)
        gaps.push(bigIntegerOrNull(withoutRecord({ from, to: from + 1n }, -1).at(-1), 'block_number'));
      else if (record !== from) gaps.push(record < from ? record : from);
    }
  }
  return lowest(gaps.filter((block) => block !== null));
}

export function lowest(blocks: readonly bigint[]): bigint | null {
  return blocks.reduce<bigint | null>((a, b) => (a === null || b < a ? b : a), null);
}

function withdrawFrom(writer: SqlWriter, listRef: number, sync: SyncState, blocks: readonly Blocks[]): void {
  const covered = readIntervals(sync.covered);
  const left = blocks.reduce<Blocks[]>(subtractBlocks, covered);
  const isNewestLeft = left.at(-1)?.to === covered.at(-1)?.to;
  writeSync(writer, listRef, {
    covered: writeIntervals(left),
    reachedStart: left[0]?.from === 0n,
    checkedAtMs: isNewestLeft ? sync.checkedAtMs : null,
  });
  writer.run('UPDATE activity_list SET doubt_count = doubt_count + 1 WHERE id = ?', [listRef]);
}

const elements = {
  rows: 'FROM activity_row WHERE list_ref = ? AND reorg IS NOT 1 AND block_number',
  records: 'FROM activity_record WHERE list_ref = ? AND block_number',
} as const;

/** A range up to and with the blocks of the nearest stored elements. */
function withNeighbours(reader: SqlReader, { list }: ListRef, listRef: number, { from, to }: Blocks): Blocks {
  const stored = list === 'transactions' ? elements.rows : elements.records;
  const below = reader.get(`SELECT max(block_number) AS block ${stored} < ?` as const, [listRef, from]);
  const above = reader.get(`SELECT min(block_number) AS block ${stored} >= ?` as const, [listRef, to]);
  const last = bigIntegerOrNull(above, 'block');
  return { from: bigIntegerOrNull(below, 'block') ?? 0n, to: last === null ? largestBlock : last + 1n };
}
