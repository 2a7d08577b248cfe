import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { app, BrowserWindow, clipboard, dialog, ipcMain, nativeTheme, session, shell } from 'electron';
import { eventsChannel } from '../shared/ipc/channels.ts';
import type { DrawingError } from '../shared/ipc/contract.ts';
import { openLog } from './adapters/electron/log.ts';
import { systemClock, systemTimers } from './adapters/electron/system.ts';
import { openWindowStateStore } from './adapters/electron/window-state-store.ts';
import { createKeychain } from './adapters/keychain/keychain.ts';
import { noKeychain } from './adapters/keychain/no-keychain.ts';
import { openSettingsStore } from './adapters/settings/settings-store.ts';
import { Gate } from './core/privacy/gate.ts';
import { SettingsService } from './core/settings/settings-service.ts';
import { Broadcaster } from './ipc/broadcast.ts';
import { createHandlers } from './ipc/handlers.ts';
import { registerHandlers } from './ipc/register.ts';
import type { startServices } from './services.ts';
import { AppLinks, isAppLink } from './shell/app-links.ts';
import { registerAppScheme, serveAppScheme } from './shell/app-scheme.ts';
import { startAgainAfterCrash } from './shell/crash.ts';
import { appUserModelId, ownAppImage, requireCertificates, sandboxNotice } from './shell/environment.ts';
import { ExternalLinks } from './shell/external-links.ts';
import { askToDiscard, askWhenClosed, loginEntry, followStartAtLogin } from './shell/background.ts';
import { backgroundSwitch, claimSingleInstance, endProcess, followLifecycle } from './shell/lifecycle.ts';
import { lockNetwork, lockPages, lockSession } from './shell/lockdown.ts';
import { enterSample, leaveSample, startSampleInstance } from './shell/sample-instance.ts';
import { isTrustedUrl } from './shell/trusted-origin.ts';
import { openWindow } from './shell/window.ts';

if (process.platform === 'win32') app.setAppUserModelId(appUserModelId);

// The window first: only what it needs is loaded here. All else starts in services.ts with the page's first call.

const hasSandbox = !app.commandLine.hasSwitch('no-sandbox');
const notices = [requireCertificates(process.env), sandboxNotice(app, hasSandbox)];
const networkLocked = lockNetwork(app);
const outDir = join(import.meta.dirname, '..');
const isSample = enterSample(app);
const profileDir = app.getPath('userData');
const log = openLog(profileDir, systemClock);
const broadcaster = new Broadcaster(systemTimers);
const keychain = isSample ? noKeychain : createKeychain({ log });
/** An AppImage is started by its file. */
const program = ownAppImage(process.env, process.execPath) ?? process.execPath;
/** With which arguments the app was started, but for links, which were opened, and for the window. */
const ownArguments = process.argv
  .slice(1)
  .filter((argument) => !isAppLink(argument) && argument !== `--${backgroundSwitch}`);
startAgainAfterCrash({
  ...{ app, dialog, process, log, clock: systemClock },
  end: () => endProcess(app, keychain.isBusy(), 1),
  startAgain: () => {
    const hasWindow = BrowserWindow.getAllWindows().length > 0;
    return isSample
      ? null
      : { execPath: program, args: hasWindow ? ownArguments : [...ownArguments, `--${backgroundSwitch}`] };
  },
});

function showWindow(links: ExternalLinks): BrowserWindow {
  const window = openWindow({
    preloadPath: join(outDir, 'preload', 'index.cjs'),
    iconPath: join(app.getAppPath(), 'resources', 'icon.png'),
    store: openWindowStateStore(profileDir, log),
    links,
    log,
  });
  const attach = () =>
    broadcaster.attach({
      isVisible: () => window.isVisible() && !window.isMinimized(),
      send: (events) => window.webContents.send(eventsChannel, events),
    });
  attach();
  // When it is loaded again, as for another service, what waits for the page before is not for this one.
  window.webContents.on('did-start-loading', () => {
    broadcaster.catchUp();
    attach();
  });
  window.on('show', () => broadcaster.catchUp());
  window.on('restore', () => broadcaster.catchUp());
  window.on('closed', () => broadcaster.detach());
  return window;
}

registerAppScheme();
// Chromium aborts with both. Every window requests the sandbox itself.
if (hasSandbox) app.enableSandbox();
lockPages(app, log);

