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

const open = { min: { value: -Infinity, isLong: false }, max: { value: Infinity, isLong: false } };

function roughBounds({ min, max }: Bounds): { min: RoughNumber; max: RoughNumber } {
  const rough = (bound: Decimal | null, otherwise: RoughNumber) =>
    bound === null ? otherwise : roughNumber(bound);
  return { min: rough(min, open.min), max: rough(max, open.max) };
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
  for (let slot = 0; slot < mask.length; slot += 1) {
    const value = column[slot] ?? NaN;
    // Without a branch for most rows, as in `pills.ts`.
    let isWithin = (value >= min.value ? 1 : 0) & (value <= max.value ? 1 : 0);
    if (exactly !== null && (value === min.value || value === max.value) && mask[slot] === 1) {
      const isSure =
        exactly.isExact(slot) && !(value === min.value && min.isLong) && !(value === max.value && max.isLong);
      if (!isSure) isWithin = exactly.decide(slot) ? 1 : 0;
    }
    mask[slot] = (mask[slot] ?? 0) & (isWithin ^ turned);
  }
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
    const isAbove = (high > from.high ? 1 : 0) | ((high === from.high ? 1 : 0) & (low >= from.low ? 1 : 0));
    const isBelow = (high < to.high ? 1 : 0) | ((high === to.high ? 1 : 0) & (low <= to.low ? 1 : 0));
    mask[slot] = (mask[slot] ?? 0) & ((isAbove & isBelow) ^ turned);
  }
}

/** For a bound beyond 64 bits the high half is beyond that of every block. */
function halves(bound: Decimal | null, otherwise: bigint): { high: number; low: number } {
  const block = bound?.digits ?? otherwise;
  return { high: Number(block >> 32n), low: Number(block & 0xffff_ffffn) };
}
