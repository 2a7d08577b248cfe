import {
  openMemoryDatabase,
  portsInProcess,
  storesOver,
} from '../../../adapters/storage/testing/memory-stores.ts';
import type { StorePorts } from '../../../adapters/storage/store-ports.ts';
import { AppFailure } from '../../../../shared/errors.ts';
import type { ListRef, ReadRow, StoredAddress } from '../../activity-ports.ts';
import { readStoredList, type StoredList } from './stored-list.ts';

/** The parts of a stored row that tests check. */
export interface SeenRow {
  txHash: string;
  blockNumber: number;
  blockHash: string | null;
  timestampMs: number;
  isComplete: boolean;
  transactionJson: string;
  reorg: 'reorganised' | 'gone' | null;
}

/** The app's stores in memory, with functions to inspect them. */
export interface TestStores extends StorePorts {
  /** Stored rows of an address on a chain, newest first. */
  rowsOf(address: string, chainId: string): SeenRow[];
  /** Their hashes, unordered. */
  hashesOf(address: string, chainId: string): string[];
  /** The records of a list as JSON, sorted alphabetically. */
  recordsOf(ref: ListRef): string[];
  /** Everything stored for a list. */
  storedList(ref: ListRef): StoredList;
  /** While true, every write rejects, as on a full disk. */
  failWrites(isFailing: boolean): void;
  /** Whether a call is pending. Stores use turns of the event loop, which fake time does not wait for. */
  isBusy(): boolean;
  /** Resolves when no call is pending. */
  idle(): Promise<void>;
}

const writes = /^(write|withdraw|put|remove|save|set|judge|create|settle)/;

export function createTestStores(): TestStores {
  const database = openMemoryDatabase();
  const stores = storesOver(database);
  const ports = portsInProcess(stores);
  let isFailing = false;
  const underWay = new Set<Promise<unknown>>();

  function guarded<Port extends object>(port: Port): Port {
    return new Proxy(port, {
      get: (target, name, receiver): unknown => {
        const method: unknown = Reflect.get(target, name, receiver);
        if (typeof method !== 'function') return method;
        if (isFailing && typeof name === 'string' && writes.test(name)) {
          return () => Promise.reject(new AppFailure({ code: 'storage', message: 'the disk is full' }));
        }
        return (...args: unknown[]): unknown => {
          const result: unknown = method.apply(target, args);
          if (result instanceof Promise) {
            const end = (): void => void underWay.delete(ended);
            const ended: Promise<void> = result.then(end, end);
            underWay.add(ended);
          }
          return result;
        };
      },
    });
  }

  return {
    alerts: guarded(ports.alerts),
    answers: guarded(ports.answers),
    watchlist: overridable(guarded(ports.watchlist)),
    book: guarded(ports.book),
    activity: overridable(guarded(ports.activity)),
    health: ports.health,
    runs: ports.runs,
    failWrites: (value) => {
      isFailing = value;
    },
    isBusy: () => underWay.size > 0,
    idle: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    rowsOf: (address, chainId) =>
      database
        .all(
          `SELECT activity_row.id AS id FROM activity_row JOIN chain ON chain.id = chain_ref
             JOIN watch_address ON watch_address.id = address_ref
           WHERE address = ? AND chain_id = ? ORDER BY timestamp_ms DESC, block_index DESC, tx_hash`,
          [address, chainId],
        )
        .flatMap(({ id }) => {
          const row = stores.activity.readRow(Number(id));
          return row === null || row instanceof Promise ? [] : [seenRow(row)];
        }),
    hashesOf: (address, chainId) =>
      database
        .all(
          `SELECT tx_hash FROM activity_row JOIN chain ON chain.id = chain_ref
             JOIN watch_address ON watch_address.id = address_ref
           WHERE address = ? AND chain_id = ?`,
          [address, chainId],
        )
        .map((row) => String(row['tx_hash'])),
    storedList: (ref) => readStoredList(database, ref),
    recordsOf: ({ address, chainId, list }) =>
      database
        .all(
          `SELECT record_json FROM activity_record JOIN activity_list ON activity_list.id = list_ref
             JOIN chain ON chain.id = chain_ref JOIN watch_address ON watch_address.id = address_ref
           WHERE address = ? AND chain_id = ? AND list = ? ORDER BY record_json`,
          [address, chainId, ['transactions', 'erc20', 'erc1155', 'internal', 'native'].indexOf(list)],
        )
        .map((row) => String(row['record_json'])),
  };
}

function seenRow({ blockNumber, completeness, marks, ...row }: ReadRow): SeenRow {
  const { txHash, blockHash, timestampMs, transactionJson } = row;
  return {
    txHash,
    blockNumber: Number(blockNumber),
    blockHash,
    timestampMs,
    isComplete: completeness === 'complete',
    transactionJson,
    reorg: marks.reorg,
  };
}

/** A port whose methods tests can replace. */
function overridable<Port extends object>(port: Port): Port {
  const replaced = new Map<string | symbol, unknown>();
  return new Proxy(port, {
    get: (target, name, receiver): unknown =>
      replaced.has(name) ? replaced.get(name) : Reflect.get(target, name, receiver),
    set: (_target, name, value) => {
      replaced.set(name, value);
      return true;
    },
  });
}

/** A stored address with default options. */
export function watchedAddress(address: string): StoredAddress {
  return { address, label: null, tags: [], colour: null, paused: false, addedAtMs: 0 };
}
