import { describe, expect, it } from 'vitest';
import { describeMovement } from './describe.ts';
import { LookAlikes, lookAlikeIn } from './look-alike.ts';

const known = '0x1234aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa5678';
const other = '0xABCDaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaEF01';

describe('look-alikes', () => {
  it.each([
    ['0x1234BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB5678', known],
    ['0xabcdbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbef01', other.toLowerCase()],
    [known, null],
    [known.toUpperCase().replace('0X', '0x'), null],
    ['0x1235bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb5678', null],
    ['0x1234bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb5679', null],
    ['0xabcebbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbef01', null],
    ['0x12345678', null],
    [null, null],
  ])('%s', (address, expected) => {
    expect(new LookAlikes([known, other, 'no address']).of(address)).toBe(expected);
  });

  it('are none of what is no address', () => {
    expect(new LookAlikes(['0x12345678']).of(known)).toBeNull();
  });

  it('are none where both are known, in whatever order they became so', () => {
    const second = '0x1234bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb5678';
    expect(new LookAlikes([known, second]).of(second)).toBeNull();
    expect(new LookAlikes([second, known]).of(known)).toBeNull();
  });
});

describe('look-alikes in a row', () => {
  const me = '0x9999000000000000000000000000000000009999';
  const stranger = '0x8888000000000000000000000000000000008888';
  const alike = '0x1234bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb5678';

  /** A row of mine whose transaction a stranger sent to a contract, with these transfers from one to another. */
  function foundIn(sender: string, ...transfers: (readonly [from: string | null, to: string | null])[]) {
    const partyOf = (name: 'from' | 'to', address: string | null) =>
      address === null ? {} : { [name]: { address } };
    const described = describeMovement({
      address: me,
      completeness: 'complete',
      transaction: {
        nativeTransaction: {
          txHash: '0x1',
          blockNumber: '1',
          blockTimestamp: 1,
          txStatus: '1',
          value: '0',
          gasUsed: '1',
          gasPrice: '1',
          from: { address: sender },
          to: { address: stranger },
        },
        erc20Transfers: transfers.map(([from, to], logIndex) => ({
          ...partyOf('from', from),
          ...partyOf('to', to),
          value: '1',
          logIndex,
          erc20Token: { address: stranger },
        })),
      },
    });
    return lookAlikeIn(described, new LookAlikes([known]));
  }

  it('who sent something to me, or received something of mine, and who the row is with', () => {
    const found = { address: alike, known };
    expect(foundIn(stranger, [alike, me])).toEqual(found);
    expect(foundIn(stranger, [stranger, me], [alike, me])).toEqual(found);
    expect(foundIn(stranger, [me, stranger], [me, alike])).toEqual(found);
    expect(foundIn(alike, [stranger, me], [null, me])).toEqual(found);
  });

  it('nobody else: not what moves between others, and not me', () => {
    expect(foundIn(stranger, [stranger, me], [alike, alike])).toBeNull();
    expect(foundIn(stranger, [known, me])).toBeNull();
    expect(foundIn(stranger, [null, me], [me, null])).toBeNull();
    expect(foundIn(stranger)).toBeNull();
  });
});
