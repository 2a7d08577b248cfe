import * as z from 'zod/mini';
import { activityFilterSchema, choiceFields } from '../activity/filter.ts';
import { tagLimits } from '../activity/tags.ts';
import {
  addressColours,
  listIds,
  type ActivityRows,
  type AddedLine,
  type AuditReport,
  type BookEntry,
  type RowVersion,
  type SyncPlan,
  type WatchedAddress,
} from '../activity/types.ts';
import type { FilterValue, ListLedger, RowText } from './answers.ts';
import { answer, filled, oneTo, text } from './call.ts';

const address = text(200);
const label = z.nullable(text(200));
const chainId = filled(200);
const txHash = filled(200);
const rowId = z.int().check(z.gte(0));
const scope = z.strictObject({ address: z.nullable(address), chainId: z.nullable(chainId) });
const what = z.enum(['newer', 'holes', 'older', 'all']);

/** Calls about watched addresses, their names and their history. */
export const activityCalls = {
  'watchlist.add': answer<WatchedAddress>().to({ address, label }),
  /** Text with an address a line (CSV of our own export, JSON of it, or plain lines); tells what became of each. */
  'watchlist.addMany': answer<AddedLine[]>().to({ text: text(4 * 1024 * 1024) }),
  'watchlist.update': answer<null>().to({
    address,
    label,
    tags: z.array(filled(tagLimits.length)).check(z.maxLength(tagLimits.count)),
    colour: z.nullable(z.enum(addressColours)),
    paused: z.boolean(),
  }),
  /** Stops watching. `keepData` leaves the stored history, which is there again when the address is added again. */
  'watchlist.remove': answer<null>().to({ address, keepData: z.boolean() }),
  'watchlist.refreshChains': answer<null>().to({ address }),
  /** Chains of a long list that are on the screen: their histories are fetched before all others that wait. */
  'watchlist.showing': answer<null>().to({ address, chainIds: z.array(text(1_000)).check(z.maxLength(200)) }),
  /** Asks the user for a place; null when they want none. */
  'watchlist.export': answer<{ path: string } | null>().to({ format: z.enum(['csv', 'json']) }),
  /** Names an address, or changes its name. */
  'book.put': answer<BookEntry>().to({ address, name: text(200), note: z.nullable(text(2_000)) }),
  'book.remove': answer<null>().to({ address }),
  'activity.rows': answer<ActivityRows>().to({
    filter: activityFilterSchema,
    offset: z.int().check(z.gte(0)),
    anchor: z.nullable(z.strictObject({ rowId, before: z.int().check(z.gte(0), z.lte(1_000)) })),
    limit: oneTo(500),
  }),
  /** Values of a field that stored rows have and that hold `text`, the most frequent first. */
  'activity.values': answer<FilterValue[]>().to({
    field: z.enum(choiceFields),
    text: text(200),
    limit: oneTo(200),
  }),
  /** Starts, or goes on with, fetching; progress arrives as `activity.changed`. */
  'activity.sync': answer<null>().to({ scope, what }),
  /** Stops fetching until the user starts it again. */
  'activity.cancel': answer<null>().to({ scope }),
  'activity.plan': answer<SyncPlan>().to({ scope, what }),
  'activity.ledger': answer<ListLedger[]>().to({ address, chainId }),
  /** The rows on the screen: partial ones among them are completed before all others. */
  'activity.showing': answer<null>().to({ rowIds: z.array(rowId).check(z.maxLength(200)) }),
  /** Completes every partial row that the filter lets through, in the background; with `false` ends that. */
  'activity.completeAll': answer<null>().to({ filter: activityFilterSchema, run: z.boolean() }),
  /** The JSON that is stored of a row; null when the row is there no longer. */
  'activity.text': answer<RowText | null>().to({ rowId }),
  'activity.versions': answer<RowVersion[]>().to({ rowId }),
  'activity.audit': answer<AuditReport>().to({ address, chainId }),
  /**
   * Closes a gap of the audit. What the list of transactions lacks is fetched alone, and stored as a complete row of the
   * address; another list is asked again for the block, and the call ends when it has answered.
   */
  'activity.pull': answer<null>().to({
    address,
    chainId,
    txHash,
    blockNumber: z.string().check(z.regex(/^\d{1,30}$/)),
    missingIn: z.enum(listIds),
  }),
  /** What the user decides about one row or one token; null takes it back. `token` is a value of the token field. */
  'activity.judge': answer<null>().to({
    target: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('row'), rowId }),
      z.strictObject({ kind: z.literal('token'), token: text(500) }),
    ]),
    decision: z.nullable(z.enum(['show', 'hide'])),
  }),
  /** The stored transaction on another chain that carries the same cross-chain message; null when it is not stored. */
  'activity.otherHalf': answer<{ chainId: string; txHash: string; timestampMs: number | null } | null>().to({
    messageId: text(200),
    chainId,
  }),
  /** Asks for a place and begins to write; null when the user wants none. Progress: `activityExport.changed`. */
  'activity.export': answer<{ path: string } | null>().to({
    filter: activityFilterSchema,
    format: z.enum(['csv', 'jsonl', 'json']),
  }),
  'activity.cancelExport': answer<null>().toNothing(),
};
