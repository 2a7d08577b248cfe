import {
  everything,
  type ActivityFilter,
  type ChoicePill,
  type FilterPill,
  type RowsOrder,
} from '../../../shared/activity/filter.ts';
import { mostPills } from '../../../shared/limits.ts';

/** The quick choice of an address and a chain; null means all. */
export interface FilterChoice {
  address: string | null;
  chainId: string | null;
}

/** A filter of one address, one chain, or both. */
export const filterFor = (choice: FilterChoice): ActivityFilter => withChoice(everything, choice);

/** The address and the chain that a filter asks for; each null where it names none or several, or excludes one. */
export function choiceOf(filter: ActivityFilter): FilterChoice {
  return { address: onlyValue(filter, 'address'), chainId: onlyValue(filter, 'chain') };
}

/** The same filter for another address and chain; the other pills stay. */
export function withChoice(filter: ActivityFilter, { address, chainId }: FilterChoice): ActivityFilter {
  const pills: FilterPill[] = filter.pills.filter(({ field }) => field !== 'address' && field !== 'chain');
  if (chainId !== null) pills.unshift({ field: 'chain', not: false, values: [chainId] });
  if (address !== null) pills.unshift({ field: 'address', not: false, values: [address] });
  return { ...filter, pills };
}

/** The filter with one more pill, unless it has that pill or as many as it can already. */
export function withPill(filter: ActivityFilter, pill: FilterPill): ActivityFilter {
  const text = JSON.stringify(pill);
  return filter.pills.length >= mostPills || filter.pills.some((known) => JSON.stringify(known) === text)
    ? filter
    : { ...filter, pills: [...filter.pills, pill] };
}

/** The filter in another order; null for newest first. */
export function inOrder(filter: ActivityFilter, order: RowsOrder | null): ActivityFilter {
  const { order: _before, ...unordered } = filter;
  return order === null ? unordered : { ...unordered, order };
}

/** The order after a press on the head of a column: the largest first, then the smallest, then newest first again. */
export function orderAfter({ order }: ActivityFilter, by: RowsOrder['by']): RowsOrder | null {
  if (by === 'time') return order === undefined ? { by, ascending: true } : null;
  if (order?.by !== by) return { by, ascending: false };
  return order.ascending ? null : { by, ascending: true };
}

/** Whether the filter asks for every stored row that is not hidden. */
export function isEverything(filter: ActivityFilter): boolean {
  return filter.pills.length === 0 && filter.text.trim() === '';
}

function onlyValue(filter: ActivityFilter, field: 'address' | 'chain'): string | null {
  const pills = filter.pills.filter((pill): pill is ChoicePill => pill.field === field);
  const [pill] = pills;
  return pills.length === 1 && pill?.not === false && pill.values.length === 1
    ? (pill.values[0] ?? null)
    : null;
}
