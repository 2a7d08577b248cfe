import * as z from 'zod/mini';
import { nodeLimits } from '../health/node-limits.ts';

/** Of a node; where a call is about the past, a recording's does as well. A recording has the ids of its node's incidents. */
const id = z.string().check(z.minLength(1), z.maxLength(100));
const check = z.string().check(z.maxLength(1_000));
const epochMs = z.number().check(z.gte(0), z.lte(8.64e15));
const url = z.string().check(z.maxLength(2048));
/** Extra request headers. `value` null keeps what the keychain holds under this name; it is never read back. */
const headers = z
  .array(
    z.strictObject({
      name: z.string().check(z.maxLength(100)),
      value: z.nullable(z.string().check(z.maxLength(8_192))),
    }),
  )
  .check(z.maxLength(nodeLimits.headers));

const nodeFields = {
  name: z.string().check(z.maxLength(200)),
  url,
  /** Null: automatic. */
  intervalMs: z.nullable(z.int().check(z.gte(nodeLimits.intervalMs.min), z.lte(nodeLimits.intervalMs.max))),
  tags: z
    .array(z.string().check(z.minLength(1), z.maxLength(nodeLimits.tagLength)))
    .check(z.maxLength(nodeLimits.tags)),
  headers,
  paused: z.boolean(),
};

const incidentFilter = z.strictObject({
  nodeId: z.nullable(id),
  check: z.nullable(check),
  state: z.enum(['all', 'open', 'ended']),
  fromMs: z.nullable(epochMs),
  toMs: z.nullable(epochMs),
  /** Looked for in checks, errors and notes. */
  text: z.string().check(z.maxLength(200)),
});

/** What arrives from the window about nodes, their history and incidents. */
export const healthSchemas = {
  'nodes.add': z.strictObject(nodeFields),
  'nodes.update': z.strictObject({ id, ...nodeFields }),
  'nodes.remove': z.strictObject({ id }),
  'nodes.poll': z.strictObject({ id }),
  /** `id` is the node that is being changed. */
  'nodes.probe': z.strictObject({ id: z.nullable(id), url, headers }),
  'nodes.strips': z.strictObject({
    id,
    fromMs: epochMs,
    toMs: epochMs,
    cellCount: z.int().check(z.gte(1), z.lte(1_000)),
    limit: z.int().check(z.gte(1), z.lte(100_000)),
  }),
  'nodes.episodes': z.strictObject({
    id,
    /** Null for all checks. */
    check: z.nullable(check),
    limit: z.int().check(z.gte(1), z.lte(500)),
  }),
  'nodes.uptime': z.strictObject({ id, fromMs: epochMs, toMs: epochMs }),
  'nodes.moments': z.strictObject({
    id,
    fromMs: epochMs,
    toMs: epochMs,
    limit: z.int().check(z.gte(1), z.lte(20_000)),
  }),
  'nodes.reportAt': z.strictObject({ id, atMs: epochMs }),
  'nodes.forecasts': z.strictObject({ id }),
  'nodes.received': z.strictObject({ id }),
  'nodes.historyUse': z.undefined(),
  'incidents.list': z.strictObject({
    filter: incidentFilter,
    offset: z.int().check(z.gte(0)),
    limit: z.int().check(z.gte(1), z.lte(500)),
  }),
  'incidents.note': z.strictObject({ nodeId: id, id, note: z.string().check(z.maxLength(20_000)) }),
  'incidents.export': z.strictObject({ filter: incidentFilter, format: z.enum(['csv', 'json']) }),
  /** `redact` leaves out addresses, names and labels. */
  'incidents.postMortem': z.strictObject({ nodeId: id, id, redact: z.boolean() }),
  'recordings.save': z.strictObject({ id, fromMs: epochMs, toMs: epochMs }),
  'recordings.open': z.undefined(),
  'recordings.close': z.strictObject({ id }),
  'recordings.cancel': z.undefined(),
};
