import { join } from 'node:path';
import { app, ipcMain, session, shell, type BrowserWindow } from 'electron';
import { openLog } from './adapters/electron/log.ts';
import { systemClock } from './adapters/electron/system.ts';
import { openWindowStateStore } from './adapters/electron/window-state-store.ts';
import { Broadcaster } from './ipc/broadcast.ts';
import { registerHandlers, type Handlers } from './ipc/register.ts';
import { registerAppScheme, serveAppScheme } from './shell/app-scheme.ts';
import { ExternalLinks } from './shell/external-links.ts';
import { claimSingleInstance, followLifecycle } from './shell/lifecycle.ts';
import { lockPages, lockSession } from './shell/lockdown.ts';
import { isTrustedUrl } from './shell/trusted-origin.ts';
import { openWindow, preloadFile, rendererDir } from './shell/window.ts';

const outDir = join(import.meta.dirname, '..');
const profileDir = app.getPath('userData');
const log = openLog(profileDir);
let window: BrowserWindow | null = null;

registerAppScheme();
// Chromium aborts when it is told both. Only tests that run as root say no-sandbox; every window asks for it by itself.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
lockPages(app, log);

if (claimSingleInstance(app, () => window)) {
  const links = new ExternalLinks(systemClock, (url) => shell.openExternal(url));
  const broadcaster = new Broadcaster();
  const handlers: Handlers = { 'app.openExternal': ({ url }) => links.open(url) } as unknown as Handlers;
  registerHandlers(handlers, { host: ipcMain, isTrustedUrl, log, clock: systemClock });
  // Not awaited at the top level: Electron becomes ready only when this module has been evaluated.
  void app.whenReady().then(() => {
    lockSession(session.defaultSession, log);
    serveAppScheme(session.defaultSession, rendererDir(outDir));
    const windowStates = openWindowStateStore(profileDir);
    followLifecycle({
      app,
      log,
      openWindow: () => {
        const opened = openWindow({
          preloadPath: preloadFile(outDir),
          iconPath: join(app.getAppPath(), 'resources', 'icon.png'),
          store: windowStates,
          links,
        });
        window = opened;
        broadcaster.attach({
          isVisible: () => opened.isVisible() && !opened.isMinimized(),
          send: (channel, payload) => opened.webContents.send(channel, payload),
        });
        opened.on('show', () => broadcaster.catchUp());
        opened.on('restore', () => broadcaster.catchUp());
        opened.on('closed', () => {
          broadcaster.detach();
          window = null;
        });
        return opened;
      },
      close: async () => undefined,
    });
  });
}
