import type { Alert, AlertMessage } from '../../shared/alerts/types.ts';
import type { AppLink } from '../../shared/app-link.ts';
import type { Attempt, RunFilter, RunList, RunPage, RunSummary } from '../../shared/explore/types.ts';
import type { EventChannel, EventContract } from '../../shared/ipc/contract.ts';
import type { Settings } from '../../shared/settings.ts';

/**
 * Everything that the core needs from outside. The core runs in plain Node under a fake clock because it has no other
 * access to time, network, disk or randomness.
 */

export interface Clock {
  /** Milliseconds since 1970 by the system's clock, which may jump. */
  nowMs(): number;
  /** A monotonic clock in milliseconds; only differences are meaningful. */
  monotonicMs(): number;
}

/** Tells the window of a change. */
export type Emit = <C extends EventChannel>(channel: C, payload: EventContract[C]) => void;

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

/** Log entries. Fields never contain a payload, a parameter or a secret. */
export interface Log {
  info(event: string, fields?: Readonly<Record<string, string | number | boolean | null>>): void;
  warn(event: string, fields?: Readonly<Record<string, string | number | boolean | null>>): void;
  /** Returns a reference to the entry. */
  error(event: string, cause: unknown): string;
}

/** What most services need of the rest; each picks what it uses. */
export interface Ports {
  emit: Emit;
  clock: Clock;
  timers: Timers;
  random: Random;
  log: Log;
  keychain: Keychain;
  /** False when the system reports that it has no network. */
  isOnline: () => boolean;
}

/** A logged warning or error, without the error's message. */
export interface LogEntry {
  atMs: number;
  event: string;
  fields: Readonly<Record<string, string | number | boolean | null>>;
  /** Kind of the error and its stack frames (function, file, line, column). Empty for a warning. */
  error: readonly string[];
}

// ---- Network -------------------------------------------------------------------------------------------------------

export interface HttpRequest {
  method: 'GET' | 'POST';
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** For the whole request, including the body. */
  timeoutMs: number;
  /** Limit for the decompressed body; 0: its body does not matter and is not read. */
  maxBytes: number;
  signal?: AbortSignal;
  /** SHA-256 of the only certificate that is trusted; null for those that the authorities vouch for. */
  certificate?: string | null;
  /** Asked before each further request that this one takes: for a redirect, or after a kept connection ended under it. */
  mayGoOn?: () => boolean;
}

export type HttpFailure =
  | 'dns'
  | 'refused'
  | 'reset'
  | 'tls'
  | 'network'
  /** A proxy is not there, or lets nothing through; nothing is known of the host. */
  | 'proxy'
  | 'timeout'
  | 'too-large'
  | 'redirect'
  | 'bad-encoding'
  | 'cancelled'
  /** The gate refused it. */
  | 'not-allowed';

/** `connection`: without a request. `proxy`: what passes them on. `link`: opened in the browser. `update`: by the updater. */
export type OutboundWay = 'request' | 'connection' | 'proxy' | 'link' | 'update';

/** Checks everything that leaves this computer. */
export interface OutboundGate {
  /** Null, and counted, if it may leave; otherwise the reason, for the user. */
  refusal(url: URL, way: OutboundWay): string | null;
}

/** What passes requests on to their hosts. */
export interface Proxy {
  /** `http://` or `https://`, host and port. */
  url: string;
  /** Header that logs in; null without one. */
  authorization: string | null;
  /** The keychain, which may have a login, is locked. */
  isLocked?: boolean;
}

/** Which proxies to try for a host, in order; null is the direct connection. */
export interface ProxyRules {
  proxiesFor(target: URL): Promise<readonly (Proxy | null)[]>;
  /** It could not be reached: others come before it for a while. */
  missed(proxy: Proxy): void;
}

export type HttpOutcome =
  | {
      kind: 'response';
      status: number;
      /** With lower-case names. */
      headers: Readonly<Record<string, string>>;
      /** Decoded as UTF-8. */
      body: string;
      /** Bytes of the body after decompression. */
      byteLength: number;
    }
  | HttpFailed;

/** `detail` is for the user: without headers, key or body. `certificate`: SHA-256 of one that is not trusted. */
export interface HttpFailed {
  kind: 'failure';
  reason: HttpFailure;
  detail: string;
  certificate?: string | null;
}

/**
 * One HTTP exchange; the gate checks each of its requests; never throws. Follows a few redirects within the origin with
 * the same headers; one to another origin ends with `redirect`, so that no header ever reaches a second origin.
 */
