import { listIds, type BlockProof, type RowVersion } from '../../../shared/activity/types.ts';
import type {
  ListPage,
  ListRef,
  StoredRecord,
  StoredRow,
  StoredSync,
  SyncState,
} from '../../core/activity-ports.ts';
import { joinBlocks, storableBlocks } from './activity-lists.ts';
import type { Decision } from './verdict.ts';

/** A list in memory, with what the store in memory keeps of it. */
export interface List {
  ref: ListRef;
  sync: SyncState;
  stoppedByUser: boolean;
  proofs: BlockProof[];
  /** By transaction. */
  rows: Map<string, Row>;
  records: StoredRecord[];
}

/** A row in memory. */
export interface Row {
  id: number;
  stored: StoredRow;
  seenAtMs: number | null;
  decision: Decision | null;
  reorg: 'reorganised' | 'gone' | null;
  note: string | null;
  versions: RowVersion[];
}

/** Keeps what a row was before another version of it takes its place. */
export function keepVersion(row: Row, by: StoredRow): void {
  const { transactionJson, fetchedAtMs } = row.stored;
  const why = row.reorg === 'gone' ? 'gone' : 'reorganised';
  row.versions.push({ why, transactionJson, fetchedAtMs, replacedAtMs: by.fetchedAtMs });
}

/** Equal elements of one transaction are told apart by their count. */
export function saveRecords(list: List, records: readonly StoredRecord[]): void {
  const counts = new Map<string, number>();
  for (const record of records) {
    const key = `${record.txHash} ${record.recordJson}`;
    const number = (counts.get(key) ?? 0) + 1;
    counts.set(key, number);
    const equal = list.records.filter(
      ({ txHash, recordJson }) => txHash === record.txHash && recordJson === record.recordJson,
    );
    const known = equal[number - 1];
    if (known === undefined) list.records.push({ ...record });
    else known.fetchedAtMs = Math.max(known.fetchedAtMs, record.fetchedAtMs);
  }
}

/** Consecutive proofs of one run that touch are one. */
export function addProof(list: List, proof: NonNullable<ListPage['proof']>): void {
  for (const block of proof.blocks) {
    const last = list.proofs.at(-1);
    const joined = last?.runId === proof.runId ? joinBlocks(last, block) : null;
    if (joined !== null) list.proofs.pop();
    list.proofs.push({ ...(joined ?? block), runId: proof.runId, provenAtMs: proof.provenAtMs });
  }
}

/** Marks rows, and removes records, of these blocks that the list has no longer. */
export function sweep(list: List, { blocks, notSeenSinceMs }: NonNullable<ListPage['sweep']>): void {
  for (const range of blocks.map(storableBlocks)) {
    if (range === null) continue;
    const isInside = (block: bigint) => block >= range.first && block <= range.last;
    list.records = list.records.filter(
      ({ blockNumber, fetchedAtMs }) => !isInside(blockNumber) || fetchedAtMs >= notSeenSinceMs,
    );
    for (const row of list.rows.values()) {
      const isUnseen = row.seenAtMs !== null && row.seenAtMs < notSeenSinceMs;
      if (isInside(row.stored.blockNumber) && isUnseen) row.reorg = 'gone';
    }
  }
}

export function toStoredSync({ ref, sync, stoppedByUser, rows, records }: List): StoredSync {
  const elements = ref.list === listIds[0] ? [...rows.values()].map(({ stored }) => stored) : records;
  const times = elements
    .map(({ timestampMs }) => timestampMs)
    .filter((timeMs) => timeMs !== null)
    .sort((a, b) => a - b);
  return {
    ...sync,
    stoppedByUser,
    rowCount: elements.length,
    newestTimestampMs: times.at(-1) ?? null,
    oldestTimestampMs: times[0] ?? null,
  };
}
