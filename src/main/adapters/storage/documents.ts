// The JSON documents in the small tables, each with the schema that checks it when it is read.
import * as z from 'zod/mini';
import type { BookEntry } from '../../../shared/activity/types.ts';
import type { Attempt } from '../../../shared/explore/types.ts';
import { failureEpisode, recordedPoll } from '../../../shared/health/stored.ts';
import type { StoredAddress, StoredChains, SyncState } from '../../core/activity-ports.ts';
import type { StoredNode, StoredPoll } from '../../core/health-ports.ts';
import type { StoredRun, StoredRunPage, StoredWalk } from '../../core/ports.ts';

type Shape = z.ZodMiniType;

function shapeOf<T>(fields: Record<keyof T, Shape>): z.ZodMiniObject<Record<keyof T, Shape>> {
  return z.object(fields);
}

/** Requires a schema for every field of the type. */
function document<T>(fields: Record<keyof T, Shape>): z.ZodMiniType<T> {
  // Each field is checked by its schema; ids defined by the app (endpoints, codes) are only checked to be text.
  return shapeOf<T>(fields) as z.ZodMiniType as z.ZodMiniType<T>;
}

const text = z.string();
const texts = z.array(text);
const textOrNull = z.nullable(text);
const whole = z.int();
const wholeOrNull = z.nullable(whole);
const counts = z.array(z.tuple([text, whole]));

// ---- Watched addresses ------------------------------------------------------------------------------------------------

export const addressDocument = document<StoredAddress>({
  address: text,
  label: textOrNull,
  tags: texts,
  // A later version of the app may have stored a colour unknown here; the reader checks that.
  colour: textOrNull,
  paused: z.boolean(),
  addedAtMs: z.number(),
});

export const chainsDocument = document<StoredChains>({
  indexedJson: text,
  unindexedIds: texts,
  fetchedAtMs: z.number(),
  newSinceMs: z.record(text, z.number()),
});

export const bookDocument = document<BookEntry>({
  address: text,
  name: text,
  note: textOrNull,
  changedAtMs: z.number(),
});

export const syncDocument = document<SyncState>({
  covered: z.array(z.object({ fromBlock: text, toBlock: text })),
  reachedStart: z.boolean(),
  checkedAtMs: z.nullable(z.number()),
});

// ---- Queries ------------------------------------------------------------------------------------------------------------

const target = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('endpoint'), endpointId: text, params: z.record(text, text) }),
  z.object({ kind: z.literal('node'), nodeId: text, callId: text, tags: texts }),
]);

const walk = shapeOf<StoredWalk>({
  nextToken: textOrNull,
  range: z.nullable(z.object({ startBlock: z.exactOptional(text), endBlock: z.exactOptional(text) })),
  order: z.enum(['unknown', 'ascending', 'descending', 'none']),
  block: textOrNull,
  stored: counts,
  seen: counts,
  restartedAt: textOrNull,
});

/** Versions up to 0.2.0 wrote a span without its begin, which is over long ago. */
const withMoment = <E extends { code: string }>(error: E) =>
  error.code === 'rate-limited' && !('retryAtMs' in error) ? { ...error, retryAtMs: 0 } : error;

export const runDocument = document<StoredRun>({
  id: text,
  target,
  baseUrl: text,
  headerNames: z.nullable(texts),
  state: z.enum(['running', 'partial', 'complete', 'failed']),
  startedAtMs: z.number(),
  fetched: z.nullable(z.object({ fromMs: z.number(), toMs: z.number() })),
  pageCount: whole,
  rowCount: wholeOrNull,
  byteLength: whole,
  hasMore: z.boolean(),
  error: z.nullable(z.pipe(z.looseObject({ code: text, message: text }), z.transform(withMoment))),
  searchText: text,
  walk,
});

export const pageDocument = document<Omit<StoredRunPage, 'rawText'>>({
  index: whole,
  fetchedAtMs: z.number(),
  httpStatus: whole,
  durationMs: z.number(),
  byteLength: whole,
  notes: texts,
  repeatedRows: z.array(whole),
});

export const attemptDocument = document<Attempt>({
  runId: text,
  atMs: z.number(),
  durationMs: z.number(),
  httpStatus: wholeOrNull,
  byteLength: whole,
  rowCount: wholeOrNull,
  outcome: text,
  pageToken: textOrNull,
  nextPageToken: textOrNull,
});

// ---- Nodes --------------------------------------------------------------------------------------------------------------

export const nodeDocument = document<StoredNode>({
  id: text,
  name: text,
  url: text,
  intervalMs: wholeOrNull,
  tags: texts,
  headerNames: texts,
  // Versions up to 0.2.0 did not write it.
  certificate: z._default(textOrNull, null),
  paused: z.boolean(),
  addedAtMs: z.number(),
  previousNodeId: textOrNull,
  tagChecks: z.array(z.object({ tag: text, checks: texts })),
});

/** The last poll of a node, without its runs; they are stored elsewhere. */
export const latestDocument: z.ZodMiniType<StoredPoll> = z.extend(recordedPoll, {
  nodeId: text,
  episodes: z.array(failureEpisode),
});

/** The name of a check as JSON, since columns cannot hold all untrusted texts; null stands for the node itself. */
export const checkDocument = textOrNull;
