import { parseInteger, transactionFee } from '../amounts.ts';
import type { NativeTransaction } from '../endpoints/records.ts';

/** The parts of a transaction's fee, in base units of the native token; null for an unknown part. */
export interface FeeParts {
  /** Gas used times gas price. */
  total: bigint | null;
  /** Gas used times the block's base fee, the minimum for all transactions in the block. */
  base: bigint | null;
  /** Paid on top of the base fee. */
  priority: bigint | null;
  /** Gas that was allowed but not used, in units of gas; not charged. */
  unusedGas: bigint | null;
}

/** Splits a transaction's fee. Contradictory figures give null, never a negative part. */
export function feePartsOf(native: NativeTransaction): FeeParts {
  const total = transactionFee(native.gasUsed, native.gasPrice);
  const base = transactionFee(native.gasUsed, native.baseFeePerGas);
  const limit = parseInteger(native.gasLimit ?? '');
  const used = parseInteger(native.gasUsed ?? '');
  return { total, base, priority: difference(total, base), unusedGas: difference(limit, used) };
}

function difference(whole: bigint | null, part: bigint | null): bigint | null {
  return whole === null || part === null || part > whole ? null : whole - part;
}
