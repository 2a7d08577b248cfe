import * as z from 'zod/mini';
import { SqlFailure } from './sql.ts';

/** A place in the list of runs: newest start first, then newest entry first. */
export interface RunPosition {
  startedAtMs: number;
  rowId: number;
}

const positionSchema = z.tuple([z.int(), z.int()]);

/** The place as an opaque text for callers. */
export function encodeRunCursor({ startedAtMs, rowId }: RunPosition): string {
  return Buffer.from(JSON.stringify([startedAtMs, rowId]), 'utf8').toString('base64url');
}

/** Reads what `encodeRunCursor` made; anything else is a `value` failure. */
export function decodeRunCursor(cursor: string): RunPosition {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    const [startedAtMs, rowId] = z.parse(positionSchema, parts);
    return { startedAtMs, rowId };
  } catch (cause) {
    throw new SqlFailure('value', 'the place to go on from is not one of ours', { cause });
  }
}
