import { facetsOf } from '../../../shared/activity/facets.ts';
import type { NativeToken } from '../../../shared/activity/legs.ts';
import { readStoredDetail, readStoredElement } from '../../../shared/activity/stored.ts';
import type { ActivityRow } from '../../../shared/activity/types.ts';
import type {
  AddressTransaction,
  NativeTransaction,
  TransactionDetail,
} from '../../../shared/endpoints/records.ts';
import { largestInteger } from '../../../shared/integers.ts';
import { timestampToMs } from '../../../shared/time.ts';
import type { ReadRow, StoredRow } from '../activity-ports.ts';

/** Whose row it is, and when it was fetched. */
export interface RowOwner {
  address: string;
  chainId: string;
  /** What is known of the chain's own token. */
  native: NativeToken;
  fetchedAtMs: number;
}

/** The partial row of a list element; null when its block or time is out of range. */
export function rowOfElement(transaction: AddressTransaction, owner: RowOwner): StoredRow | null {
  const base = baseOf(transaction.nativeTransaction, owner);
  if (base === null) return null;
  const row = { ...owner, completeness: 'partial', transaction } as const;
  return {
    ...base,
    completeness: 'partial',
    transactionJson: JSON.stringify(transaction),
    facets: facetsOf(row, owner.native),
  };
}

/** The complete row of a transaction's detail; null when its block or time is out of range. */
export function rowOfDetail(transaction: TransactionDetail, owner: RowOwner): StoredRow | null {
  const base = baseOf(transaction.nativeTransaction, owner);
  if (base === null) return null;
  const row = { ...owner, completeness: 'complete', transaction } as const;
  return {
    ...base,
    completeness: 'complete',
    transactionJson: JSON.stringify(transaction),
    facets: facetsOf(row, owner.native),
  };
}

/** A stored row as the window gets it; null when its transaction cannot be read any more. */
export function toActivityRow(row: ReadRow): ActivityRow | null {
  const base = {
    id: row.id,
    chainId: row.chainId,
    address: row.address,
    txHash: row.txHash,
    blockNumber: row.blockNumber.toString(),
    timestampMs: row.timestampMs,
    fetchedAtMs: row.fetchedAtMs,
    marks: row.marks,
  };
  if (row.completeness === 'complete') {
    const detail = readStoredDetail(row.transactionJson);
    return detail && { ...base, completeness: 'complete', transaction: detail };
  }
  const element = readStoredElement(row.transactionJson);
  return element && { ...base, completeness: 'partial', transaction: element };
}

type RowBase = Omit<StoredRow, 'completeness' | 'transactionJson' | 'facets'>;

function baseOf(native: NativeTransaction, { address, chainId, fetchedAtMs }: RowOwner): RowBase | null {
  const blockNumber = storableBlock(native.blockNumber);
  const timestampMs = timestampToMs(native.blockTimestamp);
  if (blockNumber === null || timestampMs === null || native.txHash === '') return null;
  return {
    chainId,
    address,
    txHash: canonicalHash(native.txHash),
    blockNumber,
    blockIndex: native.blockIndex ?? null,
    blockHash: native.blockHash === undefined ? null : canonicalHash(native.blockHash),
    timestampMs,
    fetchedAtMs,
  };
}

/** A block number that fits into the store; null for any other. */
export function storableBlock(digits: string): bigint | null {
  const block = BigInt(digits);
  return block > largestInteger ? null : block;
}

/** Lower case where it is a hash as the specification has it, so that one transaction has one spelling. */
export function canonicalHash(hash: string): string {
  return /^0x[0-9a-f]{64}$/i.test(hash) ? hash.toLowerCase() : hash;
}
