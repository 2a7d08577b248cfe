import * as z from 'zod/mini';
import { parseDecimal } from '../../../../shared/amounts.ts';
import { wholeUnits } from '../bounds.ts';
import type { FacetTexts } from '../facet-texts.ts';
import { integerOrNull, json } from '../row.ts';
import type { SqlReader, SqlRow } from '../sql.ts';

/** Columns of some rows as they are read for the index: a list a column, far faster than an object a row. */
export interface IndexRows {
  id: number[];
  timestampMs: number[];
  blockHigh: number[];
  blockLow: number[];
  blockIndex: number[];
  hash: string[];
  address: number[];
  chain: number[];
  bits: number[];
  counterparty: number[];
  method: number[];
  tokens: string[];
  value: (string | null)[];
}

// Parts of `bits` lie where columns.ts says.
const selectColumns = `SELECT max(id) AS last_id,
    json_group_array(id) AS id,
    json_group_array(timestamp_ms) AS timestamp_ms,
    json_group_array(block_number >> 32) AS block_high,
    json_group_array(block_number & 4294967295) AS block_low,
    json_group_array(block_index) AS block_index,
    json_group_array(tx_hash) AS hash,
    json_group_array(address_ref) AS address,
    json_group_array(chain_ref) AS chain,
    json_group_array(coalesce(kind, 0) | (coalesce(direction, 0) << 3) | (coalesce(status, 0) << 6)
      | (is_complete << 8) | (coalesce(decision + 1, 0) << 10) | (rules << 12)) AS bits,
    json_group_array(coalesce(counterparty_ref, 0)) AS counterparty,
    json_group_array(coalesce(method_ref, 0)) AS method,
    json_group_array(tokens_json) AS tokens,
    json_group_array(value_then) AS value` as const;

/** The rows that follow one in the order of their ids, and where they end; null when there are no more. */
export function readSlice(
  reader: SqlReader,
  afterId: number,
  limit: number,
): { rows: IndexRows; lastId: number } | null {
  const row = reader
    .prepare(`${selectColumns} FROM (SELECT * FROM activity_row WHERE id > ? ORDER BY id LIMIT ?)`)
    .get(afterId, limit);
  const lastId = row === undefined ? null : integerOrNull(row, 'last_id');
  return row === undefined || lastId === null ? null : { rows: toRows(row), lastId };
}

/** The rows with these ids, as far as they are stored. */
export function readByIds(reader: SqlReader, ids: readonly number[]): IndexRows | null {
  const row = reader
    .prepare(
      `${selectColumns} FROM (SELECT * FROM activity_row WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id)`,
    )
    .get(JSON.stringify(ids));
  return row === undefined || row['last_id'] === null ? null : toRows(row);
}

function toRows(row: SqlRow): IndexRows {
  return {
    id: listOf(row, 'id', isNumber),
    timestampMs: listOf(row, 'timestamp_ms', isNumber),
    blockHigh: listOf(row, 'block_high', isNumber),
    blockLow: listOf(row, 'block_low', isNumber),
    blockIndex: listOf(row, 'block_index', isNumber),
    hash: listOf(row, 'hash', isText),
    address: listOf(row, 'address', isNumber),
    chain: listOf(row, 'chain', isNumber),
    bits: listOf(row, 'bits', isNumber),
    counterparty: listOf(row, 'counterparty', isNumber),
    method: listOf(row, 'method', isNumber),
    tokens: listOf(row, 'tokens', isText),
    value: listOf(row, 'value', isTextOrNull),
  };
}

const isNumber = (value: unknown): value is number => typeof value === 'number';
const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value);

/** By hand: millions of them are read at once. */
function listOf<T>(row: SqlRow, column: string, isOne: (value: unknown) => value is T): T[] {
  return json(row, column, (list) => {
    if (!Array.isArray(list) || !list.every(isOne)) throw new TypeError('not a list of its kind');
    return list;
  });
}

/** A decimal as the nearest double; `isLong` when it has more digits than a double tells apart. */
export interface RoughNumber {
  value: number;
  isLong: boolean;
}

const mostSureDigits = 15;

/** The nearest double keeps the order of decimals; where two of them give the same one and neither is long, they are equal. */
export function roughNumber(digits: bigint, scale: number): RoughNumber {
  const significant = (digits < 0n ? -digits : digits).toString().replace(/0+$/, '');
  return { value: Number(`${digits}e-${scale}`), isLong: significant.length > mostSureDigits };
}

export function roughText(decimal: string | null): RoughNumber {
  const parsed = decimal === null ? null : parseDecimal(decimal);
  return parsed === null ? { value: NaN, isLong: false } : roughNumber(parsed.digits, parsed.scale);
}

const tokensSchema = z.array(z.tuple([z.number(), z.nullable(z.string())]));

/** Tokens of a row, by the numbers of their facets. */
export function parseTokens(tokensJson: string): { ref: number; amount: string | null }[] {
  const row = { tokens_json: tokensJson };
  return json(row, 'tokens_json', (value) => z.parse(tokensSchema, value)).map(([ref, amount]) => ({
    ref,
    amount,
  }));
}

/** Most rows move one of few amounts: the doubles of the last texts are kept. */
export class RoughTokens {
  readonly #facets: FacetTexts;
  #known = new Map<string, { refs: number[]; amounts: number[] }>();

  constructor(facets: FacetTexts) {
    this.#facets = facets;
  }

  /** Doubles as `Columns.tokens` has them. */
  read(reader: SqlReader, tokensJson: string): { refs: readonly number[]; amounts: readonly number[] } {
    const known = this.#known.get(tokensJson);
    if (known !== undefined) return known;
    const tokens = parseTokens(tokensJson);
    const rough = {
      refs: tokens.map(({ ref }) => ref),
      amounts: tokens.map(({ ref, amount }) => {
        const exact = wholeUnits(amount, this.#facets.tokenOf(reader, ref).decimals);
        if (exact === null) return NaN;
        const { value, isLong } = roughNumber(exact.digits, exact.scale);
        return isLong ? -value : value;
      }),
    };
    if (this.#known.size > 10_000) this.#known = new Map();
    this.#known.set(tokensJson, rough);
    return rough;
  }
}
