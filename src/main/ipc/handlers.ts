import { ok } from '../../shared/errors.ts';
import type {
  AppSnapshot,
  ArgsOf,
  DrawingError,
  InvokeChannel,
  StorageStatus,
} from '../../shared/ipc/contract.ts';
import type { ActivityStore } from '../core/activity-ports.ts';
import type { ActivityRowsService } from '../core/activity/completion/activity-rows.ts';
import type { AddressLists } from '../core/activity/watchlist/address-lists.ts';
import type { BookService } from '../core/activity/watchlist/book-service.ts';
import type { CompletionService } from '../core/activity/completion/completion-service.ts';
import type { ActivityExport } from '../core/activity/export/export-service.ts';
import type { WatchlistService } from '../core/activity/watchlist/watchlist-service.ts';
import type { KeyTest } from '../core/endpoints/key-test.ts';
import type { QueryEngine } from '../core/endpoints/query-engine.ts';
import type { ServiceClient } from '../core/endpoints/service-client.ts';
import type { BudgetMonitor } from '../core/endpoints/budget-status.ts';
import type { RunExport } from '../core/explore/run-export.ts';
import type { RunService } from '../core/explore/run-service.ts';
import type { IncidentService } from '../core/health/incidents/incident-service.ts';
import type { NodeService } from '../core/health/node/node-service.ts';
import type { HistoryService } from '../core/health/history/history-service.ts';
import type { RecordingService } from '../core/health/recordings/recording-service.ts';
import type { SecretService } from '../core/secrets/secret-service.ts';
import type { SettingsService } from '../core/settings/settings-service.ts';
import type { ExternalLinks } from '../shell/external-links.ts';
import type { AppLinks } from '../shell/app-links.ts';
import type { Handlers } from './register.ts';

/** What the channels are answered from. */
export interface Services {
  version: string;
  dataFolder: string;
  settings: SettingsService;
  secrets: SecretService;
  storage: { status(): StorageStatus };
  service: ServiceClient;
  queries: QueryEngine;
  keyTest: KeyTest;
  watchlist: WatchlistService;
  addressLists: AddressLists;
  book: BookService;
  activityStore: Pick<ActivityStore, 'values' | 'versions'>;
  rows: ActivityRowsService;
  completion: CompletionService;
  activityExport: ActivityExport;
  nodes: NodeService;
  past: HistoryService;
  incidents: IncidentService;
  recordings: RecordingService;
  budget: BudgetMonitor;
  runs: RunService;
  runExport: RunExport;
}

/** What the shell does for the page, which may not do it itself. */
export interface ShellServices {
  links: ExternalLinks;
  appLinks: AppLinks;
  copyText(text: string): void;
  showDataFolder(): void;
  /** Writes it to the log; returns the reference that finds it there. */
  drawingFailed(where: string, error: DrawingError): string;
}

type Answer<C extends InvokeChannel> = ReturnType<Handlers[C]>;

