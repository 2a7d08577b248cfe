import { describe, expect, it } from 'vitest';
import { everything, type FilterPill, type RangeField } from '../../../../../shared/activity/filter.ts';
import type { SpamVerdict } from '../../../../../shared/activity/spam-types.ts';
import { alice, bob, hashOf, indexOf, shop, stranger, type Row } from '../../testing/sample-index.ts';
import { reasonBits, ruleBits } from '../verdict.ts';

/** What each filter field lets through, row by row, without a database. `stored-rows.filters.property.test.ts` proves the same of any store. */

/** The names of the rows that the filter lets through, in their order. */
function through(rows: Record<string, Row>, pills: readonly FilterPill[], text = ''): string[] {
  const index = indexOf(rows);
  const selection = index.select({ ...everything, showHidden: true, pills: [...pills], text });
  const names = Object.keys(rows);
  return index
    .ids(selection, 0, names.length)
    .sort((a, b) => a - b)
    .map((id) => names[id - 1] ?? '');
}

const others = (rows: Record<string, Row>, kept: readonly string[]) =>
  Object.keys(rows).filter((name) => !kept.includes(name));

const byUser: SpamVerdict = { rules: [], decision: 'hide', decidedFor: 'row', hiddenReason: 'user' };

type Choice = Extract<FilterPill, { values: string[] }>;

describe('a choice of values', () => {
  const rows: Record<string, Row> = {
    plain: {},
    other: { address: 2, chain: 2, kind: 'exchange', direction: 'both', status: 'failed' },
    partial: { isComplete: false, counterparty: 1, method: 3, tokens: [[5, '1']] },
    unread: {
      hasUnreadParts: true,
      counterparty: 2,
      method: 4,
      tokens: [
        [6, '1'],
        [7, null],
      ],
    },
    partialUnread: { isComplete: false, hasUnreadParts: true, status: 'unknown', kind: 'contract-creation' },
    spam: {
      reasons: ruleBits(['zero-value', 'fan-out']),
      direction: 'none',
    },
    hidden: { reasons: reasonBits(byUser), direction: 'self' },
  };

  it.each<[Choice['field'], string[], string[]]>([
    ['address', [bob], ['other']],
    ['address', [bob.toLowerCase()], ['other']],
    ['address', [stranger], []],
    ['tag', ['cold'], others(rows, ['other'])],
    ['tag', ['Cold'], []],
    ['chain', ['43114'], ['other']],
    ['chain', ['43114', '1'], Object.keys(rows)],
    ['kind', ['exchange'], ['other']],
    ['kind', ['exchange', 'contract-creation'], ['other', 'partialUnread']],
    ['direction', ['both'], ['other']],
    ['direction', ['none', 'self'], ['spam', 'hidden']],
    ['status', ['failed'], ['other']],
    ['status', ['unknown', 'failed'], ['other', 'partialUnread']],
    ['completeness', ['partial'], ['partial', 'partialUnread']],
    ['completeness', ['complete'], ['plain', 'other', 'spam', 'hidden']],
    ['completeness', ['unread'], ['unread', 'partialUnread']],
    ['token', ['1 native'], ['partial']],
    ['token', ['1 erc20 0xbb'], ['unread']],
    ['token', ['1 native', '1 erc20 0xaa'], ['partial', 'unread']],
    ['counterparty', [shop], ['partial']],
    ['counterparty', [stranger.toUpperCase().replace('X', 'x')], ['unread']],
    ['counterparty', [alice], []],
    ['method', ['swap'], ['partial']],
    ['method', ['0xdeadbeef', 'swap'], ['partial', 'unread']],
    ['hidden', ['user'], ['hidden']],
    ['hidden', ['fan-out'], ['spam']],
    ['hidden', ['look-alike'], []],
    ['hidden', ['look-alike', 'zero-value', 'user'], ['spam', 'hidden']],
  ])('%s %j', (field, values, expected) => {
    expect(through(rows, [{ field, values, not: false }])).toEqual(expected);
    expect(through(rows, [{ field, values, not: true }])).toEqual(others(rows, expected));
  });

  it('and another one: both have to let a row through', () => {
    const partial: FilterPill = { field: 'completeness', values: ['partial'], not: false };
    const unread: FilterPill = { field: 'completeness', values: ['unread'], not: true };
    expect(through(rows, [partial, unread])).toEqual(['partial']);
  });
});

