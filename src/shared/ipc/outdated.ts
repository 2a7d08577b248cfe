import { concernsHistory } from '../activity/filter.ts';
import type { Removed } from './answers.ts';
import type { ArgsOf, EventChannel, EventContract, InvokeChannel, ResultOf } from './contract.ts';

/** Calls that do something, or are made once, by the last word of their names; their answer says how it went. */
type Deed =
  | `app.${string}`
  | `secret.${string}`
  | `${string}.${'add' | 'addMany' | 'audit' | 'continue' | 'judge' | 'note' | 'open' | 'poll' | 'probe' | 'put' | 'query' | 'start' | 'update'}`;

/** The calls that answer with what is stored or live. A new one is here, and so does not compile without its rule below. */
export type DataChannel = {
  [C in InvokeChannel]: C extends Deed
    ? never
    : ResultOf<C> extends Removed | { path: string } | null
      ? never
      : C;
}[InvokeChannel];

/** The events that can make an answer of the call old, and whether one does for these arguments. */
export type Rules<C extends DataChannel> = {
  readonly [E in EventChannel]?: (event: EventContract[E], args: ArgsOf<C>) => boolean;
};

const past = {
  'past.changed': ({ nodeId }: EventContract['past.changed'], { id }: { id: string }) => nodeId === id,
};
const anyRow = { 'activity.changed': () => true };
const run = {
  'run.changed': ({ id }: EventContract['run.changed'], { runId }: { runId: string }) => id === runId,
};

/**
 * What makes the answer of each call old. `{}`: nothing does. `each-time`: it is read again whenever it is shown, and not
 * while it is: it costs much, or would move under the pointer.
 */
export const outdatedBy: { readonly [C in DataChannel]: Rules<C> | 'each-time' } = {
  'runs.list': { 'run.changed': () => true },
  'runs.page': {},
  'runs.text': {},
  'runs.attempts': run,
  'diagnostics.read': 'each-time',
  'activity.rows': {
    'activity.changed': ({ address, chainId }, { filter }) => concernsHistory(filter, address, chainId),
    // Rows are filtered and searched by names and tags.
    'watchlist.changed': () => true,
    'book.changed': () => true,
  },
  'activity.values': 'each-time',
  'activity.plan': 'each-time',
  'activity.ledger': {
    'activity.changed': (event, { address, chainId }) =>
      event.address === address && event.chainId === chainId,
  },
  'activity.text': anyRow,
  'activity.versions': anyRow,
  'activity.otherHalf': anyRow,
  'nodes.strips': past,
  // On a full disk, failures begin and end without a poll that is stored.
  'nodes.episodes': { ...past, 'incidents.changed': past['past.changed'] },
  'nodes.uptime': past,
  'nodes.moments': past,
  'nodes.reportAt': past,
  'nodes.forecasts': 'each-time',
  'nodes.received': { 'node.changed': ({ node, polling }, { id }) => node.id === id && !polling },
  'nodes.historyUse': 'each-time',
  'incidents.list': {
    // Those of a node come back with it where its removal is undone.
    'nodes.changed': () => true,
    'incidents.changed': ({ nodeId }, { filter }) => filter.nodeId === null || filter.nodeId === nodeId,
  },
  'alerts.list': { 'alerts.changed': () => true },
  'alerts.tryPast': 'each-time',
  'incidents.find': { 'incidents.changed': (event, { nodeId }) => event.nodeId === nodeId },
};
