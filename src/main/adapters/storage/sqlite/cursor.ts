import { SqlFailure } from './sql.ts';

/** Stands for a transaction without an index in its block; lower than any index, so that it sorts last. */
export const noBlockIndex = Number.MIN_SAFE_INTEGER;

const largestPage = 1000;

/** Validates the limit of a read; throws a `value` failure unless it is a whole number from 1 to the largest. */
export function checkLimit(limit: number): number {
  if (!Number.isInteger(limit) || limit < 1 || limit > largestPage) {
    throw new SqlFailure('value', `a page holds 1 to ${largestPage} rows`);
  }
  return limit;
}
