import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AddressTransaction, TransactionDetail } from '../endpoints/records.ts';
import { describeRow, type DescribedRow } from './describe.ts';
import { isOwnDoing, spamRulesOf } from './spam.ts';
import type { SpamRule } from './spam-types.ts';

const me = '0x52908400098527886E0F7030069857D2E4169EE7';
const stranger = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
const contract = '0x27b1fdb04752bbc536007a920d24acb045561c26';

interface Options {
  /** Null where the service does not say. */
  sender?: string | null;
  value?: string;
  completeness?: 'partial' | 'complete';
}

function rules(parts: Partial<TransactionDetail>, options: Options = {}): SpamRule[] {
  const row = rowOf(parts, options);
  return spamRulesOf(row, describeRow(row, [me]));
}

function rowOf(
  parts: Partial<TransactionDetail>,
  { sender = stranger, value = '0', completeness = 'complete' }: Options,
): DescribedRow {
  const transaction: TransactionDetail & AddressTransaction = {
    nativeTransaction: {
      txHash: '0x1',
      blockNumber: '1',
      blockTimestamp: 1,
      txStatus: '1',
      value,
      gasUsed: '1',
      gasPrice: '1',
      ...(sender === null ? {} : { from: { address: sender } }),
      to: { address: value === '0' ? contract : me },
      method: { callType: 'CONTRACT_CALL' },
    },
    ...parts,
  };
  return { address: me, completeness, transaction };
}

function erc20(from: string, to: string, value: string, token: object = {}) {
  return {
    from: { address: from },
    to: { address: to },
    value,
    logIndex: 1,
    erc20Token: { address: contract, symbol: 'TOK', decimals: 6, ...token },
  };
}

function nft(token: object, to = me) {
  return {
    from: { address: stranger },
    to: { address: to },
    logIndex: 1,
    erc721Token: { address: contract, tokenId: '7', ...token },
  };
}

function erc1155(token: object, to = me) {
  const { erc721Token, ...rest } = nft(token, to);
  return { ...rest, value: '1', erc1155Token: { ...erc721Token, ercType: 'ERC-1155' } };
}

function receiver(index: number): string {
  return `0x${index.toString(16).padStart(40, '0')}`;
}

const crowd = Array.from({ length: 19 }, (_, index) => erc20(stranger, receiver(index + 1), '1'));

describe('zero-value', () => {
  it('a transfer of nothing in my name, sent by a stranger', () => {
    expect(rules({ erc20Transfers: [erc20(me, stranger, '0')] })).toEqual(['zero-value']);
    expect(rules({ erc20Transfers: [erc20(stranger, me, '0')] })).toContain('zero-value');
  });

  it('not when I sent the transaction, when something moved, or when the amount is not known', () => {
    expect(rules({ erc20Transfers: [erc20(me, stranger, '0')] }, { sender: me })).toEqual([]);
    expect(rules({ erc20Transfers: [erc20(me, stranger, '0'), erc20(stranger, me, '5')] })).toEqual([]);
    const unknown = erc20(me, stranger, '0');
    expect(rules({ erc20Transfers: [{ ...unknown, value: undefined }] })).toEqual([]);
  });

  it('not when native value came with it, or when nothing in it concerns me', () => {
    expect(rules({ erc20Transfers: [erc20(me, stranger, '0')] }, { value: '5' })).toEqual([]);
    expect(rules({ erc20Transfers: [erc20(stranger, contract, '0')] })).toEqual([]);
  });
});

describe('fan-out', () => {
  it('a token without a price, to many at once', () => {
    expect(rules({ erc20Transfers: [...crowd, erc20(stranger, me, '1')] })).toEqual(['fan-out']);
  });

  it('not with a price, to one fewer, or where the others cannot be seen', () => {
    const price = { price: { currencyCode: 'usd', value: '1' } };
    const priced = [...crowd, erc20(stranger, me, '1')].map(({ erc20Token, ...rest }) => ({
      ...rest,
      erc20Token: { ...erc20Token, ...price },
    }));
    expect(rules({ erc20Transfers: priced })).toEqual([]);
    expect(rules({ erc20Transfers: [...crowd.slice(1), erc20(stranger, me, '1')] })).toEqual([]);
    expect(
      rules({ erc20Transfers: [...crowd, erc20(stranger, me, '1')] }, { completeness: 'partial' }),
    ).toEqual([]);
  });
});

it('a fan-out of thousands of transfers to one address is found at once', () => {
  const toMe = Array.from({ length: 10_000 }, () => erc20(stranger, me, '1'));
  const startedMs = performance.now();
  expect(rules({ erc20Transfers: [...crowd, ...toMe] })).toEqual(['fan-out']);
  expect(performance.now() - startedMs).toBeLessThan(2_500);
});

