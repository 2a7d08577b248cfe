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
import type { ListPage, ListRef, SyncState } from '../../../core/activity-ports.ts';
import { findListRef, readSync, storableBlocks, writeSync, type List } from './activity-lists.ts';
import { bigInteger, integer, json } from '../sqlite/row.ts';
import type { SqlReader, SqlRow, SqlWriter } from '../sqlite/sql.ts';
import { recordFinder } from './audit.ts';
import { hasHash } from './stored-rows.ts';

/** Takes back a list's proof of blocks; `around`: up to the nearest stored elements. */
export function withdraw(
  writer: SqlWriter,
  list: ListRef,
  intervals: readonly BlockInterval[],
  around: boolean,
): void {
  const listRef = findListRef(writer, list);
  const sync = readSync(writer, list);
  if (listRef === null || sync === null) return;
  const { covered, reachedStart, checkedAtMs } = sync;
  const blocks = readIntervals(intervals).map((range) =>
    around ? withNeighbours(writer, list, listRef, range) : range,
  );
  withdrawFrom(writer, listRef, { covered, reachedStart, checkedAtMs }, mergeBlocks(blocks));
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
 * The lowest block newly proven by the list of transactions in which it and another list disagree: the other has an
 * element whose transaction it never showed there, or has proven the block without an element that belongs there. The chain
 * may have changed in between. (A row that is gone was noticed when it went.)
 */
export function lowestGap(
  reader: SqlReader,
  { listRef: rowsRef, addressRef, chainRef }: List,
  { address, chainId, sync }: Pick<ListPage, 'address' | 'chainId' | 'sync'>,
  before: readonly BlockInterval[],
): bigint | null {
  const proven = readIntervals(before).reduce(subtractBlocks, storableBlocks(sync.covered));
  const gaps = proven.map(({ from, to }) =>
    blockOf(
      reader.get(
        `SELECT min(activity_record.block_number) AS block FROM activity_list JOIN activity_record ON list_ref = activity_list.id
         WHERE address_ref = ? AND chain_ref = ? AND activity_record.block_number BETWEEN ? AND ? AND NOT EXISTS (
           SELECT 1 FROM activity_row WHERE activity_row.list_ref = ? AND ${hasHash('activity_record.tx_hash')}
             AND activity_row.block_number = activity_record.block_number)`,
        [addressRef, chainRef, from, to - 1n, rowsRef],
      ),
    ),
  );
  for (const list of otherLists) {
    const ref = { address, chainId, list };
    const listRef = findListRef(reader, ref);
    if (listRef === null) continue;
    const withoutRecord = recordFinder(reader, { list, listRef, rowsRef, address });
    const alsoProven = storableBlocks(readSync(reader, ref)?.covered ?? []);
    for (const range of intersectBlocks(proven, alsoProven))
      gaps.push(blockOf(withoutRecord(range, -1).at(-1), 'block_number'));
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
  const below = blockOf(
    reader.get(`SELECT max(block_number) AS block ${stored} < ?` as const, [listRef, from]),
  );
  const above = blockOf(
    reader.get(`SELECT min(block_number) AS block ${stored} >= ?` as const, [listRef, to]),
  );
  return { from: below ?? 0n, to: above === null ? largestBlock : above + 1n };
}

function blockOf(row: SqlRow | undefined, column = 'block'): bigint | null {
  return row === undefined || row[column] === null ? null : bigInteger(row, column);
}
