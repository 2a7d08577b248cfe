import type {
  ActivityFilter,
  ChoicePill,
  FilterPill,
  RangePill,
} from '../../../../../shared/activity/filter.ts';
import { boundsOf, isWithin } from '../../sqlite/bounds.ts';
import { isHashPrefix, namesHolding, searchedText } from '../filter-match.ts';
import type { SqlReader } from '../../sqlite/sql.ts';
import type { Columns } from './columns.ts';
import { fieldColumn, tableWhere, type FieldSources } from './fields.ts';
import { exactAmounts, exactValue } from './exact.ts';
import { numbersOf } from './index-rows.ts';
import { keepAmounts, keepBlocks, keepNumbers } from './ranges.ts';

export interface PillSources extends FieldSources {
  reader: SqlReader;
  slotOf: (rowId: number) => number | undefined;
}

/** Clears the mask at rows that do not match. */
export type Keep = (mask: Uint8Array) => void;

/** Compiles each pill, and the text, to a pass over the columns; equivalent to `compileFilter`. */
export function compilePills(filter: ActivityFilter, sources: PillSources): Keep[] {
  sources.facets.readAll(sources.reader);
  const pills = filter.pills.toSorted((a, b) => Number(looksAtTokens(a)) - Number(looksAtTokens(b)));
  const passes = pills.map((pill) =>
    'min' in pill ? compileRange(pill, sources) : compileChoice(pill, sources),
  );
  const searched = searchedText(filter);
  return searched === null ? passes : [...passes, compileText(searched, sources)];
}

/** Such a pass costs the most for each row that is left: it comes after those that leave few. */
function looksAtTokens({ field }: FilterPill): boolean {
  return field === 'token' || field === 'amount';
}

// ---- Choices -----------------------------------------------------------------------------------------------------------

function compileChoice({ field, values, not }: ChoicePill, sources: PillSources): Keep {
  const { numbers, shift, mask: bits, tableOf, isAddress } = fieldColumn(field, sources);
  const asked = new Set(isAddress === true ? values.map((value) => value.toLowerCase()) : values);
  const table = tableOf((value) => asked.has(value));
  if (numbers !== null) return byTable(numbers, shift, bits, table, not);
  return (mask) => {
    for (let slot = 0; slot < mask.length; slot += 1)
      if (mask[slot] === 1 && hasToken(sources.columns, slot, table) === not) mask[slot] = 0;
  };
}

/** The facets of a token, which may have been described in several ways. */
export function tableOfToken({ facets }: PillSources, asked: string): Uint8Array {
  return tableWhere(facets.tokens, ({ token }) => token === asked);
}

function byTable(column: Uint32Array, shift: number, bits: number, table: Uint8Array, not: boolean): Keep {
  const turned = not ? 1 : 0;
  return (mask) => {
    // Without a branch: which rows are kept cannot be predicted. (`Number(a < b)` makes none, `a < b ? 1 : 0` does.)
    for (let slot = 0; slot < mask.length; slot += 1) {
      const isMeant = table[((column[slot] ?? 0) >>> shift) & bits] ?? 0;
      mask[slot] = (mask[slot] ?? 0) & (isMeant ^ turned);
    }
  };
}

function hasToken(columns: Columns, slot: number, table: Uint8Array): boolean {
  const { tokenStart, tokenCount, tokens } = columns;
  const start = tokenStart[slot] ?? 0;
  const end = start + (tokenCount[slot] ?? 0);
  for (let place = start; place < end; place += 1) {
    if (table[tokens.refs[place] ?? 0] === 1) return true;
  }
  return false;
}

// ---- Ranges ------------------------------------------------------------------------------------------------------------

function compileRange(pill: RangePill, sources: PillSources): Keep {
  const { columns } = sources;
  const bounds = boundsOf(pill);
  switch (pill.field) {
    case 'block':
      return (mask) => keepBlocks(mask, columns, bounds, pill.not);
    case 'time':
      return (mask) => keepNumbers(mask, columns.numbers.timestampMs, bounds, pill.not, null);
    case 'value': {
      const isExact = (slot: number): boolean => columns.part('longValue', slot) === 0;
      const decide = (slot: number): boolean => {
        const value = exactValue(sources, slot);
        return value !== null && isWithin(value, bounds);
      };
      return (mask) => keepNumbers(mask, columns.value, bounds, pill.not, { isExact, decide });
    }
    case 'amount': {
      const table = pill.token === undefined ? null : tableOfToken(sources, pill.token);
      const decide = (slot: number): boolean =>
        exactAmounts(sources, slot, pill.token).some((amount) => isWithin(amount, bounds));
      return (mask) => keepAmounts(mask, columns, table, bounds, pill.not, decide);
    }
  }
}

// ---- Text --------------------------------------------------------------------------------------------------------------

function compileText(searched: string, sources: PillSources): Keep {
  const { columns, facets, context } = sources;
  const { address: own, counterparty, method } = columns.numbers;
  const holds = (part: string | null): boolean => part !== null && part.toLowerCase().includes(searched);
  const named = namesHolding(searched, context.names);
  // Addresses of parties are in lower case.
  const isFound = (address: string): boolean => address.includes(searched) || named.has(address);
  const addresses = tableWhere(context.watched, (address) => isFound(address.toLowerCase()));
  const parties = tableWhere(facets.parties, ({ address, name }) => isFound(address) || holds(name));
  const methods = tableWhere(facets.methods, holds);
  const tokens = tableWhere(facets.tokens, ({ symbol, name }) => holds(symbol) || holds(name));
  const hashes = slotsOfHash(searched, sources);
  return (mask) => {
    for (let slot = 0; slot < mask.length; slot += 1) {
      if (mask[slot] === 0) continue;
      const isHeld =
        addresses[own[slot] ?? 0] === 1 ||
        parties[counterparty[slot] ?? 0] === 1 ||
        methods[method[slot] ?? 0] === 1 ||
        hasToken(columns, slot, tokens) ||
        hashes?.[slot] === 1;
      if (!isHeld) mask[slot] = 0;
    }
  };
}

const selectByHash = `SELECT json_group_array(activity_row.id) AS ids FROM activity_list
    CROSS JOIN activity_row ON list_ref = activity_list.id
      AND substr(tx_hash, 3, 10) BETWEEN ?1 AND ?1 || char(1114111)
  WHERE substr(lower(tx_hash), 1, length(?2)) = ?2` as const;

/** A mask of the rows whose hash begins with the text; null when the text is not the beginning of a hash. */
function slotsOfHash(searched: string, { columns, reader, slotOf }: PillSources): Uint8Array | null {
  if (!isHashPrefix(searched)) return null;
  const slots = new Uint8Array(columns.size);
  const digits = searched.slice(2, 12);
  // A hash with unusual spelling may be in upper case; one in mixed case is not found.
  for (const spelled of new Set([digits, digits.toUpperCase()])) {
    const row = reader.get(selectByHash, [spelled, searched]);
    for (const id of row === undefined ? [] : numbersOf(row, 'ids')) {
      const slot = slotOf(id);
      if (slot !== undefined) slots[slot] = 1;
    }
  }
  return slots;
}
