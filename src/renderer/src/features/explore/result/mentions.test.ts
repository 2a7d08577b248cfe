import { describe, expect, it } from 'vitest';
import { mentionOf, requestsFor } from './mentions.ts';
import { cellsOf } from './result-rows.ts';

const address = `0x${'a'.repeat(40)}`;
const hash = `0x${'b'.repeat(64)}`;
const cells = cellsOf({
  nativeTransaction: { chainId: '43114', txHash: hash, blockHash: hash, blockNumber: '12', input: hash },
  to: { address },
});
const find = (path: string) => mentionOf(path, cells.get(path), cells, null);

describe('mentions', () => {
  it.each([
    ['nativeTransaction.chainId', 'chain'],
    ['nativeTransaction.txHash', 'tx-hash'],
    ['nativeTransaction.blockHash', 'block'],
    ['nativeTransaction.blockNumber', 'block'],
    ['to.address', 'address'],
  ])('finds at %s a %s with its chain', (path, kind) => {
    expect(find(path)).toMatchObject({ kind, chainId: '43114' });
  });

  it('does not take any hash for a transaction', () => {
    expect(find('nativeTransaction.input')).toBeNull();
  });

  it('falls back to the chain that was asked about', () => {
    const row = cellsOf({ txHash: hash });
    expect(mentionOf('txHash', hash, row, '8021')?.chainId).toBe('8021');
  });

  it('open the forms that take them, filled in', () => {
    const transaction = find('nativeTransaction.txHash');
    expect(transaction && requestsFor(transaction)).toMatchObject([
      {
        id: 'transaction',
        values: { chainId: '43114', txHash: hash },
      },
    ]);
    const party = find('to.address');
    const titles = party === null ? [] : requestsFor(party).map(({ title }) => title);
    expect(titles).toContain('Transactions for an address');
    expect(titles).toContain('Chains for an address');
  });
});
