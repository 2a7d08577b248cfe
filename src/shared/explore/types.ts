import type { EndpointId } from '../endpoints/registry.ts';
import type { AppError } from '../errors.ts';

/** The target of a query: an endpoint of the service with parameters, or a call to a watched node. */
export type RunTarget =
  | { kind: 'endpoint'; endpointId: EndpointId; params: Record<string, string> }
  | { kind: 'node'; nodeId: string; callId: string; tags: string[] };

/**
 * `running`: fetching pages. `partial`: stopped before the last page. `complete`: the last page is stored. `failed`:
 * the last attempt failed; pages stored before stay.
 */
export type RunState = 'running' | 'partial' | 'complete' | 'failed';

/** One query of the user, with all its pages: an entry of the list of past queries. */
export interface RunSummary {
  id: string;
  target: RunTarget;
  /** Base URL that was asked; a run can only be continued there. Never contains a key. */
  baseUrl: string;
  /** Headers with secrets that were sent with the first request; null where that is not known. */
  headerNames: string[] | null;
  state: RunState;
  startedAtMs: number;
  /** When its pages were received: the oldest and the newest. Null without pages. */
  fetched: { fromMs: number; toMs: number } | null;
  pageCount: number;
  /** Rows over all stored pages; null for an answer that is not a list. */
  rowCount: number | null;
  byteLength: number;
  /** Whether a next page is known to exist. */
  hasMore: boolean;
  error: AppError | null;
}

/** Which past queries are listed; null and empty mean any. */
export interface RunFilter {
  /** Words that all have to be in what was asked, its answer's state, or the names that you gave. */
  text: string;
  states: readonly RunState[];
  /** The id of an endpoint or of a node's call. */
  asked: string | null;
  /** When it was begun: from, and before. */
  fromMs: number | null;
  beforeMs: number | null;
}

/** Past queries from a place in their list on, with the length of the whole list. */
export interface RunList<Run = RunSummary> {
  runs: Run[];
  totalCount: number;
  /** How many were found so far that cannot be read; they are in no list. */
  unreadableCount: number;
}

/** A stored page. Its text as received, which may be larger than its data, is read by itself. */
export interface RunPage {
  runId: string;
  /** From 0. */
  index: number;
  /** Decoded; numbers too large for a double are strings. */
  data: unknown;
  fetchedAtMs: number;
  httpStatus: number;
  durationMs: number;
  byteLength: number;
  /** Oddities of the answer, and how they were handled. */
  notes: string[];
}

/** Record of one HTTP exchange with the service or a node, successful or not. Never contains a key. */
export interface Attempt {
  runId: string;
  atMs: number;
  durationMs: number;
  /** Null when there was no response. */
  httpStatus: number | null;
  byteLength: number;
  rowCount: number | null;
  outcome: 'ok' | AppError['code'];
  /** The token that was sent, and the one received. */
  pageToken: string | null;
  nextPageToken: string | null;
}

/** What is left of the service's rate limits, as far as it tells, in compute units. */
export interface BudgetStatus {
  data: BudgetShare;
  metrics: BudgetShare;
}
export interface BudgetShare {
  remainingThisMinute: number | null;
  limitPerMinute: number | null;
  remainingToday: number | null;
  limitPerDay: number | null;
  /** No request may be sent before this time; null if there is no hold. */
  heldUntilMs: number | null;
}
