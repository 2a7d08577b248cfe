import type { ActivityFilter } from '../../../../shared/activity/filter.ts';
import type { BlockProof, RowVersion } from '../../../../shared/activity/types.ts';
import type {
  ActivityStore,
  ListPage,
  ListRef,
  ReadRow,
  StoredRecord,
  StoredRow,
  StoredSync,
  SyncState,
} from '../../ports.ts';
import { readIntervals, subtractBlocks, writeIntervals, type Blocks } from '../coverage.ts';

interface HeldRow {
  id: number;
  row: StoredRow;
  seenAtMs: number;
  integrityNote: string | null;
  reorg: 'reorganised' | 'gone' | null;
  decision: 'show' | 'hide' | null;
  versions: RowVersion[];
}

interface HeldList {
  ref: ListRef;
  state: SyncState;
  stopped: boolean;
  proofs: BlockProof[];
  records: StoredRecord[];
}

export interface MemoryActivity {
  store: ActivityStore;
  /** Stored rows of an address on a chain, newest first. */
  rowsOf(address: string, chainId: string): StoredRow[];
  recordsOf(ref: ListRef): StoredRecord[];
  forget(address: string): void;
}

/** The activity store in memory: what its port promises, with filters by address, chain and completeness only. */
export function createMemoryActivity(
  guard: () => void,
  isWatched: (address: string) => boolean,
): MemoryActivity {
  const lists = new Map<string, HeldList>();
  const rows = new Map<string, HeldRow>();
  let lastId = 0;

  const listKey = ({ address, chainId, list }: ListRef): string => `${address} ${chainId} ${list}`;
  const rowKey = ({ address, chainId, txHash }: StoredRow): string => `${address} ${chainId} ${txHash}`;

  function listOf(ref: ListRef): HeldList {
    const { address, chainId, list } = ref;
    const held = lists.get(listKey(ref)) ?? {
      ref: { address, chainId, list },
      state: { covered: [], reachedStart: false, resume: null, checkedAtMs: null },
      stopped: false,
      proofs: [],
      records: [],
    };
    lists.set(listKey(ref), held);
    return held;
  }

  function inOrder(filter: ActivityFilter | null): HeldRow[] {
    return [...rows.values()]
      .filter(({ row }) => isWatched(row.address) && (filter === null || matches(row, filter)))
      .sort((a, b) => newestFirst(a.row, b.row));
  }

  function readSync(ref: ListRef): StoredSync | null {
    const held = lists.get(listKey(ref));
    if (held === undefined) return null;
    const elements: { timestampMs: number | null }[] =
      ref.list === 'transactions' ? rowsOf(ref.address, ref.chainId) : held.records;
    const times = elements.flatMap(({ timestampMs }) => timestampMs ?? []);
    return {
      ...structuredClone(held.state),
      rowCount: elements.length,
      stoppedByUser: held.stopped,
      newestTimestampMs: times.length === 0 ? null : Math.max(...times),
      oldestTimestampMs: times.length === 0 ? null : Math.min(...times),
    };
  }

  function rowsOf(address: string, chainId: string): StoredRow[] {
    return [...rows.values()]
      .map(({ row }) => row)
      .filter((row) => row.address === address && row.chainId === chainId)
      .sort(newestFirst);
  }

  function saveRow(row: StoredRow): void {
    const held = rows.get(rowKey(row));
    if (held === undefined) {
      lastId += 1;
      rows.set(rowKey(row), {
        id: lastId,
        row,
        seenAtMs: row.fetchedAtMs,
        integrityNote: null,
        reorg: null,
        decision: null,
        versions: [],
      });
      return;
    }
    held.seenAtMs = Math.max(held.seenAtMs, row.fetchedAtMs);
    if (held.reorg === 'gone') held.reorg = held.versions.length > 0 ? 'reorganised' : null;
    const before = held.row;
    if (before.blockHash !== null && row.blockHash !== null && before.blockHash !== row.blockHash) {
      held.versions.push(versionOf(before, 'reorganised', row.fetchedAtMs));
      held.reorg = 'reorganised';
    } else if (before.completeness === 'complete' && row.completeness === 'partial') {
      return;
    }
    held.row = row;
  }

  function saveRecords(held: HeldList, page: readonly StoredRecord[]): void {
    const added = new Map<string, StoredRecord[]>();
    for (const record of page) {
      added.set(record.recordJson, [...(added.get(record.recordJson) ?? []), record]);
    }
    for (const [json, equal] of added) {
      const stored = held.records.filter((record) => record.recordJson === json);
      held.records = held.records.filter((record) => record.recordJson !== json);
      // Equal elements of one transaction are told apart by their count: the larger of the two counts is the truth.
      const count = Math.max(stored.length, equal.length);
      const newest = equal[0];
      if (newest !== undefined) held.records.push(...Array.from({ length: count }, () => newest));
    }
  }

  function sweep(ref: ListRef, held: HeldList, blocks: Blocks[], notSeenSinceMs: number): void {
    const isIn = (block: bigint) => blocks.some(({ from, to }) => from <= block && block < to);
    for (const { row, ...other } of rows.values()) {
      if (ref.list !== 'transactions' || row.address !== ref.address || row.chainId !== ref.chainId) continue;
      if (!isIn(row.blockNumber) || other.seenAtMs >= notSeenSinceMs) continue;
      const gone = rows.get(rowKey(row));
      if (gone !== undefined) gone.reorg = 'gone';
    }
    held.records = held.records.filter(
      ({ blockNumber, fetchedAtMs }) => !isIn(blockNumber) || fetchedAtMs >= notSeenSinceMs,
    );
  }

  const store: ActivityStore = {
    savePage: async (page: ListPage) => {
      guard();
      const held = listOf(page);
      held.state = structuredClone(page.sync);
      for (const row of page.rows) saveRow(structuredClone(row));
      saveRecords(held, structuredClone(page.records));
      if (page.sweep !== null) {
        sweep(page, held, readIntervals(page.sweep.blocks), page.sweep.notSeenSinceMs);
      }
      if (page.proof !== null) held.proofs = addProof(held.proofs, page.proof);
      const saved = readSync(page);
      if (saved === null) throw new Error('it was written just now');
      return saved;
    },
    readSync: async (ref) => readSync(ref),
    listSyncs: async () =>
      [...lists.values()].flatMap(({ ref }) => {
        const sync = readSync(ref);
        return sync === null || !isWatched(ref.address) ? [] : [{ ...ref, sync }];
      }),
    readProofs: async (ref) => structuredClone(lists.get(listKey(ref))?.proofs ?? []),
    setStopped: async (ref, stopped) => {
      guard();
      listOf(ref).stopped = stopped;
    },
    rowsOfTransaction: async (chainId, txHash) =>
      [...rows.values()]
        .filter(({ row }) => row.chainId === chainId && row.txHash === txHash && isWatched(row.address))
        .map(toReadRow),
    putRows: async (changes) => {
      guard();
      for (const { row, integrityNote, replaced } of structuredClone(changes)) {
        if (!rows.has(rowKey(row))) saveRow(row);
        const held = rows.get(rowKey(row));
        if (held === undefined) continue;
        held.row = row;
        held.integrityNote = integrityNote;
        if (replaced === null) continue;
        held.versions.push(replaced);
        if (replaced.why === 'reorganised') held.reorg = 'reorganised';
      }
    },
    readRow: async (rowId) => {
      const held = [...rows.values()].find(({ id }) => id === rowId);
      return held === undefined ? null : toReadRow(held);
    },
    readRows: async ({ filter, offset, anchor, limit }) => {
      const found = inOrder(filter);
      const place = anchor === null ? -1 : found.findIndex(({ id }) => id === anchor.rowId);
      const first = anchor === null || place < 0 ? offset : Math.max(0, place - anchor.before);
      return {
        rows: found.slice(first, first + limit).map(toReadRow),
        offset: first,
        totalCount: found.length,
        hiddenCount: 0,
        partialCount: found.filter(({ row }) => row.completeness === 'partial').length,
      };
    },
    scanRows: async ({ filter, after, limit }) => {
      const start = Number(after ?? 0);
      const found = inOrder(filter);
      const next = start + limit < found.length ? String(start + limit) : null;
      return { rows: found.slice(start, start + limit).map(toReadRow), next };
    },
    partialRows: async ({ filter, limit }) =>
      inOrder(filter)
        .filter(({ row }) => row.completeness === 'partial')
        .slice(0, limit)
        .map(({ id, row }) => ({ rowId: id, chainId: row.chainId, txHash: row.txHash })),
    countPartial: async () => inOrder(null).filter(({ row }) => row.completeness === 'partial').length,
    values: async ({ text, limit }) => {
      const counts = new Map<string, number>();
      for (const { row } of inOrder(null)) {
        if (row.chainId.includes(text)) counts.set(row.chainId, (counts.get(row.chainId) ?? 0) + 1);
      }
      return [...counts].slice(0, limit).map(([value, count]) => ({ value, label: value, count }));
    },
    versions: async (rowId) => [...rows.values()].find(({ id }) => id === rowId)?.versions ?? [],
    audit: async () => ({
      gaps: [],
      isCut: false,
      compared: [],
      notCompared: [],
      transactionCount: rows.size,
    }),
    judgeRow: async (rowId, decision) => {
      guard();
      for (const held of rows.values()) if (held.id === rowId) held.decision = decision;
    },
    judgeToken: async () => {
      guard();
    },
    findMessage: async (messageId, chainId) => {
      const held = inOrder(null).find(
        ({ row }) => row.chainId !== chainId && row.facets.messageId === messageId,
      );
      if (held === undefined) return null;
      const { row } = held;
      return { chainId: row.chainId, txHash: row.txHash, timestampMs: row.timestampMs };
    },
  };

  return {
    store,
    rowsOf,
    recordsOf: (ref) => lists.get(listKey(ref))?.records ?? [],
    forget: (address) => {
      for (const [key, { row }] of rows) if (row.address === address) rows.delete(key);
      for (const [key, { ref }] of lists) if (ref.address === address) lists.delete(key);
    },
  };
}

