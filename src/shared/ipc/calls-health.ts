import * as z from 'zod/mini';
import type { Alert, AlertMessage, PastAlert } from '../alerts/types.ts';
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
import { longest, nodeLimits } from '../limits.ts';
import { alertThresholds, metricsPort, webhookShape } from '../settings.ts';
import type { Removed } from './answers.ts';
import { answer, filled, oneTo, text } from './call.ts';

/** Id of a node or, for calls about the past, of a recording. A recording has the incident ids of its node. */
const id = filled(100);
const check = text(1_000);
const epochMs = z.number().check(z.gte(0), z.lte(8.64e15));
const span = { id, fromMs: epochMs, toMs: epochMs };
const url = text(nodeLimits.url);
/** Extra request headers. `value` null keeps the value in the keychain, which is never sent to the window. */
const headers = z
  .array(
    z.strictObject({ name: text(nodeLimits.headerName), value: z.nullable(text(nodeLimits.headerValue)) }),
  )
  .check(z.maxLength(nodeLimits.headers));

/** Null: what this computer trusts. Otherwise a certificate as PEM, or its SHA-256, which alone is kept. */
const certificate = z.nullable(text(nodeLimits.certificate));

const nodeFields = {
  name: text(nodeLimits.name),
  url,
  /** Null: automatic. */
  intervalMs: z.nullable(z.int().check(z.gte(nodeLimits.intervalMs.min), z.lte(nodeLimits.intervalMs.max))),
  tags: z.array(filled(nodeLimits.tagLength)).check(z.maxLength(nodeLimits.tags)),
  headers,
  certificate,
  paused: z.boolean(),
};

const incidentFilter = z.strictObject({
  nodeId: z.nullable(id),
  check: z.nullable(check),
  state: z.enum(['all', 'open', 'ended']),
  fromMs: z.nullable(epochMs),
  toMs: z.nullable(epochMs),
  /** Searched in checks, errors and notes. */
  text: text(longest.search),
});

/** Calls about nodes, their history and incidents. */
export const healthCalls = {
  'nodes.add': answer<NodeConfig>().to(nodeFields),
  'nodes.update': answer<NodeConfig>().to({ id, ...nodeFields }),
  'nodes.remove': answer<Removed>().to({ id }),
  /** The user knows that another node answers at its address than before. */
  'nodes.accept': answer<null>().to({ id }),
  /** Polls now; resolves when the poll has ended. */
  'nodes.poll': answer<NodeStatus>().to({ id }),
  /** Asks a URL by all four paths and by RPC, before it is added or node `id` is changed to it. */
  'nodes.probe': answer<NodeProbe>().to({ id: z.nullable(id), url, headers, certificate }),
  /** The node's strip first, then one per chain and one per check. `nodes.uptime` has the names of all. */
  'nodes.strips': answer<Strip[]>().to({
    ...span,
    cellCount: oneTo(1_000),
    /** When each cell begins, where they are not of one length: days, of which some have 23 or 25 hours. */
    starts: z.optional(z.array(epochMs).check(z.minLength(1), z.maxLength(1_000))),
    limit: oneTo(100_000),
  }),
  /** Newest first. */
  'nodes.episodes': answer<FailureEpisode[]>().to({
    id,
    /** Null for all checks. */
    check: z.nullable(check),
    limit: oneTo(500),
  }),
  /** The node first, then chains, then checks. */
  'nodes.uptime': answer<Uptime[]>().to(span),
  /** When stored reports changed, oldest first; `isCut` when there are more. */
  'nodes.moments': answer<{ moments: ReportMoment[]; isCut: boolean }>().to({
    ...span,
    limit: oneTo(20_000),
  }),
  /** The last report at `atMs`; null if none was stored by then. */
  'nodes.reportAt': answer<ReportAt | null>().to({ id, atMs: epochMs }),
  'nodes.forecasts': answer<Forecast[]>().to({ id }),
  /** Null without a response since the start, or since the address was changed. */
  'nodes.received': answer<ReceivedAnswer | null>().to({ id }),
  'nodes.historyUse': answer<HistoryUse[]>().toNothing(),
  /** Newest start first. */
  'incidents.list': answer<{ incidents: Incident[]; totalCount: number }>().to({
    filter: incidentFilter,
    offset: z.int().check(z.gte(0)),
    limit: oneTo(500),
  }),
  /** By its id or the id of one of its parts. */
  'incidents.find': answer<Incident>().to({ nodeId: id, id }),
  'incidents.note': answer<Incident>().to({ nodeId: id, id, note: text(longest.incidentNote) }),
  /** Asks the user for a path; null when the user cancelled. */
  'incidents.export': answer<{ path: string; count: number } | null>().to({
    filter: incidentFilter,
    format: z.enum(['csv', 'json']),
  }),
  /** A self-contained HTML file. `redact` leaves out addresses, names and labels. */
  'incidents.postMortem': answer<{ path: string } | null>().to({ nodeId: id, id, redact: z.boolean() }),
  /** Alerts that are open, then the newest that are over; the newest messages about them. */
  'alerts.list': answer<{ alerts: Alert[]; messages: AlertMessage[] }>().toNothing(),
  /** `hour`, `tomorrow` (8:00) and `end` snooze an alert until then; `wake` opens it again, also after `acknowledge`. */
  'alerts.act': answer<null>().to({
    key: filled(1_000),
    action: z.enum(['acknowledge', 'hour', 'tomorrow', 'end', 'wake']),
  }),
  /**
   * Which alerts incidents of the last 30 days would have caused by these thresholds of a node, or of all nodes without
   * their own: how often, and the newest of it, newest first.
   */
  'alerts.tryPast': answer<{ count: number; newest: PastAlert[] }>().to({
    nodeId: z.nullable(id),
    ...alertThresholds,
  }),
  /** Ok when the channel has taken a test message. */
  'alerts.test': answer<null>().to({ channel: z.enum(['system', 'webhook', 'heartbeat']) }),
  /** The address goes to the keychain; an empty one takes the webhook away. */
  'alerts.setWebhook': answer<null>().to({ url: text(2_048), shape: webhookShape }),
  'alerts.setHeartbeat': answer<null>().to({ url: text(2_048) }),
  /** No port: off. `token` null leaves the one that is kept, empty takes it away. */
  'alerts.setMetrics': answer<null>().to({ port: z.nullable(metricsPort), token: z.nullable(text(1_000)) }),
  /** Writes the stored reports of a span to a file. */
  'recordings.save': answer<{ path: string; reportCount: number } | null>().to(span),
  /** Asks the user for a file and reads it; null when the user cancelled. */
  'recordings.open': answer<RecordingInfo | null>().toNothing(),
  'recordings.close': answer<Removed>().to({ id }),
  /** Cancels the current writing or reading, whose call then ends with `cancelled`. */
  'recordings.cancel': answer<null>().toNothing(),
};
