// Names only and no imports: the preload script is built from this file.

/** Calls from the window to the main process. Each answers with a `Result`. */
export const invokeChannels = [
  'app.snapshot',
  'app.openExternal',
  'app.copyText',
  'settings.update',
  'secret.set',
  'secret.remove',
  'secret.test',
  'endpoint.query',
  'endpoint.cancel',
  'runs.start',
  'runs.continue',
  'runs.cancel',
  'runs.list',
  'runs.page',
  'runs.attempts',
  'runs.remove',
  'runs.export',
  'watchlist.add',
  'watchlist.rename',
  'watchlist.remove',
  'watchlist.refreshChains',
  'activity.rows',
  'activity.sync',
  'activity.cancel',
  'nodes.add',
  'nodes.update',
  'nodes.remove',
  'nodes.poll',
  'nodes.strips',
  'nodes.episodes',
] as const;

/** Messages from the main process to the window. */
export const eventChannels = [
  'settings.changed',
  'secret.changed',
  'storage.changed',
  'connection.changed',
  'budget.changed',
  'run.changed',
  'watchlist.changed',
  'activity.changed',
  'nodes.changed',
  'node.changed',
] as const;

export type InvokeChannel = (typeof invokeChannels)[number];
export type EventChannel = (typeof eventChannels)[number];
