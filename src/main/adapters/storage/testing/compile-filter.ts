import { parseDecimal } from '../../../../shared/amounts.ts';
import type { RowFacets } from '../../../../shared/activity/facets.ts';
import type { ActivityFilter, ChoicePill, RangePill } from '../../../../shared/activity/filter.ts';
import type { SpamVerdict } from '../../../../shared/activity/spam-types.ts';
import { boundsOf, isWithin, wholeUnits } from '../sqlite/bounds.ts';
import { isHashPrefix, namesHolding, searchedText, type Names } from '../activity/filter-match.ts';
import { completenessValues } from '../activity/stored-codes.ts';
import { hiddenReasons } from './count-row.ts';

/** The parts of a row that a filter uses. */
export interface MatchedRow {
  chainId: string;
  address: string;
  txHash: string;
  blockNumber: bigint;
  timestampMs: number;
  completeness: 'partial' | 'complete';
  facets: RowFacets;
  spam: SpamVerdict;
}

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
  const asked = new Set(values);
  const askedLower = new Set(values.map((value) => value.toLowerCase()));
  switch (field) {
    case 'address':
      return (row) => askedLower.has(row.address.toLowerCase());
    case 'tag':
      return (row) =>
        names.watched.get(row.address.toLowerCase())?.tags.some((tag) => asked.has(tag)) ?? false;
    case 'chain':
      return (row) => asked.has(row.chainId);
    case 'kind':
      return (row) => asked.has(row.facets.kind);
    case 'direction':
      return (row) => asked.has(row.facets.direction);
    case 'token':
      return (row) => row.facets.tokens.some(({ token }) => asked.has(token));
    case 'counterparty':
      return ({ facets }) =>
        facets.counterparty !== null && askedLower.has(facets.counterparty.toLowerCase());
    case 'method':
      return ({ facets }) => facets.method !== null && asked.has(facets.method);
    case 'status':
      return (row) => asked.has(row.facets.status);
    case 'completeness':
      return (row) =>
        completenessValues(row.completeness, row.facets.hasUnreadParts).some((value) => asked.has(value));
    case 'hidden':
      return (row) => hiddenReasons(row.spam).some((reason) => asked.has(reason));
  }
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
