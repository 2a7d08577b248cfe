import { createHash } from 'node:crypto';
import { join } from 'node:path';
import {
  app,
  BrowserWindow,
  clipboard,
  dialog,
  ipcMain,
  nativeTheme,
  net,
  powerMonitor,
  session,
  shell,
} from 'electron';
import type { NativeToken } from '../shared/activity/legs.ts';
import type { WatchedAddress } from '../shared/activity/types.ts';
import type { StorageStatus } from '../shared/ipc/contract.ts';
import { DecodeThread } from './adapters/decode/decode-thread.ts';
import { openLog } from './adapters/electron/log.ts';
import { systemClock, systemRandom, systemTimers } from './adapters/electron/system.ts';
import { openWindowStateStore } from './adapters/electron/window-state-store.ts';
import { createFileOpener } from './adapters/export/file-opener.ts';
import { createFileSaver } from './adapters/export/file-saver.ts';
import { createHttpClient } from './adapters/http/http-client.ts';
import { knock } from './adapters/http/knock.ts';
import { createKeychain } from './adapters/keychain/keychain.ts';
import { openSettingsStore } from './adapters/settings/settings-store.ts';
import { createMemoryStores } from './adapters/storage/memory.ts';
import { openStore, type OpenedStore } from './adapters/storage/open-store.ts';
import type { FileSaver } from './core/ports.ts';
import { ActivityRowsService } from './core/activity/activity-rows.ts';
import { AddressLists } from './core/activity/address-lists.ts';
import { BookService } from './core/activity/book-service.ts';
import { CheckSchedule } from './core/activity/check-schedule.ts';
import { CompletionService } from './core/activity/completion-service.ts';
import { exportNames } from './core/activity/export-names.ts';
import { ActivityExport } from './core/activity/export-service.ts';
import { SyncService } from './core/activity/sync-service.ts';
import { WatchlistService } from './core/activity/watchlist-service.ts';
import { BudgetMonitor } from './core/endpoints/budget-status.ts';
import { noteOtherSpelling } from './core/endpoints/crosschain-spelling.ts';
import { createKeyTest } from './core/endpoints/key-test.ts';
import { QueryEngine } from './core/endpoints/query-engine.ts';
import { Scheduler } from './core/endpoints/scheduler.ts';
import { costUnits, ServiceClient } from './core/endpoints/service-client.ts';
import { RunExport } from './core/explore/run-export.ts';
import { RunService } from './core/explore/run-service.ts';
import { ForecastService } from './core/health/forecast-service.ts';
import { IncidentService } from './core/health/incident-service.ts';
import { MomentsService } from './core/health/moments-service.ts';
import { createNodeHttp } from './core/health/node-http.ts';
import { NodePast } from './core/health/node-past.ts';
import { createNodeService, type NodeService } from './core/health/node-service.ts';
import type { PastSources } from './core/health/past-source.ts';
import { RecordingService } from './core/health/recording-service.ts';
import { SecretService } from './core/secrets/secret-service.ts';
import { SettingsService } from './core/settings/settings-service.ts';
import { Broadcaster } from './ipc/broadcast.ts';
import { createHandlers, type Services } from './ipc/handlers.ts';
import { registerHandlers } from './ipc/register.ts';
import { registerAppScheme, serveAppScheme } from './shell/app-scheme.ts';
import { ExternalLinks } from './shell/external-links.ts';
import { claimSingleInstance, followLifecycle } from './shell/lifecycle.ts';
import { lockPages, lockSession } from './shell/lockdown.ts';
import { isTrustedUrl } from './shell/trusted-origin.ts';
import { openWindow, preloadFile, rendererDir } from './shell/window.ts';

const outDir = join(import.meta.dirname, '..');
const profileDir = app.getPath('userData');
const log = openLog(profileDir);
const broadcaster = new Broadcaster();

const clock = systemClock;
const timers = systemTimers;
const random = systemRandom;
const keychain = createKeychain({ log });
const decoder = new DecodeThread({ workerUrl: new URL('./decode-worker.js', import.meta.url), log });

