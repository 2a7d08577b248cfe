import { describe, expect, it } from 'vitest';
import type { AddressTransaction, TransactionDetail } from '../endpoints/records.ts';
import { facetsOf, priceExistsAfterMs } from './facets.ts';

const me = '0x52908400098527886E0F7030069857D2E4169EE7';
const other = '0xDE709F2102306220921060314715629080E2FB77';
const contract = '0xAbCd000000000000000000000000000000000001';

function native(
  fields: Partial<AddressTransaction['nativeTransaction']> = {},
): AddressTransaction['nativeTransaction'] {
  return {
    txHash: '0x01',
    blockNumber: '1',
    blockTimestamp: 1,
    txStatus: '1',
    from: { address: other, name: 'Other' },
    to: { address: me },
    value: '0',
    method: { callType: 'CONTRACT_CALL', methodHash: '0xa9059cbb', methodName: 'transfer(address,uint256)' },
    ...fields,
  };
}

const transfer = (value: string | undefined, fields: object = {}) => ({
  from: { address: other },
  to: { address: me },
  ...(value === undefined ? {} : { value }),
  erc20Token: { address: contract, name: 'Dollar', symbol: 'USD', decimals: 6 },
  ...fields,
});

const eth = { symbol: 'ETH', decimals: 18 };
const fetchedLateMs = 1_700_000_000_000;

const partial = (transaction: AddressTransaction) =>
  facetsOf(
    { chainId: '1', address: me, fetchedAtMs: fetchedLateMs, completeness: 'partial', transaction },
    false,
    eth,
  );
const complete = (transaction: TransactionDetail, fetchedAtMs = fetchedLateMs) =>
  facetsOf({ chainId: '1', address: me, fetchedAtMs, completeness: 'complete', transaction }, false, eth);

