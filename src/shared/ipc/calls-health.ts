import * as z from 'zod/mini';
import { nodeLimits } from '../health/node-limits.ts';
import type {
  FailureEpisode,
  Forecast,
  HistoryUse,
  Incident,
  NodeConfig,
  NodeProbe,
  NodeStatus,
  ReceivedAnswer,
  RecordingInfo,
  ReportAt,
  ReportMoment,
  Strip,
  Uptime,
} from '../health/types.ts';
import { answer, filled, oneTo, text } from './call.ts';

/** Of a node; where a call is about the past, a recording's does as well. A recording has the ids of its node's incidents. */
const id = filled(100);
const check = text(1_000);
const epochMs = z.number().check(z.gte(0), z.lte(8.64e15));
const span = { id, fromMs: epochMs, toMs: epochMs };
const url = text(2048);
/** Extra request headers. `value` null keeps what the keychain holds under this name; it is never read back. */
const headers = z
  .array(z.strictObject({ name: text(100), value: z.nullable(text(8_192)) }))
  .check(z.maxLength(nodeLimits.headers));

const nodeFields = {
  name: text(200),
  url,
  /** Null: automatic. */
  intervalMs: z.nullable(z.int().check(z.gte(nodeLimits.intervalMs.min), z.lte(nodeLimits.intervalMs.max))),
  tags: z.array(filled(nodeLimits.tagLength)).check(z.maxLength(nodeLimits.tags)),
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
  text: text(200),
});

/** Calls about nodes, their history and incidents. */
export const healthCalls = {
  'nodes.add': answer<NodeConfig>().to(nodeFields),
  'nodes.update': answer<NodeConfig>().to({ id, ...nodeFields }),
  'nodes.remove': answer<null>().to({ id }),
  /** Polls now; answers when the poll has ended. */
  'nodes.poll': answer<NodeStatus>().to({ id }),
  /** Asks an address by all four paths and by RPC, before it is added, or the node `id` changed to it. */
  'nodes.probe': answer<NodeProbe>().to({ id: z.nullable(id), url, headers }),
  /** The node's strip first, then one a chain and one a check. `nodes.uptime` names all. */
  'nodes.strips': answer<Strip[]>().to({ ...span, cellCount: oneTo(1_000), limit: oneTo(100_000) }),
  /** Newest first. */
  'nodes.episodes': answer<FailureEpisode[]>().to({
    id,
    /** Null for all checks. */
    check: z.nullable(check),
    limit: oneTo(500),
  }),
  /** The node first, then chains, then checks. */
  'nodes.uptime': answer<Uptime[]>().to(span),
  /** Where stored reports change, oldest first; `isCut` when there are more. */
  'nodes.moments': answer<{ moments: ReportMoment[]; isCut: boolean }>().to({
    ...span,
    limit: oneTo(20_000),
  }),
  /** The report that was the last one at `atMs`; null when none was stored by then. */
  'nodes.reportAt': answer<ReportAt | null>().to({ id, atMs: epochMs }),
  'nodes.forecasts': answer<Forecast[]>().to({ id }),
  /** Null when nothing came since the start, or since the address was changed. */
  'nodes.received': answer<ReceivedAnswer | null>().to({ id }),
  'nodes.historyUse': answer<HistoryUse[]>().toNothing(),
  /** Newest start first. */
  'incidents.list': answer<{ incidents: Incident[]; totalCount: number }>().to({
    filter: incidentFilter,
    offset: z.int().check(z.gte(0)),
    limit: oneTo(500),
  }),
  'incidents.note': answer<Incident>().to({ nodeId: id, id, note: text(20_000) }),
  /** Asks for a place; null when the user wants none. */
  'incidents.export': answer<{ path: string; count: number } | null>().to({
    filter: incidentFilter,
    format: z.enum(['csv', 'json']),
  }),
  /** One self-contained HTML file. `redact` leaves out addresses, names and labels. */
  'incidents.postMortem': answer<{ path: string } | null>().to({ nodeId: id, id, redact: z.boolean() }),
  /** Writes the stored reports of a span to one file. */
  'recordings.save': answer<{ path: string; reportCount: number } | null>().to(span),
  /** Asks for a file and reads it; null when the user wants none. */
  'recordings.open': answer<RecordingInfo | null>().toNothing(),
  'recordings.close': answer<null>().to({ id }),
  /** Ends the writing or reading that is under way; its call ends with `cancelled`. */
  'recordings.cancel': answer<null>().toNothing(),
};