function toReadRow({ id, row, integrityNote, reorg, decision, versions }: HeldRow): ReadRow {
  const hiddenReason = decision === 'hide' ? 'user' : null;
  const decidedFor = decision === null ? null : 'row';
  return {
    ...structuredClone(row),
    id,
    marks: {
      spam: { rules: row.facets.rules, decision, decidedFor, hiddenReason },
      integrityNote,
      reorg,
      versionCount: versions.length,
      valueThen: row.facets.valueThen,
      valueCurrency: row.facets.valueCurrency,
    },
  };
}

function versionOf(row: StoredRow, why: RowVersion['why'], replacedAtMs: number): RowVersion {
  return { why, transactionJson: row.transactionJson, fetchedAtMs: row.fetchedAtMs, replacedAtMs };
}

/** The newer proof of a block replaces the older one. */
function addProof(proofs: readonly BlockProof[], proof: NonNullable<ListPage['proof']>): BlockProof[] {
  const { runId, provenAtMs } = proof;
  const kept = proofs.flatMap((old) => {
    const rest = readIntervals(proof.blocks).reduce(
      (blocks, removed) => subtractBlocks(blocks, removed),
      readIntervals([old]),
    );
    return writeIntervals(rest).map((blocks) => ({ ...old, ...blocks }));
  });
  const added = proof.blocks.map((blocks) => ({ ...blocks, runId, provenAtMs }));
  return [...kept, ...added].sort((a, b) => Number(BigInt(a.fromBlock) - BigInt(b.fromBlock)));
}

function matches(row: StoredRow, { pills }: ActivityFilter): boolean {
  const values: Record<string, string> = {
    address: row.address,
    chain: row.chainId,
    completeness: row.completeness,
  };
  return pills.every((pill) => {
    const value = values[pill.field];
    if (!('values' in pill) || value === undefined) throw new Error(`no pill ${pill.field} in memory`);
    return pill.values.includes(value) !== pill.not;
  });
}

function newestFirst(a: StoredRow, b: StoredRow): number {
  return (
    b.timestampMs - a.timestampMs ||
    Number(b.blockNumber - a.blockNumber) ||
    (b.blockIndex ?? -1) - (a.blockIndex ?? -1) ||
    (a.txHash < b.txHash ? 1 : -1)
  );
}
