import { diskProblemOf, type DiskProblem } from '../../../../shared/disk-errors.ts';
/**
 * The little of SQLite that the stores need. What only reads is typed so that it cannot write: a `SqlReader` takes
 * nothing but `SELECT`, and a `SqlWriter` exists only inside a transaction.
 */

/** What may be bound. Whole numbers arrive as SQL integers, never as floating point. */
export type SqlParam = null | bigint | number | string | Uint8Array;

/** One row by column name. Integers are always `bigint`; read it with the functions of `row.ts`. */
export type SqlRow = Readonly<Record<string, unknown>>;

export interface ReadStatement {
  get(...params: SqlParam[]): SqlRow | undefined;
  all(...params: SqlParam[]): SqlRow[];
  iterate(...params: SqlParam[]): IterableIterator<SqlRow>;
}

export interface WriteStatement extends ReadStatement {
  /** Returns how many rows were inserted, changed or deleted by the statement itself. */
  run(...params: SqlParam[]): number;
  /** As `run`, for an `INSERT` of one row; returns its row id. */
  insert(...params: SqlParam[]): number;
}

export interface SqlReader {
  /** Statements are kept and used again, so the text must not be built from values. */
  prepare(sql: `SELECT ${string}`): ReadStatement;
}

export interface SqlWriter extends SqlReader {
  prepare(sql: string): WriteStatement;
  /** One or more statements without parameters. */
  exec(sql: string): void;
}

export interface SqlSnapshot extends SqlReader {
  close(): void;
}

export interface SqlDatabase extends SqlReader {
  /** Runs `work` in a write transaction: all of it is on disk when this returns, or nothing when it throws. */
  transaction<T>(work: (writer: SqlWriter) => T): T;
  /** Runs one PRAGMA, outside of transactions. */
  pragma(text: string): SqlRow[];
  /**
   * What is stored now, whatever is written until it is closed, for which the file keeps all of it. A database in memory has
   * one connection: its snapshot goes along with what is written.
   */
  snapshot(): SqlSnapshot;
  /** Writes a compact copy to `path`, which must not exist. */
  copyTo(path: string): void;
  close(): void;
}

/** Why SQLite, or a check before it, refused. */
export type SqlFailureKind =
  /** Another connection holds the lock for longer than we wait. */
  | 'busy'
  | 'disk-full'
  /** The file or its folder may not be written, or cannot be opened. */
  | 'unwritable'
  | 'corrupt'
  /** The disk failed to read or write. */
  | 'io'
  /** A value that the store cannot hold or does not accept. */
  | 'value'
  /** What is written belongs to something that is no longer stored. */
  | 'missing-parent'
  /** A later version of the app wrote the file. */
  | 'newer'
  /** This runtime has no SQLite. */
  | 'no-driver'
  /** A defect of the app. */
  | 'defect';

/** Every failure of a database, whatever its driver. `message` holds no stored value. */
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

/** The failure itself, what an error of the file system means, or a `defect` that says what was thrown instead. */
export function toSqlFailure(cause: unknown): SqlFailure {
  if (cause instanceof SqlFailure) return cause;
  const problem = diskProblemOf(cause);
  const message = cause instanceof Error ? cause.message : String(cause);
  const failure = new SqlFailure(problem === null ? 'defect' : kindOf[problem], message, { cause });
  if (cause instanceof Error && cause.stack !== undefined) failure.stack = cause.stack;
  return failure;
}

const wordsByKind: Readonly<Record<SqlFailureKind, { words: string; tellsDetail: boolean }>> = {
  busy: { words: 'The local store is in use by another program', tellsDetail: false },
  'disk-full': { words: 'The disk is full, so the local store could not be written', tellsDetail: false },
  unwritable: { words: 'The local store cannot be opened or written', tellsDetail: true },
  corrupt: { words: 'The local store is damaged', tellsDetail: true },
  io: { words: 'The disk failed to read or write the local store', tellsDetail: true },
  value: { words: 'The local store cannot take this', tellsDetail: true },
  'missing-parent': {
    words: 'This was removed in the meantime, so nothing is stored for it',
    tellsDetail: false,
  },
  newer: { words: 'The local store was written by a newer version of the app', tellsDetail: false },
  'no-driver': { words: 'This runtime has no SQLite', tellsDetail: true },
  defect: { words: 'The local store failed unexpectedly', tellsDetail: true },
};

/** A failure in one sentence for a person. */
export function wordsFor(cause: unknown): string {
  const { kind, message } = toSqlFailure(cause);
  const { words, tellsDetail } = wordsByKind[kind];
  return tellsDetail && message !== '' ? `${words}: ${message}.` : `${words}.`;
}
