import * as z from 'zod/mini';
import { activityFilterSchema } from '../activity/filter-schema.ts';
import { choiceFields } from '../activity/filter.ts';
import { tagLimits } from '../activity/tags.ts';
import { addressColours, listIds } from '../activity/types.ts';

const address = z.string().check(z.maxLength(200));
const label = z.nullable(z.string().check(z.maxLength(200)));
const chainId = z.string().check(z.minLength(1), z.maxLength(200));
const txHash = z.string().check(z.minLength(1), z.maxLength(200));
const rowId = z.int().check(z.gte(0));
const scope = z.strictObject({ address: z.nullable(address), chainId: z.nullable(chainId) });
const what = z.enum(['newer', 'holes', 'older', 'all']);

/** What arrives from the window about addresses and their history. */
export const activitySchemas = {
  'watchlist.add': z.strictObject({ address, label }),
  'watchlist.addMany': z.strictObject({ text: z.string().check(z.maxLength(4 * 1024 * 1024)) }),
  'watchlist.update': z.strictObject({
    address,
    label,
    tags: z
      .array(z.string().check(z.minLength(1), z.maxLength(tagLimits.length)))
      .check(z.maxLength(tagLimits.count)),
    colour: z.nullable(z.enum(addressColours)),
    paused: z.boolean(),
  }),
  'watchlist.remove': z.strictObject({ address, keepData: z.boolean() }),
  'watchlist.refreshChains': z.strictObject({ address }),
  'watchlist.showing': z.strictObject({
    address,
    chainIds: z.array(z.string().check(z.maxLength(1_000))).check(z.maxLength(200)),
  }),
  'watchlist.export': z.strictObject({ format: z.enum(['csv', 'json']) }),
  'book.put': z.strictObject({
    address,
    name: z.string().check(z.maxLength(200)),
    note: z.nullable(z.string().check(z.maxLength(2_000))),
  }),
  'book.remove': z.strictObject({ address }),
  'activity.rows': z.strictObject({
    filter: activityFilterSchema,
    offset: z.int().check(z.gte(0)),
    anchor: z.nullable(z.strictObject({ rowId, before: z.int().check(z.gte(0), z.lte(1_000)) })),
    limit: z.int().check(z.gte(1), z.lte(500)),
  }),
  'activity.values': z.strictObject({
    field: z.enum(choiceFields),
    text: z.string().check(z.maxLength(200)),
    limit: z.int().check(z.gte(1), z.lte(200)),
  }),
  'activity.sync': z.strictObject({ scope, what }),
  'activity.cancel': z.strictObject({ scope }),
  'activity.plan': z.strictObject({ scope, what }),
  'activity.ledger': z.strictObject({ address, chainId }),
  'activity.showing': z.strictObject({ rowIds: z.array(rowId).check(z.maxLength(200)) }),
  'activity.completeAll': z.strictObject({ filter: activityFilterSchema, run: z.boolean() }),
  'activity.text': z.strictObject({ rowId }),
  'activity.versions': z.strictObject({ rowId }),
  'activity.audit': z.strictObject({ address, chainId }),
  'activity.pull': z.strictObject({
    address,
    chainId,
    txHash,
    blockNumber: z.string().check(z.regex(/^\d{1,30}$/)),
    missingIn: z.enum(listIds),
  }),
  'activity.judge': z.strictObject({
    target: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('row'), rowId }),
      z.strictObject({ kind: z.literal('token'), token: z.string().check(z.maxLength(500)) }),
    ]),
    decision: z.nullable(z.enum(['show', 'hide'])),
  }),
  'activity.otherHalf': z.strictObject({ messageId: z.string().check(z.maxLength(200)), chainId }),
  'activity.export': z.strictObject({
    filter: activityFilterSchema,
    format: z.enum(['csv', 'jsonl', 'json']),
  }),
  'activity.cancelExport': z.undefined(),
};
