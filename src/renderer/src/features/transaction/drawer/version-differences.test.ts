import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { differencesOf } from './version-differences.ts';

const transfer = (logIndex: number, value: string) => ({ logIndex, value, from: { address: '0x1' } });

describe('differencesOf', () => {
  it('finds none between equal records, whatever they are', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(differencesOf(value, structuredClone(value))).toEqual({ list: [], isCut: false });
      }),
    );
  });

  it('names a changed field by its path', () => {
    const before = { nativeTransaction: { blockHash: '0xaa', value: '1' } };
    const after = { nativeTransaction: { blockHash: '0xbb', value: '1' } };
    expect(differencesOf(before, after).list).toEqual([
      { path: 'nativeTransaction.blockHash', before: '"0xaa"', after: '"0xbb"' },
    ]);
  });

  it('finds a transfer again by its log index, whatever its place is', () => {
    const before = { erc20Transfers: [transfer(3, '10'), transfer(7, '20')] };
    const after = { erc20Transfers: [transfer(7, '21'), transfer(3, '10')] };
    expect(differencesOf(before, after).list).toEqual([
      { path: 'erc20Transfers[log 7].value', before: '"20"', after: '"21"' },
    ]);
  });

  it('tells a part that is in one version only', () => {
    const list = differencesOf(
      { erc20Transfers: [transfer(3, '10')] },
      { erc20Transfers: [transfer(4, '9')] },
    ).list;
    expect(list.map(({ path, before, after }) => [path, before === null, after === null])).toEqual([
      ['erc20Transfers[log 3]', false, true],
      ['erc20Transfers[log 4]', true, false],
    ]);
  });

  it('loses no element of a list whose members share a log index', () => {
    const twice = [transfer(3, '1'), transfer(3, '2')];
    expect(differencesOf({ l: twice }, { l: [twice[0]] }).list).toEqual([
      { path: 'l[position 1]', before: JSON.stringify(twice[1]), after: null },
    ]);
  });

  it('does not mind a null for nothing, or digits as text for a number', () => {
    expect(differencesOf({ a: null, b: 5 }, { b: '5' }).list).toEqual([]);
  });

  it('lists a bounded number of differences and says that there are more', () => {
    const many = (offset: number) => Array.from({ length: 1_000 }, (_, index) => index + offset);
    const { list, isCut } = differencesOf(many(0), many(1));
    expect(list).toHaveLength(200);
    expect(isCut).toBe(true);
  });
});
