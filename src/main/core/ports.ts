import type { RowFacets } from '../../shared/activity/facets.ts';
import type { ActivityFilter, ChoiceField } from '../../shared/activity/filter.ts';
import type {
  AddressColour,
  AuditReport,
  BlockInterval,
  BlockProof,
  BookEntry,
  ListId,
  RowMarks,
  RowVersion,
} from '../../shared/activity/types.ts';
import type { FilterValue } from '../../shared/ipc/contract-activity.ts';
import type { Attempt, RunPage, RunSummary } from '../../shared/explore/types.ts';
import type {
  CheckState,
  FailureEpisode,
  HistoryUse,
  NodeState,
  ReportMoment,
} from '../../shared/health/types.ts';
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
 * Opens a connection to the host of a URL and closes it at once, without a request; never throws. Null when it could be
 * opened.
 */
export type Knock = (url: string, timeoutMs: number, signal: AbortSignal) => Promise<HttpFailure | null>;

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

export interface StoredAddress {
  address: string;
  label: string | null;
  tags: string[];
  colour: AddressColour | null;
  paused: boolean;
  addedAtMs: number;
}

export interface StoredChains {
  /** Decoded `ChainRecord[]` as JSON, in the order of the answer. */
  indexedJson: string;
  unindexedIds: string[];
  fetchedAtMs: number;
  /** When each chain was first seen, where that was after the first answer; by chain id. */
  newSinceMs: Record<string, number>;
}

export interface WatchlistStore {
  list(): Promise<StoredAddress[]>;
  /** Inserts or replaces; history that was kept when the address was removed is its own again. */
  put(address: StoredAddress): Promise<void>;
  /** Removes the address; `keepData` keeps its chains, rows and coverage for when it is added again, out of every answer. */
  remove(address: string, keepData: boolean): Promise<void>;
  readChains(address: string): Promise<StoredChains | null>;
  writeChains(address: string, chains: StoredChains): Promise<void>;
}

/** Names that the user has given. */
export interface BookStore {
  list(): Promise<BookEntry[]>;
  put(entry: BookEntry): Promise<void>;
  remove(address: string): Promise<void>;
}

/** Which list of which address on which chain. */
export interface ListRef {
  address: string;
  chainId: string;
  list: ListId;
}

export interface StoredRow {
  chainId: string;
  address: string;
  txHash: string;
  blockNumber: bigint;
  /** Null sorts after all others of its block. */
  blockIndex: number | null;
  blockHash: string | null;
  timestampMs: number;
  completeness: 'partial' | 'complete';
  /** `AddressTransaction` or `TransactionDetail` as JSON. */
  transactionJson: string;
  fetchedAtMs: number;
  /** What filters look at (`facetsOf`). */
  facets: RowFacets;
}

/** An element of one of the other lists, kept to audit the list of transactions. */
export interface StoredRecord {
  txHash: string;
  blockNumber: bigint;
  timestampMs: number | null;
  /** The element as JSON; equal elements of one transaction are told apart by their count. */
  recordJson: string;
  fetchedAtMs: number;
}

/** A row as it is read back. */
export interface ReadRow extends StoredRow {
  id: number;
  marks: RowMarks;
}

/** The walk through one list of one address on one chain. */
export interface SyncState {
  /** Ascending, disjoint, not touching. */
  covered: BlockInterval[];
  /** The first block of the history is inside `covered`: nothing is older. */
  reachedStart: boolean;
  /** Where the walk under way goes on; null when none is under way. */
  resume: SyncResume | null;
  /** When the newest end was last confirmed. */
  checkedAtMs: number | null;
}

export interface SyncResume {
  pageToken: string;
  /** When the token was received: tokens expire. */
  receivedAtMs: number;
  /** The range that is being walked: `fromBlock` null means down to genesis, `toBlock` null means up to the newest. */
  fromBlock: string | null;
  toBlock: string | null;
  /** Exclusive end of what this walk has proven so far; blocks below `provenFrom` are not proven yet. */
  provenFrom: string | null;
  provenTo: string | null;
}

export interface StoredSync extends SyncState {
  /** Elements stored. */
  rowCount: number;
  /** The user has stopped it (`setStopped`). */
  stoppedByUser: boolean;
  newestTimestampMs: number | null;
  oldestTimestampMs: number | null;
}

/** A page of a list, or several pages, with what they prove. */
export interface ListPage extends ListRef {
  /** Of the list of transactions; empty for the others. */
  rows: readonly StoredRow[];
  /** Of the other lists; empty for the list of transactions. */
  records: readonly StoredRecord[];
  sync: SyncState;
  /** Blocks that this page adds to the ledger, by the run that fetched it. */
  proof: { runId: string; provenAtMs: number; blocks: BlockInterval[] } | null;
  /**
   * What of these blocks is stored but was last seen before `notSeenSinceMs` is gone from the chain: rows are marked and
   * kept, records of other lists are removed.
   */
  sweep: { blocks: BlockInterval[]; notSeenSinceMs: number } | null;
}

