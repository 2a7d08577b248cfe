import { compiledSchema } from '../endpoints/compiled.ts';
import {
  addressTransaction,
  chainRecords,
  transactionDetail,
  type AddressTransaction,
  type ChainRecord,
  type TransactionDetail,
} from '../endpoints/records.ts';
import { readRecord, type ReadRecord } from './unread-parts.ts';

// What the store holds came from a stranger, or was written by this app, perhaps by an older version: it is checked like
// anything from outside.

/** The chains of an address as they were stored; null when they can no longer be read. */
export function readStoredChains(json: string): ChainRecord[] | null {
  const read = readRecord(compiledSchema(chainRecords), json);
  return read === null || read.unread.length > 0 ? null : read.data;
}

/** The list element of a partial row; null when it can no longer be read. */
export function readElement(json: string): ReadRecord<AddressTransaction> | null {
  return readRecord(compiledSchema(addressTransaction), json);
}

/** The transaction detail of a complete row, or of an answer; null when it can no longer be read. */
export function readDetail(json: string): ReadRecord<TransactionDetail> | null {
  return readRecord(compiledSchema(transactionDetail), json);
}
