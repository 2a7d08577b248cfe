import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressErc20Transfers, chainTransactions } from './data.ts';
import { cacheKey, requestUrl } from './request-url.ts';

const base = 'https://data.example.com';
const address = '0x52908400098527886E0F7030069857D2E4169EE7';

describe('requestUrl', () => {
  it('fills the path, keeps its colon and adds only the given query parameters', () => {
    expect(requestUrl(addressErc20Transfers, base, { chainId: '43114', address, pageToken: 'a+b/c=' })).toBe(
      `${base}/v1/chains/43114/addresses/${address}/transactions:listErc20?pageToken=a%2Bb%2Fc%3D`,
    );
    expect(requestUrl(chainTransactions, `${base}/prefix//`, { chainId: '1' })).toBe(
      `${base}/prefix/v1/chains/1/transactions`,
    );
  });

  it('gives every value exactly its own place, whatever it holds', () => {
    const value = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((text) => text !== '.' && text !== '..');
    fc.assert(
      fc.property(value, value, (chainId, pageToken) => {
        const url = new URL(requestUrl(chainTransactions, base, { chainId, pageToken }));
        expect(url.origin).toBe(base);
        expect(url.hash).toBe('');
        const segments = url.pathname.split('/');
        expect(segments).toHaveLength(5);
        expect(decodeURIComponent(segments[3] ?? '')).toBe(chainId);
        expect([...url.searchParams]).toEqual([['pageToken', pageToken]]);
      }),
    );
  });

  it.each(['', '.', '..', undefined])(
    'refuses a path parameter that would change the path: %j',
    (chainId) => {
      expect(() => requestUrl(chainTransactions, base, chainId === undefined ? {} : { chainId })).toThrow();
    },
  );
});

describe('cacheKey', () => {
  it('does not depend on the order of the parameters', () => {
    expect(cacheKey(chainTransactions, base, { chainId: '1', pageSize: '5' })).toBe(
      cacheKey(chainTransactions, base, { pageSize: '5', chainId: '1' }),
    );
  });

  it('is another one for another service, endpoint, name or value', () => {
    const params = { chainId: '1', pageSize: '5' };
    const keys = [
      cacheKey(chainTransactions, base, params),
      cacheKey(chainTransactions, 'https://other.example.com', params),
      cacheKey(addressErc20Transfers, base, params),
      cacheKey(chainTransactions, base, { ...params, pageSize: '6' }),
      cacheKey(chainTransactions, base, { chainId: '1', pageToken: '5' }),
      cacheKey(chainTransactions, base, { chainId: '1","pageSize":"5' }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });
});
