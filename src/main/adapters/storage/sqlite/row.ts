import * as z from 'zod/mini';
import { SqlFailure, type SqlParam, type SqlRow, type SqlWriter } from './sql.ts';

/**
 * Typed access to the columns of a row. A value of another type can only come from a damaged file. Those that may be null are
 * so, too, where there is no row.
 */
type Row = SqlRow | undefined;

function wrongType(column: string, cause?: unknown): SqlFailure {
  return new SqlFailure('corrupt', `unexpected content in ${column}`, { cause });
}

function isNull(row: Row, column: string): boolean {
  return row === undefined || row[column] === null;
}

export function text(row: Row, column: string): string {
  const value = row?.[column];
  if (typeof value !== 'string') throw wrongType(column);
  return value;
}

export function textOrNull(row: Row, column: string): string | null {
  return isNull(row, column) ? null : text(row, column);
}

/** A whole number that a double holds exactly. */
export function integer(row: Row, column: string): number {
  const value = Number(bigInteger(row, column));
  if (!Number.isSafeInteger(value)) throw wrongType(column);
  return value;
}

export function integerOrNull(row: Row, column: string): number | null {
  return isNull(row, column) ? null : integer(row, column);
}

export function idOf(row: Row): number | null {
  return integerOrNull(row, 'id');
}

/** A whole number of up to 64 bits. */
export function bigInteger(row: Row, column: string): bigint {
  const value = row?.[column];
  if (typeof value !== 'bigint') throw wrongType(column);
  return value;
}

export function bigIntegerOrNull(row: Row, column: string): bigint | null {
  return isNull(row, column) ? null : bigInteger(row, column);
}

export function bytes(row: Row, column: string): Uint8Array {
  const value = row?.[column];
  if (!(value instanceof Uint8Array)) throw wrongType(column);
  return value;
}

/** The value whose position in `values` is stored. */
export function choice<T>(row: Row, column: string, values: readonly T[]): T {
  const value = values[integer(row, column)];
  if (value === undefined) throw wrongType(column);
  return value;
}

export function choiceOrNull<T>(row: Row, column: string, values: readonly T[]): T | null {
  return isNull(row, column) ? null : choice(row, column, values);
}

/** The JSON in the column, which must be what the schema says. */
export function json<T>(row: Row, column: string, schema: z.ZodMiniType<T>): T {
  try {
    return z.parse(schema, JSON.parse(text(row, column)));
  } catch (cause) {
    throw wrongType(column, cause);
  }
}

export function jsonOrNull<T>(row: Row, column: string, schema: z.ZodMiniType<T>): T | null {
  return isNull(row, column) ? null : json(row, column, schema);
}

/** The same, but null for what cannot be read. */
export function readable<T>(row: Row, column: string, schema: z.ZodMiniType<T>): T | null {
  try {
    return json(row, column, schema);
  } catch (cause) {
    if (cause instanceof SqlFailure && cause.kind === 'corrupt') return null;
    throw cause;
  }
}

/** By its beginning and how many columns it has, the text that was made last: most rows of a table have the same ones. */
const texts = new Map<string, { columns: readonly string[]; sql: string }>();

function textFor(begin: string, row: object, endOf: (columns: readonly string[]) => string): string {
  const columns = Object.keys(row);
  const key = `${begin} ${columns.length}`;
  const last = texts.get(key);
  if (last?.columns.every((name, at) => name === columns[at]) === true) return last.sql;
  const sql = `${begin} ${endOf(columns)}`;
  texts.set(key, { columns, sql });
  return sql;
}

/** Inserts a row of these columns, by `REPLACE` in place of the one with the same key; returns its row id. */
export function insertRow(
  writer: SqlWriter,
  table: string,
  row: Readonly<Record<string, SqlParam>>,
  how: 'INSERT' | 'REPLACE' = 'INSERT',
): number {
  const sql = textFor(
    `${how} INTO ${table}`,
    row,
    (columns) => `(${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  return writer.insert(sql, Object.values(row));
}

/** The id of the row with this key; where there is none, one is inserted, with the `others` of its columns. */
export function idFor(
  writer: SqlWriter,
  table: string,
  key: Readonly<Record<string, SqlParam>>,
  others: Readonly<Record<string, SqlParam>> = {},
): number {
  const isIt = Object.keys(key).map((column) => `${column} = ?`);
  const known = writer.get(`SELECT id FROM ${table} WHERE ${isIt.join(' AND ')}`, Object.values(key));
  return idOf(known) ?? insertRow(writer, table, { ...key, ...others });
}

/** Sets these columns of the row with this id. */
export function updateRow(
  writer: SqlWriter,
  table: string,
  id: number,
  row: Readonly<Record<string, SqlParam>>,
): void {
  const sql = textFor(`UPDATE ${table} SET`, row, (columns) => `${columns.join(' = ?, ')} = ? WHERE id = ?`);
  writer.run(sql, [...Object.values(row), id]);
}

/** Untrusted texts are stored as JSON strings. */
export const textSchema = z.string();
