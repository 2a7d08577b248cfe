import { describe, expect, it } from 'vitest';
import { everything, type ActivityFilter } from '../../../../../shared/activity/filter.ts';
import { viewOf, withView } from './saved-views.ts';

const chain = { field: 'chain' as const, not: false, values: ['7'] };
const kind = { field: 'kind' as const, not: false, values: ['exchange'] };
const filter: ActivityFilter = { ...everything, pills: [chain, kind] };

describe('saved views', () => {
  it('adds a view under a new name, each with an id of its own', () => {
    const views = withView(withView([], ' Mine ', filter, 5), 'Other', everything, 5);
    expect(views.map(({ name }) => name)).toEqual(['Mine', 'Other']);
    expect(new Set(views.map(({ id }) => id)).size).toBe(2);
  });

  it('gives a name that is taken the new filter', () => {
    const views = withView(withView([], 'Mine', everything, 5), 'Mine', filter, 6);
    expect(views).toEqual([{ id: '5', name: 'Mine', filter }]);
  });

  it('knows a filter again whatever the order of its pills', () => {
    const views = withView([], 'Mine', filter, 5);
    expect(
      viewOf(views, { ...filter, pills: [kind, { values: ['7'], not: false, field: 'chain' }] })?.name,
    ).toBe('Mine');
    expect(viewOf(views, { ...filter, showHidden: true })).toBeNull();
    expect(viewOf(views, { ...filter, order: { by: 'fee', ascending: true } })).toBeNull();
    expect(viewOf(views, { ...filter, pills: [{ ...chain, not: true }, kind] })).toBeNull();
  });
});
