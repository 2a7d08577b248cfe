import { compareDecimals, parseDecimal, type Decimal } from '../../../../shared/amounts.ts';
import type { FilterPill, RangeField } from '../../../../shared/activity/filter.ts';
import { SqlFailure } from './sql.ts';

export type RangePill = Extract<FilterPill, { field: RangeField }>;
export type ChoicePill = Exclude<FilterPill, RangePill>;

export function isRange(pill: FilterPill): pill is RangePill {
  return 'min' in pill;
}

/** Both ends inclusive; null is open. */
export interface Bounds {
  min: Decimal | null;
  max: Decimal | null;
}

/** The bounds of a pill; a `value` failure for a text that is no number of the kind that the field takes. */
export function boundsOf({ field, min, max }: RangePill): Bounds {
  const read = (text: string | null): Decimal | null => {
    if (text === null) return null;
    const decimal = parseDecimal(text);
    const mustBeWhole = field === 'block' || field === 'time';
    if (decimal === null || (mustBeWhole && decimal.scale !== 0)) {
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

/** An amount of base units in whole units; null where it or the decimals are not known. */
export function wholeUnits(amount: string | null, decimals: number | null): Decimal | null {
  return amount === null || decimals === null ? null : { digits: BigInt(amount), scale: decimals };
}
