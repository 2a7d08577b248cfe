import type { EndpointId } from '../endpoints/registry.ts';
import type { AppError } from '../errors.ts';

/** What a query asks: an endpoint of the service with its parameters, or a call of a watched node. */
export type RunTarget =
  | { kind: 'endpoint'; endpointId: EndpointId; params: Record<string, string> }
  | { kind: 'node'; nodeId: string; callId: string; tags: string[] };

/**
 * `running`: pages are being fetched. `partial`: stopped with more to come. `complete`: the last page is stored.
 * `failed`: the last attempt brought nothing; pages stored before it stay.
 */
export type RunState = 'running' | 'partial' | 'complete' | 'failed';

/** One query of the user, with all its pages: an entry of the list of past queries. */
export interface RunSummary {
  id: string;
  target: RunTarget;
  /** Origin that was asked; never with a key. */
  origin: string;
  state: RunState;
  startedAtMs: number;
  /** When the newest page arrived; null while there is none. */
  fetchedAtMs: number | null;
  pageCount: number;
  /** Rows over all stored pages; null for an answer that is not a list. */
  rowCount: number | null;
  byteLength: number;
  /** Whether a next page is known to exist. */
  hasMore: boolean;
  error: AppError | null;
}

/** One stored page exactly as it was fetched. */
export interface RunPage {
  runId: string;
  /** From 0. */
  index: number;
  /** Decoded; numbers that a double cannot hold are strings. */
  data: unknown;
  rawText: string;
  fetchedAtMs: number;
  httpStatus: number;
  durationMs: number;
  byteLength: number;
  /** What was odd about the answer and how it was read. */
  notes: string[];
}

/** One exchange with the service or a node, successful or not, for the record. Never holds a key. */
export interface Attempt {
  runId: string;
  atMs: number;
  durationMs: number;
  /** Null when no answer arrived. */
  httpStatus: number | null;
  byteLength: number;
  rowCount: number | null;
  outcome: 'ok' | AppError['code'];
  /** The token that was sent, and the one that came back. */
  pageToken: string | null;
  nextPageToken: string | null;
}

/** What is left of the service's limits, as far as it has told. Compute units. */
export interface BudgetStatus {
  data: BudgetShare;
  metrics: BudgetShare;
}
export interface BudgetShare {
  remainingThisMinute: number | null;
  limitPerMinute: number | null;
  remainingToday: number | null;
  limitPerDay: number | null;
  /** Nothing may be sent before this time; null when nothing holds it back. */
  heldUntilMs: number | null;
}
