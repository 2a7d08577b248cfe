// The room of rows: what a transaction that came from the service is in the store, and what its detail makes of it. It asks
// for single details and stores nothing. It uses the room of endpoints.

import { facetsOf } from '../../../../shared/activity/facets.ts';
import type { NativeToken } from '../../../../shared/activity/legs.ts';
import { readDetail, readElement } from '../../../../shared/activity/stored.ts';
import type { ActivityRow } from '../../../../shared/activity/types.ts';
import type {
  AddressTransaction,
  NativeTransaction,
  TransactionDetail,
} from '../../../../shared/endpoints/records.ts';
import { largestInteger } from '../../../../shared/integers.ts';
import { timestampToMs } from '../../../../shared/time.ts';
import type { ReadRow, StoredRow } from '../../activity-ports.ts';

/** Whose row it is, and when it was fetched. */
export interface RowOwner {
  address: string;
  chainId: string;
  /** What is known of the chain's own token. */
  native: NativeToken;
  fetchedAtMs: number;
}

/** The JSON of a record as it was received; null where that is not known. */
export interface Received {
  text: string | null;
  /** The answer had something odd, perhaps in this record. */
  mayBeOdd: boolean;
  /** Of the request. */
  url: string;
}

/** The partial row of a list element; null when its block or time is out of range. */
export function rowOfElement(
  transaction: AddressTransaction,
  received: Received,
  owner: RowOwner,
): StoredRow | null {
  const base = baseOf(transaction.nativeTransaction, owner);
  if (base === null) return null;
  const row = { ...owner, completeness: 'partial', transaction } as const;
  const transactionJson = received.text ?? JSON.stringify(transaction);
  const hasUnreadParts = received.mayBeOdd && readElement(transactionJson)?.unread.length !== 0;
  return {
    ...base,
    completeness: 'partial',
    transactionJson,
    isReceived: received.text !== null,
    requestUrl: received.url,
    facets: facetsOf(row, hasUnreadParts, owner.native),
  };
}

/** The complete row of a transaction's detail, whose body is `bodyText`; null when its block or time is out of range. */
export function rowOfDetail(
  transaction: TransactionDetail,
  bodyText: string,
  owner: RowOwner,
): StoredRow | null {
  const base = baseOf(transaction.nativeTransaction, owner);
  if (base === null) return null;
  const row = { ...owner, completeness: 'complete', transaction } as const;
  return {
    ...base,
    completeness: 'complete',
    transactionJson: bodyText,
    isReceived: true,
    requestUrl: null,
    facets: facetsOf(row, readDetail(bodyText)?.unread.length !== 0, owner.native),
  };
}

/** A stored row as the window gets it. */
export function toActivityRow(row: ReadRow): ActivityRow {
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
    const detail = readDetail(row.transactionJson);
    if (detail !== null) {
      return { ...base, completeness: 'complete', transaction: detail.data, unread: detail.unread };
    }
  } else {
    const element = readElement(row.transactionJson);
    if (element !== null) {
      return { ...base, completeness: 'partial', transaction: element.data, unread: element.unread };
    }
  }
  return { ...base, completeness: 'unreadable', transaction: null, unread: [] };
}

type RowBase = Omit<StoredRow, 'completeness' | 'transactionJson' | 'isReceived' | 'requestUrl' | 'facets'>;

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
