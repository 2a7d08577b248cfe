import { SqlFailure, type SqlParam, type SqlRow, type SqlWriter } from './sql.ts';

/** Typed access to the columns of a row. A value of another type can only come from a damaged file. */

function wrongType(column: string): SqlFailure {
  return new SqlFailure('corrupt', `unexpected content in ${column}`);
}

export function text(row: SqlRow, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw wrongType(column);
  return value;
}

export function textOrNull(row: SqlRow, column: string): string | null {
  return row[column] === null ? null : text(row, column);
}

/** A whole number that a double holds exactly. */
export function integer(row: SqlRow, column: string): number {
  const value = Number(bigInteger(row, column));
  if (!Number.isSafeInteger(value)) throw wrongType(column);
  return value;
}

/** Null also where there is no such row. */
export function integerOrNull(row: SqlRow | undefined, column: string): number | null {
  return row === undefined || row[column] === null ? null : integer(row, column);
}

/** The row's id; null where there is no such row. */
export function idOf(row: SqlRow | undefined): number | null {
  return integerOrNull(row, 'id');
}

/** A whole number of up to 64 bits. */
export function bigInteger(row: SqlRow, column: string): bigint {
  const value = row[column];
  if (typeof value !== 'bigint') throw wrongType(column);
  return value;
}

export function bytes(row: SqlRow, column: string): Uint8Array {
  const value = row[column];
  if (!(value instanceof Uint8Array)) throw wrongType(column);
  return value;
}

/** The value whose position in `values` is stored. */
export function choice<T>(row: SqlRow, column: string, values: readonly T[]): T {
  const value = values[integer(row, column)];
  if (value === undefined) throw wrongType(column);
  return value;
}

/** Parses the JSON in the column. */
export function json<T>(row: SqlRow, column: string, parse: (value: unknown) => T): T {
  try {
    return parse(JSON.parse(text(row, column)));
  } catch (cause) {
    throw new SqlFailure('corrupt', `unexpected content in ${column}`, { cause });
  }
}

/** The same, but null for what cannot be read. */
export function readable<T>(row: SqlRow, column: string, parse: (value: unknown) => T): T | null {
  try {
    return json(row, column, parse);
  } catch (cause) {
    if (cause instanceof SqlFailure && cause.kind === 'corrupt') return null;
    throw cause;
  }
}

/** Inserts a row of these columns; by `REPLACE`, in place of the one with the same key. */
export function insertRow(
  writer: SqlWriter,
  table: string,
  row: Readonly<Record<string, SqlParam>>,
  how: 'INSERT' | 'REPLACE' = 'INSERT',
): void {
  const columns = Object.keys(row);
  const places = columns.map(() => '?').join(', ');
  writer.run(`${how} INTO ${table} (${columns.join(', ')}) VALUES (${places})`, Object.values(row));
}

/** Untrusted texts are stored as JSON strings. */
export function parseText(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('not a text');
  return value;
}
