import { parseDecimal } from '../../../../../shared/amounts.ts';
import type { ActivityFilter } from '../../../../../shared/activity/filter.ts';
import {
  boundsOf,
  isRange,
  isWithin,
  wholeUnits,
  type ChoicePill,
  type RangePill,
} from '../../sqlite/bounds.ts';
import type { FacetTexts } from '../facet-texts.ts';
import { isHashPrefix, namesHolding, searchedText } from '../filter-match.ts';
import {
  completenessValues,
  storedCompletenesses,
  storedDirections,
  storedKinds,
  storedStatuses,
} from '../row-places.ts';
import { text, textOrNull } from '../../sqlite/row.ts';
import type { SqlReader } from '../../sqlite/sql.ts';
import { spamRules, userReason } from '../verdict.ts';
import { bitParts, type Columns } from './columns.ts';
import type { IndexContext } from './index-context.ts';
import { parseTokens } from './index-rows.ts';
import { keepAmounts, keepBlocks, keepNumbers } from './ranges.ts';
import { at } from './row-order.ts';

export interface PillHouse {
  reader: SqlReader;
  columns: Columns;
  facets: FacetTexts;
  context: IndexContext;
}

/** Clears the mask where a row is not let through. */
export type Keep = (mask: Uint8Array) => void;

/** What the two bits of the column mean. */
export const completenessPlaces = [false, true].flatMap((hasUnreadParts) =>
  storedCompletenesses.map((completeness) => completenessValues(completeness, hasUnreadParts)),
);

/** Each pill and the text as a pass over columns; means what `compileFilter` means. */
export function compilePills(filter: ActivityFilter, house: PillHouse): Keep[] {
  house.facets.readAll(house.reader);
  const passes = filter.pills.map((pill) =>
    isRange(pill) ? compileRange(pill, house) : compileChoice(pill, house),
  );
  const searched = searchedText(filter);
  return searched === null ? passes : [...passes, compileText(searched, house)];
}

// ---- Choices -----------------------------------------------------------------------------------------------------------

function compileChoice({ field, values, not }: ChoicePill, house: PillHouse): Keep {
  const { columns, facets, context } = house;
  const asked = new Set(values);
  const askedLower = new Set(values.map((value) => value.toLowerCase()));
  const byRef = (column: Uint32Array, table: Uint8Array): Keep => byTable(column, 0, 0x7fff_ffff, table, not);
  /** `all`: the value, or the values, at each place. */
  const byPart = (
    part: 'kind' | 'direction' | 'status' | 'completeness',
    all: readonly (string | readonly string[])[],
  ): Keep => {
    const { shift, mask } = bitParts[part];
    const table = new Uint8Array(mask + 1);
    all.forEach(
      (values, place) => (table[place] = [values].flat().some((value) => asked.has(value)) ? 1 : 0),
    );
    return byTable(columns.bits, shift, mask, table, not);
  };
  switch (field) {
    case 'address':
      return byRef(
        columns.address,
        tableOf(context.watched, (address) => askedLower.has(address.toLowerCase())),
      );
    case 'tag':
      return byRef(
        columns.address,
        tableOf(
          context.watched,
          (address) =>
            context.names.watched.get(address.toLowerCase())?.tags.some((tag) => asked.has(tag)) ?? false,
        ),
      );
    case 'chain':
      return byRef(
        columns.chain,
        tableOf(context.chains, (chainId) => asked.has(chainId)),
      );
    case 'kind':
      return byPart('kind', storedKinds);
    case 'direction':
      return byPart('direction', storedDirections);
    case 'status':
      return byPart('status', storedStatuses);
    case 'completeness':
      return byPart('completeness', completenessPlaces);
    case 'token': {
      const table = tableOf(facets.tokens, ({ token }) => asked.has(token));
      return (mask) => keepTokens(mask, columns, table, not);
    }
    case 'counterparty':
      return byRef(
        columns.counterparty,
        tableOf(facets.parties, ({ address }) => askedLower.has(address.toLowerCase())),
      );
    case 'method':
      return byRef(
        columns.method,
        tableOf(facets.methods, (method) => asked.has(method)),
      );
    case 'hidden': {
      let reasons = asked.has('user') ? userReason : 0;
      spamRules.forEach((rule, place) => (reasons |= asked.has(rule) ? 1 << place : 0));
      return (mask) => {
        for (let slot = 0; slot < mask.length; slot += 1) {
          if ((((columns.reasons[slot] ?? 0) & reasons) !== 0) === not) mask[slot] = 0;
        }
      };
    }
  }
}

/** 1 at the number of each content that is meant; at the numbers behind the table's end there is nothing. */
function tableOf<Content>(
  contents: ReadonlyMap<number, Content>,
  isMeant: (content: Content) => boolean,
): Uint8Array {
  let largest = 0;
  for (const ref of contents.keys()) if (ref > largest) largest = ref;
  const table = new Uint8Array(largest + 1);
  for (const [ref, content] of contents) if (isMeant(content)) table[ref] = 1;
  return table;
}