export interface HttpClient {
  send(request: HttpRequest): Promise<HttpOutcome>;
}

/**
 * Connections to one address. Requests use a connection that is kept open in between, one at a time; concurrent ones
 * get a connection of their own.
 */
export interface NodeLine extends HttpClient {
  /**
   * Opens and closes a connection without a request, and returns why that failed, or null; never throws. `isProven`: a host
   * with TLS has to show its certificate, which a captive portal in its place cannot.
   */
  connect(signal: AbortSignal, isProven?: boolean): Promise<HttpFailed | null>;
  /** Whether the request under way has an established connection. */
  isConnected(): boolean;
  /** Whether there is an idle connection. */
  isKept(): boolean;
  /** Closes all connections. */
  close(): void;
}

/**
 * Calls `onLost` when the other side closes an idle connection, with the time for which it was idle. `url` is a node's
 * base URL.
 */
export type OpenNodeLine = (url: string, onLost: (idleMs: number) => void) => NodeLine;

/** Asks for newer versions of the app and fetches them. All that it gives or throws is unknown until it was parsed. */
export interface Updater {
  /** The version that is offered; null if none is. */
  ask(signal: AbortSignal): Promise<unknown>;
  /** Downloads what was offered last, and checks its hash and the room for it. `onProgress` gets percents. */
  download(onProgress: (percent: unknown) => void, signal: AbortSignal): Promise<void>;
  /** Checks what was downloaded again and installs it, or throws and leaves the app as it is; the app must end right after. */
  install(): void;
}

// ---- Secrets -------------------------------------------------------------------------------------------------------

/** Why the keychain failed: `locked` (or no answer in time) or `absent`. */
export type KeychainFailure = 'locked' | 'absent';
export type KeychainOutcome<T> = { ok: true; value: T } | { ok: false; failure: KeychainFailure };

export interface KeychainRead {
  /** The user wants it now: it may show a prompt although one was not answered or dismissed a moment ago. */
  isAskedFor: boolean;
  /** Gets what a prompt that was answered after the time limit has opened. */
  onLate: (secret: string | null) => void;
}

/** The system's keychain; never throws, and every call has a time limit. */
export interface Keychain {
  read(account: string, how: KeychainRead): Promise<KeychainOutcome<string | null>>;
  /** `before`, where it is known, is put back when a prompt is answered after the time limit: then this has failed. */
  write(account: string, secret: string, before?: string | null): Promise<KeychainOutcome<null>>;
  remove(account: string): Promise<KeychainOutcome<null>>;
}

// ---- Settings ------------------------------------------------------------------------------------------------------

export interface SettingsStore {
  /** Unreadable settings are replaced by the defaults, with a notice. */
  read(): { settings: Settings; notice: string | null };
  write(settings: Settings): void;
}

// Resolved promises mean that the data is on disk. Rejections are an `AppFailure` with code `storage`.

export interface StoredAnswer {
  /** Origin of the service, and the endpoint's cache key. */
  key: string;
  endpointId: string;
  /** Parameters as JSON; never contains the API key. */
  paramsJson: string;
  bodyText: string;
  fetchedAtMs: number;
}

export interface AnswerStore {
  read(key: string): Promise<StoredAnswer | null>;
  /** Replaces the stored answer with this key. */
  write(answer: StoredAnswer): Promise<void>;
  /** Writes answers and removes others by their keys, in one transaction. */
  replace(answers: readonly StoredAnswer[], superseded: readonly string[]): Promise<void>;
  /** Answers of an endpoint whose raw body contains the text, newest first. Scans all answers of the endpoint. */
  holding(query: { endpointId: string; text: string; limit: number }): Promise<StoredAnswer[]>;
}

/** A stored query: what the window gets, and what only the core needs. */
export interface StoredRun extends RunSummary {
  /** The text to search: title, ids and parameters, in lower case. */
  searchText: string;
  walk: StoredWalk;
}

/** How far a run has come in its list. */
export interface StoredWalk {
  /** Token of the next page; null before the first page and after the last. */
  nextToken: string | null;
  /** Bounds that replace the user's since the list was restarted at a block; null if it was not. */
  range: { startBlock?: string; endBlock?: string } | null;
  /** Order of the rows by block. `unknown`: at most one block so far. `none`: no order. */
  order: 'unknown' | 'ascending' | 'descending' | 'none';
  /** The last block reached; more of its rows may follow. */
  block: string | null;
  /** How often each row of that block is stored, by identity. */
  stored: [identity: string, count: number][];
  /** How often each was seen since the last restart. */
  seen: [identity: string, count: number][];
  /** The place of the last restart; there must be progress before the next one. */
  restartedAt: string | null;
}