function openStoreIn(directory: string): Promise<OpenedStore> {
  const workerUrl = new URL('./storage-worker.js', import.meta.url);
  return openStore({ directory, workerUrl, clock, timers, log });
}

/** What does not depend on which service is asked. */
function composeCommon(store: OpenedStore, settings: SettingsService) {
  const http = createHttpClient();
  const secrets = new SecretService({
    keychain,
    profile: () => settings.current().service,
  });
  const scheduler = new Scheduler({ clock, timers });
  const profile = () => settings.current().service;
  const budget = new BudgetMonitor({ scheduler, profile, clock, timers });
  const nodes = createNodeService({
    store: store.health,
    http,
    knock,
    keychain,
    isOnline: () => net.isOnline(),
    limits: () => settings.current().health,
    clock,
    timers,
    random,
    log,
  });
  const files = createFileSaver(dialog, () => app.getPath('downloads'));
  const history = composeHistory(nodes, settings, files);
  settings.onChange(({ settings: now, previous }) => {
    broadcaster.send('settings.changed', now);
    if (JSON.stringify(now.health) === JSON.stringify(previous.health)) return;
    nodes.limitsChanged();
    history.incidents.thresholdsChanged();
  });
  secrets.onChange((status) => broadcaster.send('secret.changed', status));
  nodes.onListChanged((list) => broadcaster.send('nodes.changed', list));
  nodes.onNodeChanged((status) => broadcaster.send('node.changed', status));
  budget.onChange((status) => broadcaster.send('budget.changed', status));
  return { settings, secrets, scheduler, http, nodes, budget, files, history };
}

/** What is told of the past, of nodes that are watched and of recordings. */
function composeHistory(nodes: NodeService, settings: SettingsService, saver: FileSaver) {
  const recordings = new RecordingService({
    findSource: (id) => sources.find(id),
    createStore: () => createMemoryStores().health,
    saver,
    opener: createFileOpener(dialog, () => app.getPath('downloads')),
    random,
    log,
  });
  const every = () => [
    ...nodes.pastSources(),
    ...recordings.list().flatMap(({ id }) => recordings.source(id) ?? []),
  ];
  const sources: PastSources = {
    all: () => nodes.pastSources(),
    every,
    find: (id) => every().find((source) => source.id === id) ?? null,
  };
  const incidents = new IncidentService({
    sources,
    thresholds: () => settings.current().health,
    saver,
    clock,
    log,
  });
  nodes.onRecorded((poll) => incidents.pollRecorded(poll));
  incidents.onChange((change) => broadcaster.send('incidents.changed', change));
  return {
    past: new NodePast(sources, log),
    moments: new MomentsService(sources, log),
    forecasts: new ForecastService(sources, log),
    incidents,
    recordings,
  };
}

/**
 * What was fetched from one service, in a store of its own: coverage that one service has proven says nothing about
 * another, and made-up data must never stand among real.
 */
