import { AppFailure } from '../../../../shared/errors.ts';
import type {
  ActivityStore,
  AnswerStore,
  StoredAddress,
  StoredAnswer,
  StoredChains,
  StoredRow,
  StoredSync,
  SyncState,
  WatchlistStore,
} from '../../ports.ts';

/** The stores of the domain in memory, as a test sees them. */
export interface MemoryStores {
  answers: AnswerStore;
  watchlist: WatchlistStore;
  activity: ActivityStore;
  /** Stored rows of an address on a chain, newest first. */
  rowsOf(address: string, chainId: string): StoredRow[];
  storedAnswers: Map<string, StoredAnswer>;
  /** While true every write rejects, as on a full disk. */
  failWrites(isFailing: boolean): void;
}

export function createMemoryStores(): MemoryStores {
  const storedAnswers = new Map<string, StoredAnswer>();
  const addresses = new Map<string, StoredAddress>();
  const chains = new Map<string, StoredChains>();
  const syncs = new Map<string, { address: string; chainId: string; state: SyncState }>();
  const rows = new Map<string, Map<string, StoredRow>>();
  let isFailing = false;

  function guard(): void {
    if (isFailing) throw new AppFailure({ code: 'storage', message: 'the disk is full' });
  }

  const keyOf = (address: string, chainId: string) => `${chainId} ${address}`;

  function rowsOf(address: string, chainId: string): StoredRow[] {
    return [...(rows.get(keyOf(address, chainId))?.values() ?? [])].sort(newestFirst);
  }

  function readSync(address: string, chainId: string): StoredSync | null {
    const stored = syncs.get(keyOf(address, chainId));
    if (stored === undefined) return null;
    const times = rowsOf(address, chainId).map(({ timestampMs }) => timestampMs);
    return {
      ...structuredClone(stored.state),
      rowCount: times.length,
      newestTimestampMs: times.length === 0 ? null : Math.max(...times),
      oldestTimestampMs: times.length === 0 ? null : Math.min(...times),
    };
  }

  return {
    storedAnswers,
    rowsOf,
    failWrites: (value) => {
      isFailing = value;
    },
    answers: {
      read: async (key) => storedAnswers.get(key) ?? null,
      write: async (answer) => {
        guard();
        storedAnswers.set(answer.key, answer);
      },
    },
    watchlist: {
      list: async () => [...addresses.values()],
      put: async (address) => {
        guard();
        addresses.set(address.address, address);
      },
      remove: async (address) => {
        guard();
        addresses.delete(address);
        chains.delete(address);
        for (const map of [syncs, rows]) {
          for (const key of map.keys()) if (key.endsWith(` ${address}`)) map.delete(key);
        }
      },
      readChains: async (address) => chains.get(address) ?? null,
      writeChains: async (address, stored) => {
        guard();
        chains.set(address, stored);
      },
    },
    activity: {
      savePage: async (address, chainId, page, state) => {
        guard();
        const key = keyOf(address, chainId);
        const own = rows.get(key) ?? new Map<string, StoredRow>();
        for (const row of page) {
          if (row.completeness === 'partial' && own.get(row.txHash)?.completeness === 'complete') continue;
          own.set(row.txHash, row);
        }
        rows.set(key, own);
        syncs.set(key, { address, chainId, state: structuredClone(state) });
        const saved = readSync(address, chainId);
        if (saved === null) throw new Error('it was written just now');
        return saved;
      },
      readSync: async (address, chainId) => readSync(address, chainId),
      listSyncs: async () =>
        [...syncs.values()].flatMap(({ address, chainId }) => {
          const sync = readSync(address, chainId);
          return sync === null ? [] : [{ address, chainId, sync }];
        }),
      complete: async (chainId, txHash, transactionJson, fetchedAtMs) => {
        guard();
        return [...rows.values()].flatMap((own) => {
          const row = own.get(txHash);
          if (row?.chainId !== chainId) return [];
          own.set(txHash, { ...row, completeness: 'complete', transactionJson, fetchedAtMs });
          return [row.address];
        });
      },
      readRows: async (query) => {
        const found = [...rows.values()]
          .flatMap((own) => [...own.values()])
          .filter((row) => query.address === null || row.address === query.address)
          .filter((row) => query.chainId === null || row.chainId === query.chainId)
          .sort(newestFirst);
        const start = Number(query.cursor ?? 0);
        const end = start + query.limit;
        return {
          rows: found.slice(start, end),
          nextCursor: end < found.length ? String(end) : null,
          totalCount: found.length,
        };
      },
    },
  };
}

function newestFirst(a: StoredRow, b: StoredRow): number {
  return (
    b.timestampMs - a.timestampMs ||
    Number(b.blockNumber - a.blockNumber) ||
    (b.blockIndex ?? -1) - (a.blockIndex ?? -1) ||
    (a.txHash < b.txHash ? 1 : -1)
  );
}
