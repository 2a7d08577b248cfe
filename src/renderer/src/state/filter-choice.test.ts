import { describe, expect, it } from 'vitest';
import {
  activityFilterSchema,
  concernsHistory,
  everything,
  type ActivityFilter,
} from '../../../shared/activity/filter.ts';
import {
  choiceOf,
  filterFor,
  inOrder,
  isEverything,
  orderAfter,
  withChoice,
  withPill,
} from './filter-choice.ts';

const none = { address: null, chainId: null };
const kind = { field: 'kind', not: false, values: ['transfer'] } as const;
const withPills = (...pills: ActivityFilter['pills']): ActivityFilter => ({ ...everything, pills });

describe('the quick choice of an address and a chain', () => {
  it.each([
    [none, none],
    [
      { address: '0xA', chainId: null },
      { address: '0xA', chainId: null },
    ],
    [
      { address: '0xA', chainId: '7' },
      { address: '0xA', chainId: '7' },
    ],
  ])('%o comes back from its filter', (choice, expected) => {
    expect(choiceOf(filterFor(choice))).toEqual(expected);
  });

  it('is none where the filter asks for several, for all but one, or twice', () => {
    expect(choiceOf(withPills({ field: 'address', not: false, values: ['0xA', '0xB'] }))).toEqual(none);
    expect(choiceOf(withPills({ field: 'chain', not: true, values: ['7'] }))).toEqual(none);
    expect(
      choiceOf(
        withPills(
          { field: 'chain', not: false, values: ['7'] },
          { field: 'chain', not: false, values: ['8'] },
        ),
      ),
    ).toEqual(none);
  });

  it('leaves the other pills and the text alone', () => {
    const filter = { ...withPills({ ...kind, values: [...kind.values] }), text: 'usdc', showHidden: true };
    const chosen = withChoice(filter, { address: '0xA', chainId: '7' });
    expect(chosen.pills.map(({ field }) => field)).toEqual(['address', 'chain', 'kind']);
    expect(chosen).toMatchObject({ text: 'usdc', showHidden: true });
    expect(withChoice(chosen, none)).toEqual(filter);
  });
});

describe('what a filter lets through', () => {
  it('is everything without pills and text', () => {
    expect(isEverything(everything)).toBe(true);
    expect(isEverything({ ...everything, showHidden: true, text: '  ' })).toBe(true);
    expect(isEverything({ ...everything, text: 'a' })).toBe(false);
    expect(isEverything(filterFor({ address: '0xA', chainId: null }))).toBe(false);
  });

  it.each([
    [withPills(), true],
    [filterFor({ address: '0xA', chainId: '7' }), true],
    [filterFor({ address: '0xB', chainId: '7' }), false],
    [filterFor({ address: '0xA', chainId: '8' }), false],
    [withPills({ field: 'chain', not: true, values: ['7'] }), false],
    [withPills({ field: 'chain', not: true, values: ['8'] }), true],
    [withPills({ field: 'block', not: false, min: '1', max: null }), true],
  ] as const)('%o concerns the history of 0xA on 7: %s', (filter, expected) => {
    expect(concernsHistory(filter, '0xA', '7')).toBe(expected);
  });
});

describe('the order of rows', () => {
  it.each(['amount', 'fee'] as const)(
    'by %s is largest first, smallest first, and newest first again',
    (by) => {
      const largest = inOrder(
        { ...everything, order: { by: 'time', ascending: true } },
        orderAfter(everything, by),
      );
      expect(largest.order).toEqual({ by, ascending: false });
      const smallest = inOrder(largest, orderAfter(largest, by));
      expect(smallest.order).toEqual({ by, ascending: true });
      expect(inOrder(smallest, orderAfter(smallest, by))).toEqual(everything);
    },
  );

  it('by time is newest first, oldest first, and newest first after any other', () => {
    const oldest = inOrder(everything, orderAfter(everything, 'time'));
    expect(oldest.order).toEqual({ by: 'time', ascending: true });
    expect(orderAfter(oldest, 'time')).toBeNull();
    expect(orderAfter(inOrder(everything, { by: 'fee', ascending: true }), 'time')).toBeNull();
  });
});

it('a filter has each pill once', () => {
  const chain = { field: 'chain' as const, not: false, values: ['7'] };
  const pill = { field: 'kind' as const, not: false, values: ['transfer'] };
  const filter = withPill({ ...withPills(chain), text: 'a' }, pill);
  expect(filter).toEqual({ ...withPills(chain, pill), text: 'a' });
  expect(withPill(filter, { ...pill })).toBe(filter);
  expect(withPill(filter, { ...pill, not: true }).pills).toHaveLength(3);
});

it('a filter has no more pills than its schema lets in, each with values of any length', () => {
  let filter = everything;
  for (let at = 0; at < 40; at += 1)
    filter = withPill(filter, { field: 'method', not: false, values: [`${at}${'x'.repeat(600)}`] });
  expect(filter.pills).toHaveLength(30);
  expect(activityFilterSchema.safeParse(filter).success).toBe(true);
  // Also with an address and a chain of the list beside it.
  const chosen = withChoice(filter, { address: '0xa', chainId: '1' });
  expect(chosen.pills).toHaveLength(32);
  expect(activityFilterSchema.safeParse(chosen).success).toBe(true);
});
