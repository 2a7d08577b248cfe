import { describe, expect, it } from 'vitest';
import { feePartsOf } from './fee-parts.ts';

const native = { txHash: '0x1', blockNumber: '1', blockTimestamp: 1 };

describe('feePartsOf', () => {
  it('takes the fee apart without losing a digit', () => {
    expect(
      feePartsOf({
        ...native,
        gasUsed: '21000',
        gasLimit: '30000',
        gasPrice: '26500000000000000001',
        baseFeePerGas: '25000000000000000000',
      }),
    ).toEqual({
      total: 556_500_000_000_000_000_021_000n,
      base: 525_000_000_000_000_000_000_000n,
      priority: 31_500_000_000_000_000_021_000n,
      unusedGas: 9_000n,
    });
  });

  it('says nothing of parts that are not known', () => {
    expect(feePartsOf({ ...native, gasUsed: '21000', gasPrice: '10' })).toEqual({
      total: 210_000n,
      base: null,
      priority: null,
      unusedGas: null,
    });
  });

  it('has no negative part where figures contradict each other', () => {
    const parts = feePartsOf({ ...native, gasUsed: '10', gasLimit: '9', gasPrice: '1', baseFeePerGas: '2' });
    expect(parts.priority).toBeNull();
    expect(parts.unusedGas).toBeNull();
  });
});