async function openChainData(
  { settings, secrets, scheduler, http, nodes, budget, files }: ReturnType<typeof composeCommon>,
  onStorageStatus: () => void,
) {
  const profile = settings.current().service;
  const store = await openStoreIn(join(profileDir, 'services', serviceFolder(profile.dataUrl)));
  const decode = noteOtherSpelling(
    (endpoint, text) => decoder.decode(endpoint, text),
    () => settings.current().service.crosschainSpelling,
  );
  const service = new ServiceClient({
    http,
    scheduler,
    decode,
    keyHeaders: (url, forProfile) => secrets.headersFor(url, forProfile),
    profile: () => settings.current().service,
    clock,
    timers,
    random,
  });
  const queries = new QueryEngine({ service, answers: store.answers, clock, log, decode });
  const native = (chainId: string): NativeToken => watchlist.native(chainId);
  const activity = { store: store.activity, service, clock, timers, log, native };
  const sync = new SyncService({ ...activity, random });
  const rows = new ActivityRowsService({ ...activity, sync, answers: store.answers });
  const completion = new CompletionService({ ...activity, rows, sync });
  const limits = () => ({ share: budget.status().data, callUnits: costUnits.data });
  const watchlist = new WatchlistService({
    store: store.watchlist,
    service,
    sync,
    limits,
    clock,
    timers,
    log,
  });
  const book = new BookService({ store: store.book, clock, log });
  const watched = () => nodes.list().map(({ node }) => node);
  const runs = new RunService({
    store: store.runs,
    service,
    queries,
    nodes: watched,
    http: createNodeHttp(http, watched, (id) => nodes.headersFor(id)),
    clock,
    random,
    log,
    decode,
  });
  const runExport = new RunExport({ runs, files, log });
  const addressLists = new AddressLists({ watchlist, files, log });
  const activityExport = new ActivityExport({
    store: store.activity,
    files,
    names: exportNames(watchlist, book),
    readRow: (row) => rows.readRow(row),
    clock,
    log,
  });
  const checks = new CheckSchedule({
    timers,
    minutes: () => settings.current().activityCheckMinutes,
    check: () => void watchlist.refreshAll(),
  });
  const keyTest = createKeyTest({ secrets, service, clock });

  queries.onAnswer((answer) => void rows.takeAnswer(answer));
  store.onStatus(onStorageStatus);
  service.onConnectionChange((status) => broadcaster.send('connection.changed', status));
  watchlist.onChange((list) => broadcaster.send('watchlist.changed', list));
  sync.onChange((change) => {
    broadcaster.send('activity.changed', change);
    completion.rowsChanged();
  });
  book.onChange((entries) => broadcaster.send('book.changed', entries));
  completion.onChange((status) => broadcaster.send('completion.changed', status));
  activityExport.onChange((status) => broadcaster.send('activityExport.changed', status));
  runs.onChange((run) => broadcaster.send('run.changed', run));

  await runs.load();
  await sync.load();
  await watchlist.load();
  await book.load();
  await completion.load();
  const newestAnswerMs = newestStoredAnswerMs(watchlist.views());
  if (newestAnswerMs !== null) service.rememberAnswer(newestAnswerMs);
  void watchlist.refreshAll();
  checks.plan();
  const forgetSettings = settings.onChange(() => checks.plan());

  const close = async () => {
    forgetSettings();
    checks.stop();
    await Promise.all([watchlist.stop(), completion.stop(), activityExport.cancel(), runs.stop()]);
    await store.close();
  };
  return {
    store,
    service,
    queries,
    keyTest,
    watchlist,
    addressLists,
    book,
    rows,
    completion,
    activityExport,
    runs,
    runExport,
    close,
  };
}

interface Started {
  services: Services;
  close(): Promise<void>;
}

/** Loads what is stored; what needs the network starts afterwards and is not waited for. */
async function startServices(opening: Promise<OpenedStore>, settings: SettingsService): Promise<Started> {
  const nodeStore = await opening;
  const common = composeCommon(nodeStore, settings);
  const tellStorage = () => broadcaster.send('storage.changed', storage.status());
  let chainData = await openChainData(common, tellStorage);
  const storage = {
    status: () => {
      const statuses = [nodeStore.status, chainData.store.status];
      const notices = statuses.flatMap((status) => status.notices);
      return {
        state: worstStorageState(statuses),
        notices: [...notices, ...(settings.notice === null ? [] : [settings.notice])],
      };
    },
  };
  nodeStore.onStatus(tellStorage);

  let switching: Promise<unknown> = Promise.resolve();
  settings.onChange(({ settings: now, previous }) => {
    nativeTheme.themeSource = now.theme;
    if (JSON.stringify(now.service) === JSON.stringify(previous.service)) return;
    common.budget.refresh();
    void common.secrets.load();
    if (now.service.dataUrl === previous.service.dataUrl) {
      chainData.service.resetConnection();
      void chainData.watchlist.serviceChanged();
      return;
    }
    switching = switching
      .then(async () => {
        await chainData.close();
        chainData = await openChainData(common, tellStorage);
        // The window starts over with a snapshot of the other service's data.
        for (const window of BrowserWindow.getAllWindows()) window.webContents.reload();
      })
      // Calls then answer that the store is closed, and the next start opens it again.
      .catch((cause: unknown) => log.error('service.change-failed', cause));
  });

  await common.nodes.start();
  void common.secrets.load();
  powerMonitor.on('suspend', () => common.nodes.suspend());
  powerMonitor.on('resume', () => {
    common.nodes.resume();
    void chainData.watchlist.refreshAll();
  });

  return {
    // What belongs to the service is looked up at each call, because the service can be changed.
    services: {
      version: app.getVersion(),
      settings,
      secrets: common.secrets,
      nodes: common.nodes,
      ...common.history,
      budget: common.budget,
      storage,
      get service() {
        return chainData.service;
      },
      get queries() {
        return chainData.queries;
      },
      get keyTest() {
        return chainData.keyTest;
      },
      get watchlist() {
        return chainData.watchlist;
      },
      get addressLists() {
        return chainData.addressLists;
      },
      get book() {
        return chainData.book;
      },
      get rows() {
        return chainData.rows;
      },
      get completion() {
        return chainData.completion;
      },
      get activityExport() {
        return chainData.activityExport;
      },
      get runs() {
        return chainData.runs;
      },
      get runExport() {
        return chainData.runExport;
      },
    },
    close: async () => {
      await switching;
      await Promise.all([chainData.close(), common.nodes.stop()]);
      await nodeStore.close();
    },
  };
}

