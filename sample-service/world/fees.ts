import type { TransactionPlan } from './plan.ts';
import { below, mix } from './random.ts';

/** What a transaction paid; in base units of the chain's token per unit of gas. */
export interface Fees {
  readonly txType: number;
  readonly baseFee: number;
  readonly tip: number;
  readonly gasPrice: number;
  readonly gasLimit: number;
  readonly gasUsed: number;
}

export function feesOf(seed: number, plan: TransactionPlan): Fees {
  const { chain, n, success } = plan;
  const wave = 1 + 0.8 * Math.sin(n / 5000) + 0.1 * Math.sin(n / 40);
  const baseFee = Math.round(wave * 6e9) + 1_000_000_000;
  const tip = below(2_000_000_000, seed, n, 0xfee, chain.index);
  const gasLimit = plan.gasUsed === 21_000 ? 21_000 : Math.ceil(plan.gasUsed * 1.2);
  return {
    txType: [0, 2, 2, 2, 2, 1, 2, 2][mix(seed, n, 0x7e, chain.index) % 8] ?? 2,
    baseFee,
    tip,
    gasPrice: baseFee + tip,
    gasLimit,
    gasUsed: success ? plan.gasUsed : Math.min(gasLimit, Math.ceil(plan.gasUsed * 1.1)),
  };
}