describe('a range', () => {
  const range =
    (field: RangeField, min: string | null, max: string | null, token?: string) =>
    (not: boolean): FilterPill => ({ field, not, min, max, ...(token === undefined ? {} : { token }) });

  const values: Record<string, Row> = {
    none: {},
    '-2': { value: '-2' },
    '0.29999999999999999': { value: '0.29999999999999999' },
    '0.3': { value: '0.3' },
    '0.30000000000000001': { value: '0.30000000000000001' },
    '5.0': { value: '5' },
  };

  it.each<[string | null, string | null, string[]]>([
    [null, null, ['-2', '0.29999999999999999', '0.3', '0.30000000000000001', '5.0']],
    ['0', null, ['0.29999999999999999', '0.3', '0.30000000000000001', '5.0']],
    [null, '0', ['-2']],
    ['0.3', '0.3', ['0.3']],
    ['0.30000000000000001', null, ['0.30000000000000001', '5.0']],
    [null, '0.30000000000000001', ['-2', '0.29999999999999999', '0.3', '0.30000000000000001']],
    ['0.300000000000000005', '5', ['0.30000000000000001', '5.0']],
    [null, '0.300000000000000005', ['-2', '0.29999999999999999', '0.3']],
    ['6', null, []],
    ['0.3', null, ['0.3', '0.30000000000000001', '5.0']],
    [null, '0.3', ['-2', '0.29999999999999999', '0.3']],
  ])('of values from %s to %s', (min, max, expected) => {
    const pill = range('value', min, max);
    expect(through(values, [pill(false)])).toEqual(expected);
    expect(through(values, [pill(true)])).toEqual(others(values, expected));
  });

  const amounts: Record<string, Row> = {
    nothing: {},
    unknown: { tokens: [[7, '5']] },
    untold: { tokens: [[5, null]] },
    cents: { tokens: [[6, '150']] },
    ether: { tokens: [[5, '1500000000000000000']] },
    more: { tokens: [[5, '1500000000000000001']] },
    less: { tokens: [[5, '1499999999999999999']] },
    mixed: {
      tokens: [
        [5, '1500000000000000001'],
        [6, '150'],
      ],
    },
    both: {
      tokens: [
        [5, '1000000000000000000'],
        [6, '900'],
      ],
    },
  };

  it.each<[string | null, string | null, string | undefined, string[]]>([
    [null, null, undefined, ['cents', 'ether', 'more', 'less', 'mixed', 'both']],
    // Doubles that are equal are told apart by their digits.
    ['1.5', '1.5', undefined, ['cents', 'ether', 'mixed']],
    ['1.5', null, undefined, ['cents', 'ether', 'more', 'mixed', 'both']],
    [null, '1.5', undefined, ['cents', 'ether', 'less', 'mixed', 'both']],
    ['1.500000000000000001', null, undefined, ['more', 'mixed', 'both']],
    ['1.5000000000000000005', '8', undefined, ['more', 'mixed']],
    [null, '1.500000000000000001', undefined, ['cents', 'ether', 'more', 'less', 'mixed', 'both']],
    [null, '1', undefined, ['both']],
    ['9', null, undefined, ['both']],
    ['9.01', null, undefined, []],
    ['1.5', null, '1 native', ['ether', 'more', 'mixed']],
    [null, '1.5', '1 native', ['ether', 'less', 'both']],
    ['1.500000000000000001', null, '1 native', ['more', 'mixed']],
    ['1.5', null, '1 erc20 0xaa', ['cents', 'mixed', 'both']],
    [null, null, '1 erc20 0xbb', []],
    [null, null, 'no token', []],
  ])('of amounts from %s to %s of %s', (min, max, token, expected) => {
    const pill = range('amount', min, max, token);
    expect(through(amounts, [pill(false)])).toEqual(expected);
    expect(through(amounts, [pill(true)])).toEqual(others(amounts, expected));
  });

  const blocks: Record<string, Row> = {
    '0': { block: 0n },
    '7': { block: 7n },
    '2^32-1': { block: 2n ** 32n - 1n },
    '2^32': { block: 2n ** 32n },
    '2^63-1': { block: 2n ** 63n - 1n },
  };

  it.each<[string | null, string | null, string[]]>([
    [null, null, Object.keys(blocks)],
    ['7', '7', ['7']],
    ['8', '4294967295', ['2^32-1']],
    ['4294967296', '4294967296', ['2^32']],
    ['4294967297', null, ['2^63-1']],
    ['-5', '6', ['0']],
    ['9223372036854775807', '99999999999999999999', ['2^63-1']],
    ['9223372036854775808', null, []],
  ])('of blocks from %s to %s', (min, max, expected) => {
    const pill = range('block', min, max);
    expect(through(blocks, [pill(false)])).toEqual(expected);
    expect(through(blocks, [pill(true)])).toEqual(others(blocks, expected));
  });

  it.each<[string | null, string | null, string[]]>([
    [null, null, ['before', 'then', 'after']],
    ['1000', '1000', ['then']],
    ['1001', null, ['after']],
    [null, '999', ['before']],
  ])('of times from %s to %s', (min, max, expected) => {
    const times: Record<string, Row> = {
      before: { timestampMs: -1 },
      then: { timestampMs: 1_000 },
      after: { timestampMs: 1_001 },
    };
    const pill = range('time', min, max);
    expect(through(times, [pill(false)])).toEqual(expected);
    expect(through(times, [pill(true)])).toEqual(others(times, expected));
  });

  it.each([
    ['block', '1.5'],
    ['time', '0.1'],
    ['value', 'many'],
  ] as const)('of the field %s takes no %s', (field, bound) => {
    expect(() => through({}, [range(field, bound, null)(false)])).toThrow(
      `a bound of the field ${field} is no number`,
    );
    expect(() => through({}, [range(field, null, bound)(false)])).toThrow(
      `a bound of the field ${field} is no number`,
    );
  });
});

