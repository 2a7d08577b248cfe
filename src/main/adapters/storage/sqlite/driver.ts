import type { SqlRow } from './sql.ts';

/** Values that a driver binds: whole numbers only as `bigint`, so that both drivers bind them as SQL integers. */
export type BoundParam = null | bigint | number | string | Uint8Array;

export interface DriverStatement {
  /** Returns the number of changed rows. */
  run(params: BoundParam[]): number;
  /** Returns the row id that SQLite gave the row which this statement has inserted. */
  insert(params: BoundParam[]): number;
  get(params: BoundParam[]): SqlRow | undefined;
  all(params: BoundParam[]): SqlRow[];
  iterate(params: BoundParam[]): IterableIterator<SqlRow>;
}

export interface DriverConnection {
  exec(sql: string): void;
  prepare(sql: string): DriverStatement;
  readonly inTransaction: boolean;
  close(): void;
}

export type DriverName = 'node:sqlite' | 'libsql';

/** A synchronous SQLite library. It throws errors of its own, which `resultCode` interprets. */
export interface SqlDriver {
  readonly name: DriverName;
  /** `read-only` changes neither the file nor its journal; the file must exist. */
  open(path: string, access: 'read-write' | 'read-only'): DriverConnection;
  /** SQLite's (extended) result code in an error of this driver; null when the error is not SQLite's. */
  resultCode(cause: unknown): number | null;
}
