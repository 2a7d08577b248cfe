import { describe, expect, it } from 'vitest';
import { everything, type ActivityFilter } from '../../../../../shared/activity/filter.ts';
import { indexOf, type Row } from '../../testing/sample-index.ts';

describe('an order', () => {
  type Order = NonNullable<ActivityFilter['order']>;
  const ordered = (rows: Record<string, Row>, order: Order, token?: string) => {
    const index = indexOf(rows);
    const pills = token === undefined ? [] : [{ field: 'token' as const, not: false, values: [token] }];
    const selection = index.select({ ...everything, showHidden: true, pills, order });
    const names = index.ids(selection, 0, 99).map((id) => Object.keys(rows)[id - 1]);
    return [...names, selection.unrankedCount];
  };
  // The last one is the newest.
  const rows: Record<string, Row> = {
    paid: { value: '-900.5', fee: '7', tokens: [[5, '1500000000000000001']] },
    got: { value: '900.25', fee: '90071992547409930001', tokens: [[5, '1500000000000000002']] },
    none: {},
    long: {
      value: '0.30000000000000001',
      fee: '90071992547409930002',
      tokens: [
        [5, '7'],
        [5, '1500000000000000000'],
      ],
    },
    short: { value: '0.3', fee: '0', tokens: [[6, '1']] },
  };

  it.each<[Order['by'], boolean, string | undefined, (string | number)[]]>([
    ['time', false, undefined, ['short', 'long', 'none', 'got', 'paid', 0]],
    ['time', true, undefined, ['paid', 'got', 'none', 'long', 'short', 0]],
    ['amount', false, undefined, ['paid', 'got', 'long', 'short', 'none', 1]],
    ['amount', true, undefined, ['short', 'long', 'got', 'paid', 'none', 1]],
    ['amount', false, '1 native', ['got', 'paid', 'long', 0]],
    ['amount', true, '1 native', ['long', 'paid', 'got', 0]],
    ['fee', false, undefined, ['long', 'got', 'paid', 'short', 'none', 1]],
    ['fee', true, undefined, ['short', 'paid', 'got', 'long', 'none', 1]],
  ])('by %s, ascending %s, of %s', (by, ascending, token, expected) => {
    expect(ordered(rows, { by, ascending }, token)).toEqual(expected);
  });

  it('has equal ones newest first either way, and finds a row where it is', () => {
    const equal: Record<string, Row> = { old: { fee: '5' }, other: { fee: '6' }, new: { fee: '5' } };
    expect(ordered(equal, { by: 'fee', ascending: true })).toEqual(['new', 'old', 'other', 0]);
    expect(ordered(equal, { by: 'fee', ascending: false })).toEqual(['other', 'new', 'old', 0]);
    const index = indexOf(equal);
    const selection = index.select({ ...everything, order: { by: 'fee', ascending: false } });
    expect([1, 2, 3, 4].map((id) => index.placeOf(selection, id))).toEqual([2, 0, 1, null]);
  });

  it('goes by the largest of several amounts, with all of its digits', () => {
    const several: Record<string, Row> = {
      more: {
        tokens: [
          [5, '1500000000000000000'],
          [5, '1500000000000000001'],
        ],
      },
      less: { tokens: [[5, '1500000000000000000']] },
    };
    expect(ordered(several, { by: 'amount', ascending: false }, '1 native')).toEqual(['more', 'less', 0]);
  });

  it('goes by the size of values, also of long ones', () => {
    const equal: Record<string, Row> = {
      got: { value: '12345678901234567890.25' },
      paid: { value: '-12345678901234567890.5' },
    };
    expect(ordered(equal, { by: 'amount', ascending: false })).toEqual(['paid', 'got', 0]);
    expect(ordered(equal, { by: 'amount', ascending: true })).toEqual(['got', 'paid', 0]);
  });

  it.each([3, 40])('tells %i doubles apart that begin with the same bits', (count) => {
    // Each number is there once, in no order.
    const sizes = Array.from({ length: count }, (_, place) => (place * 7) % count);
    const close = Object.fromEntries(sizes.map((size) => [`n${size}`, { fee: `${2 ** 40 + size}` }]));
    const names = sizes.map((_, place) => `n${place}`);
    expect(ordered(close, { by: 'fee', ascending: true })).toEqual([...names, 0]);
    expect(ordered(close, { by: 'fee', ascending: false })).toEqual([...names.toReversed(), 0]);
  });

  it('tokens of amounts are those without an id of their own', () => {
    const index = indexOf({
      one: {
        tokens: [
          [5, '1'],
          [8, '1'],
        ],
      },
    });
    const found = (onlyCounted: boolean) =>
      index.values({ field: 'token', text: '', limit: 9, onlyCounted }).map(({ value }) => value);
    expect(found(false)).toEqual(['1 erc721 0xcc 77', '1 native']);
    expect(found(true)).toEqual(['1 native']);
  });
});