function byTable(column: Uint32Array, shift: number, bits: number, table: Uint8Array, not: boolean): Keep {
  const cleared = not ? 1 : 0;
  return (mask) => {
    for (let slot = 0; slot < mask.length; slot += 1) {
      if ((table[((column[slot] ?? 0) >>> shift) & bits] ?? 0) === cleared) mask[slot] = 0;
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

function keepTokens(mask: Uint8Array, columns: Columns, table: Uint8Array, not: boolean): void {
  for (let slot = 0; slot < mask.length; slot += 1) {
    if (mask[slot] === 1 && hasToken(columns, slot, table) === not) mask[slot] = 0;
  }
}

// ---- Ranges ------------------------------------------------------------------------------------------------------------

function compileRange(pill: RangePill, house: PillHouse): Keep {
  const { columns, reader, facets } = house;
  const bounds = boundsOf(pill);
  switch (pill.field) {
    case 'block':
      return (mask) => keepBlocks(mask, columns, bounds, pill.not);
    case 'time':
      return (mask) => keepNumbers(mask, columns.timestampMs, bounds, pill.not, null);
    case 'value': {
      const isExact = (slot: number): boolean => columns.part('longValue', slot) === 0;
      const decide = (slot: number): boolean => {
        const row = reader
          .prepare('SELECT value_then FROM activity_row WHERE id = ?')
          .get(at(columns.id, slot));
        const value = parseDecimal((row === undefined ? null : textOrNull(row, 'value_then')) ?? '');
        return value !== null && isWithin(value, bounds);
      };
      return (mask) => keepNumbers(mask, columns.value, bounds, pill.not, { isExact, decide });
    }
    case 'amount': {
      const table =
        pill.token === undefined ? null : tableOf(facets.tokens, ({ token }) => token === pill.token);
      const decide = (slot: number): boolean => {
        const row = reader
          .prepare('SELECT tokens_json FROM activity_row WHERE id = ?')
          .get(at(columns.id, slot));
        const tokens = row === undefined ? [] : parseTokens(text(row, 'tokens_json'));
        return tokens.some(({ ref, amount }) => {
          const { token, decimals } = facets.tokenOf(reader, ref);
          const value = wholeUnits(amount, decimals);
          return (pill.token ?? token) === token && value !== null && isWithin(value, bounds);
        });
      };
      return (mask) => keepAmounts(mask, columns, table, bounds, pill.not, decide);
    }
  }
}

// ---- Text --------------------------------------------------------------------------------------------------------------

function compileText(searched: string, house: PillHouse): Keep {
  const { columns, facets, context } = house;
  const holds = (part: string | null): boolean => part !== null && part.toLowerCase().includes(searched);
  const named = namesHolding(searched, context.names);
  // Addresses of parties are in lower case.
  const isFound = (address: string): boolean => address.includes(searched) || named.has(address);
  const addresses = tableOf(context.watched, (address) => isFound(address.toLowerCase()));
  const parties = tableOf(facets.parties, ({ address, name }) => isFound(address) || holds(name));
  const methods = tableOf(facets.methods, holds);
  const tokens = tableOf(facets.tokens, ({ symbol, name }) => holds(symbol) || holds(name));
  const hasHash = hashTest(searched, house);
  return (mask) => {
    for (let slot = 0; slot < mask.length; slot += 1) {
      if (mask[slot] === 0) continue;
      const isHeld =
        addresses[columns.address[slot] ?? 0] === 1 ||
        parties[columns.counterparty[slot] ?? 0] === 1 ||
        methods[columns.method[slot] ?? 0] === 1 ||
        hasToken(columns, slot, tokens) ||
        (hasHash !== null && hasHash(slot));
      if (!isHeld) mask[slot] = 0;
    }
  };
}

const indexedDigits = 16;

function hashTest(searched: string, { columns, reader }: PillHouse): ((slot: number) => boolean) | null {
  if (!isHashPrefix(searched)) return null;
  const digits = searched.slice(2);
  // Anything else begins none of the hashes that begin as a hash does.
  const isRegular = /^[0-9a-f]*$/.test(digits.slice(0, indexedDigits));
  const from = digits.slice(0, indexedDigits).padEnd(indexedDigits, '0');
  const to = digits.slice(0, indexedDigits).padEnd(indexedDigits, 'f');
  const [fromHigh, toHigh] = [from, to].map((part) => Number.parseInt(part.slice(0, 8), 16));
  const [fromLow, toLow] = [from, to].map((part) => Number.parseInt(part.slice(8), 16));
  return (slot) => {
    const odd = columns.oddHashes.size === 0 ? undefined : columns.oddHashes.get(slot);
    if (odd !== undefined) return odd.toLowerCase().startsWith(searched);
    const high = columns.hashHigh[slot] ?? 0;
    const low = columns.hashLow[slot] ?? 0;
    if (!isRegular || high < (fromHigh ?? 0) || high > (toHigh ?? 0)) return false;
    if (low < (fromLow ?? 0) || low > (toLow ?? 0)) return false;
    if (digits.length <= indexedDigits) return true;
    const row = reader.prepare('SELECT tx_hash FROM activity_row WHERE id = ?').get(at(columns.id, slot));
    return row !== undefined && text(row, 'tx_hash').toLowerCase().startsWith(searched);
  };
}
