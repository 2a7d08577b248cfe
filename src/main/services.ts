import { join } from 'node:path';
import {
  app,
  dialog,
  Menu,
  nativeImage,
  nativeTheme,
  net,
  Notification,
  powerMonitor,
  session,
  Tray,
  utilityProcess,
} from 'electron';
import { DecodeThread } from './adapters/decode/decode-thread.ts';
import { folderSizes } from './adapters/electron/folder-sizes.ts';
import type { RecentLog } from './adapters/electron/log.ts';
import { createNotifications, notificationServerAbilities } from './adapters/electron/notifications.ts';
import { readResource } from './adapters/electron/resource.ts';
import { SampleProgram } from './adapters/electron/sample-program.ts';
import { isSigned } from './adapters/electron/signature.ts';
import { systemClock, systemRandom, systemTimers } from './adapters/electron/system.ts';
import { createFileOpener } from './adapters/export/file-opener.ts';
import { createFileSaver } from './adapters/export/file-saver.ts';
import { createHttpClient } from './adapters/http/http-client.ts';
import { createMetricsServer } from './adapters/http/metrics-server.ts';
import { createNodeLines } from './adapters/http/node-line.ts';
import { forgetPreviousAppImage } from './adapters/http/downloaded-update.ts';
import { createTrust } from './adapters/http/trust.ts';
import { createUpdater } from './adapters/http/updater.ts';
import { emptyEarlierStores } from './adapters/storage/opening/earlier-stores.ts';
import { serviceFolder } from './adapters/storage/opening/service-folder.ts';
import { createRecordingOpener } from './adapters/storage/thread/open-recording.ts';
import { openStore } from './adapters/storage/thread/open-store.ts';
import type { System } from './app-services.ts';
import { startApplication } from './application.ts';
import type { NewestNews } from './core/alerts/address-news.ts';
import { Diagnostics } from './core/privacy/diagnostics.ts';
import { createListeners } from './core/listeners.ts';
import type { Ports } from './core/ports.ts';
import type { Gate } from './core/privacy/gate.ts';
import { Proxies } from './core/privacy/proxies.ts';
import type { SettingsService } from './core/settings/settings-service.ts';
import { parseUpdatePlace, updateObstacle } from './core/updates/update-place.ts';
import type { EventChannel } from '../shared/ipc/contract.ts';
import { hourMs } from '../shared/time.ts';
import { Turns } from '../shared/turns.ts';
import { snapshot, type Services } from './ipc/handlers.ts';
import { readers } from './readers.ts';
import { lookUpTimeZone, ownAppImage } from './shell/environment.ts';
import { createSystemRules } from './shell/system-rules.ts';
import { createTray } from './shell/tray.ts';

const sampleEnded =
  'The sample data program has stopped, so its nodes and service no longer respond. Close this window and open the sample data again.';

const appImage = ownAppImage(process.env, process.execPath);

/** Stores of services with an older layout may have queries; since then these are with the nodes. */
const firstLayoutWithoutRuns = 2;

/** What exists before the services. */
export interface Before extends Pick<Ports, 'emit' | 'keychain'> {
  /** The file of the main program; those of its threads are beside it. */
  programUrl: string;
  /** The program that makes the sample data; null unless this is the window of the sample data. */
  sampleFile: string | null;
  profileDir: string;
  log: RecentLog;
  settings: SettingsService;
  gate: Gate;
  /** For the user about how the app was started; null where all is well. */
  notices: readonly (string | null)[];
  hasSandbox: boolean;
  /** Opens the window, at a link of the app if there is one. */
  openLink: (link: string | null) => void;
  /** Loads the window's page again. */
  reload: () => void;
}

