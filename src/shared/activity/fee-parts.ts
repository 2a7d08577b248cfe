import { parseInteger, transactionFee } from '../amounts.ts';
import type { NativeTransaction } from '../endpoints/records.ts';

/** What a transaction paid and for what, in base units of the native token; null where a part is not known. */
export interface FeeParts {
  /** Gas used times gas price. */
  total: bigint | null;
  /** Gas used times the base fee of the block: what every transaction in it had to pay. */
  base: bigint | null;
  /** What was paid beyond the base fee. */
  priority: bigint | null;
  /** Gas that was allowed and not used, in units of gas; it costs nothing. */
  unusedGas: bigint | null;
}

/** Takes the fee of a transaction apart. Figures that contradict each other give null, never a negative part. */
export function feePartsOf(native: NativeTransaction): FeeParts {
  const total = transactionFee(native.gasUsed, native.gasPrice);
  const base = transactionFee(native.gasUsed, native.baseFeePerGas);
  const limit = parseInteger(native.gasLimit ?? '');
  const used = parseInteger(native.gasUsed ?? '');
  return {
    total,
    base,
    priority: difference(total, base),
    unusedGas: difference(limit, used),
  };
}

function difference(whole: bigint | null, part: bigint | null): bigint | null {
  return whole === null || part === null || part > whole ? null : whole - part;
}
