import type { Decimal } from '../../../../../shared/amounts.ts';
import { largestInteger, smallestInteger } from '../../../../../shared/integers.ts';
import type { Bounds } from '../../sqlite/bounds.ts';
import type { Columns } from './columns.ts';
import { roughNumber, type RoughNumber } from './index-rows.ts';

/** Decides by the exact number where doubles are not precise enough. */
interface Exactly {
  /** True when the double of this row is exact. */
  isExact: (slot: number) => boolean;
  decide: (slot: number) => boolean;
}

function roughBounds({ min, max }: Bounds): { min: RoughNumber; max: RoughNumber } {
  return {
    min: min === null ? { value: -Infinity, isLong: false } : roughNumber(min),
    max: max === null ? { value: Infinity, isLong: false } : roughNumber(max),
  };
}

/** Keeps rows whose number is within bounds; NaN means unknown and is never within. */
export function keepNumbers(
  mask: Uint8Array,
  column: Float64Array,
  bounds: Bounds,
  not: boolean,
  exactly: Exactly | null,
): void {
  const { min, max } = roughBounds(bounds);
  const turned = not ? 1 : 0;
  const mayBeUnsure = exactly === null ? 0 : 1;
  for (let slot = 0; slot < mask.length; slot += 1) {
    const value = column[slot] ?? NaN;
    const matches = mask[slot] ?? 0;
    // Without a branch, as in `pills.ts`. Equality would make one that fails for each NaN.
    const isWithin = Number(value >= min.value) & Number(value <= max.value);
    const isBetween = Number(value > min.value) & Number(value < max.value);
    const isEdge = (isWithin ^ isBetween) & mayBeUnsure;
    mask[slot] = (matches & (isWithin ^ turned)) | ((matches & isEdge) << 1);
  }
  if (exactly === null) return;
  decideMarked(mask, (slot) => {
    const value = column[slot] ?? NaN;
    const isUnsure = (value === min.value && min.isLong) || (value === max.value && max.isLong);
    return ((exactly.isExact(slot) && !isUnsure) || exactly.decide(slot)) !== not;
  });
}

/** Rows that equal a bound have more than 1 for a moment. In a separate loop, as a rare case slows down the other. */
function decideMarked(mask: Uint8Array, isKept: (slot: number) => boolean): void {
  for (let slot = 0; slot < mask.length; slot += 1)
    if ((mask[slot] ?? 0) > 1) mask[slot] = Number(isKept(slot));
}

/** Keeps rows with an amount within bounds, of any token or of the tokens in the table. */
export function keepAmounts(
  mask: Uint8Array,
  columns: Columns,
  table: Uint8Array | null,
  bounds: Bounds,
  not: boolean,
  decide: (slot: number) => boolean,
): void {
  const { min, max } = roughBounds(bounds);
  const { tokenStart, tokenCount, tokens } = columns;
  for (let slot = 0; slot < mask.length; slot += 1) {
    if (mask[slot] === 0) continue;
    const start = tokenStart[slot] ?? 0;
    const end = start + (tokenCount[slot] ?? 0);
    let isWithin = false;
    let isUnsure = false;
    for (let place = start; place < end && !isWithin; place += 1) {
      if (table !== null && (table[tokens.refs[place] ?? 0] ?? 0) === 0) continue;
      const rough = tokens.amounts[place] ?? NaN;
      const value = Math.abs(rough);
      if (!(value >= min.value && value <= max.value)) continue;
      const isEdge =
        (value === min.value && (rough < 0 || min.isLong)) ||
        (value === max.value && (rough < 0 || max.isLong));
      if (isEdge) isUnsure = true;
      else isWithin = true;
    }
    if (!isWithin && isUnsure) isWithin = decide(slot);
    if (isWithin === not) mask[slot] = 0;
  }
}

/** Keeps rows whose block is within bounds, comparing all 64 bits. */
export function keepBlocks(mask: Uint8Array, columns: Columns, { min, max }: Bounds, not: boolean): void {
  const from = halves(min, smallestInteger);
  const to = halves(max, largestInteger);
  const { blockHigh, blockLow } = columns.numbers;
  const turned = not ? 1 : 0;
  for (let slot = 0; slot < mask.length; slot += 1) {
    const high = blockHigh[slot] ?? 0;
    const low = blockLow[slot] ?? 0;
    // Without a branch, as in `pills.ts`.
    const isAbove = Number(high > from.high) | (Number(high === from.high) & Number(low >= from.low));
    const isBelow = Number(high < to.high) | (Number(high === to.high) & Number(low <= to.low));
    mask[slot] = (mask[slot] ?? 0) & ((isAbove & isBelow) ^ turned);
  }
}

/** For a bound beyond 64 bits the high half is beyond that of every block. */
function halves(bound: Decimal | null, otherwise: bigint): { high: number; low: number } {
  const block = bound?.digits ?? otherwise;
  return { high: Number(block >> 32n), low: Number(block & 0xffff_ffffn) };
}
