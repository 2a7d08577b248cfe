import * as z from 'zod/mini';

/** Purposes of outgoing requests, in the order in which they are shown. All other requests are refused. */
export const outboundKinds = [
  'data',
  'metrics',
  'nodes',
  'trial',
  'network',
  'proxy',
  'links',
  'webhook',
  'heartbeat',
  'updates',
] as const;

export type OutboundKind = (typeof outboundKinds)[number];

/** Kinds with a switch in Settings, Privacy. Nodes are paused one by one; the other kinds have settings of their own. */
export const switchedKind = z.enum(['data', 'metrics', 'trial', 'network', 'links']);

export type SwitchedKind = z.infer<typeof switchedKind>;

export const outboundNames: Readonly<Record<OutboundKind, string>> = {
  data: 'Chain data',
  metrics: 'Chain metrics',
  nodes: 'Watched nodes',
  trial: 'Nodes you test',
  network: 'Network check',
  proxy: 'Proxy',
  links: 'Links opened in the browser',
  webhook: 'Alert webhook',
  heartbeat: 'Heartbeat',
  updates: 'App updates',
};

/** Requests to one host. */
export interface HostUse {
  /** Scheme, host and port. */
  origin: string;
  count: number;
  /** Null if there was no request yet. */
  lastAtMs: number | null;
}

/** Requests that were sent, and requests that were refused because their host is not configured. */
export interface OutboundStatus {
  /** Start of the app, when counting began. */
  sinceMs: number;
  /** Hosts that may be asked now, and hosts that were asked. */
  uses: { kind: OutboundKind; hosts: HostUse[] }[];
  others: HostUse[];
  /** Of each proxy in use: what is known of its login. */
  logins: Record<string, 'none' | 'kept' | 'locked' | 'unread'>;
}
