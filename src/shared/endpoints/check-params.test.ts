import { describe, expect, it } from 'vitest';
import { checkParams } from './check-params.ts';
import { addressTransactions, chainTransactions, transaction } from './data.ts';
import type { EndpointDefinition, ParamSpec } from './define.ts';

const address = '0x52908400098527886E0F7030069857D2E4169EE7';
const hash = `0x${'aB'.repeat(32)}`;

function endpointWith(spec: Partial<ParamSpec> & Pick<ParamSpec, 'kind'>): EndpointDefinition {
  const p: ParamSpec = { in: 'query', required: false, description: '', ...spec };
  return { ...chainTransactions, params: { p } };
}

function valueOf(endpoint: EndpointDefinition, value: string): string | undefined {
  const checked = checkParams(endpoint, { p: value });
  return checked.ok ? checked.value['p'] : undefined;
}

function issuesOf(endpoint: EndpointDefinition, params: unknown): readonly string[] {
  const checked = checkParams(endpoint, params);
  if (checked.ok) return [];
  expect(checked.error.code).toBe('invalid-params');
  return checked.error.code === 'invalid-params' ? checked.error.issues : [];
}

describe('checkParams', () => {
  it('returns canonical texts and leaves out what was left empty', () => {
    expect(
      checkParams(addressTransactions, {
        chainId: ' 43114 ',
        address: address.toLowerCase(),
        startBlock: '007',
        endBlock: '',
        sortOrder: 'desc',
        pageSize: undefined,
        pageToken: null,
      }),
    ).toEqual({ ok: true, value: { chainId: '43114', address, startBlock: '7', sortOrder: 'desc' } });
    expect(checkParams(transaction, { chainId: 'C', txHash: hash })).toMatchObject({
      ok: true,
      value: { txHash: hash.toLowerCase() },
    });
  });

  it('lists every problem at once, each with its parameter', () => {
    expect(
      issuesOf(addressTransactions, {
        chainId: '../..',
        startBlock: '-1',
        sortOrder: 'up',
        pageSize: '101',
        colour: 'red',
      }),
    ).toEqual([
      'colour: isn’t a parameter of this endpoint.',
      'chainId: must be a chain ID: letters and digits only.',
      'address: is required.',
      'startBlock: must be 0 or more.',
      'sortOrder: must be one of asc, desc.',
      'pageSize: must be from 1 to 100.',
    ]);
  });

  it('offers the right checksum for an address that has a wrong one', () => {
    const wrong = address.replace('E7', 'e7');
    expect(issuesOf(addressTransactions, { chainId: '1', address: wrong })).toEqual([
      `address: has a wrong checksum: a character may be mistyped. If only the capitalisation is wrong, the correct address is ${address}.`,
    ]);
  });

  it('applies the rules of the endpoint once the values themselves are right', () => {
    const params = { chainId: '1', address, startBlock: '10', endBlock: '10' };
    expect(issuesOf(addressTransactions, params)).toEqual([
      'endBlock must be greater than startBlock, because endBlock itself isn’t included.',
    ]);
    expect(issuesOf(addressTransactions, { ...params, endBlock: '11' })).toEqual([]);
    expect(issuesOf(addressTransactions, { ...params, pageSize: '0' })).toHaveLength(1);
  });

  it.each([null, undefined, 'text', 5, [], [1]])('refuses parameters that are no object: %j', (params) => {
    expect(issuesOf(chainTransactions, params)).toHaveLength(1);
  });

  it('refuses values that are no text, and names that objects have by birth', () => {
    expect(issuesOf(chainTransactions, { chainId: 43114 })).toEqual(['chainId: must be text.']);
    expect(issuesOf(chainTransactions, JSON.parse('{"chainId":"1","__proto__":"x"}'))).toEqual([
      '__proto__: isn’t a parameter of this endpoint.',
    ]);
    expect(issuesOf(chainTransactions, { chainId: '1', toString: 'x' })).toHaveLength(1);
    expect(issuesOf(chainTransactions, { chainId: '1', ['x'.repeat(1_000)]: '1' })[0]).toHaveLength(77);
  });

  it.each<[ParamSpec['kind'], string, string | undefined]>([
    ['chain', '43114', '43114'],
    [
      'chain',
      '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5',
      '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5',
    ],
    ['chain', '1/2', undefined],
    ['chain', '..', undefined],
    ['tx-hash', hash, hash.toLowerCase()],
    ['tx-hash', hash.slice(0, -1), undefined],
    ['block', '12', '12'],
    ['block', hash, hash.toLowerCase()],
    ['block', '0x12', undefined],
    ['block', '-1', undefined],
    ['node-id', 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg', 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'],
    ['node-id', '7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg', undefined],
    ['subnet-id', '11111111111111111111111111111111LpoYY', '11111111111111111111111111111111LpoYY'],
    ['subnet-id', '0'.repeat(40), undefined],
    [
      'blockchain-id',
      '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5',
      '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5',
    ],
    ['blockchain-id', 'a b', undefined],
    ['blockchain-id', '43114', '43114'],
    ['integer', '9223372036854775807', '9223372036854775807'],
    ['integer', '9223372036854775808', undefined],
    ['integer', '1.5', undefined],
    ['integer', '1e3', undefined],
    ['integer', '9'.repeat(41), undefined],
    ['timestamp', '1700000000', '1700000000'],
    ['timestamp', '1700000000000', undefined],
    ['timestamp', 'yesterday', undefined],
    ['page-token', 'a-token_=+/', 'a-token_=+/'],
    ['page-token', 'a token of 🏔', 'a token of 🏔'],
    ['page-token', 'x'.repeat(4_097), undefined],
    ['page-token', '\ud800', undefined],
  ])('%s %s', (kind, given, canonical) => {
    expect(valueOf(endpointWith({ kind }), given)).toBe(canonical);
  });

  it('accepts the further values of a chain', () => {
    const endpoint = endpointWith({ kind: 'chain', values: ['all-of-them'] });
    expect(valueOf(endpoint, 'all-of-them')).toBe('all-of-them');
    expect(valueOf(endpointWith({ kind: 'chain' }), 'all-of-them')).toBeUndefined();
  });

  it('says that a timestamp looks like milliseconds', () => {
    expect(issuesOf(endpointWith({ kind: 'timestamp' }), { p: '1700000000000' })[0]).toContain(
      'milliseconds',
    );
  });
});