describe('facets of a row', () => {
  it('name every side besides the counterparty, once, where a rule may hide the row', () => {
    const of = (value: string) => ({
      nativeTransaction: native(),
      erc20Transfers: [
        transfer('5', { from: { address: contract } }),
        transfer('5', { from: { address: contract.toLowerCase() } }),
        transfer(value, { from: { address: me }, to: { address: '0xTo' } }),
        transfer('5', { from: { address: '0xOut' }, to: { address: '0xSide' } }),
        transfer('5'),
      ],
    });
    expect(partial(of('0'))).toMatchObject({
      counterparty: other.toLowerCase(),
      otherSides: [contract.toLowerCase(), '0xto'],
    });
    // Something was lost.
    expect(partial(of('1'))).toMatchObject({ isOwnDoing: true, otherSides: [] });
  });

  it('hold the largest amount of each asset that moved, and the counterparty in lower case', () => {
    const facets = partial({
      nativeTransaction: native(),
      erc20Transfers: [
        transfer('5'),
        transfer('70'),
        transfer(undefined),
        transfer('9', { to: { address: other } }),
      ],
    });
    expect(facets).toMatchObject({
      kind: 'token-transfer',
      direction: 'in',
      status: 'success',
      counterparty: other.toLowerCase(),
      method: 'transfer',
      tokens: [
        {
          token: `1 erc20 ${contract.toLowerCase()}`,
          symbol: 'USD',
          name: 'Dollar',
          decimals: 6,
          amount: '5',
        },
        { token: `1 erc20 ${contract.toLowerCase()}`, symbol: 'USD', amount: '70' },
      ],
      rules: [],
    });
  });

  it('know an amount of which nothing is said as unknown', () => {
    const facets = partial({ nativeTransaction: native(), erc20Transfers: [transfer(undefined)] });
    expect(facets.tokens).toMatchObject([{ amount: null }]);
    expect(facets.valueThen).toBeNull();
  });

  it('hold no token of a transaction that failed', () => {
    expect(partial({ nativeTransaction: native({ txStatus: '0', value: '5' }) })).toMatchObject({
      status: 'failed',
      tokens: [],
      counterparty: other.toLowerCase(),
      counterpartyName: 'Other',
    });
  });

  it('name the rule for a token transfer of nothing that somebody else sent', () => {
    const erc20Transfers = [transfer('0')];
    expect(partial({ nativeTransaction: native(), erc20Transfers }).rules).toEqual(['zero-value']);
    const mine = native({ from: { address: me.toLowerCase() } });
    expect(partial({ nativeTransaction: mine, erc20Transfers }).rules).toEqual([]);
    expect(partial({ nativeTransaction: native({ value: '1' }), erc20Transfers }).rules).toEqual([]);
    expect(partial({ nativeTransaction: native() }).rules).toEqual([]);
  });

  describe('with the value at the time', () => {
    const price = (value: string, currencyCode = 'usd') => ({ value, currencyCode });
    const priced = (value: string) => ({
      erc20Token: { address: contract, decimals: 6, price: price(value) },
    });

    it('sum what came in, less what went out, exactly', () => {
      const facets = complete({
        nativeTransaction: native({
          from: { address: me },
          to: { address: other },
          value: '2000000000000000000',
        }),
        internalTransactions: [
          {
            from: { address: other },
            to: { address: me },
            value: '1500000000000000001',
            internalTxType: 'CALL',
            isReverted: false,
          },
        ],
        networkTokenDetails: { historicalPrice: price('3.30', 'EUR'), currentPrice: price('9') },
      });
      // (1.500000000000000001 − 2) × 3.30
      expect(facets).toMatchObject({ valueThen: '-1.6499999999999999967', valueCurrency: 'eur' });
    });

    it('do not take a price of today, of no date or without a currency, nor a part for the whole', () => {
      const nativeTransaction = native({ value: '1' });
      const historicalPrice = price('3');
      const none = [
        { nativeTransaction, networkTokenDetails: { currentPrice: price('9') } },
        { nativeTransaction, networkTokenDetails: { historicalPrice: { value: '3' } } },
        // What the token costs today says nothing of a transfer long ago.
        { nativeTransaction: native(), erc20Transfers: [transfer('1', priced('1'))] },
        {
          nativeTransaction,
          erc20Transfers: [transfer('1', priced('1'))],
          networkTokenDetails: { historicalPrice },
        },
      ];
      for (const transaction of none) {
        expect(complete(transaction)).toMatchObject({ valueThen: null, valueCurrency: null });
      }
    });

    it('wait for the price of the time while the service cannot have it, where there is one to wait for', () => {
      const nativeTransaction = native({ value: '1', blockTimestamp: 1_700_000_000 });
      const networkTokenDetails = { currentPrice: price('9') };
      const early = { nativeTransaction, networkTokenDetails };
      const atMs = 1_700_000_000_000;
      expect(complete(early, atMs + 60_000).awaitsPrice).toBe(true);
      expect(complete(early, atMs + priceExistsAfterMs - 1).awaitsPrice).toBe(true);
      expect(complete(early, atMs + priceExistsAfterMs).awaitsPrice).toBe(false);
      // A service that has no price at first may have one later.
      expect(complete({ nativeTransaction }, atMs).awaitsPrice).toBe(true);
      expect(complete({ nativeTransaction, networkTokenDetails: {} }, atMs).awaitsPrice).toBe(true);
      const others: TransactionDetail[] = [
        { ...early, networkTokenDetails: { ...networkTokenDetails, historicalPrice: price('8') } },
        { ...early, nativeTransaction: { ...nativeTransaction, value: '0' } },
      ];
      for (const transaction of others) expect(complete(transaction, atMs).awaitsPrice).toBe(false);
      expect(partial({ nativeTransaction }).awaitsPrice).toBe(false);
    });
  });

  it('hold the id of the cross-chain message in either spelling', () => {
    const nativeTransaction = native();
    expect(complete({ nativeTransaction }).messageId).toBeNull();
    expect(
      complete({ nativeTransaction, crosschainMessageInfo: { crosschainMessageId: 'm' } }).messageId,
    ).toBe('m');
    expect(
      complete({ nativeTransaction, teleporterMessageInfo: { teleporterMessageId: 't' } }).messageId,
    ).toBe('t');
  });
});
