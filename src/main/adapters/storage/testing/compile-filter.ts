import { parseDecimal } from '../../../../shared/amounts.ts';
import {
  fieldOf,
  type ActivityFilter,
  type ChoicePill,
  type RangePill,
} from '../../../../shared/activity/filter.ts';
import { boundsOf, isWithin, wholeUnits } from '../sqlite/bounds.ts';
import { isHashPrefix, namesHolding, searchedText, type Names } from '../activity/filter-match.ts';
import { valuesOf, type MatchedRow } from './row-values.ts';

/**
 * A plain implementation of filters: whether a row matches the pills and the text. The caller handles hidden rows.
 * Throws a `value` failure for bounds that are not numbers.
 */
export function compileFilter(filter: ActivityFilter, names: Names): (row: MatchedRow) => boolean {
  const conditions = filter.pills.map((pill) => {
    const test = 'min' in pill ? compileRange(pill) : compileChoice(pill, names);
    return (row: MatchedRow) => test(row) !== pill.not;
  });
  const text = searchedText(filter);
  if (text !== null) {
    const named = namesHolding(text, names);
    conditions.push((row) => holdsText(row, text, named));
  }
  return (row) => conditions.every((condition) => condition(row));
}

function compileChoice({ field, values }: ChoicePill, names: Names): (row: MatchedRow) => boolean {
  const spelled = (value: string) => (fieldOf[field].valuesAre === 'addresses' ? value.toLowerCase() : value);
  const asked = new Set(values.map(spelled));
  return (row) => valuesOf(row, field, names).some(([value]) => asked.has(spelled(value)));
}

function compileRange(pill: RangePill): (row: MatchedRow) => boolean {
  const bounds = boundsOf(pill);
  switch (pill.field) {
    case 'amount':
      return ({ facets }) =>
        facets.tokens.some(({ token, amount, decimals }) => {
          const value = wholeUnits(amount, decimals);
          return (pill.token ?? token) === token && value !== null && isWithin(value, bounds);
        });
    case 'value':
      return ({ facets }) => {
        const value = facets.valueThen === null ? null : parseDecimal(facets.valueThen);
        return value !== null && isWithin(value, bounds);
      };
    case 'block':
      return (row) => isWithin({ digits: row.blockNumber, scale: 0 }, bounds);
    case 'time':
      return (row) => isWithin({ digits: BigInt(row.timestampMs), scale: 0 }, bounds);
  }
}

function holdsText(row: MatchedRow, text: string, named: ReadonlySet<string>): boolean {
  const { counterparty, counterpartyName, method, tokens } = row.facets;
  const holds = (part: string | null) => part !== null && part.toLowerCase().includes(text);
  return (
    [row.address, counterparty].some(
      (address) => holds(address) || named.has(address?.toLowerCase() ?? ''),
    ) ||
    holds(counterpartyName) ||
    holds(method) ||
    tokens.some(({ symbol, name }) => holds(symbol) || holds(name)) ||
    (isHashPrefix(text) && row.txHash.toLowerCase().startsWith(text))
  );
}
