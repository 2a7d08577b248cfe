import * as z from 'zod/mini';
import { toBound } from './bind.ts';
import { SqlFailure } from './sql.ts';

/** Stands for a transaction without an index in its block; below every index, so that it sorts after all others. */
export const noBlockIndex = Number.MIN_SAFE_INTEGER;

/** A place in the order of activity rows: newest first by all parts in turn, each descending. */
export interface RowPosition {
  timestampMs: number;
  blockNumber: bigint;
  blockIndex: number;
  txHash: string;
  /** Sets apart rows of several addresses that hold the same transaction. */
  rowId: number;
}

const positionSchema = z.tuple([
  z.int(),
  z.string().check(z.regex(/^-?\d{1,19}$/)),
  z.int(),
  z.string(),
  z.int(),
]);

/** The place as an opaque text for callers, who may hand it to anyone. */
export function encodeCursor(position: RowPosition): string {
  const { timestampMs, blockNumber, blockIndex, txHash, rowId } = position;
  const parts = [timestampMs, String(blockNumber), blockIndex, txHash, rowId];
  return Buffer.from(JSON.stringify(parts), 'utf8').toString('base64url');
}

/** Reads what `encodeCursor` made; anything else is a `value` failure. */
export function decodeCursor(cursor: string): RowPosition {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    const [timestampMs, blockNumber, blockIndex, txHash, rowId] = z.parse(positionSchema, parts);
    const position = { timestampMs, blockNumber: BigInt(blockNumber), blockIndex, txHash, rowId };
    Object.values(position).forEach(toBound);
    return position;
  } catch (cause) {
    throw new SqlFailure('value', 'the place to go on from is not one of ours', { cause });
  }
}

const largestPage = 1000;

/** The limit of a read, or a `value` failure for one that is no whole number from 1 to `largest`. */
export function checkLimit(limit: number, largest = largestPage): number {
  if (!Number.isInteger(limit) || limit < 1 || limit > largest) {
    throw new SqlFailure('value', `a page holds 1 to ${largest} rows`);
  }
  return limit;
}

/** As SQLite compares texts: by their UTF-8 bytes. */
export function compareTexts(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}
