import { knownHash } from '../../../../shared/activity/block-hash.ts';
import { largestBlock } from '../../../../shared/activity/blocks.ts';
import { facetsOf, type FacetedRow } from '../../../../shared/activity/facets.ts';
import type { NativeToken } from '../../../../shared/activity/legs.ts';
import { readDetail, readElement } from '../../../../shared/activity/stored.ts';
import type { ActivityRow, RowTransaction } from '../../../../shared/activity/types.ts';
import type { AddressTransaction, TransactionDetail } from '../../../../shared/endpoints/records.ts';
import { timestampToMs } from '../../../../shared/time.ts';
import type { ReadRow, StoredRow } from '../../activity-ports.ts';

/** The address a row belongs to, and when it was fetched. */
export interface RowOwner {
  address: string;
  chainId: string;
  native: NativeToken;
  fetchedAtMs: number;
}

/** The raw JSON of a record; null where it is not known. */
export interface Received {
  text: string | null;
  /** The answer contained something odd, possibly in this record. */
  mayBeOdd: boolean;
  /** Of the request. */
  url: string;
}

/** The partial row for an element of a list; null when its block or time is out of range. */
export function rowOfElement(
  transaction: AddressTransaction,
  { text, mayBeOdd, url }: Received,
  owner: RowOwner,
): StoredRow | null {
  // What could not be read is not in JSON that was written anew.
  const hasUnreadParts = mayBeOdd && (text === null || readElement(text)?.unread.length !== 0);
  const transactionJson = text ?? JSON.stringify(transaction);
  const stored = { transactionJson, isReceived: text !== null, requestUrl: url };
  return storedRow({ ...owner, completeness: 'partial', transaction }, hasUnreadParts, stored);
}

export interface FetchedDetail {
  detail: TransactionDetail;
  bodyText: string;
  /** A part of the body could not be decoded. */
  hasUnreadParts: boolean;
  fetchedAtMs: number;
}

/** The complete row for a transaction; null when its block or time is out of range. */
export function rowOfDetail(
  { detail: transaction, bodyText, hasUnreadParts, fetchedAtMs }: FetchedDetail,
  owner: Omit<RowOwner, 'fetchedAtMs'>,
): StoredRow | null {
  const stored = { transactionJson: bodyText, isReceived: true, requestUrl: null };
  return storedRow({ ...owner, fetchedAtMs, completeness: 'complete', transaction }, hasUnreadParts, stored);
}

/** Converts a stored row to the form that the window gets. */
export function toActivityRow(row: ReadRow): ActivityRow {
  const base = {
    id: row.id,
    chainId: row.chainId,
    address: row.address,
    txHash: row.txHash,
    blockNumber: row.blockNumber.toString(),
    timestampMs: row.timestampMs,
    fetchedAtMs: row.fetchedAtMs,
    firstSeenMs: row.firstSeenMs,
    marks: row.marks,
  };
  return { ...base, ...readTransaction(row.completeness, row.transactionJson) };
}

export function readTransaction(completeness: ReadRow['completeness'], text: string): RowTransaction {
  if (completeness === 'complete') {
    const detail = readDetail(text);
    if (detail !== null) return { completeness, transaction: detail.data, unread: detail.unread };
  } else {
    const element = readElement(text);
    if (element !== null) return { completeness, transaction: element.data, unread: element.unread };
  }
  return { completeness: 'unreadable', transaction: null, unread: [] };
}

function storedRow(
  row: RowOwner & FacetedRow,
  hasUnreadParts: boolean,
  stored: Pick<StoredRow, 'transactionJson' | 'isReceived' | 'requestUrl'>,
): StoredRow | null {
  const { chainId, address, fetchedAtMs, completeness } = row;
  const native = row.transaction.nativeTransaction;
  const blockNumber = storableBlock(native.blockNumber);
  const timestampMs = timestampToMs(native.blockTimestamp);
  const txHash = knownHash(native.txHash);
  if (blockNumber === null || timestampMs === null || txHash === null) return null;
  return {
    ...{ chainId, address, txHash, blockNumber, timestampMs, fetchedAtMs, completeness, ...stored },
    blockIndex: native.blockIndex ?? null,
    blockHash: knownHash(native.blockHash ?? null),
    facets: facetsOf(row, hasUnreadParts, row.native),
  };
}

/** A block number that the store can hold; null for a larger one. */
export function storableBlock(digits: string): bigint | null {
  const block = BigInt(digits);
  return block < largestBlock ? block : null;
}