/** Starts the app with what Electron has; see `startApplication`. */
export async function startServices({ programUrl, sampleFile, profileDir, ...before }: Before) {
  const { log, settings, gate, keychain } = before;
  const workerUrl = new URL('./storage-worker.js', programUrl);
  const downloads = () => app.getPath('downloads');
  const systemRules = createSystemRules(session);
  const proxies = new Proxies({ settings, keychain, clock: systemClock, systemRules });
  const trusted = createTrust({ environment: process.env, platform: process.platform, log });
  const network = { gate, proxies, trusted };
  const told = createListeners<EventChannel>();
  const reading = {
    workerUrl: new URL('./decode-worker.js', programUrl),
    functions: readers,
    log,
    timers: systemTimers,
  };
  // An export has few pages under way, and however long they are, none may be left out.
  const writing = { ...reading, mostLength: Infinity };
  const system: System = {
    ...before,
    emit: (channel, payload) => {
      before.emit(channel, payload);
      told.emit(channel);
    },
    clock: systemClock,
    timers: systemTimers,
    random: systemRandom,
    decoder: new DecodeThread(reading),
    writer: new DecodeThread(writing),
    http: createHttpClient(network),
    openLine: createNodeLines(network),
    isOnline: () => net.isOnline(),
    files: createFileSaver(dialog, downloads),
    opener: createFileOpener(dialog, downloads),
    openRecording: createRecordingOpener({ workerUrl, log }),
    channels: [
      createNotifications({
        open: before.openLink,
        system: Notification,
        ...(process.platform === 'linux' && { abilities: notificationServerAbilities }),
      }),
    ],
    metricsServer: createMetricsServer(log),
    updates: updatesOf(gate, proxies),
  };
  const notices = [...before.notices, settings.notice].filter((notice) => notice !== null);
  const addNotice = (notice: string) => {
    notices.push(notice);
    application?.noticesChanged();
  };
  const program =
    sampleFile === null
      ? null
      : new SampleProgram({
          host: utilityProcess,
          file: sampleFile,
          directory: profileDir,
          log,
          onEnded: () => addNotice(sampleEnded),
        });
  // It fills the profile before the stores are opened.
  const sample = program === null ? null : await program.ready;
  if (sample !== null)
    settings.update({
      service: sample.service,
      // Sample trouble sends no notifications.
      alerts: { ...settings.current().alerts, notifications: false },
    });
  settings.onChange(({ settings: { theme } }) => {
    nativeTheme.themeSource = theme;
  });
  const servicesDir = join(profileDir, 'services');
  const chainFolder = (dataUrl: string) => join(servicesDir, serviceFolder(dataUrl));
  const openStoreIn = (directory: string, unusable?: string) =>
    openStore({ ...system, directory, workerUrl, ...(unusable !== undefined && { unusable }) });
  let application: Awaited<ReturnType<typeof startApplication>> | null = null;
  const running = await startApplication(system, {
    settings,
    gate,
    proxies,
    openNodeStore: () => openStoreIn(profileDir),
    openChainStore: ({ dataUrl }, unusable) => openStoreIn(chainFolder(dataUrl), unusable),
    eachEarlierStore: (use) =>
      emptyEarlierStores(servicesDir, firstLayoutWithoutRuns, async (folder) => {
        if (folder === chainFolder(settings.current().service.dataUrl)) return;
        const store = await openStoreIn(folder);
        try {
          await use(store);
        } finally {
          await store.close();
        }
      }),
    notices: () => notices,
    // The window starts again with a snapshot of the new service's data.
    reload: before.reload,
  });
  application = running;
  const { secrets, watchlist, updates } = running.services();
  if (sample !== null) {
    await secrets.set(sample.apiKey, 'session');
    for (const { address, label } of sample.addresses) await watchlist.add(address, { label });
  }
  if (sample === null) told.add(followTray(running, before));
  powerMonitor.on('suspend', running.suspend);
  powerMonitor.on('resume', () => {
    lookUpTimeZone(process.env);
    running.resume();
  });
  setInterval(() => lookUpTimeZone(process.env), hourMs).unref();

  if (sample === null) updates.start();
  if (sample === null && appImage !== null) forgetPreviousAppImage(appImage, log);

  const diagnostics = new Diagnostics({
    facts: async () => ({
      ...snapshot(services()),
      atMs: systemClock.nowMs(),
      about: {
        version: app.getVersion(),
        system: `${process.platform} ${process.arch} ${process.getSystemVersion()}, ${app.getSystemLocale()}`,
        runtime: `Electron ${process.versions.electron}, Chromium ${process.versions.chrome}, Node ${process.versions.node}`,
        sandbox: before.hasSandbox ? 'on' : 'off',
        'running for': `${Math.round(process.uptime())} s`,
        memory: `${Math.round(process.memoryUsage().rss / 1e6)} MB in the main process`,
      },
      sizes: await folderSizes(profileDir),
      log: log.recent(),
    }),
    hideSecrets: (text) => {
      const { alertSecrets, nodes } = running.services();
      return alertSecrets.hide(nodes.hideHeaders(proxies.hide(secrets.hide(text))));
    },
    files: system.files,
    clock: systemClock,
  });
  const services = (): Services => ({
    version: app.getVersion(),
    dataFolder: profileDir,
    locale: app.getSystemLocale(),
    ...running.services(),
    diagnostics,
  });

  return {
    services,
    addNotice,
    close: async () => {
      program?.end();
      await running.close();
      updates.installAtEnd();
    },
  };
}

