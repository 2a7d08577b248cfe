import { describe, expect, it } from 'vitest';
import type { Asset } from '../../../../../shared/activity/legs.ts';
import type { TransactionDetail } from '../../../../../shared/endpoints/records.ts';
import { pricesOf, valueAt } from './token-record.ts';

const asset = (kind: Asset['kind'], contract: string | null): Asset => ({
  kind,
  key: kind,
  contract,
  tokenId: null,
  symbol: null,
  name: null,
  decimals: 18,
});

const transaction: TransactionDetail = {
  nativeTransaction: { txHash: '0x1', blockNumber: '1', blockTimestamp: 1 },
  erc20Transfers: [
    { value: '1', erc20Token: { address: '0xAB', price: { currencyCode: 'usd', value: '1.5' } } },
    { value: '1', erc20Token: { address: '0xcd' } },
  ],
  networkTokenDetails: {
    currentPrice: { currencyCode: 'eur', value: '31' },
    historicalPrice: { value: '27' },
  },
};

describe('pricesOf', () => {
  it('has two times for the network’s own token, and none for a token', () => {
    expect(pricesOf(asset('native', null), transaction)).toEqual({
      then: { value: '27', currency: null },
      now: { value: '31', currency: 'EUR' },
      undated: null,
    });
    expect(pricesOf(asset('erc20', '0xab'), transaction).undated).toEqual({ value: '1.5', currency: 'USD' });
  });

  it('knows no price of a token without one, of an NFT, or of a list’s element', () => {
    const none = { then: null, now: null, undated: null };
    expect(pricesOf(asset('erc20', '0xcd'), transaction)).toEqual(none);
    expect(pricesOf(asset('erc721', '0xab'), transaction)).toEqual(none);
    const { nativeTransaction } = transaction;
    expect(pricesOf(asset('native', null), { nativeTransaction })).toEqual(none);
  });
});

describe('valueAt', () => {
  const usd = { value: '27.9081', currency: 'USD' };

  it.each([
    ['41223918273645910023', 18, '1,150.48 USD', '1,150.4812335727374215128863 USD'],
    ['-1000000000000000000', 18, '−27.91 USD', '−27.9081 USD'],
    ['1', 18, 'less than 0.01 USD', '0.0000000000000000279081 USD'],
    ['0', 18, '0.00 USD', '0 USD'],
  ])('is exact: %s at %d decimals', (amount, decimals, text, exact) => {
    const value = valueAt(amount, decimals, usd);
    expect(value?.text).toBe(text);
    expect(value?.exact).toContain(exact);
  });

  it('is unknown without an amount, decimals or a price that is a number', () => {
    expect(valueAt(null, 18, usd)).toBeNull();
    expect(valueAt('1', null, usd)).toBeNull();
    expect(valueAt('1', 18, null)).toBeNull();
    expect(valueAt('1', 18, { value: 'much', currency: 'USD' })).toBeNull();
  });

  it('says that the currency is not given', () => {
    expect(valueAt('1', 0, { value: '2', currency: null })?.text).toBe('2.00 (currency not provided)');
  });
});
