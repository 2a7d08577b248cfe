import { describe, expect, it } from 'vitest';
import type { RowDescription } from '../../../../../shared/activity/describe.ts';
import { amountParts, assetWords, kindWords, signedAmount } from './row-words.ts';

const described = (parts: Partial<RowDescription>): RowDescription => ({
  kind: 'transfer',
  direction: 'in',
  counterparty: null,
  legs: [],
  fee: { amount: null, payer: null, isPaidByAddress: false },
  status: 'success',
  method: null,
  netEffect: [],
  netEffectScope: 'this-address',
  ...parts,
});

describe('what a row is called', () => {
  it.each([
    [{ kind: 'transfer', direction: 'in' }, 'Received'],
    [{ kind: 'transfer', direction: 'out' }, 'Sent'],
    // What failed moved nothing, so only its aim is told.
    [{ kind: 'transfer', direction: 'none', status: 'failed' }, 'Tried to send'],
    [{ kind: 'contract-call', direction: 'none', status: 'failed' }, 'Tried to call'],
    [{ kind: 'token-transfer', direction: 'self' }, 'Sent to self'],
    [{ kind: 'nft-transfer', direction: 'in' }, 'Received NFT'],
    [{ kind: 'nft-transfer', direction: 'both' }, 'Moved NFT'],
    [{ kind: 'exchange', direction: 'both' }, 'Swapped'],
    [{ kind: 'contract-creation', direction: 'none' }, 'New contract'],
    [{ kind: 'contract-call', direction: 'none' }, 'Contract call'],
  ] satisfies [Partial<RowDescription>, string][])('%o: %s', (parts, words) => {
    expect(kindWords(described(parts)).words).toBe(words);
  });
});

describe('amounts and assets', () => {
  it('puts the sign of the direction on base units of any size', () => {
    expect(signedAmount('340282366920938463463374607431768211455', 'out')).toBe(
      '-340282366920938463463374607431768211455',
    );
    expect(signedAmount('5', 'in')).toBe('5');
    expect(signedAmount(null, 'out')).toBeNull();
  });

  it.each([
    [6_098_035_681_448_766n, '0.006098', '035681448766'],
    [262_363_089_812_345n, '0.000262', '363089812345'],
    // Six digits would say that it is nothing.
    [123_456_789n, '0.000000000123', '456789'],
    [12n, '0.000000000000000012', ''],
    [5n * 10n ** 18n, '5', ''],
    [0n, '0', ''],
  ])('of %s, the digits that count are %s', (value, digits, tail) => {
    expect(amountParts(value, 18, 'AVAX', false)).toMatchObject({ digits, tail });
  });

  it('tells one of a kind by its id', () => {
    expect(assetWords({ symbol: 'AVAX', name: null, tokenId: null })).toBe('AVAX');
    expect(assetWords({ symbol: null, name: 'Watch', tokenId: '4711' })).toBe('Watch #4711');
    expect(assetWords({ symbol: null, name: null, tokenId: '340282366920938463463' })).toBe('NFT #3402…3463');
    expect(assetWords({ symbol: null, name: null, tokenId: null })).toBeNull();
  });
});