if (claimSingleInstance(app, dialog, [profileDir, tmpdir()])) {
  const appLinks = new AppLinks(log, () => broadcaster.send('link.waiting', null));
  if (!isSample) appLinks.follow(app, process.argv);
  const settings = new SettingsService(openSettingsStore(profileDir, systemClock), log);
  const gate = new Gate({ settings, clock: systemClock, isSample });
  const links = new ExternalLinks(systemClock, async (url) => {
    gate.pass(new URL(url), 'link');
    await shell.openExternal(url);
  });
  nativeTheme.themeSource = settings.current().theme;

  const startsHidden =
    !isSample &&
    (app.commandLine.hasSwitch(backgroundSwitch) ||
      (process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin));
  if (!isSample) {
    const loginItem = {
      ...{ app, platform: process.platform, log },
      ...loginEntry(
        join(app.getPath('appData'), 'autostart'),
        [program, ...(app.isPackaged ? [] : [app.getAppPath()])],
        app.commandLine.getSwitchValue('user-data-dir'),
      ),
    };
    followStartAtLogin(settings, loginItem);
  }
  let lifecycle: ReturnType<typeof followLifecycle> | null = null;
  const sampleFile = isSample ? join(outDir, 'sample-data', 'index.js') : null;
  let running: ReturnType<typeof startServices> | null = null;
  let started: Awaited<ReturnType<typeof startServices>> | null = null;
  const attempt = () =>
    (running ??= import('./services.ts').then(async ({ startServices }) => {
      started = await startServices({
        programUrl: import.meta.url,
        sampleFile,
        profileDir,
        log,
        emit: (event, payload) => broadcaster.send(event, payload),
        keychain,
        settings,
        gate,
        notices,
        hasSandbox,
        openLink: (link) => {
          if (link !== null) appLinks.open(link);
          lifecycle?.reveal();
        },
        reload: () => lifecycle?.reload(),
      });
      return started;
    }));
  /** For the page: it shows why a start has failed, and its next call tries again. */
  const start = async () => {
    const tried = attempt();
    try {
      return await tried;
    } catch (cause) {
      if (running === tried) running = null;
      throw cause;
    }
  };
  const shellServices = {
    links,
    appLinks,
    copyText: (text: string) => clipboard.writeText(text),
    showDataFolder: () => shell.showItemInFolder(profileDir),
    isSample,
    openSample: () => startSampleInstance(app, { timers: systemTimers, log }),
    quit: () => app.quit(),
    drawingFailed: (where: string, error: DrawingError) =>
      log.error(`window.drawing-failed ${JSON.stringify(where)}`, Object.assign(new Error(), error)),
  };
  registerHandlers(
    createHandlers(async () => (await start()).services(), shellServices),
    {
      ...{ host: ipcMain, isTrustedUrl, log, clock: systemClock },
      sendEvents: () => broadcaster.catchUp(),
      unheard: (message) =>
        started?.addNotice(`A file couldn’t be saved or opened while the window was closed. ${message}`),
    },
  );

  // Not awaited at the top level: Electron only becomes ready after this module has been evaluated.
  const begin = () => {
    lockSession(session.defaultSession, log);
    serveAppScheme(session.defaultSession, join(outDir, 'renderer'));
    // The year of past takes longer to make than the window to load, and without a window nobody asks.
    const startUnasked = () =>
      void attempt().catch((cause: unknown) => {
        log.error('services.not-started', cause);
        // The page asks and shows why: without a window nobody would know that nothing is watched.
        lifecycle?.reveal();
      });
    if (isSample || startsHidden) startUnasked();
    /** What a page has offered to undo cannot be undone when it is gone. */
    const finishRemovals = () => void started?.services().removals.finishOffered();
    lifecycle = followLifecycle({
      app,
      log,
      openWindow: () => {
        const window = showWindow(links);
        window.webContents.on('dom-ready', finishRemovals);
        return window;
      },
      startsHidden,
      whenClosed: () => {
        if (isSample) return 'quit';
        // There the app stays without its windows, as all do.
        if (process.platform === 'darwin') return 'keep';
        const { whenClosed } = settings.current();
        return whenClosed === 'ask' ? null : whenClosed;
      },
      askWhenClosed: async (window) => {
        const whenClosed = await askWhenClosed(dialog, window);
        if (whenClosed !== null) settings.tryUpdate({ whenClosed });
        return whenClosed;
      },
      askToDiscard: (window) => askToDiscard(dialog, window),
      goesOn: () => {
        startUnasked();
        finishRemovals();
      },
      startAgain: () => app.relaunch({ execPath: program, args: [...ownArguments, ...appLinks.left] }),
      close: async () => {
        try {
          // Sample data that is still being made would take longer than closing may.
          await (isSample ? started : await running)?.close();
        } finally {
          if (isSample) leaveSample(app, log);
        }
      },
      endsAtOnce: () => isSample || keychain.isBusy(),
    });
  };
  networkLocked.then(begin).catch((cause: unknown) => {
    const ref = log.error('app.not-started', cause);
    dialog.showErrorBox(
      'Watchkeeper can’t start',
      `To find out why, search logs/main.log in the data folder for “${ref}”.`,
    );
    app.exit(1);
  });
}