describe('a text', () => {
  const rows: Record<string, Row> = {
    plain: { hash: hashOf('abcdef0123456789abcdef') },
    bobs: { address: 2, hash: hashOf('abcdef0123456789abcd00') },
    shop: { address: 2, counterparty: 1, hash: hashOf('abcdef0123456788') },
    mallory: { address: 2, counterparty: 2, hash: hashOf('abcdee') },
    swap: { address: 2, method: 3, hash: '0xABC' },
    usd: {
      address: 2,
      tokens: [
        [5, '1'],
        [6, '1'],
      ],
      hash: 'odd',
    },
    mystery: { address: 2, tokens: [[7, null]] },
  };
  const shared = ['bobs', 'shop', 'mallory', 'swap', 'usd', 'mystery'];

  it.each<[string, string[]]>([
    ['', Object.keys(rows)],
    ['  ', Object.keys(rows)],
    ['savings', ['plain']],
    ['  SAV ', ['plain']],
    ['a11ce', ['plain']],
    ['B0B', shared],
    ['the shop', ['shop']],
    ['5a0e', ['shop']],
    ['mallory', ['mallory']],
    ['dead0', ['mallory']],
    ['swa', ['swap']],
    ['usd', ['usd']],
    ['dolla', ['usd']],
    ['eth', ['usd']],
    ['myst', ['mystery']],
    ['nobody', []],
    // Hashes by how they begin, however many digits are given.
    ['0xabc', ['plain', 'bobs', 'shop', 'mallory', 'swap']],
    ['0xABCDEF', ['plain', 'bobs', 'shop']],
    ['0xabcdef0123456789', ['plain', 'bobs']],
    ['0xabcdef0123456789abcd', ['plain', 'bobs']],
    ['0xabcdef0123456789abcdef', ['plain']],
    ['0xabcdef0123456789abcdee', []],
    ['0xzz', []],
    ['abcdef', []],
    ['od', []],
  ])('%j', (text, expected) => {
    expect(through(rows, [], text)).toEqual(expected);
  });

  it('and a pill: both have to let a row through', () => {
    expect(through(rows, [{ field: 'method', values: ['swap'], not: true }], '0xabc')).toEqual([
      'plain',
      'bobs',
      'shop',
      'mallory',
    ]);
  });
});

it('offers the values that rows have, with their names and how often', () => {
  const index = indexOf({
    one: { counterparty: 1, tokens: [[6, '1']] },
    two: { counterparty: 2, tokens: [[7, null]], chain: 2 },
    three: { address: 2, counterparty: 2 },
  });
  const offered = (field: Choice['field']) =>
    index.values({ field, text: '', limit: 9 }).map(({ label, count }) => `${label}: ${count}`);
  expect(offered('address')).toEqual(['Savings: 2', `${bob.toLowerCase()}: 1`]);
  expect(offered('counterparty')).toEqual(['Mallory: 2', 'The Shop: 1']);
  expect(offered('token')).toEqual(['USD: 1', 'Mystery: 1']);
  expect(offered('chain')).toEqual(['1: 2', '43114: 1']);
});
