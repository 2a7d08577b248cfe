import * as z from 'zod/mini';
import { activityFilterSchema, choiceFields } from '../activity/filter.ts';
import {
  addressColours,
  listIds,
  syncWhats,
  type ActivityRows,
  type AddedLine,
  type AuditReport,
  type BookEntry,
  type RowVersion,
  type SyncPlan,
  type WatchedAddress,
} from '../activity/types.ts';
import { longest, tagLimits } from '../limits.ts';
import type { FilterValue, ListLedger, Removed, RowText } from './answers.ts';
import { answer, filled, oneTo, text } from './call.ts';

const address = text(200);
const label = z.nullable(text(longest.label));
const chainId = filled(200);
const txHash = filled(200);
const rowId = z.int().check(z.gte(0));
const scope = z.strictObject({ address: z.nullable(address), chainId: z.nullable(chainId) });
const what = z.enum(syncWhats);
const blockNumber = z.string().check(z.regex(/^\d{1,30}$/));

/** Calls about watched addresses, their names and their history. */
export const activityCalls = {
  'watchlist.add': answer<WatchedAddress>().to({ address, label }),
  /** Text with one address per line (CSV or JSON exported by the app, or plain); returns the outcome of each line. */
  'watchlist.addMany': answer<AddedLine[]>().to({ text: text(4 * 1024 * 1024) }),
  'watchlist.update': answer<null>().to({
    address,
    label,
    tags: z.array(filled(tagLimits.length)).check(z.maxLength(tagLimits.count)),
    colour: z.nullable(z.enum(addressColours)),
    paused: z.boolean(),
  }),
  /** Stops watching. `keepData` keeps the stored history for when the address is added again. */
  'watchlist.remove': answer<Removed>().to({ address, keepData: z.boolean() }),
  'watchlist.refreshChains': answer<null>().to({ address }),
  /** The chains of a long list that are on the screen: their histories come first in the queue. */
  'watchlist.showing': answer<null>().to({ address, chainIds: z.array(text(1_000)).check(z.maxLength(200)) }),
  /** Asks the user for a path; null when the user cancelled. */
  'watchlist.export': answer<{ path: string } | null>().to({ format: z.enum(['csv', 'json']) }),
  /** Adds or changes the name of an address. */
  'book.put': answer<BookEntry>().to({
    address,
    name: text(longest.label),
    note: z.nullable(text(longest.bookNote)),
  }),
  'book.remove': answer<Removed>().to({ address }),
  'activity.rows': answer<ActivityRows>().to({
    filter: activityFilterSchema,
    offset: z.int().check(z.gte(0)),
    anchor: z.nullable(z.strictObject({ rowId, before: z.int().check(z.gte(0), z.lte(1_000)) })),
    limit: oneTo(500),
  }),
  /** Values of a field in stored rows that contain `text`, the most frequent first. */
  'activity.values': answer<FilterValue[]>().to({
    field: z.enum(choiceFields),
    text: text(longest.search),
    limit: oneTo(200),
    /** Without tokens that have an id of their own, which amounts are not about. */
    onlyCounted: z.exactOptional(z.boolean()),
  }),
  /** Starts or continues fetching; progress is sent as `activity.changed`. */
  'activity.sync': answer<null>().to({ scope, what }),
  /** Stops fetching until the user starts it again. */
  'activity.cancel': answer<null>().to({ scope }),
  /** Continues fetching that the user stopped. */
  'activity.resume': answer<null>().to({ scope }),
  'activity.plan': answer<SyncPlan>().to({ scope, what }),
  'activity.ledger': answer<ListLedger[]>().to({ address, chainId }),
  /** The rows on the screen: the partial ones are completed first. */
  'activity.showing': answer<null>().to({ rowIds: z.array(rowId).check(z.maxLength(200)) }),
  /** Completes all partial rows that match the filter, in the background; `false` stops that. */
  'activity.completeAll': answer<null>().to({ filter: activityFilterSchema, run: z.boolean() }),
  /** The stored JSON of a row; null when the row no longer exists. */
  'activity.text': answer<RowText | null>().to({ rowId }),
  'activity.versions': answer<RowVersion[]>().to({ rowId }),
  /** Around each gap that it finds, the lists lose their proof and are fetched again. */
  'activity.audit': answer<AuditReport>().to({ address, chainId }),
  /** Takes back the proof of blocks of a list, which are then fetched again. */
  'activity.distrust': answer<null>().to({
    address,
    chainId,
    list: z.enum(listIds),
    fromBlock: blockNumber,
    toBlock: blockNumber,
  }),
  /**
   * Closes a gap found by an audit. A transaction missing from the list of transactions is fetched and stored as a
   * complete row; for another list, the block is fetched again, and the call ends when that is done.
   */
  'activity.pull': answer<null>().to({
    address,
    chainId,
    txHash,
    blockNumber,
    missingIn: z.enum(listIds),
  }),
  /**
   * The user's decision about a row or token; null removes it. Answers with the one before. `token` is in the form of the
   * filter's field.
   */
  'activity.judge': answer<'show' | 'hide' | null>().to({
    target: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('row'), rowId }),
      z.strictObject({ kind: z.literal('token'), token: text(500) }),
    ]),
    decision: z.nullable(z.enum(['show', 'hide'])),
  }),
  /** The stored transaction on another chain with the same cross-chain message; null if there is none. */
  'activity.otherHalf': answer<{ chainId: string; txHash: string; timestampMs: number | null } | null>().to({
    messageId: text(200),
    chainId,
  }),
  /** Asks for a path and writes; null when the user cancelled that. Progress: `activityExport.changed`. */
  'activity.export': answer<{ path: string; count: number } | null>().to({
    filter: activityFilterSchema,
    format: z.enum(['csv', 'jsonl', 'json']),
  }),
  'activity.cancelExport': answer<null>().toNothing(),
};
