import { createHash } from 'node:crypto';
import type { ListPage, StoredRecord } from '../../../core/activity-ports.ts';
import { countElements, recountTimes, storableBlocks } from './activity-lists.ts';
import type { SqlWriter } from '../sqlite/sql.ts';

/** Stores elements of a list other than that of transactions; those that are stored are seen again. */
export function saveRecords(writer: SqlWriter, listRef: number, records: readonly StoredRecord[]): void {
  let added = 0;
  for (const record of records) {
    const params = [listRef, record.txHash, hashOf(record.recordJson), record.number];
    const seen = writer
      .prepare(
        `UPDATE activity_record SET fetched_at_ms = max(fetched_at_ms, ?)
         WHERE list_ref = ? AND tx_hash = ? AND content_hash = ? AND number = ?`,
      )
      .run(record.fetchedAtMs, ...params);
    if (seen > 0) continue;
    added += writer
      .prepare(
        `INSERT INTO activity_record (list_ref, tx_hash, content_hash, number, block_number, timestamp_ms, record_json,
           fetched_at_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(...params, record.blockNumber, record.timestampMs, record.recordJson, record.fetchedAtMs);
  }
  countElements(
    writer,
    listRef,
    added,
    records.map(({ timestampMs }) => timestampMs),
  );
}

/** Removes the elements of these blocks that the list has no longer. */
export function sweepRecords(
  writer: SqlWriter,
  listRef: number,
  sweep: NonNullable<ListPage['sweep']>,
): void {
  let removed = 0;
  for (const { from, to } of storableBlocks(sweep.blocks)) {
    removed += writer
      .prepare(
        'DELETE FROM activity_record WHERE list_ref = ? AND block_number BETWEEN ? AND ? AND fetched_at_ms < ?',
      )
      .run(listRef, from, to - 1n, sweep.notSeenSinceMs);
  }
  if (removed === 0) return;
  countElements(writer, listRef, -removed, []);
  recountTimes(writer, listRef, 'activity_record');
}

/** 64 bits of SHA-256: within one transaction of one list they stand for the content. */
function hashOf(content: string): bigint {
  return createHash('sha256').update(content).digest().readBigInt64BE();
}
