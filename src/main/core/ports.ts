import type { Attempt, RunPage, RunSummary } from '../../shared/explore/types.ts';
import type { Settings } from '../../shared/settings.ts';

/**
 * Everything the domain needs from outside. The domain runs in plain Node under a fake clock because it has no other
 * way to time, network, disk or chance.
 */

export interface Clock {
  /** Milliseconds since 1970 by the system's clock, which may jump. */
  nowMs(): number;
  /** Milliseconds that never go back; only differences mean anything. */
  monotonicMs(): number;
}

export interface Timers {
  /** Runs `task` once after `delayMs`; the returned function cancels it. */
  after(delayMs: number, task: () => void): () => void;
}

export interface Random {
  /** Uniform in [0, 1). */
  fraction(): number;
  /** A new identifier. */
  id(): string;
}

/** Facts for the log. Fields never hold a payload, a parameter or a secret. */
export interface Log {
  info(event: string, fields?: Readonly<Record<string, string | number | boolean | null>>): void;
  warn(event: string, fields?: Readonly<Record<string, string | number | boolean | null>>): void;
  /** Returns a reference that finds the entry again. */
  error(event: string, cause: unknown): string;
}

// ---- Network -------------------------------------------------------------------------------------------------------

export interface HttpRequest {
  method: 'GET' | 'POST';
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** For the whole exchange, body included. */
  timeoutMs: number;
  /** Limit of the body after decompression. */
  maxBytes: number;
  signal?: AbortSignal;
}

export type HttpFailure =
  | 'dns'
  | 'refused'
  | 'reset'
  | 'tls'
  | 'network'
  | 'timeout'
  | 'too-large'
  | 'redirect'
  | 'bad-encoding'
  | 'cancelled';

export type HttpOutcome =
  | {
      kind: 'response';
      status: number;
      /** Lower-case names. */
      headers: Readonly<Record<string, string>>;
      /** Decoded as UTF-8. */
      body: string;
      /** Bytes of the body after decompression. */
      byteLength: number;
    }
  /** `detail` is for people: no header, no key, no body. */
  | { kind: 'failure'; reason: HttpFailure; detail: string };

/**
 * One HTTP exchange; never throws. Redirects within the origin are followed a few times with the same headers; a
 * redirect to another origin ends with `redirect`, so no header ever reaches a second origin.
 */
export interface HttpClient {
  send(request: HttpRequest): Promise<HttpOutcome>;
}

/**
 * The way to one address. Requests go over a connection that is kept open between them, one at a time; where one is under
 * way already, another has a connection of its own.
 */
export interface NodeLine extends HttpClient {
  /** Makes a connection, ends it without a word, and says whether it was made; never throws. */
  connect(signal: AbortSignal): Promise<boolean>;
  /** A request is under way whose connection stands. */
  isConnected(): boolean;
  /** There is an idle connection. */
  isKept(): boolean;
  /** Ends all connections. */
  close(): void;
}

/**
 * `onLost` is told when an idle connection ends from the other side, and how long it had been idle. `url` is the base URL of
 * a node.
 */
export type OpenNodeLine = (url: string, onLost: (idleMs: number) => void) => NodeLine;

// ---- Secrets -------------------------------------------------------------------------------------------------------

/** The system's keychain could not do it: `locked` (or no answer in time), `absent`, or an error of its own. */
export type KeychainFailure = 'locked' | 'absent';
export type KeychainOutcome<T> = { ok: true; value: T } | { ok: false; failure: KeychainFailure };

/** The system's keychain; never throws, and every call ends within its time limit. */
export interface Keychain {
  read(account: string): Promise<KeychainOutcome<string | null>>;
  write(account: string, secret: string): Promise<KeychainOutcome<null>>;
  remove(account: string): Promise<KeychainOutcome<null>>;
}

// ---- Settings ------------------------------------------------------------------------------------------------------

export interface SettingsStore {
  /** Settings that can no longer be read are replaced by the defaults, and that is reported. */
  read(): { settings: Settings; notice: string | null };
  write(settings: Settings): void;
}