/** Place of a row in the order of the timeline; opaque to callers, comes from `readRows` or `scanRows`. */
export type RowCursor = string;

export interface ActivityStore {
  /**
   * Adds a page and moves the sync on, both or neither. A partial row never replaces a complete one. A row whose block has
   * another hash than the stored one replaces it, the old version is kept and the row marked `reorganised`; a row that was
   * `gone` and is there again is no longer so.
   */
  savePage(page: ListPage): Promise<StoredSync>;
  readSync(list: ListRef): Promise<StoredSync | null>;
  /** All syncs of all addresses that are watched. */
  listSyncs(): Promise<(ListRef & { sync: StoredSync })[]>;
  /** The ledger of one list in order of blocks. */
  readProofs(list: ListRef): Promise<BlockProof[]>;
  /** The user has stopped the list, or has started it again. */
  setStopped(list: ListRef, stopped: boolean): Promise<void>;
  /** The rows of one transaction, of every watched address that has it. */
  rowsOfTransaction(chainId: string, txHash: string): Promise<ReadRow[]>;
  /** Replaces rows, with the versions that they replace, and notes; all or nothing. Rows that are not stored are added. */
  putRows(
    rows: readonly { row: StoredRow; integrityNote: string | null; replaced: RowVersion | null }[],
  ): Promise<void>;
  readRow(rowId: number): Promise<ReadRow | null>;
  /** Newest first by time, then block, then index, then hash. */
  readRows(query: {
    filter: ActivityFilter;
    offset: number;
    anchor: { rowId: number; before: number } | null;
    limit: number;
  }): Promise<{
    rows: ReadRow[];
    offset: number;
    totalCount: number;
    hiddenCount: number;
    partialCount: number;
  }>;
  /** The rows that match after a place, in the same order, for exports: rows that come meanwhile move nothing. */
  scanRows(query: {
    filter: ActivityFilter;
    after: RowCursor | null;
    limit: number;
  }): Promise<{ rows: ReadRow[]; next: RowCursor | null }>;
  /** Partial rows that match, newest first. */
  partialRows(query: {
    filter: ActivityFilter;
    limit: number;
  }): Promise<{ rowId: number; chainId: string; txHash: string }[]>;
  /** Stored rows of all watched addresses that are partial. */
  countPartial(): Promise<number>;
  values(query: { field: ChoiceField; text: string; limit: number }): Promise<FilterValue[]>;
  versions(rowId: number): Promise<RowVersion[]>;
  /** Joins the lists over the blocks that are proven in both; at most `limit` gaps. */
  audit(address: string, chainId: string, limit: number): Promise<AuditReport>;
  judgeRow(rowId: number, decision: 'show' | 'hide' | null): Promise<void>;
  /** `token`: a value of the token field. */
  judgeToken(token: string, decision: 'show' | 'hide' | null): Promise<void>;
  /** A stored transaction on another chain than `chainId` with this cross-chain message. */
  findMessage(
    messageId: string,
    chainId: string,
  ): Promise<{ chainId: string; txHash: string; timestampMs: number | null } | null>;
}

export interface StoredNode {
  id: string;
  name: string;
  url: string;
  intervalMs: number | null;
  tags: string[];
  headerNames: string[];
  paused: boolean;
  addedAtMs: number;
  /** The header `node-id` that this address answered with before the present one. */
  previousNodeId: string | null;
  /** Which checks each tag selects, as learned. */
  tagChecks: { tag: string; checks: string[] }[];
}

/** What one poll saw of one check. */
export interface StoredCheckRun {
  check: string;
  state: CheckState;
  /** When the node ran the check; when it did not say, when we asked. Runs with the same time are one run. */
  ranAtMs: number;
  durationNs: bigint | null;
  contiguousFailures: number | null;
  firstFailureAtMs: number | null;
  error: string | null;
  messageJson: string | null;
}

export interface StoredEpisode extends FailureEpisode {
  /** Chosen by the domain; writing the same id again replaces the episode. */
  id: string;
}

export interface StoredPoll {
  nodeId: string;
  polledAtMs: number;
  state: NodeState;
  reason: string;
  /** Header `node-id`. */
  reportedNodeId: string | null;
  /** The report as JSON (`HealthReport`); null when none arrived. */
  reportJson: string | null;
  runs: readonly StoredCheckRun[];
  /** Episodes that began, went on or ended with this poll. */
  episodes: readonly StoredEpisode[];
}

