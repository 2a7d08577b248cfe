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
import { mergeStatuses } from './adapters/storage/merge-statuses.ts';
import { openStore, type OpenedStore } from './adapters/storage/open-store.ts';
import { serviceFolder } from './adapters/storage/service-folder.ts';
import { ActivityRowsService } from './core/activity/activity-rows.ts';
import { AddressLists } from './core/activity/address-lists.ts';
import { BookService } from './core/activity/book-service.ts';
import { CheckSchedule } from './core/activity/check-schedule.ts';
import { CompletionService } from './core/activity/completion-service.ts';
import { newestStoredAnswerMs } from './core/activity/watchlist-views.ts';
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
import { createNodeHttp } from './core/health/node-http.ts';
import { createNodeService } from './core/health/node-service.ts';
import { createPastServices } from './core/health/past-services.ts';
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
  const history = createPastServices({
    nodes,
    thresholds: () => settings.current().health,
    createStore: () => createMemoryStores().health,
    saver: files,
    opener: createFileOpener(dialog, () => app.getPath('downloads')),
    clock,
    random,
    log,
  });
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
  history.incidents.onChange((change) => broadcaster.send('incidents.changed', change));
  history.recordings.tasks.onChange((task) => broadcaster.send('recordingTask.changed', task));
  return { settings, secrets, scheduler, http, nodes, budget, files, history };
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
      const { state, notices } = mergeStatuses([nodeStore.status, chainData.store.status]);
      return { state, notices: settings.notice === null ? notices : [...notices, settings.notice] };
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
