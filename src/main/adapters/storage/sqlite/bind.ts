import { largestInteger, smallestInteger } from '../../../../shared/integers.ts';
import type { BoundParam } from './driver.ts';
import { SqlFailure } from './sql.ts';

/**
 * Types do not protect here, as data comes from services and nodes. A value of the wrong type must be a clear error
 * with both drivers, and a number must never be rounded.
 */
export function toBound(value: unknown): BoundParam {
  switch (typeof value) {
    case 'string':
      if (value.includes('\0')) throw new SqlFailure('value', 'a text contains the character U+0000');
      return value;
    case 'bigint':
      if (value < smallestInteger || value > largestInteger) {
        throw new SqlFailure('value', 'a whole number has more than 64 bits');
      }
      return value;
    case 'number':
      if (Number.isSafeInteger(value)) return BigInt(value);
      if (!Number.isFinite(value) || Number.isInteger(value)) {
        throw new SqlFailure('value', 'a number is not exact');
      }
      return value;
    default:
      if (value === null || value instanceof Uint8Array) return value;
      throw new SqlFailure('defect', `a parameter is of type ${typeof value}`);
  }
}