/** One line a channel: which service answers it. */
const ofServices: {
  [C in Exclude<InvokeChannel, ShellChannel>]: (services: Services, args: ArgsOf<C>) => Answer<C>;
} = {
  'app.snapshot': (services) => ok(snapshot(services)),
  'settings.update': ({ settings }, patch) => ok(settings.update(patch)),
  'secret.set': async ({ secrets }, { key, storage }) => ok(await secrets.set(key, storage)),
  'secret.remove': async ({ secrets }) => ok(await secrets.remove()),
  'secret.test': ({ keyTest }) => keyTest(),
  'endpoint.query': ({ queries }, query) => queries.query(query),
  'endpoint.cancel': ({ queries }, { requestId }) => ok(done(queries.cancel(requestId))),
  'runs.start': async ({ runs }, args) => ok(await runs.start(args)),
  'runs.continue': async ({ runs }, args) => ok(await runs.continue(args)),
  'runs.cancel': async ({ runs }, { runId }) => ok(done(await runs.cancel(runId))),
  'runs.list': async ({ runs }, query) => ok(await runs.list(query)),
  'runs.page': async ({ runs }, args) => ok(await runs.page(args)),
  'runs.attempts': async ({ runs }, { runId }) => ok(await runs.attempts(runId)),
  'runs.remove': async ({ runs }, { runId }) => ok(await runs.remove(runId)),
  'runs.export': async ({ runExport }, args) => ok(await runExport.export(args)),
  'watchlist.add': async ({ watchlist }, { address, label }) => ok(await watchlist.add(address, { label })),
  'watchlist.addMany': async ({ addressLists }, { text }) => ok(await addressLists.addMany(text)),
  'watchlist.export': async ({ addressLists }, { format }) => ok(await addressLists.export(format)),
  'watchlist.update': async ({ watchlist }, { address, ...fields }) =>
    ok(await watchlist.update(address, fields)),
  'watchlist.remove': async ({ watchlist }, { address, keepData }) =>
    ok(await watchlist.remove(address, keepData)),
  'watchlist.refreshChains': async ({ watchlist }, { address }) => ok(await watchlist.refreshChains(address)),
  'watchlist.showing': ({ watchlist }, { address, chainIds }) =>
    ok(done(watchlist.showing(address, chainIds))),
  'book.put': async ({ book }, { address, name, note }) => ok(await book.put(address, name, note)),
  'book.remove': async ({ book }, { address }) => ok(await book.remove(address)),
  'activity.rows': async ({ rows }, query) => ok(await rows.read(query)),
  'activity.values': async ({ activityStore }, query) => ok(await activityStore.values(query)),
  'activity.sync': ({ watchlist }, { scope, what }) => ok(watchlist.sync(scope, what)),
  'activity.cancel': async ({ watchlist }, { scope }) => ok(await watchlist.cancelSync(scope)),
  'activity.plan': ({ watchlist }, { scope, what }) => ok(watchlist.plan(scope, what)),
  'activity.ledger': async ({ rows }, { address, chainId }) => ok(await rows.ledger(address, chainId)),
  'activity.showing': ({ completion }, { rowIds }) => ok(done(completion.showing(rowIds))),
  'activity.completeAll': async ({ completion }, { filter, run }) =>
    ok(await completion.completeAll(filter, run)),
  'activity.text': async ({ rows }, { rowId }) => ok(await rows.text(rowId)),
  'activity.versions': async ({ activityStore }, { rowId }) => ok(await activityStore.versions(rowId)),
  'activity.audit': async ({ rows }, { address, chainId }) => ok(await rows.audit(address, chainId)),
  'activity.pull': async ({ completion }, gap) => ok(await completion.pull(gap)),
  'activity.judge': async ({ rows }, judgement) => ok(await rows.judge(judgement)),
  'activity.otherHalf': async ({ rows }, query) => ok(await rows.otherHalf(query)),
  'activity.export': async ({ activityExport }, args) => ok(await activityExport.start(args)),
  'activity.cancelExport': async ({ activityExport }) => ok(done(await activityExport.cancel())),
  'nodes.add': async ({ nodes }, fields) => ok(await nodes.add(fields)),
  'nodes.update': async ({ nodes }, change) => ok(await nodes.update(change)),
  'nodes.remove': async ({ nodes }, { id }) => ok(await nodes.remove(id)),
  'nodes.poll': async ({ nodes }, { id }) => ok(await nodes.poll(id)),
  'nodes.probe': async ({ nodes }, query) => ok(await nodes.probe(query)),
  'nodes.strips': async ({ past }, query) => ok(await past.strips(query)),
  'nodes.episodes': async ({ past }, query) => ok(await past.episodes(query)),
  'nodes.uptime': async ({ past }, query) => ok(await past.uptime(query)),
  'nodes.received': ({ nodes }, { id }) => ok(nodes.received(id)),
  'nodes.historyUse': async ({ nodes }) => ok(await nodes.historyUse()),
  'nodes.moments': async ({ past }, query) => ok(await past.moments(query)),
  'nodes.reportAt': async ({ past }, query) => ok(await past.reportAt(query)),
  'nodes.forecasts': async ({ past }, query) => ok(await past.forecasts(query)),
  'incidents.list': async ({ incidents }, query) => ok(await incidents.list(query)),
  'incidents.note': async ({ incidents }, args) => ok(await incidents.note(args)),
  'incidents.export': async ({ incidents }, args) => ok(await incidents.export(args)),
  'incidents.postMortem': async ({ incidents }, args) => ok(await incidents.postMortem(args)),
  'recordings.save': async ({ recordings }, args) => ok(await recordings.save(args)),
  'recordings.open': async ({ recordings }) => ok(await recordings.open()),
  'recordings.close': ({ recordings }, { id }) => ok(recordings.close(id)),
  'recordings.cancel': ({ recordings }) => ok(done(recordings.tasks.cancel())),
};

type ShellChannel = Exclude<Extract<InvokeChannel, `app.${string}`>, 'app.snapshot'>;

/** The services exist a moment after the window does, so every call waits for them; the shell is there from the start. */
export function createHandlers(services: Promise<() => Services>, shell: ShellServices): Handlers {
  const ofShell: Pick<Handlers, ShellChannel> = {
    'app.openExternal': async ({ url }) => ok(await shell.links.open(url)),
    'app.copyText': ({ text }) => ok(done(shell.copyText(text))),
    'app.showDataFolder': () => ok(done(shell.showDataFolder())),
    'app.takeLink': () => ok(shell.appLinks.take()),
    'app.drawingFailed': ({ where, error }) => ok({ ref: shell.drawingFailed(where, error) }),
  };
  const waiting = Object.entries(ofServices).map(([channel, answer]) => [
    channel,
    // Each gets the arguments of its own channel.
    async (args: never) => await answer((await services)(), args),
  ]);
  // All channels, as the types of both parts say.
  return { ...Object.fromEntries(waiting), ...ofShell } as Handlers;
}

function snapshot(services: Services): AppSnapshot {
  const { version, dataFolder, settings, secrets, storage, service, watchlist, nodes, budget } = services;
  const { book, completion, activityExport, recordings } = services;
  return {
    version,
    dataFolder,
    settings: settings.current(),
    secret: secrets.status(),
    storage: storage.status(),
    connection: service.connection(),
    watchlist: watchlist.views(),
    book: book.list(),
    completion: completion.status(),
    activityExport: activityExport.status(),
    nodes: nodes.list(),
    recordings: recordings.list(),
    recordingTask: recordings.tasks.current,
    budget: budget.status(),
  };
}

/** What a call with nothing to tell answers with. */
function done(_nothing: void): null {
  return null;
}
