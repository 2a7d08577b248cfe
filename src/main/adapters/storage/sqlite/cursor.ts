import { SqlFailure } from './sql.ts';

/** Stands for a transaction without an index in its block; below every index, so that it sorts after all others. */
export const noBlockIndex = Number.MIN_SAFE_INTEGER;

const largestPage = 1000;

/** The limit of a read, or a `value` failure for one that is no whole number from 1 to `largest`. */
export function checkLimit(limit: number, largest = largestPage): number {
  if (!Number.isInteger(limit) || limit < 1 || limit > largest) {
    throw new SqlFailure('value', `a page holds 1 to ${largest} rows`);
  }
  return limit;
}
