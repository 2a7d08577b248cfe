import { intersectBlocks, mergeBlocks, type Blocks } from '../../../../shared/activity/blocks.ts';
import { hasListedCall, isListedNative } from '../../../../shared/activity/belongs-in.ts';
import { readDetail, readElement } from '../../../../shared/activity/stored.ts';
import {
  otherLists,
  type AuditGap,
  type AuditReport,
  type ListId,
  type OtherListId,
} from '../../../../shared/activity/types.ts';
import { orAdd } from '../../../../shared/or-add.ts';
import { findList, storableBlocks } from './activity-lists.ts';
import { storedCompletenesses } from './stored-codes.ts';
import { bigInteger, bigIntegerOrNull, choice, integer, integerOrNull, text } from '../sqlite/row.ts';
import type { SqlReader, SqlRow } from '../sqlite/sql.ts';
import { hasHash } from './stored-rows.ts';

/**
 * Compares each of the other lists with the list of transactions, over the blocks that are proven in both. Each
 * transaction of another list must have a row; and a row must be in the list of each kind of token that it moved for
 * the address, and in the lists of internal and native transactions if it certainly belongs there (`belongs-in.ts`).
 * Works through ranges, newest first; between them, `yieldTurn` lets other calls run.
 */
export async function auditLists(
  reader: SqlReader,
  { address, chainId, limit }: { address: string; chainId: string; limit: number },
  yieldTurn: () => Promise<void>,
): Promise<AuditReport> {
  const transactions = findList(reader, { address, chainId, list: 'transactions' });
  const report: AuditReport = { gaps: [], isCut: false, compared: [], notCompared: [], transactionCount: 0 };
  if (transactions === null || transactions.sync.covered.length === 0) {
    report.notCompared = otherLists.map((list) => ({ list, why: 'never-fetched' }));
    return report;
  }
  const { listRef: rowsRef } = transactions;
  const rowBlocks = storableBlocks(transactions.sync.covered);
  const gaps = new Map<string, AuditGap>();
  const compared: Blocks[] = [];
  for (const list of otherLists) {
    const other = findList(reader, { address, chainId, list });
    if (other === null || other.sync.covered.length === 0) {
      report.notCompared.push({ list, why: 'never-fetched' });
      continue;
    }
    const { listRef } = other;
    const common = intersectBlocks(rowBlocks, storableBlocks(other.sync.covered));
    if (common.length === 0) {
      report.notCompared.push({ list, why: 'no-common-blocks' });
      continue;
    }
    report.compared.push(list);
    compared.push(...common);
    const withoutRecord = recordFinder(reader, { list, listRef, rowsRef, address });
    let found = 0;
    for (const part of common.toReversed().flatMap((range) => [...partsOf(reader, rowsRef, range)])) {
      const rowless = withoutRow(reader, listRef, rowsRef, part, limit + 1);
      for (const row of rowless) addGap(gaps, row, list, 'transactions');
      const recordless = withoutRecord(part, limit + 1);
      for (const row of recordless) addGap(gaps, row, 'transactions', list);
      found += rowless.length + recordless.length;
      // Older gaps would not be reported anyway.
      if (found > limit) break;
      await yieldTurn();
    }
  }
  if (report.compared.length > 0) report.compared.unshift('transactions');
  const found = sortGaps(gaps.values());
  report.isCut = found.length > limit;
  report.gaps = found.slice(0, limit);
  report.transactionCount = mergeBlocks(compared).reduce(
    (sum, range) => sum + countRows(reader, rowsRef, range),
    0,
  );
  return report;
}

const rowsOfPart = 2_000;

/** Splits a range into parts of about the same number of rows, newest first. */
function* partsOf(reader: SqlReader, rowsRef: number, { from, to }: Blocks): Generator<Blocks> {
  let end = to;
  while (end > from) {
    const row = reader.get(
      `SELECT block_number FROM activity_row WHERE list_ref = ? AND block_number BETWEEN ? AND ?
       ORDER BY block_number DESC LIMIT 1 OFFSET ?`,
      [rowsRef, from, end - 1n, rowsOfPart],
    );
    const start = bigIntegerOrNull(row, 'block_number') ?? from;
    yield { from: start, to: end };
    end = start;
  }
}

function addGap(gaps: Map<string, AuditGap>, row: SqlRow, presentIn: ListId, missingIn: ListId): void {
  const txHash = text(row, 'tx_hash');
  const gap = orAdd(gaps, `${missingIn} ${txHash}`, () => ({
    txHash,
    blockNumber: bigInteger(row, 'block_number').toString(),
    timestampMs: integerOrNull(row, 'timestamp_ms'),
    presentIn: [],
    missingIn,
  }));
  if (!gap.presentIn.includes(presentIn)) gap.presentIn.push(presentIn);
}