/** A folder for what one service has told: its host, so that a person knows it, and a digest, so that it is its own. */
function serviceFolder(dataUrl: string): string {
  const { hostname } = new URL(dataUrl);
  const digest = createHash('sha256').update(dataUrl).digest('hex').slice(0, 12);
  return `${hostname.replace(/[^a-z0-9.-]/gi, '_')}-${digest}`;
}

/** When the service last told something that is still stored. */
function newestStoredAnswerMs(watchlist: readonly WatchedAddress[]): number | null {
  const times = watchlist.flatMap(({ chainsFetchedAtMs, chains }) => [
    chainsFetchedAtMs,
    ...chains.map(({ sync }) => sync.checkedAtMs),
  ]);
  return times.reduce((newest, time) => (time !== null && time > (newest ?? 0) ? time : newest), null);
}

function worstStorageState(statuses: readonly StorageStatus[]): StorageStatus['state'] {
  const order = ['failed', 'memory', 'opening'] as const;
  return order.find((state) => statuses.some((status) => status.state === state)) ?? 'ready';
}

function showWindow(links: ExternalLinks): BrowserWindow {
  const window = openWindow({
    preloadPath: preloadFile(outDir),
    iconPath: join(app.getAppPath(), 'resources', 'icon.png'),
    store: openWindowStateStore(profileDir),
    links,
  });
  broadcaster.attach({
    isVisible: () => window.isVisible() && !window.isMinimized(),
    send: (channel, payload) => window.webContents.send(channel, payload),
  });
  window.on('show', () => broadcaster.catchUp());
  window.on('restore', () => broadcaster.catchUp());
  window.on('closed', () => broadcaster.detach());
  return window;
}

registerAppScheme();
// Chromium aborts when it is told both. Only tests that run as root say no-sandbox; every window asks for it by itself.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
lockPages(app, log);

if (claimSingleInstance(app)) {
  const links = new ExternalLinks(systemClock, (url) => shell.openExternal(url));
  const settings = new SettingsService(openSettingsStore(profileDir, systemClock), log);
  nativeTheme.themeSource = settings.current().theme;
  // The stores open in threads of their own while the window loads.
  const opening = openStoreIn(profileDir);
  const starting = app.whenReady().then(() => startServices(opening, settings));
  const shellServices = { links, copyText: (text: string) => clipboard.writeText(text) };
  registerHandlers(
    createHandlers(
      starting.then(({ services }) => services),
      shellServices,
    ),
    {
      host: ipcMain,
      isTrustedUrl,
      log,
      clock: systemClock,
    },
  );

  // Not awaited at the top level: Electron becomes ready only when this module has been evaluated.
  void app.whenReady().then(() => {
    lockSession(session.defaultSession, log);
    serveAppScheme(session.defaultSession, rendererDir(outDir));
    followLifecycle({
      app,
      log,
      openWindow: () => showWindow(links),
      close: async () => (await starting).close(),
      isHeldUp: () => keychain.isBusy(),
    });
  });
}
