// Alerts: rules, times and texts of messages. An alert follows from an incident or a report; it keeps no node state of
// its own.
import * as z from 'zod/mini';
import type { AppLink } from '../app-link.ts';

/** What alerts about a node are about. Each has its rule in `core/alerts/rules.ts`. */
export const nodeRules = ['incident', 'standstill', 'disk', 'peers'] as const;
/** Alert rules: each has a level in the settings and its words in `alert-form.ts`. */
export const ruleNames = [...nodeRules, 'app'] as const;
export type RuleName = (typeof ruleNames)[number];

/** Alerts about a watched address, if the user wants them; a transaction counts as the first kind that applies. */
export const addressNews = ['look-alike', 'failed', 'sent', 'received'] as const;
export type AddressNewsKind = (typeof addressNews)[number];

/** `wake` passes quiet hours, if the user says so. */
const level = z.enum(['tell', 'wake']);
export type AlertLevel = z.infer<typeof level>;

const transactionRef = z.object({ chainId: z.string(), txHash: z.string() });

/** Something about one node, the app or an address that an alert is about. */
const alertMember = z.object({
  /** Ids of the incident's parts, or of the report's facts; they identify the alert later. */
  ids: z.array(z.string()),
  rule: z.enum([...ruleNames, 'address']),
  level,
  /** Of an address: the address, checksummed, and its name. */
  nodeId: z.string(),
  nodeName: z.string(),
  /** A check's name, or `noAnswer`. */
  subject: z.string(),
  /** In a sentence, with the name of the node. */
  words: z.string(),
  /** Ids of watched nodes of which its messages speak and that do not answer. */
  because: z.array(z.string()),
  sinceMs: z.number(),
  endedAtMs: z.nullable(z.number()),
  /** Of an address, where it is about a single one. */
  transaction: z.optional(transactionRef),
});
export type AlertMember = z.infer<typeof alertMember>;

export const alertSchema = z.object({
  /** Id of the incident that it began with. */
  key: z.string(),
  level,
  members: z.array(alertMember),
  startedAtMs: z.number(),
  endedAtMs: z.nullable(z.number()),
  /** When the last message about it was made; null without any. */
  saidAtMs: z.nullable(z.number()),
  /** Nodes that messages have named. */
  named: z.array(z.string()),
  acknowledgedAtMs: z.nullable(z.number()),
  snoozedUntilMs: z.nullable(z.number()),
  /** Waits for the end of the quiet hours. */
  isHeld: z.boolean(),
  /** `said`: the alert has reported that its subject comes and goes, and is silent until that settles. */
  flapping: z.enum(['no', 'said', 'settled']),
});
export type Alert = z.infer<typeof alertSchema>;

export const messageSchema = z.object({
  /** The same for the same event, whatever happens in between. */
  id: z.string(),
  /** Null for one that is about no single alert. */
  alertKey: z.nullable(z.string()),
  kind: z.enum([
    'news',
    'begin',
    'worse',
    'end',
    'reminder',
    'flapping',
    'settled',
    'summary',
    'blind',
    'test',
  ]),
  level,
  atMs: z.number(),
  title: z.string(),
  body: z.string(),
  /** Replaces both while amounts and labels are hidden: no names. */
  hidden: z.string(),
  /** Of a node's incident; null where there is none. */
  incident: z.nullable(z.object({ nodeId: z.string(), id: z.string() })),
  /** Of news about an address: where they lead. */
  address: z.optional(z.string()),
  transaction: z.optional(transactionRef),
  /** How it went with the channels that were on. */
  sent: z.array(
    z.object({
      channel: z.string(),
      /** A test is refused once; all else waits, until the user switches the channel off. */
      state: z.enum(['waiting', 'accepted', 'refused', 'off']),
      /** Of the last attempt; null before the first. */
      atMs: z.nullable(z.number()),
      /** Why the last attempt failed. */
      error: z.nullable(z.string()),
    }),
  ),
});
export type AlertMessage = z.infer<typeof messageSchema>;

/** A message that would have been sent. */
export type PastAlert = Pick<AlertMessage, 'title' | 'atMs' | 'incident'>;

/** Where a message leads. */
export function linkOf({ incident, address, transaction }: AlertMessage): AppLink {
  if (transaction !== undefined) return { view: 'transaction', ...transaction };
  if (address !== undefined) return { view: 'address', address };
  return incident === null ? { view: 'alerts' } : { view: 'incident', ...incident, among: 'all' };
}

export type AlertGroup = 'open' | 'acknowledged' | 'snoozed' | 'past';

export function groupOf({ endedAtMs, snoozedUntilMs, acknowledgedAtMs }: Alert): AlertGroup {
  if (endedAtMs !== null) return 'past';
  if (snoozedUntilMs !== null) return 'snoozed';
  return acknowledgedAtMs === null ? 'open' : 'acknowledged';
}
