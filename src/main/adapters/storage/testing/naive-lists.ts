import type { RowVersion } from '../../../../shared/activity/types.ts';
import type { ListPage, ListRef, StoredRow, StoredSync, SyncState } from '../../../core/activity-ports.ts';
import { storableBlocks } from '../activity/activity-lists.ts';
import type { Decision } from '../activity/verdict.ts';

/** A list of transactions. */
export interface List {
  ref: ListRef;
  sync: SyncState;
  /** By transaction. */
  rows: Map<string, Row>;
}

export interface Row {
  id: number;
  stored: StoredRow;
  firstSeenMs: number;
  isMoved: boolean;
  walkAtMs: number | null;
  decision: Decision | null;
  reorg: 'reorganised' | 'gone' | null;
  note: string | null;
  versions: RowVersion[];
}

/** Keeps the current version of a row before it is replaced. */
export function keepVersion(row: Row, by: StoredRow): void {
  const { transactionJson, fetchedAtMs } = row.stored;
  const why = row.reorg === 'gone' ? 'gone' : 'reorganised';
  row.versions.push({ why, transactionJson, fetchedAtMs, replacedAtMs: by.fetchedAtMs });
}

/** Marks the rows of these blocks that the list no longer has as gone. */
export function sweepRows(list: List, { sweep, walkAtMs }: ListPage): void {
  for (const { from, to } of storableBlocks(sweep)) {
    const isInside = (block: bigint) => block >= from && block < to;
    for (const row of list.rows.values()) {
      const isUnseen = row.walkAtMs !== null && row.walkAtMs !== walkAtMs;
      if (isInside(row.stored.blockNumber) && isUnseen) row.reorg = 'gone';
    }
  }
}

export function toStoredSync({ sync, rows }: List): StoredSync {
  const times = [...rows.values()].map(({ stored }) => stored.timestampMs).sort((a, b) => a - b);
  return {
    ...sync,
    stoppedByUser: false,
    owed: null,
    doubts: 0,
    rowCount: rows.size,
    newestTimestampMs: times.at(-1) ?? null,
    oldestTimestampMs: times[0] ?? null,
  };
}