// ---- Storage -------------------------------------------------------------------------------------------------------
// A promise that resolves means: on disk. A rejection is an `AppFailure` with code `storage`.

export interface StoredAnswer {
  /** Origin of the service and the endpoint's cache key. */
  key: string;
  endpointId: string;
  /** Parameters as JSON, never the key of the service. */
  paramsJson: string;
  bodyText: string;
  fetchedAtMs: number;
}

export interface AnswerStore {
  read(key: string): Promise<StoredAnswer | null>;
  /** Replaces what was stored under the key. */
  write(answer: StoredAnswer): Promise<void>;
  /** Answers of an endpoint whose body holds the text as it stands, newest first. Reads all answers of the endpoint. */
  holding(query: { endpointId: string; text: string; limit: number }): Promise<StoredAnswer[]>;
}

/** A query of the user as it is stored: what the window sees, and what only the domain needs. */
export interface StoredRun extends RunSummary {
  /** What is searched: title, ids and parameters, in lower case. */
  searchText: string;
  walk: StoredWalk;
}

/** Where the walk of a run through its list stands. */
export interface StoredWalk {
  /** Base URL that was asked: the walk can go on only there. */
  baseUrl: string;
  /** Token of the page that follows; null before the first page and after the last. */
  nextToken: string | null;
  /** Bounds in the place of the user's since the list was begun again at a block; null when it was not. */
  range: { startBlock?: string; endBlock?: string } | null;
  /** Order of the rows by block. `unknown`: one block at most so far. `none`: nothing can be concluded from it. */
  order: 'unknown' | 'ascending' | 'descending' | 'none';
  /** The last block reached; rows of it may still follow. */
  block: string | null;
  /** How often each row of that block is stored, by identity. */
  stored: [identity: string, count: number][];
  /** How often each was seen since the list was begun again. */
  seen: [identity: string, count: number][];
  /** What was stored when the list was last begun again: there has to be progress in between. */
  restartedAt: string | null;
}

/** A page as it came; `rawText` is the body as it was received. */
export interface StoredRunPage extends Omit<RunPage, 'runId' | 'data'> {
  /** Positions among the decoded rows of those that an earlier page of the run holds. Ascending. */
  repeatedRows: number[];
}

export interface RunStore {
  create(run: StoredRun): Promise<void>;
  /**
   * Replaces what is stored of the run and adds pages and attempts, all or nothing. A run that was removed meanwhile is a
   * failure, as are pages that do not follow those stored before.
   */
  save(run: StoredRun, pages: readonly StoredRunPage[], attempts: readonly Attempt[]): Promise<void>;
  read(id: string): Promise<StoredRun | null>;
  readPage(id: string, index: number): Promise<StoredRunPage | null>;
  /** In the order in which they were saved. */
  readAttempts(id: string): Promise<Attempt[]>;
  /** Newest start first; only runs whose `searchText` holds each of `words`. `cursor` is opaque to callers. */
  list(query: { words: string[]; cursor: string | null; limit: number }): Promise<{
    runs: StoredRun[];
    nextCursor: string | null;
    totalCount: number;
  }>;
  /** Removes the run with its pages and attempts. */
  remove(id: string): Promise<void>;
  /** Turns every run that was being fetched when the app ended into a `partial` one. */
  settleRunning(): Promise<void>;
}

// ---- Files ---------------------------------------------------------------------------------------------------------

/** Files that the user asked for. */
export interface FileSaver {
  /** Asks the user for a place; null when they want none. */
  choose(
    suggestedName: string,
    format: 'csv' | 'json' | 'jsonl' | 'jsonl.gz' | 'html',
  ): Promise<string | null>;
  /**
   * Writes the pieces one after the other; the file has its name only when all of it is on disk. Rejects with an
   * `AppFailure` of code `storage` when the disk refuses, and with what `pieces` threw; then nothing is left behind.
   */
  write(path: string, pieces: AsyncIterable<string>, compression?: 'gzip'): Promise<void>;
}

/** Files that the user hands over. */
export interface FileOpener {
  /** Asks the user for a file; null when they want none. */
  choose(format: 'jsonl.gz'): Promise<string | null>;
}