describe('fan-out of several tokens', () => {
  const other = { address: receiver(99) };
  const toMe = erc20(stranger, me, '1');

  it('a token is handed out to those who receive it, whatever else the transaction moves', () => {
    expect(rules({ erc20Transfers: [...crowd, erc20(stranger, me, '1', other)] })).toEqual([]);
    expect(rules({ erc20Transfers: [...crowd, toMe, erc20(stranger, me, '1', other)] })).toEqual([]);
    const priced = erc20(stranger, contract, '1', { ...other, price: { value: '1' } });
    expect(rules({ erc20Transfers: [...crowd, toMe, priced] })).toEqual(['fan-out']);
  });

  it('each receiver counts once, however it is spelled, and one that is not known does not', () => {
    const again = erc20(stranger, receiver(15).toUpperCase().replace('X', 'x'), '1');
    const { to: _to, ...toNobody } = toMe;
    expect(rules({ erc20Transfers: [...crowd.slice(1), again, toNobody, toMe] })).toEqual([]);
  });

  it.each(['erc721Transfers', 'erc1155Transfers'] as const)('NFTs are handed out too: %s', (list) => {
    const transfer = list === 'erc721Transfers' ? nft : erc1155;
    const others = crowd.map(({ to }) => transfer({}, to.address));
    expect(rules({ [list]: [...others, transfer({})] })).toEqual(['fan-out']);
    expect(rules({ [list]: [...others.slice(1), transfer({})] })).toEqual([]);
    expect(rules({ [list]: [...others, transfer(other)] })).toEqual([]);
  });
});

describe('lure-text', () => {
  it.each([
    'http://example.invalid',
    'prize.xyz',
    'prize.event',
    'https://example.invalid',
    'ＷＷＷ．example',
    'cl\u200baim your prize',
    '$ 1000 AIRDROP',
    't.me/prize',
    'example . xyz',
  ])('%j', (name) => {
    expect(rules({ erc20Transfers: [erc20(stranger, me, '1', { name })] })).toEqual(['lure-text']);
  });

  it.each(['USDC.e', 'yearn.finance', 'Company Share', 'Reclaimed Water', 'v1.0'])('not %j', (name) => {
    expect(rules({ erc20Transfers: [erc20(stranger, me, '1', { name })] })).toEqual([]);
  });

  const name = 'claim at example.com';

  it('one of the tokens is enough', () => {
    expect(rules({ erc20Transfers: [erc20(stranger, me, '1', { name }), erc20(stranger, me, '1')] })).toEqual(
      ['lure-text'],
    );
  });

  it('not where native value came too, or a token of mine was touched', () => {
    const transfer = erc20(stranger, me, '1', { name });
    expect(rules({ erc20Transfers: [transfer] }, { value: '5' })).toEqual([]);
    expect(rules({ erc20Transfers: [transfer, erc20(me, stranger, '0')] })).toEqual([]);
  });

  it('not what I send myself', () => {
    expect(rules({ erc20Transfers: [erc20(me, stranger, '1', { name })] }, { sender: me })).toEqual([]);
  });
});

describe('remote-media', () => {
  const remote = { metadata: { imageUri: 'https://example.invalid/a.png' } };

  it.each([
    ['https://example.invalid/a.png', ['remote-media']],
    ['http://example.invalid/a.png', ['remote-media']],
    [' //example.invalid/a.png', ['remote-media']],
    ['ipfs://bafy?from=https://example.invalid', []],
    ['data:image/png;base64,AA==', []],
    [undefined, []],
  ])('%s', (uri, expected) => {
    const imageUri = uri === undefined ? {} : { imageUri: uri };
    expect(rules({ erc721Transfers: [nft({ metadata: imageUri })] })).toEqual(expected);
    const animationUri = uri === undefined ? {} : { animationUri: uri };
    expect(rules({ erc1155Transfers: [erc1155({ metadata: animationUri })] })).toEqual(expected);
  });

  it('of each token that came, by its number', () => {
    expect(rules({ erc721Transfers: [nft(remote), nft({ tokenId: '8' })] })).toEqual([]);
    expect(rules({ erc721Transfers: [nft({ ...remote, tokenId: undefined })] })).toEqual(['remote-media']);
  });
});

describe('what the user did or lost', () => {
  const doing = (parts: Partial<TransactionDetail>, options: Options = {}) => {
    const row = rowOf(parts, options);
    return isOwnDoing(row, describeRow(row, [me]));
  };

  it.each<[string, boolean, Partial<TransactionDetail>, Options]>([
    ['I sent it', true, { erc20Transfers: [erc20(me, stranger, '10000')] }, { sender: me.toLowerCase() }],
    ['somebody else moved what is mine', true, { erc20Transfers: [erc20(me, stranger, '1')] }, {}],
    [
      'how much left is not known',
      true,
      { erc20Transfers: [{ ...erc20(me, stranger, '0'), value: undefined }] },
      {},
    ],
    ['nothing left in my name', false, { erc20Transfers: [erc20(me, stranger, '0')] }, {}],
    [
      'something of mine left while something came',
      true,
      { erc20Transfers: [erc20(stranger, me, '5'), erc20(me, stranger, '1')] },
      {},
    ],
    ['who sent it is not known', true, { erc20Transfers: [erc20(stranger, me, '1')] }, { sender: null }],
    ['something came', false, { erc20Transfers: [erc20(stranger, me, '1')] }, {}],
  ])('%s: %s', (_name, expected, parts, options) => {
    expect(doing(parts, options)).toBe(expected);
  });
});

it('never throws and never calls my own transaction spam', () => {
  const text = fc.option(fc.string(), { nil: undefined });
  fc.assert(
    fc.property(fc.array(fc.record({ from: text, to: text, value: text, name: text })), (transfers) => {
      const erc20Transfers = transfers.map(({ from, to, value, name }) => ({
        ...(from === undefined ? {} : { from: { address: from } }),
        ...(to === undefined ? {} : { to: { address: to } }),
        ...(value === undefined ? {} : { value }),
        erc20Token: { address: contract, ...(name === undefined ? {} : { name }) },
      }));
      rules({ erc20Transfers });
      expect(rules({ erc20Transfers }, { sender: me })).toEqual([]);
    }),
  );
});
