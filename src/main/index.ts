import { join } from 'node:path';
import {
  app,
  clipboard,
  dialog,
  ipcMain,
  nativeTheme,
  powerMonitor,
  session,
  shell,
  type BrowserWindow,
} from 'electron';
import type { WatchedAddress } from '../shared/activity/types.ts';
import { DecodeThread } from './adapters/decode/decode-thread.ts';
import { openLog } from './adapters/electron/log.ts';
import { systemClock, systemRandom, systemTimers } from './adapters/electron/system.ts';
import { openWindowStateStore } from './adapters/electron/window-state-store.ts';
import { createFileSaver } from './adapters/export/file-saver.ts';
import { createHttpClient } from './adapters/http/http-client.ts';
import { createKeychain } from './adapters/keychain/keychain.ts';
import { openSettingsStore } from './adapters/settings/settings-store.ts';
import { openStore, type OpenedStore } from './adapters/storage/open-store.ts';
import { ActivityRowsService } from './core/activity/activity-rows.ts';
import { SyncService } from './core/activity/sync-service.ts';
import { WatchlistService } from './core/activity/watchlist-service.ts';
import { BudgetMonitor } from './core/endpoints/budget-status.ts';
import { createKeyTest } from './core/endpoints/key-test.ts';
import { QueryEngine } from './core/endpoints/query-engine.ts';
import { Scheduler } from './core/endpoints/scheduler.ts';
import { ServiceClient, type DecodeAnswer } from './core/endpoints/service-client.ts';
import { RunExport } from './core/explore/run-export.ts';
import { RunService } from './core/explore/run-service.ts';
import { createNodeService } from './core/health/node-service.ts';
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

/** Puts the services together from the open store, and tells the window of every change. */
function composeServices(store: OpenedStore, settings: SettingsService): Services {
  const clock = systemClock;
  const timers = systemTimers;
  const random = systemRandom;
  const http = createHttpClient();
  const profile = () => settings.current().service;

  const secrets = new SecretService({ keychain: createKeychain({ log }), profile });
  const scheduler = new Scheduler({ clock, timers });
  const decoder = new DecodeThread({ workerUrl: new URL('./decode-worker.js', import.meta.url), log });
  const decode: DecodeAnswer = (endpoint, text) => decoder.decode(endpoint, text);
  const service = new ServiceClient({
    http,
    scheduler,
    decode,
    keyHeaders: (url, forProfile) => secrets.headersFor(url, forProfile),
    profile,
    clock,
    timers,
    random,
  });
  const queries = new QueryEngine({ service, answers: store.answers, clock, log, decode });
  const sync = new SyncService({ store: store.activity, service, clock, timers, log });
  const rows = new ActivityRowsService({ store: store.activity, sync, log });
  const watchlist = new WatchlistService({ store: store.watchlist, service, sync, clock, timers, log });
  const nodes = createNodeService({ store: store.health, http, clock, timers, random, log });
  const runs = new RunService({
    store: store.runs,
    service,
    queries,
    nodes: () => nodes.list().map(({ node }) => node),
    http,
    clock,
    random,
    log,
    decode,
  });
  const files = createFileSaver(dialog, () => app.getPath('downloads'));
  const runExport = new RunExport({ runs, files, log });
  const budget = new BudgetMonitor({ scheduler, profile, clock, timers });
  const keyTest = createKeyTest({ secrets, service, clock });
  const storage = {
    status: () => ({
      ...store.status,
      notices: [...store.status.notices, ...(settings.notice === null ? [] : [settings.notice])],
    }),
  };

  queries.onAnswer((answer) => void rows.takeAnswer(answer));
  settings.onChange(({ settings: now, previous }) => {
    nativeTheme.themeSource = now.theme;
    if (JSON.stringify(now.service) === JSON.stringify(previous.service)) return;
    service.resetConnection();
    budget.refresh();
    void secrets.load();
    void watchlist.refreshAll();
  });

  settings.onChange((change) => broadcaster.send('settings.changed', change.settings));
  secrets.onChange((status) => broadcaster.send('secret.changed', status));
  store.onStatus(() => broadcaster.send('storage.changed', storage.status()));
  service.onConnectionChange((status) => broadcaster.send('connection.changed', status));
  budget.onChange((status) => broadcaster.send('budget.changed', status));
  runs.onChange((run) => broadcaster.send('run.changed', run));
  watchlist.onChange((list) => broadcaster.send('watchlist.changed', list));
  sync.onChange((change) => broadcaster.send('activity.changed', change));
  nodes.onListChanged((list) => broadcaster.send('nodes.changed', list));
  nodes.onNodeChanged((status) => broadcaster.send('node.changed', status));

  const version = app.getVersion();
  return {
    version,
    settings,
    secrets,
    storage,
    service,
    queries,
    keyTest,
    watchlist,
    sync,
    rows,
    nodes,
    budget,
    runs,
    runExport,
  };
}

/** Loads what is stored; what needs the network starts afterwards and is not waited for. */
async function startServices(store: OpenedStore, settings: SettingsService): Promise<Services> {
  const services = composeServices(store, settings);
  await services.runs.load();
  await services.sync.load();
  await services.watchlist.load();
  const newestAnswerMs = newestStoredAnswerMs(services.watchlist.views());
  if (newestAnswerMs !== null) services.service.rememberAnswer(newestAnswerMs);
  await services.nodes.start();
  void services.secrets.load();
  void services.watchlist.refreshAll();
  powerMonitor.on('suspend', () => services.nodes.suspend());
  powerMonitor.on('resume', () => {
    services.nodes.resume();
    void services.watchlist.refreshAll();
  });
  return services;
}

/** When the service last told something that is still stored. */
function newestStoredAnswerMs(watchlist: readonly WatchedAddress[]): number | null {
  const times = watchlist.flatMap(({ chainsFetchedAtMs, chains }) => [
    chainsFetchedAtMs,
    ...chains.map(({ sync }) => sync.checkedAtMs),
  ]);
  return times.reduce((newest, time) => (time !== null && time > (newest ?? 0) ? time : newest), null);
}

async function closeServices(services: Services, store: OpenedStore): Promise<void> {
  await Promise.all([services.watchlist.stop(), services.runs.stop(), services.nodes.stop()]);
  await store.close();
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
  // The store opens in its own thread while the window loads.
  const opening = openStore({
    directory: profileDir,
    workerUrl: new URL('./storage-worker.js', import.meta.url),
    clock: systemClock,
    timers: systemTimers,
    log,
  });
  const starting = app.whenReady().then(async () => startServices(await opening, settings));
  const shellServices = { links, copyText: (text: string) => clipboard.writeText(text) };
  registerHandlers(createHandlers(starting, shellServices), {
    host: ipcMain,
    isTrustedUrl,
    log,
    clock: systemClock,
  });

  // Not awaited at the top level: Electron becomes ready only when this module has been evaluated.
  void app.whenReady().then(() => {
    lockSession(session.defaultSession, log);
    serveAppScheme(session.defaultSession, rendererDir(outDir));
    followLifecycle({
      app,
      log,
      openWindow: () => showWindow(links),
      close: async () => closeServices(await starting, await opening),
    });
  });
}
