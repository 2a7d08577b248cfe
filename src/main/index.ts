import { join } from 'node:path';
import { app, BrowserWindow, clipboard, ipcMain, nativeTheme, powerMonitor, session, shell } from 'electron';
import { DecodeThread } from './adapters/decode/decode-thread.ts';
import { openLog } from './adapters/electron/log.ts';
import { systemClock, systemRandom, systemTimers } from './adapters/electron/system.ts';
import { openWindowStateStore } from './adapters/electron/window-state-store.ts';
import { createKeychain } from './adapters/keychain/keychain.ts';
import { openSettingsStore } from './adapters/settings/settings-store.ts';
import { mergeStatuses } from './adapters/storage/activity/merge-statuses.ts';
import { openStore, type OpenedStore } from './adapters/storage/thread/open-store.ts';
import { serviceFolder } from './adapters/storage/opening/service-folder.ts';
import { ServiceChange } from './core/settings/service-change.ts';
import { SettingsService } from './core/settings/settings-service.ts';
import { createAppServices, type System } from './app-services.ts';
import { openChainData } from './chain-data.ts';
import { readers } from './readers.ts';
import { Broadcaster } from './ipc/broadcast.ts';
import { eventChannel } from '../shared/ipc/channels.ts';
import type { DrawingError } from '../shared/ipc/contract.ts';
import { createHandlers, type Services } from './ipc/handlers.ts';
import { registerHandlers } from './ipc/register.ts';
import { registerAppScheme, serveAppScheme } from './shell/app-scheme.ts';
import { AppLinks } from './shell/app-links.ts';
import { ExternalLinks } from './shell/external-links.ts';
import { claimSingleInstance, followLifecycle } from './shell/lifecycle.ts';
import { lockPages, lockSession } from './shell/lockdown.ts';
import { isTrustedUrl } from './shell/trusted-origin.ts';
import { openWindow, preloadFile, rendererDir } from './shell/window.ts';

const outDir = join(import.meta.dirname, '..');
const profileDir = app.getPath('userData');
const log = openLog(profileDir);
const broadcaster = new Broadcaster();
const keychain = createKeychain({ log });
const system: System = {
  clock: systemClock,
  timers: systemTimers,
  random: systemRandom,
  log,
  keychain,
  decoder: new DecodeThread({
    workerUrl: new URL('./decode-worker.js', import.meta.url),
    functions: readers,
    log,
  }),
  broadcaster,
  storageWorkerUrl: new URL('./storage-worker.js', import.meta.url),
};

function openStoreIn(directory: string): Promise<OpenedStore> {
  return openStore({ ...system, directory, workerUrl: system.storageWorkerUrl });
}

function openChainStore(settings: SettingsService): Promise<OpenedStore> {
  const { dataUrl } = settings.current().service;
  return openStoreIn(join(profileDir, 'services', serviceFolder(dataUrl)));
}

/** Loads what is stored; what needs the network starts afterwards and is not waited for. */
async function startServices(
  opening: { nodes: Promise<OpenedStore>; chainData: Promise<OpenedStore> },
  settings: SettingsService,
) {
  const nodeStore = await opening.nodes;
  const common = createAppServices(system, nodeStore, settings);
  let isOpen = false;
  // What is told while the stores are being opened, the window's first snapshot holds.
  const tellStorage = () => {
    if (isOpen) broadcaster.send('storage.changed', storage.status());
  };
  let chainData = await openChainData(common, opening.chainData, tellStorage);
  const storage = {
    status: () => {
      const { state, notices } = mergeStatuses([nodeStore.status, chainData.store.status, change.status]);
      return { state, notices: settings.notice === null ? notices : [...notices, settings.notice] };
    },
  };
  nodeStore.onStatus(tellStorage);
  const change = new ServiceChange({
    settings,
    log,
    close: () => chainData.close(),
    open: async () => void (chainData = await openChainData(common, openChainStore(settings), tellStorage)),
    // The window starts over with a snapshot of the other service's data.
    changed: () => BrowserWindow.getAllWindows().forEach((window) => window.webContents.reload()),
  });
  isOpen = true;

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
    change.from(previous.service);
  });

  await common.nodes.start();
  void common.secrets.load();
  powerMonitor.on('suspend', () => common.nodes.suspend());
  powerMonitor.on('resume', () => {
    common.nodes.resume();
    void chainData.watchlist.refreshAll();
  });

  return {
    // Looked up at each call, because the service can be changed.
    services: (): Services => ({
      version: app.getVersion(),
      dataFolder: profileDir,
      locale: app.getSystemLocale(),
      ...common,
      ...chainData,
      storage,
    }),
    close: async () => {
      await change.settled();
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
    send: (channel, payload) => window.webContents.send(eventChannel(channel), payload),
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
  const appLinks = new AppLinks(log, () => broadcaster.send('link.waiting', null));
  appLinks.follow(app, process.argv);
  const links = new ExternalLinks(systemClock, (url) => shell.openExternal(url));
  const settings = new SettingsService(openSettingsStore(profileDir, systemClock), log);
  nativeTheme.themeSource = settings.current().theme;
  // The stores open in threads of their own while the window loads.
  const opening = { nodes: openStoreIn(profileDir), chainData: openChainStore(settings) };
  const starting = app.whenReady().then(() => startServices(opening, settings));
  const shellServices = {
    links,
    appLinks,
    copyText: (text: string) => clipboard.writeText(text),
    showDataFolder: () => shell.showItemInFolder(profileDir),
    drawingFailed: (where: string, error: DrawingError) =>
      log.error(`window.drawing-failed ${JSON.stringify(where)}`, Object.assign(new Error(), error)),
  };
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
