import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AddressTransaction } from '../../../../shared/endpoints/records.ts';
import { integrityNoteOf, missingParts } from './integrity.ts';

const alice = '0xAbCdabcdabcdabcdabcdabcdabcdabcdabcdabcd';
const bob = '0x1111111111111111111111111111111111111111';
const token = { address: '0x2222222222222222222222222222222222222222' };

type Parts = Omit<AddressTransaction, 'nativeTransaction'> & {
  native?: Partial<AddressTransaction['nativeTransaction']>;
};

function made({ native, ...parts }: Parts): AddressTransaction {
  return { nativeTransaction: { txHash: '0xAA', blockNumber: '1', blockTimestamp: 1, ...native }, ...parts };
}

const transfer = (change: object = {}) => ({
  from: { address: alice },
  to: { address: bob },
  logIndex: 3,
  value: '5',
  erc20Token: token,
  ...change,
});
const nft = (change: object = {}) => ({
  from: { address: alice },
  logIndex: 4,
  erc721Token: { ...token, tokenId: '7', ...change },
});
const many = (change: object = {}) => ({
  logIndex: 5,
  value: '2',
  erc1155Token: { ...token, tokenId: '7' },
  ...change,
});
const call = (change: object = {}) => ({
  from: { address: alice },
  to: { address: bob },
  value: '9',
  internalTxType: 'CALL',
  isReverted: false,
  ...change,
});

const whole = made({
  native: { value: '1', txStatus: '1', from: { address: alice } },
  erc20Transfers: [transfer(), transfer({ logIndex: 6, value: '8' })],
  erc721Transfers: [nft()],
  erc1155Transfers: [many()],
  internalTransactions: [call(), call()],
});

describe('what the detail lacks', () => {
  it.each<[string, Parts, string[]]>([
    ['nothing of an element without parts', {}, []],
    ['nothing of the same', whole, []],
    [
      'nothing where the case of addresses differs',
      { erc20Transfers: [transfer({ from: { address: alice.toLowerCase() } })] },
      [],
    ],
    ['nothing where the list leaves fields out', { erc20Transfers: [{ erc20Token: token }] }, []],
    ['nothing where zeros lead', { erc20Transfers: [transfer({ value: '005' })] }, []],
    ['another amount', { erc20Transfers: [transfer({ value: '6' })] }, ['ERC-20 transfer']],
    ['another log index', { erc20Transfers: [transfer({ logIndex: 4 })] }, ['ERC-20 transfer']],
    ['another sender', { erc20Transfers: [transfer({ from: { address: bob } })] }, ['ERC-20 transfer']],
    ['another token', { erc20Transfers: [transfer({ erc20Token: { address: bob } })] }, ['ERC-20 transfer']],
    ['one too many of two equal ones', { erc20Transfers: [transfer(), transfer()] }, ['ERC-20 transfer']],
    ['another NFT', { erc721Transfers: [nft({ tokenId: '8' })] }, ['ERC-721 transfer']],
    ['another amount of many', { erc1155Transfers: [many({ value: '3' })] }, ['ERC-1155 transfer']],
    ['a third equal call', { internalTransactions: [call(), call(), call()] }, ['internal transaction']],
    [
      'a call that was reverted',
      { internalTransactions: [call({ isReverted: true })] },
      ['internal transaction'],
    ],
    ['the native value', { native: { value: '2' } }, ['transaction']],
    ['the outcome', { native: { txStatus: '0' } }, ['transaction']],
    ['another transaction altogether', { native: { txHash: '0xBB' } }, ['transaction']],
  ])('%s', (_name, partial, missing) => {
    expect(
      missingParts('nativeTransaction' in partial ? whole : made(partial), whole).map(({ kind }) => kind),
    ).toEqual(missing);
  });

  it('fields that some parts leave out are compared for none, but every part needs one of its own', () => {
    const loose = { erc20Token: token };
    const complete = made({ erc20Transfers: [transfer(), transfer({ logIndex: 6 })] });
    expect(missingParts(made({ erc20Transfers: [transfer(), loose] }), complete)).toEqual([]);
    expect(missingParts(made({ erc20Transfers: [transfer(), transfer(), loose] }), complete)).toHaveLength(1);
  });

  it('takes its time in proportion to what arrives, however odd', () => {
    const equal = Array.from({ length: 20_000 }, () => transfer());
    expect(missingParts(made({ erc20Transfers: equal }), made({ erc20Transfers: equal }))).toEqual([]);
    // What one part lacks does not excuse another one.
    const lacking = transfer({ logIndex: 9, value: undefined });
    const listed = made({ erc20Transfers: [transfer({ value: '6' })] });
    expect(
      missingParts(listed, made({ erc20Transfers: [transfer(), transfer({ value: '6', logIndex: 4 })] })),
    ).toHaveLength(1);
    expect(
      missingParts(
        made({ erc20Transfers: [transfer(), lacking] }),
        made({ erc20Transfers: [transfer(), lacking] }),
      ),
    ).toEqual([]);
    const none = Array.from({ length: 20_000 }, (_nothing, i) => transfer({ value: String(i + 100) }));
    expect(missingParts(made({ erc20Transfers: none }), made({ erc20Transfers: [transfer()] }))).toHaveLength(
      20_000,
    );
  });

  const field = fc.nat(3);
  const part = fc.record({ logIndex: field, from: field, to: field, value: field, token: field });
  const partOf = ({
    logIndex,
    from,
    to,
    value,
    token: which,
  }: {
    logIndex: number;
    from: number;
    to: number;
    value: number;
    token: number;
  }) => ({
    logIndex,
    from: { address: `0x${from}` },
    to: { address: `0x${to}` },
    value: String(value),
    erc20Token: { address: `0x${which}` },
  });

  it('is nothing for any part of a transaction with any fields left out, in any order', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), fc.infiniteStream(fc.nat(15)), (parts, choices) => {
        const all = parts.map(partOf);
        const next = () => choices.next().value ?? 0;
        const shown = all
          .filter(() => next() > 4)
          .map((one) => {
            const { logIndex, from, to, value, erc20Token } = one;
            return {
              erc20Token,
              ...(next() > 4 ? { logIndex } : {}),
              ...(next() > 4 ? { from } : {}),
              ...(next() > 4 ? { to } : {}),
              ...(next() > 4 ? { value } : {}),
            };
          });
        const partial = made({ erc20Transfers: next() > 7 ? shown : shown.toReversed() });
        expect(missingParts(partial, made({ erc20Transfers: all }))).toEqual([]);
      }),
    );
  });

  it('is a part that differs in any field from all others', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), part, (parts, odd) => {
        const complete = made({ erc20Transfers: parts.map(partOf) });
        const partial = made({ erc20Transfers: [partOf({ ...odd, value: odd.value + 4 })] });
        expect(missingParts(partial, complete)).toHaveLength(1);
      }),
    );
  });
});

describe('the note', () => {
  it.each<[string[], string | null]>([
    [[], null],
    [
      ['ERC-20 transfer'],
      'An earlier response included parts that are missing from this one: 1 ERC-20 transfer.',
    ],
    [
      ['internal transaction', 'ERC-20 transfer', 'internal transaction'],
      'An earlier response included parts that are missing from this one: 2 internal transactions, 1 ERC-20 transfer.',
    ],
  ])('of %j', (kinds, note) => {
    expect(integrityNoteOf(kinds.map((kind) => ({ kind: kind as 'ERC-20 transfer', fields: [] })))).toBe(
      note,
    );
  });
});