/** Transactions of another list without a row, or with one that is gone, newest first. */
function withoutRow(
  reader: SqlReader,
  listRef: number,
  rowsRef: number,
  { from, to }: Blocks,
  limit: number,
): SqlRow[] {
  return reader.all(
    `SELECT tx_hash, block_number, max(timestamp_ms) AS timestamp_ms FROM activity_record
     WHERE list_ref = ? AND block_number BETWEEN ? AND ? AND NOT EXISTS (
       SELECT 1 FROM activity_row WHERE activity_row.list_ref = ? AND reorg IS NOT 1
         AND ${hasHash('activity_record.tx_hash')})
     GROUP BY block_number, tx_hash ORDER BY block_number DESC LIMIT ?`,
    [listRef, from, to - 1n, rowsRef, limit],
  );
}

/** One of the other lists, and the rows that it is compared with. */
interface Pair {
  list: OtherListId;
  listRef: number;
  rowsRef: number;
  address: string;
}

type RecordFinder = (range: Blocks, limit: number) => SqlRow[];

/** Finds rows that should be in the other list but are not, newest first; all of them with the limit -1. */
export function recordFinder(reader: SqlReader, pair: Pair): RecordFinder {
  const { list } = pair;
  return list === 'internal' || list === 'native'
    ? transactionFinder(reader, { ...pair, list })
    : transferFinder(reader, pair);
}

const hasNoRecord = `list_ref = ? AND block_number BETWEEN ? AND ? AND reorg IS NOT 1 AND NOT EXISTS (
  SELECT 1 FROM activity_record WHERE activity_record.list_ref = ? AND activity_record.tx_hash = activity_row.tx_hash)`;

/** Rows that moved tokens of the list's kind for the address. */
function transferFinder(reader: SqlReader, { list, listRef, rowsRef }: Pair): RecordFinder {
  const refs = reader.get(
    `SELECT json_group_array(id) AS refs FROM activity_facet
     WHERE family = 1 AND instr(json_extract(content_json, '$[0]'), ?) > 0`,
    [` ${list} `],
  );
  const refsJson = text(refs, 'refs');
  return ({ from, to }, limit) =>
    reader.all(
      `SELECT tx_hash, block_number, timestamp_ms FROM activity_row
       WHERE ${hasNoRecord} AND EXISTS (SELECT 1 FROM json_each(tokens_json) AS moved
         WHERE json_extract(moved.value, '$[0]') IN (SELECT value FROM json_each(?)))
       ORDER BY block_number DESC LIMIT ?`,
      [rowsRef, from, to - 1n, listRef, refsJson, limit],
    );
}

/** Excludes most rows in SQL, before their JSON is parsed, by parties or calls that rule them out. */
const prefilters = {
  native: `CASE WHEN json_valid(transaction_json) THEN
    ? IN (lower(json_extract(transaction_json, '$.nativeTransaction.from.address')),
      lower(json_extract(transaction_json, '$.nativeTransaction.to.address'))) END`,
  internal: `instr(transaction_json, '"internalTransactions"') > 0
    AND instr(transaction_json, '"internalTransactions":[]') = 0 AND instr(lower(transaction_json), ?) > 0`,
} as const;

/** Rows that certainly belong in the list of internal, or of native, transactions. */
function transactionFinder(
  reader: SqlReader,
  { list, listRef, rowsRef, address }: Pair & { list: 'internal' | 'native' },
): RecordFinder {
  // Whether the service's list of native transactions includes those without a value.
  const emptyOne = `SELECT 1 AS found FROM activity_record
    WHERE list_ref = ? AND json_extract(record_json, '$.value') = '0' LIMIT 1`;
  const hasEmptyOnes = list === 'native' && reader.get(emptyOne, [listRef]) !== undefined;
  // A transaction that cannot be decoded is not judged.
  const belongs = (row: SqlRow): boolean => {
    const isComplete = choice(row, 'is_complete', storedCompletenesses) === 'complete';
    const read = isComplete ? readDetail : readElement;
    const transaction = read(text(row, 'transaction_json'))?.data;
    if (transaction === undefined) return false;
    return list === 'native'
      ? isListedNative(transaction, address, hasEmptyOnes)
      : hasListedCall(transaction, address);
  };
  const find = `SELECT tx_hash, block_number, timestamp_ms, is_complete, transaction_json
    FROM activity_row CROSS JOIN activity_body ON activity_body.row_ref = activity_row.id
    WHERE ${hasNoRecord} AND ${prefilters[list]} ORDER BY block_number DESC` as const;
  return ({ from, to }, limit) => {
    const found: SqlRow[] = [];
    for (const row of reader.iterate(find, [rowsRef, from, to - 1n, listRef, address.toLowerCase()])) {
      if (belongs(row)) found.push(row);
      if (found.length === limit) break;
    }
    return found;
  };
}

function countRows(reader: SqlReader, rowsRef: number, { from, to }: Blocks): number {
  const row = reader.get(
    'SELECT count(*) AS total FROM activity_row WHERE list_ref = ? AND block_number BETWEEN ? AND ?',
    [rowsRef, from, to - 1n],
  );
  return integer(row, 'total');
}

function sortGaps(gaps: Iterable<AuditGap>): AuditGap[] {
  return [...gaps].sort(
    (a, b) =>
      Number(BigInt(b.blockNumber) - BigInt(a.blockNumber)) ||
      (a.txHash === b.txHash ? (a.missingIn < b.missingIn ? -1 : 1) : a.txHash < b.txHash ? -1 : 1),
  );
}
