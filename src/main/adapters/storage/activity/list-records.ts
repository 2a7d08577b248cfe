import { createHash } from 'node:crypto';
import type { ListPage } from '../../../core/activity-ports.ts';
import { countElements, findList, recountTimes, storableBlocks } from './activity-lists.ts';
import { bigIntegerOrNull } from '../sqlite/row.ts';
import type { SqlWriter } from '../sqlite/sql.ts';
import { storedReorgs } from './stored-codes.ts';

/** Stores elements of a list other than that of transactions; `fetched_at_ms` marks the walk that has seen them last. */
export function saveRecords(writer: SqlWriter, listRef: number, { records, walkAtMs }: ListPage): void {
  let added = 0;
  for (const record of records) {
    const params = [listRef, record.txHash, hashOf(record.recordJson), record.number];
    const seen = writer.run(
      `UPDATE activity_record SET fetched_at_ms = ?
       WHERE list_ref = ? AND tx_hash = ? AND content_hash = ? AND number = ?`,
      [walkAtMs, ...params],
    );
    if (seen > 0) continue;
    added += writer.run(
      `INSERT INTO activity_record (list_ref, tx_hash, content_hash, number, block_number, timestamp_ms, record_json,
         fetched_at_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      [...params, record.blockNumber, record.timestampMs, record.recordJson, walkAtMs],
    );
  }
  countElements(writer, listRef, added, records);
}

/**
 * Removes elements of these blocks that the list no longer has. Above the newest one that the walk has seen, a list may
 * only lag behind: elements of a transaction that still stands are kept there.
 */
export function sweepRecords(
  writer: SqlWriter,
  listRef: number,
  { sweep, walkAtMs, address, chainId }: ListPage,
): void {
  const blocks = storableBlocks(sweep);
  const top = blocks.at(-1);
  if (top === undefined) return;
  // Below the top of what is swept: a walk through old blocks does not search all that is newer.
  const newest = writer.get(
    `SELECT block_number FROM activity_record WHERE list_ref = ? AND block_number <= ? AND fetched_at_ms = ?
     ORDER BY block_number DESC LIMIT 1`,
    [listRef, top.to - 1n, walkAtMs],
  );
  const newestSeen = bigIntegerOrNull(newest, 'block_number') ?? -1n;
  const transactions = findList(writer, { address, chainId, list: 'transactions' });
  let removed = 0;
  for (const { from, to } of blocks) {
    removed += writer.run(
      `DELETE FROM activity_record WHERE list_ref = ? AND block_number BETWEEN ? AND ?
         AND fetched_at_ms <> ?
         AND (block_number <= ? OR NOT EXISTS (
           SELECT 1 FROM activity_row WHERE list_ref = ?
             AND substr(tx_hash, 3, 10) = substr(activity_record.tx_hash, 3, 10)
             AND tx_hash = activity_record.tx_hash AND block_number = activity_record.block_number
             AND reorg IS NOT ?))`,
      [
        listRef,
        from,
        to - 1n,
        walkAtMs,
        newestSeen,
        transactions?.listRef ?? null,
        storedReorgs.indexOf('gone'),
      ],
    );
  }
  if (removed === 0) return;
  countElements(writer, listRef, -removed, []);
  recountTimes(writer, listRef, 'activity_record');
}

/** 64 bits of SHA-256: enough to tell contents apart within one transaction of one list. */
function hashOf(content: string): bigint {
  return createHash('sha256').update(content).digest().readBigInt64BE();
}
