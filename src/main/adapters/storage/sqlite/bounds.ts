import { compareDecimals, parseDecimal, type Decimal } from '../../../../shared/amounts.ts';
import { fieldOf, type RangePill } from '../../../../shared/activity/filter.ts';
import { SqlFailure } from './sql.ts';

/** Both inclusive; null means unbounded. */
export interface Bounds {
  min: Decimal | null;
  max: Decimal | null;
}

/** The bounds of a pill; throws a `value` failure for a text that is not a valid number for the field. */
export function boundsOf({ field, min, max }: RangePill): Bounds {
  const read = (text: string | null): Decimal | null => {
    if (text === null) return null;
    const decimal = parseDecimal(text);
    if (decimal === null || (fieldOf[field].range !== 'decimal' && decimal.scale !== 0)) {
      throw new SqlFailure('value', `a bound of the field ${field} is no number`);
    }
    return decimal;
  };
  return { min: read(min), max: read(max) };
}

export function isWithin(value: Decimal, { min, max }: Bounds): boolean {
  return (
    (min === null || compareDecimals(value, min) >= 0) && (max === null || compareDecimals(value, max) <= 0)
  );
}

/** Converts base units to whole units; null when the amount or the decimals are unknown. */
export function wholeUnits(amount: string | null, decimals: number | null): Decimal | null {
  return amount === null || decimals === null ? null : { digits: BigInt(amount), scale: decimals };
}