/** How often a state was seen in one span of time. `check` null counts the node's own states. */
export interface StoredCell {
  check: string | null;
  /** 0 is the span that starts at `fromMs`. */
  cell: number;
  state: CheckState | NodeState;
  count: number;
  /** Error (or, for the node, reason) of the first of them. */
  firstError: string | null;
}

export interface HealthStore {
  listNodes(): Promise<StoredNode[]>;
  putNode(node: StoredNode): Promise<void>;
  /** Removes the node with its history. */
  removeNode(id: string): Promise<void>;
  /** Stores the poll, the runs that are not stored yet and the episodes: all or nothing. */
  recordPoll(poll: StoredPoll): Promise<void>;
  /** The last poll, and the last poll that brought a report, both without runs and episodes. */
  latest(nodeId: string): Promise<{ poll: StoredPoll | null; lastReport: StoredPoll | null }>;
  /** Counts by check, span and state over `cellCount` spans of `cellMs` from `fromMs`, computed in the store. */
  readCells(nodeId: string, fromMs: number, cellMs: number, cellCount: number): Promise<StoredCell[]>;
  /** Episodes that have not ended. */
  openEpisodes(nodeId: string): Promise<StoredEpisode[]>;
  /** Newest start first; `check` null for all. */
  readEpisodes(nodeId: string, check: string | null, limit: number): Promise<StoredEpisode[]>;
  /**
   * Every episode that touches a span: begun before `toMs`, and lasting or ended at `fromMs` or later. Newest start first;
   * `limit` 1 to 20,000.
   */
  readEpisodesIn(nodeId: string, fromMs: number, toMs: number, limit: number): Promise<StoredEpisode[]>;
  /**
   * Exact sums over a span for the node (`check` null) and each check: milliseconds known to pass, known to fail and not
   * known, by the rule in docs/uptime.md; computed in the store from roll-ups and, at the edges, from single runs.
   */
  readUptime(nodeId: string, fromMs: number, toMs: number): Promise<StoredUptime[]>;
  /**
   * Times of stored polls whose report differs from the one before in more than times, both ends included; oldest first.
   * None of days that have lost their single runs.
   */
  readMoments(
    nodeId: string,
    fromMs: number,
    toMs: number,
    limit: number,
  ): Promise<{ moments: ReportMoment[]; isCut: boolean }>;
  /** The newest poll with a report at or before `atMs`, rebuilt exactly as it was recorded; without runs and episodes. */
  readPollAt(nodeId: string, atMs: number): Promise<StoredPoll | null>;
  /**
   * Every stored poll of `afterMs` < t ≤ `toMs` in order, with its runs, rebuilt exactly; for replays, exports and incidents.
   * `limit` 1 to 1,000; polls of the same time as the last one come with it. Empty only when there are no more.
   */
  scanPolls(nodeId: string, afterMs: number, toMs: number, limit: number): Promise<StoredPoll[]>;
  historyUse(): Promise<HistoryUse[]>;
  /**
   * Upkeep, in small steps: packs days that are over into compressed blocks with their roll-ups, and forgets (or rolls up
   * without single runs) what is older than the limits say. Returns true while there is more to do. Episodes, incidents and
   * what `latest` gives stay.
   */
  maintain(limits: { nowMs: number; keepDays: number; keepBytesPerNode: number }): Promise<boolean>;
  // What the user has said about incidents.
  readIncidentMarks(nodeId: string): Promise<StoredIncidentMark[]>;
  putIncidentMark(nodeId: string, mark: StoredIncidentMark): Promise<void>;
}

export interface StoredUptime {
  check: string | null;
  upMs: number;
  downMs: number;
  unknownMs: number;
  runs: number;
  failedRuns: number;
}

/**
 * The user's word about how episodes fold and a note. Incidents themselves are computed from episodes and these marks, by
 * one rule, so that a recording rebuilds the same ones.
 */
export interface StoredIncidentMark {
  /** Id of an episode. */
  episodeId: string;
  /** Id of the episode that leads the incident it was put into by the user; null where the rule decides. */
  leadEpisodeId: string | null;
  /** Of the incident that this episode leads. */
  note: string;
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

/** How much of a file is read before it is refused. */
export interface ReadLimits {
  fileBytes: number;
  /** After decompression. */
  textBytes: number;
  lineBytes: number;
}

/** Files that the user hands over: anyone may have written them. */
export interface FileOpener {
  /** Asks the user for a file; null when they want none. */
  choose(format: 'jsonl.gz'): Promise<string | null>;
  /**
   * The lines of a compressed text. Ends with an `AppFailure` of code `storage` when the disk refuses, and of code
   * `bad-response` when the file is larger than the limits say, is cut, or is no such file.
   */
  readLines(path: string, limits: ReadLimits): AsyncIterable<string>;
}
