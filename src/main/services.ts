import { join } from 'node:path';
import { app, BrowserWindow, nativeTheme, powerMonitor, utilityProcess } from 'electron';
import { DecodeThread } from './adapters/decode/decode-thread.ts';
import { folderSizes } from './adapters/electron/folder-sizes.ts';
import type { RecentLog } from './adapters/electron/log.ts';
import { SampleProgram } from './adapters/electron/sample-program.ts';
import { systemClock, systemRandom, systemTimers } from './adapters/electron/system.ts';
import { mergeStatuses } from './adapters/storage/activity/merge-statuses.ts';
import { serviceFolder } from './adapters/storage/opening/service-folder.ts';
import { openStore, type OpenedStore } from './adapters/storage/thread/open-store.ts';
import { createAppServices, firstRequestsAfterMs, type System } from './app-services.ts';
import { openChainData } from './chain-data.ts';
import { Diagnostics } from './core/privacy/diagnostics.ts';
import type { Keychain } from './core/ports.ts';
import type { Gate } from './core/privacy/gate.ts';
import { ServiceChange } from './core/settings/service-change.ts';
import type { SettingsService } from './core/settings/settings-service.ts';
import type { Broadcaster } from './ipc/broadcast.ts';
import { snapshot, type Services } from './ipc/handlers.ts';
import { readers } from './readers.ts';

const sampleEnded =
  'The program that makes the sample data has ended, so its nodes and services no longer answer. Close this window and open the sample data again.';

/** What exists before the services. */
export interface Before {
  /** The file of the main program; those of its threads are beside it. */
  programUrl: string;
  /** The program that makes the sample data; null unless this is the window of the sample data. */
  sampleFile: string | null;
  profileDir: string;
  log: RecentLog;
  broadcaster: Broadcaster;
  keychain: Keychain;
  settings: SettingsService;
  gate: Gate;
}

/** Loads what is stored; anything that needs the network starts afterwards, without being awaited. */
export async function startServices({
  programUrl,
  sampleFile,
  profileDir,
  settings,
  gate,
  ...before
}: Before) {
  const { log, broadcaster } = before;
  const system: System = {
    ...before,
    clock: systemClock,
    timers: systemTimers,
    random: systemRandom,
    decoder: new DecodeThread({
      workerUrl: new URL('./decode-worker.js', programUrl),
      functions: readers,
      log,
    }),
    storageWorkerUrl: new URL('./storage-worker.js', programUrl),
  };
  const notes: string[] = settings.notice === null ? [] : [settings.notice];
  let isOpen = false;
  // Events while the stores are opening would be redundant: the window's first snapshot has their content.
  const tellStorage = () => {
    if (isOpen) broadcaster.send('storage.changed', storage.status());
  };
  const program =
    sampleFile === null
      ? null
      : new SampleProgram({
          host: utilityProcess,
          file: sampleFile,
          directory: profileDir,
          log,
          onEnded: () => {
            notes.push(sampleEnded);
            tellStorage();
          },
        });
  // It fills the profile before the stores are opened.
  const sample = program === null ? null : await program.ready;
  if (sample !== null) settings.update({ service: sample.service });
  const openStoreIn = (directory: string): Promise<OpenedStore> =>
    openStore({ ...system, directory, workerUrl: system.storageWorkerUrl });
  const openChainStore = () =>
    openStoreIn(join(profileDir, 'services', serviceFolder(settings.current().service.dataUrl)));
  // Each store opens in a thread of its own.
  const opening = { nodes: openStoreIn(profileDir), chainData: openChainStore() };
  const nodeStore = await opening.nodes;
  const common = createAppServices(system, nodeStore, settings, gate);
  let chainData = await openChainData(common, opening.chainData, tellStorage);
  const storage = {
    status: () => {
      const { state, notices } = mergeStatuses([nodeStore.status, chainData.store.status, change.status]);
      return { state, notices: [...notices, ...notes] };
    },
  };
  nodeStore.onStatus(tellStorage);
  const change = new ServiceChange({
    settings,
    log,
    close: () => chainData.close(),
    open: async () => void (chainData = await openChainData(common, openChainStore(), tellStorage)),
    // The window reloads, with a snapshot of the new service's data.
    changed: () => BrowserWindow.getAllWindows().forEach((window) => window.webContents.reload()),
  });
  isOpen = true;

  settings.onChange(({ settings: now, previous }) => {
    nativeTheme.themeSource = now.theme;
    if (now.requestsOff.includes('data') !== previous.requestsOff.includes('data')) {
      chainData.service.switched();
      if (!now.requestsOff.includes('data')) void chainData.watchlist.refreshAll();
    }
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

  common.nodes.suspend();
  await common.nodes.start();
  const cancelFirstPolls = systemTimers.after(firstRequestsAfterMs, () => common.nodes.resume());
  void common.secrets.load();
  if (sample !== null) {
    await common.secrets.set(sample.apiKey, 'session');
    for (const { address, label } of sample.addresses) await chainData.watchlist.add(address, { label });
  }
  powerMonitor.on('suspend', () => {
    cancelFirstPolls();
    common.nodes.suspend();
  });
  powerMonitor.on('resume', () => {
    common.nodes.resume();
    void chainData.watchlist.refreshAll();
  });

  if (sample === null) common.updates.start();

  const diagnostics = new Diagnostics({
    facts: async () => ({
      ...snapshot(services()),
      atMs: systemClock.nowMs(),
      about: {
        version: app.getVersion(),
        system: `${process.platform} ${process.arch} ${process.getSystemVersion()}, ${app.getSystemLocale()}`,
        runtime: `Electron ${process.versions.electron}, Chromium ${process.versions.chrome}, Node ${process.versions.node}`,
        'running for': `${Math.round(process.uptime())} s`,
        memory: `${Math.round(process.memoryUsage().rss / 1e6)} MB in the main process`,
      },
      sizes: await folderSizes(profileDir),
      log: log.recent(),
    }),
    hideSecrets: (text) => common.nodes.hideHeaders(common.secrets.hide(text)),
    files: common.files,
    clock: systemClock,
  });
  // Looked up at each call, because the service may change.
  const services = (): Services => ({
    version: app.getVersion(),
    dataFolder: profileDir,
    locale: app.getSystemLocale(),
    ...common,
    ...chainData,
    storage,
    diagnostics,
  });

  return {
    services,
    close: async () => {
      cancelFirstPolls();
      program?.end();
      await change.settled();
      await Promise.all([chainData.close(), common.nodes.stop()]);
      await nodeStore.close();
      common.updates.installAtEnd();
    },
  };
}
