import * as z from 'zod/mini';
import { compiledSchema } from '../endpoints/compiled.ts';
import {
  addressTransaction,
  chainRecords,
  transactionDetail,
  type AddressTransaction,
  type ChainRecord,
  type TransactionDetail,
} from '../endpoints/records.ts';
import { parseExactJson } from '../json.ts';

// What the store holds was written by this app, perhaps by an older version: it is checked like anything from outside.
// Of what was written as it had been read, every number is one that a double holds.

/** The chains of an address as they were stored; null when they can no longer be read. */
export function readStoredChains(json: string): ChainRecord[] | null {
  return parseStored(chainRecords, json, JSON.parse);
}

/** The list element of a partial row; null when it can no longer be read. */
export function readStoredElement(json: string): AddressTransaction | null {
  return parseStored(addressTransaction, json, JSON.parse);
}

/** The transaction detail of a complete row; null when it can no longer be read. */
export function readStoredDetail(json: string): TransactionDetail | null {
  return parseStored(transactionDetail, json, JSON.parse);
}

/** The transaction detail of an answer that was stored as it came; null when it can no longer be read. */
export function readAnsweredDetail(body: string): TransactionDetail | null {
  return parseStored(transactionDetail, body, parseExactJson);
}

function parseStored<T>(schema: z.ZodMiniType<T>, json: string, parse: (json: string) => unknown): T | null {
  try {
    const result = z.safeParse(compiledSchema(schema), parse(json));
    return result.success ? result.data : null;
  } catch (cause) {
    // Not JSON, which is all that the parser throws for.
    if (cause instanceof SyntaxError) return null;
    throw cause;
  }
}