/** Shows the nodes' states in the system's tray; returns what is to be called with every event. */
function followTray(
  { services }: Awaited<ReturnType<typeof startApplication>>,
  { settings, openLink: open, log }: Pick<Before, 'settings' | 'openLink' | 'log'>,
): (channel: EventChannel) => void {
  const tray = createTray({
    make: (image) => new Tray(image),
    buildMenu: (items) => Menu.buildFromTemplate(items),
    toImage: (pixels, size) => nativeImage.createFromBitmap(pixels, { width: size, height: size }),
    open,
    quit: () => app.quit(),
    pause: (pausedUntilMs) => {
      settings.update({ alerts: { ...settings.current().alerts, pausedUntilMs } });
    },
    refuse: (message, detail) =>
      void dialog
        .showMessageBox({ type: 'error', message, detail })
        .catch((cause: unknown) => log.error('tray.message', cause)),
    now: () => systemClock.nowMs(),
  });
  const { nodes, alerts } = services();
  let newest: NewestNews | null = null;
  const show = () =>
    tray.show({
      nodes: nodes.list(),
      openAlerts: alerts.openCount(),
      newest,
      pausedUntilMs: settings.current().alerts.pausedUntilMs,
      isPrivate: settings.current().privacy,
    });
  const reads = new Turns();
  let isWaiting = false;
  const readNewest = () => {
    // One that waits for its turn sees this change too.
    if (isWaiting) return;
    isWaiting = true;
    void reads.take(async () => {
      isWaiting = false;
      try {
        newest = await alerts.newest();
      } catch (cause) {
        log.error('tray.newest', cause);
      }
      show();
    });
  };
  show();
  readNewest();
  // What the shell has lost is made again; it does not say when that is.
  powerMonitor.on('resume', () => tray.again());
  powerMonitor.on('unlock-screen', () => tray.again());
  return (channel) => {
    if (changesActivity.has(channel)) readNewest();
    else if (shownInTray.has(channel)) show();
  };
}

const changesActivity: ReadonlySet<EventChannel> = new Set([
  'activity.changed',
  'watchlist.changed',
  'book.changed',
]);

const shownInTray: ReadonlySet<EventChannel> = new Set([
  'node.changed',
  'nodes.changed',
  'alerts.changed',
  'settings.changed',
]);

/** A build knows whom to ask for newer ones only if electron-builder has written it down beside the app. */
function updatesOf(gate: Gate, proxies: Proxies): System['updates'] {
  const { resourcesPath } = process;
  const config = readResource(resourcesPath, 'app-update.yml');
  const place = config === null ? null : parseUpdatePlace(config);
  gate.knowUpdates(place?.origins ?? []);
  const packageType = readResource(resourcesPath, 'package-type');
  const configPath = join(resourcesPath, 'app-update.yml');
  return {
    source: place && {
      host: place.host,
      updater: createUpdater({
        ...{ gate, proxies, origin: place.origins[0] ?? '', feed: place.feed, configPath },
        app: { platform: process.platform, appImage, program: process.execPath },
      }),
    },
    obstacle: updateObstacle(process.platform, {
      appImage,
      packageType,
      isSigned: place !== null && isSigned(process.execPath),
    }),
    runningVersion: app.getVersion(),
  };
}
