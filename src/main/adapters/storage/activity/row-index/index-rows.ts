import * as z from 'zod/mini';
import { parseDecimal, type Decimal } from '../../../../../shared/amounts.ts';
import { integerOrNull, json } from '../../sqlite/row.ts';
import { SqlFailure, type SqlReader, type SqlRow } from '../../sqlite/sql.ts';
import { columnNames, numberColumns, type NumberColumn } from './columns.ts';

/** Rows in the form in which the index reads them: a list per column is far faster than an object per row. */
export interface IndexRows {
  numbers: Readonly<Record<NumberColumn, readonly number[]>>;
  /** Ids of facets, with each amount in base units. */
  tokens: [number, string | null][][];
  value: (string | null)[];
  fee: (string | null)[];
}

const selectColumns = `SELECT max(id) AS last_id,
    ${columnNames.map((name) => `json_group_array(${numberColumns[name].sql}) AS ${name}`).join(', ')},
    '[' || group_concat(tokens_json) || ']' AS tokens,
    json_group_array(value_then) AS value, json_group_array(fee) AS fee` as const;

/** The next rows by id and the id of the last one; null when there are no more. */
export function readSlice(
  reader: SqlReader,
  afterId: number,
  limit: number,
): { rows: IndexRows; lastId: number } | null {
  const row = reader.get(
    `${selectColumns} FROM (SELECT * FROM activity_row WHERE id > ? ORDER BY id LIMIT ?)`,
    [afterId, limit],
  );
  const lastId = integerOrNull(row, 'last_id');
  return row === undefined || lastId === null ? null : { rows: toRows(row), lastId };
}

/** The rows with these ids, where they exist. */
export function readByIds(reader: SqlReader, ids: readonly number[]): IndexRows | null {
  const row = reader.get(
    `${selectColumns} FROM (SELECT * FROM activity_row WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id)`,
    [JSON.stringify(ids)],
  );
  return row === undefined || row['last_id'] === null ? null : toRows(row);
}

const isToken = (value: unknown): value is [number, string | null] =>
  Array.isArray(value) && isNumber(value[0]) && isTextOrNull(value[1]);
const isTokens = (value: unknown): value is [number, string | null][] =>
  Array.isArray(value) && value.every(isToken);

function toRows(row: SqlRow): IndexRows {
  const numbers = Object.fromEntries(columnNames.map((name) => [name, numbersOf(row, name)]));
  return {
    // There is a list for each column of the table.
    numbers: numbers as Record<NumberColumn, number[]>,
    tokens: listOf(row, 'tokens', isTokens),
    value: listOf(row, 'value', isTextOrNull),
    fee: listOf(row, 'fee', isTextOrNull),
  };
}

/** Reads a column with a list of numbers as JSON. */
export function numbersOf(row: SqlRow, column: string): number[] {
  return listOf(row, column, isNumber);
}

const isNumber = (value: unknown): value is number => typeof value === 'number';
const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === 'string';

const anything = z.unknown();

/** Checked by hand rather than with a schema: millions of rows are read at once. */
function listOf<T>(row: SqlRow, column: string, isOne: (value: unknown) => value is T): T[] {
  const list = json(row, column, anything);
  if (Array.isArray(list) && list.every(isOne)) return list;
  throw new SqlFailure('corrupt', `unexpected content in ${column}`);
}

/** A decimal as the nearest double; `isLong` when it has more digits than a double can hold. */
export interface RoughNumber {
  value: number;
  isLong: boolean;
}

const mostSureDigits = 15;

/** Rounding keeps the order of decimals; two that give the same double are equal if neither is long. */
export function roughNumber({ digits, scale }: Decimal): RoughNumber {
  const magnitude = (digits < 0n ? -digits : digits).toString();
  return { value: Number(`${digits}e-${scale}`), isLong: isLong(magnitude) };
}

/** The nearest double of a decimal; NaN for null. */
export function roughText(decimal: string | null): RoughNumber {
  if (decimal === null) return unknown;
  // Fast path for most: a text no longer than the number of safe digits is not long.
  if (decimal.length <= mostSureDigits && /^-?\d+(\.\d+)?$/.test(decimal)) {
    return { value: Number(decimal), isLong: false };
  }
  const parsed = parseDecimal(decimal);
  return parsed === null ? unknown : roughNumber(parsed);
}

const unknown: RoughNumber = { value: NaN, isLong: false };

/** An amount in whole units, in the form of `Columns.tokens`. */
export function roughAmount(amount: string | null, decimals: number | null): number {
  if (amount === null || decimals === null) return NaN;
  const value = Number(`${amount}e-${decimals}`);
  return isLong(amount) ? -value : value;
}

function isLong(digits: string): boolean {
  return digits.length > mostSureDigits && digits.replace(/0+$/, '').length > mostSureDigits;
}

/** The tokens of a row, by the ids of their facets. */
export function tokensOf(row: SqlRow): [ref: number, amount: string | null][] {
  return listOf(row, 'tokens_json', isToken);
}
