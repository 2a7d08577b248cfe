import { ok } from '../../shared/errors.ts';
import type { AppSnapshot, DrawingError, StorageStatus } from '../../shared/ipc/contract.ts';
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
import type { PastService } from '../core/health/past/past-service.ts';
import type { RecordingService } from '../core/health/recordings/recording-service.ts';
import type { SecretService } from '../core/secrets/secret-service.ts';
import type { SettingsService } from '../core/settings/settings-service.ts';
import type { ExternalLinks } from '../shell/external-links.ts';
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
  rows: ActivityRowsService;
  completion: CompletionService;
  activityExport: ActivityExport;
  nodes: NodeService;
  past: PastService;
  incidents: IncidentService;
  recordings: RecordingService;
  budget: BudgetMonitor;
  runs: RunService;
  runExport: RunExport;
}

/** What the shell does for the page, which may not do it itself. */
export interface ShellServices {
  links: ExternalLinks;
  copyText(text: string): void;
  showDataFolder(): void;
  /** Writes it to the log; returns the reference that finds it there. */
  drawingFailed(where: string, error: DrawingError): string;
}

/**
 * One line a channel: which service answers it. The services exist a moment after the window does, so every call
 * waits for them; the shell is there from the start.
 */
export function createHandlers(services: Promise<Services>, shell: ShellServices): Handlers {
  return {
    'app.snapshot': async () => ok(snapshot(await services)),
    'app.openExternal': async ({ url }) => ok(await shell.links.open(url)),
    'app.copyText': ({ text }) => ok(done(shell.copyText(text))),
    'app.showDataFolder': () => ok(done(shell.showDataFolder())),
    'app.drawingFailed': ({ where, error }) => ok({ ref: shell.drawingFailed(where, error) }),
    'settings.update': async (patch) => ok((await services).settings.update(patch)),
    'secret.set': async ({ key, storage }) => ok(await (await services).secrets.set(key, storage)),
    'secret.remove': async () => ok(await (await services).secrets.remove()),
    'secret.test': async () => (await services).keyTest(),
    'endpoint.query': async (query) => (await services).queries.query(query),
    'endpoint.cancel': async ({ requestId }) => ok(done((await services).queries.cancel(requestId))),
    'runs.start': async (args) => (await services).runs.start(args),
    'runs.continue': async (args) => (await services).runs.continue(args),
    'runs.cancel': async ({ runId }) => ok(done(await (await services).runs.cancel(runId))),
    'runs.list': async (query) => (await services).runs.list(query),
    'runs.page': async (args) => (await services).runs.page(args),
    'runs.attempts': async ({ runId }) => (await services).runs.attempts(runId),
    'runs.remove': async ({ runId }) => (await services).runs.remove(runId),
    'runs.export': async (args) => (await services).runExport.export(args),
    'watchlist.add': async ({ address, label }) => (await services).watchlist.add(address, { label }),
    'watchlist.addMany': async ({ text }) => (await services).addressLists.addMany(text),
    'watchlist.export': async ({ format }) => (await services).addressLists.export(format),
    'watchlist.update': async ({ address, ...fields }) => (await services).watchlist.update(address, fields),
    'watchlist.remove': async ({ address, keepData }) => (await services).watchlist.remove(address, keepData),
    'watchlist.refreshChains': async ({ address }) => (await services).watchlist.refreshChains(address),
    'watchlist.showing': async ({ address, chainIds }) =>
      ok(done((await services).watchlist.showing(address, chainIds))),
    'book.put': async ({ address, name, note }) => (await services).book.put(address, name, note),
    'book.remove': async ({ address }) => (await services).book.remove(address),
    'activity.rows': async (query) => (await services).rows.read(query),
    'activity.values': async (query) => (await services).rows.values(query),
    'activity.sync': async ({ scope, what }) => (await services).watchlist.sync(scope, what),
    'activity.cancel': async ({ scope }) => (await services).watchlist.cancelSync(scope),
    'activity.plan': async ({ scope, what }) => (await services).watchlist.plan(scope, what),
    'activity.ledger': async ({ address, chainId }) => (await services).rows.ledger(address, chainId),
    'activity.showing': async ({ rowIds }) => ok(done((await services).completion.showing(rowIds))),
    'activity.completeAll': async ({ filter, run }) => (await services).completion.completeAll(filter, run),
    'activity.text': async ({ rowId }) => (await services).rows.text(rowId),
    'activity.versions': async ({ rowId }) => (await services).rows.versions(rowId),
    'activity.audit': async ({ address, chainId }) => (await services).rows.audit(address, chainId),
    'activity.pull': async (gap) => (await services).completion.pull(gap),
    'activity.judge': async (judgement) => (await services).rows.judge(judgement),
    'activity.otherHalf': async (query) => (await services).rows.otherHalf(query),
    'activity.export': async (args) => (await services).activityExport.start(args),
    'activity.cancelExport': async () => ok(done(await (await services).activityExport.cancel())),
    'nodes.add': async (fields) => ok(await (await services).nodes.add(fields)),
    'nodes.update': async (change) => ok(await (await services).nodes.update(change)),
    'nodes.remove': async ({ id }) => ok(await (await services).nodes.remove(id)),
    'nodes.poll': async ({ id }) => ok(await (await services).nodes.poll(id)),
    'nodes.probe': async (query) => ok(await (await services).nodes.probe(query)),
    'nodes.strips': async (query) => ok(await (await services).past.strips(query)),
    'nodes.episodes': async (query) => ok(await (await services).past.episodes(query)),
    'nodes.uptime': async (query) => ok(await (await services).past.uptime(query)),
    'nodes.historyUse': async () => ok(await (await services).nodes.historyUse()),
    'nodes.moments': async (query) => ok(await (await services).past.moments(query)),
    'nodes.reportAt': async (query) => ok(await (await services).past.reportAt(query)),
    'nodes.forecasts': async (query) => ok(await (await services).past.forecasts(query)),
    'incidents.list': async (query) => ok(await (await services).incidents.list(query)),
    'incidents.note': async (args) => ok(await (await services).incidents.note(args)),
    'incidents.export': async (args) => ok(await (await services).incidents.export(args)),
    'incidents.postMortem': async (args) => ok(await (await services).incidents.postMortem(args)),
    'recordings.save': async (args) => ok(await (await services).recordings.save(args)),
    'recordings.open': async () => ok(await (await services).recordings.open()),
    'recordings.close': async ({ id }) => ok((await services).recordings.close(id)),
    'recordings.cancel': async () => ok(done((await services).recordings.tasks.cancel())),
  };
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
