import { diskProblemOf, type DiskProblem } from '../../../../shared/disk-errors.ts';
import { messageOf } from '../../../../shared/errors.ts';
/**
 * The part of SQLite that the stores need. Types keep reading code from writing: a `SqlReader` accepts only `SELECT`,
 * and a `SqlWriter` exists only inside a transaction.
 */

/** Values that can be bound. Whole numbers become SQL integers, never floating point. */
export type SqlParam = null | bigint | number | string | Uint8Array;

/** One row by column name. Integers are always `bigint`; read it with the functions of `row.ts`. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** Statements are cached by their text, so it must not be built from values. */
interface Reading<Sql extends string> {
  get(sql: Sql, params?: readonly SqlParam[]): SqlRow | undefined;
  all(sql: Sql, params?: readonly SqlParam[]): SqlRow[];
  iterate(sql: Sql, params?: readonly SqlParam[]): Iterable<SqlRow>;
}

export type SqlReader = Reading<`SELECT ${string}`>;

export interface SqlWriter extends Reading<string> {
  /** Returns how many rows were inserted, changed or deleted by the statement itself. */
  run(sql: string, params?: readonly SqlParam[]): number;
  /** As `run`, for an `INSERT` of one row; returns its row id. */
  insert(sql: string, params: readonly SqlParam[]): number;
  /** One or more statements without parameters. */
  exec(sql: string): void;
}

export interface SqlSnapshot {
  reader: SqlReader;
  close(): void;
}

export interface SqlDatabase extends SqlReader {
  /** Runs `work` in a write transaction: everything is on disk when this returns, nothing is written when it throws. */
  transaction<T>(work: (writer: SqlWriter) => T): T;
  /** Runs one PRAGMA, outside of transactions. */
  pragma(text: string): SqlRow[];
  /**
   * The current content, unaffected by later writes until it is closed; meanwhile the file keeps everything it needs. A
   * database in memory has only one connection, so its snapshot does see later writes.
   */
  snapshot(): SqlSnapshot;
  /** Writes a compact copy to `path`, which must not exist. */
  copyTo(path: string): void;
  close(): void;
}

/** Why SQLite, or a check before it, failed. */
export type SqlFailureKind =
  /** Another connection held the lock for longer than the timeout. */
  | 'busy'
  | 'disk-full'
  /** The file or its folder is not writable, or cannot be opened. */
  | 'unwritable'
  | 'corrupt'
  /** The disk failed to read or write. */
  | 'io'
  /** A value that the store cannot hold or does not accept. */
  | 'value'
  /** The row refers to something that is no longer stored. */
  | 'missing-parent'
  /** A later version of the app wrote the file. */
  | 'newer'
  /** This runtime has no SQLite. */
  | 'no-driver'
  /** A bug in the app. */
  | 'defect';

/** Any failure of a database, with either driver. `message` contains no stored values. */
export class SqlFailure extends Error {
  readonly kind: SqlFailureKind;

  constructor(kind: SqlFailureKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SqlFailure';
    this.kind = kind;
  }
}

const kindOf: Readonly<Record<DiskProblem, SqlFailureKind>> = {
  full: 'disk-full',
  forbidden: 'unwritable',
  missing: 'unwritable',
  taken: 'unwritable',
  failed: 'io',
};

/** Converts any error to a `SqlFailure`: a file system error by its meaning, others as a `defect`. */
export function toSqlFailure(cause: unknown): SqlFailure {
  if (cause instanceof SqlFailure) return cause;
  const problem = diskProblemOf(cause);
  const message = messageOf(cause);
  const failure = new SqlFailure(problem === null ? 'defect' : kindOf[problem], message, { cause });
  if (cause instanceof Error && cause.stack !== undefined) failure.stack = cause.stack;
  return failure;
}

const wordsByKind: Readonly<Record<SqlFailureKind, { words: string; tellsDetail: boolean }>> = {
  busy: { words: 'The local store is in use by another program', tellsDetail: false },
  'disk-full': { words: 'The disk is full, so the local store couldn’t be written', tellsDetail: false },
  unwritable: { words: 'The local store can’t be opened or written', tellsDetail: true },
  corrupt: { words: 'The local store is damaged', tellsDetail: true },
  io: { words: 'The disk failed to read or write the local store', tellsDetail: true },
  value: { words: 'The local store refused the data', tellsDetail: true },
  'missing-parent': {
    words: 'This was removed in the meantime, so nothing is stored for it',
    tellsDetail: false,
  },
  newer: { words: 'The local store was written by a newer version of the app', tellsDetail: false },
  'no-driver': { words: 'This runtime has no SQLite', tellsDetail: true },
  defect: { words: 'The local store failed unexpectedly', tellsDetail: true },
};

/** A failure as one sentence for the user. */
export function wordsFor(cause: unknown): string {
  const { kind, message } = toSqlFailure(cause);
  const { words, tellsDetail } = wordsByKind[kind];
  return tellsDetail && message !== '' ? `${words}: ${message}.` : `${words}.`;
}