/** A stored page; `rawText` is the body as received. */
export interface StoredRunPage extends Omit<RunPage, 'runId' | 'data'> {
  rawText: string;
  /** Positions, ascending, of decoded rows that an earlier page of the run already has. */
  repeatedRows: number[];
}

export interface RunQuery extends Omit<RunFilter, 'text'> {
  /**
   * For each word the forms of which one has to be in the run's searched text, lower case. That text begins and ends
   * each line with a line break, and has the state and the base URL, too. `…` stands for any letters.
   */
  words: readonly (readonly string[])[];
  /** Ids that are left out. */
  without: readonly string[];
  offset: number;
  limit: number;
}

export interface RunStore {
  create(run: StoredRun): Promise<void>;
  /**
   * Updates a run and adds pages and attempts, in one transaction. Rejects if the run was removed in the meantime, or
   * if the pages do not follow those stored.
   */
  save(run: StoredRun, pages: readonly StoredRunPage[], attempts: readonly Attempt[]): Promise<void>;
  read(id: string): Promise<StoredRun | null>;
  readPage(id: string, index: number): Promise<StoredRunPage | null>;
  /** In the order in which they were saved. */
  readAttempts(id: string): Promise<Attempt[]>;
  /** From a place in the list on, the newest start first. */
  list(query: RunQuery): Promise<RunList<StoredRun>>;
  /** Removes the run with its pages and attempts. */
  remove(id: string): Promise<void>;
  /** Marks every run that was running when the app ended as `partial`. */
  settleRunning(): Promise<void>;
}

// ---- Alerts --------------------------------------------------------------------------------------------------------

/** Null stands for what cannot be read, such as what a later version has stored. */
export interface AlertStore {
  /** Adds alerts and messages or replaces those with the same key or id: all or nothing. */
  put(change: { alerts: readonly Alert[]; messages: readonly AlertMessage[] }): Promise<void>;
  /** Those that are open, held back, flapping, or ended since then; in the order in which they were first stored. */
  read(endedSinceMs: number): Promise<(Alert | null)[]>;
  /** Those that are over, newest start first. */
  past(limit: number): Promise<(Alert | null)[]>;
  /** Messages that a channel has not taken yet, in the order in which they were made. */
  waiting(): Promise<(AlertMessage | null)[]>;
  /** The newest, and all of alerts that are open; newest first. */
  messages(limit: number): Promise<(AlertMessage | null)[]>;
}

/** Takes messages to the user. */
export interface AlertChannel {
  name: string;
  /**
   * Resolves when the channel has accepted the message: the same `id` may come again after a crash. Rejects with an
   * `AppFailure` that says why it was not taken. `isAskedFor`: the user waits for it.
   */
  send(
    message: {
      id: string;
      title: string;
      body: string;
      level: 'tell' | 'wake';
      link: AppLink;
    },
    isAskedFor: boolean,
  ): Promise<void>;
}

export interface MetricsRequest {
  method: string;
  /** Without its query. */
  path: string;
  /** Headers; empty where absent. */
  authorization: string;
  accept: string;
}

export interface MetricsAnswer {
  status: number;
  type: string;
  body: string;
}

/** A server for programs on this computer; it can be reached from no other. */
export interface MetricsServer {
  /** Rejects with `invalid-params` if the port cannot be used. */
  listen(port: number, answer: (request: MetricsRequest) => Promise<MetricsAnswer>): Promise<void>;
  close(): Promise<void>;
}

// ---- Files ---------------------------------------------------------------------------------------------------------

/** The text of a file, in parts. */
export type Pieces = Iterable<string> | AsyncIterable<string>;

/** Files that the user saves. */
export interface FileSaver {
  /** Asks the user for a path; null when the user cancelled. */
  choose(
    suggestedName: string,
    format: 'csv' | 'json' | 'jsonl' | 'jsonl.gz' | 'html' | 'txt',
  ): Promise<string | null>;
  /**
   * Writes the pieces in order; the file gets its name only once everything is on disk. Rejects with an `AppFailure` of
   * code `storage` when the disk fails, or with what `pieces` threw; nothing is left behind then.
   */
  write(path: string, pieces: Pieces, compression?: 'gzip'): Promise<void>;
}

/** Files that the user opens. */
export interface FileOpener {
  /** Asks the user for a file; null when the user cancelled. */
  choose(format: 'jsonl.gz'): Promise<string | null>;
}
