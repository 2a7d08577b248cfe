import { schemaForRead } from '../endpoints/compiled.ts';
import {
  addressTransaction,
  chainRecords,
  transactionDetail,
  type AddressTransaction,
  type ChainRecord,
  type TransactionDetail,
} from '../endpoints/records.ts';
import { readRecord, type ReadRecord } from './unread-parts.ts';

// Stored data is untrusted, or may come from an older version of the app, so it is validated like any external input.

/** Decodes an address's stored chains; null if that is no longer possible. */
export function readStoredChains(json: string): ChainRecord[] | null {
  const read = readRecord(schemaForRead(chainRecords), json);
  return read === null || read.unread.length > 0 ? null : read.data;
}

/** Decodes the list element of a partial row; null if that is no longer possible. */
export function readElement(json: string): ReadRecord<AddressTransaction> | null {
  return readRecord(schemaForRead(addressTransaction), json);
}

/** Decodes the transaction of a complete row, or of an answer; null if that is no longer possible. */
export function readDetail(json: string): ReadRecord<TransactionDetail> | null {
  return readRecord(schemaForRead(transactionDetail), json);
}
