import { parseDecimal, type Decimal } from '../../../../../shared/amounts.ts';
import { integerOrNull, json } from '../../sqlite/row.ts';
import type { SqlReader, SqlRow } from '../../sqlite/sql.ts';

/** Columns of some rows as they are read for the index: a list a column, far faster than an object a row. */
export interface IndexRows {
  id: number[];
  timestampMs: number[];
  blockHigh: number[];
  blockLow: number[];
  blockIndex: number[];
  /** The first digits of one that is as long as a hash is and begins like one; any other as it is. */
  hash: string[];
  address: number[];
  chain: number[];
  bits: number[];
  /** As `reasonBits` gives them. */
  reasons: number[];
  counterparty: number[];
  method: number[];
  /** Facets with the largest amounts in base units. */
  tokens: [number, string | null][][];
  value: (string | null)[];
}

// Parts of `bits` lie where columns.ts says.
const selectColumns = `SELECT max(id) AS last_id,
    json_group_array(id) AS id,
    json_group_array(timestamp_ms) AS timestamp_ms,
    json_group_array(block_number >> 32) AS block_high,
    json_group_array(block_number & 4294967295) AS block_low,
    json_group_array(block_index) AS block_index,
    json_group_array(CASE WHEN length(tx_hash) = 66 AND tx_hash GLOB '0x*'
      AND substr(tx_hash, 3, 16) NOT GLOB '*[^0-9a-f]*' THEN substr(tx_hash, 1, 18) ELSE tx_hash END) AS hash,
    json_group_array(address_ref) AS address,
    json_group_array(chain_ref) AS chain,
    json_group_array(coalesce(kind, 0) | (coalesce(direction, 0) << 3) | (coalesce(status, 0) << 6)
      | (is_complete << 8) | (has_unread_parts << 9)) AS bits,
    json_group_array(reasons) AS reasons,
    json_group_array(coalesce(counterparty_ref, 0)) AS counterparty,
    json_group_array(coalesce(method_ref, 0)) AS method,
    '[' || group_concat(tokens_json) || ']' AS tokens,
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

const isToken = (value: unknown): value is [number, string | null] =>
  Array.isArray(value) && isNumber(value[0]) && isTextOrNull(value[1]);
const isTokens = (value: unknown): value is [number, string | null][] =>
  Array.isArray(value) && value.every(isToken);

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
    reasons: listOf(row, 'reasons', isNumber),
    counterparty: listOf(row, 'counterparty', isNumber),
    method: listOf(row, 'method', isNumber),
    tokens: listOf(row, 'tokens', isTokens),
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
export function roughNumber({ digits, scale }: Decimal): RoughNumber {
  const magnitude = (digits < 0n ? -digits : digits).toString();
  return { value: Number(`${digits}e-${scale}`), isLong: isLong(magnitude) };
}

/** The double of a decimal text; NaN for none. */
export function roughText(decimal: string | null): RoughNumber {
  if (decimal === null) return unknown;
  // Most are short, and a text of no more characters than sure digits is not long.
  if (decimal.length <= mostSureDigits && /^-?\d+(\.\d+)?$/.test(decimal)) {
    return { value: Number(decimal), isLong: false };
  }
  const parsed = parseDecimal(decimal);
  return parsed === null ? unknown : roughNumber(parsed);
}

const unknown: RoughNumber = { value: NaN, isLong: false };

/** The double of an amount in whole units as `Columns.tokens` has it. */
export function roughAmount(amount: string | null, decimals: number | null): number {
  if (amount === null || decimals === null) return NaN;
  const value = Number(`${amount}e-${decimals}`);
  return isLong(amount) ? -value : value;
}

function isLong(digits: string): boolean {
  return digits.length > mostSureDigits && digits.replace(/0+$/, '').length > mostSureDigits;
}

/** Tokens of a row, by the numbers of their facets. */
export function parseTokens(tokensJson: string): { ref: number; amount: string | null }[] {
  return listOf({ tokens_json: tokensJson }, 'tokens_json', isToken).map(([ref, amount]) => ({
    ref,
    amount,
  }));
}
