import { BrowserWindow, nativeTheme, screen } from 'electron';
import type { Log } from '../core/ports.ts';
import type { ExternalLinks } from './external-links.ts';
import { trustedOrigin } from './trusted-origin.ts';
import {
  keepState,
  parseWindowState,
  placeWindow,
  smallestWindow,
  type WindowStateStore,
} from './window-state.ts';

export interface WindowOptions {
  preloadPath: string;
  iconPath: string;
  store: WindowStateStore;
  links: ExternalLinks;
  log: Log;
}

/** Creates the window and starts loading it; shows it once it has rendered something. */
export function openWindow(options: WindowOptions): BrowserWindow {
  const place = placeWindow(
    parseWindowState(options.store.read()),
    screen.getAllDisplays().map((display) => display.workArea),
  );
  const window = new BrowserWindow({
    ...place.bounds,
    minWidth: smallestWindow.width,
    minHeight: smallestWindow.height,
    show: false,
    autoHideMenuBar: true,
    title: 'Watchkeeper',
    icon: options.iconPath,
    // The background of the page, so that nothing flashes while it loads.
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#14171a' : '#f7f8f9',
    webPreferences: {
      preload: options.preloadPath,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
      navigateOnDragDrop: false,
      // The main process pauses live data instead, and sends what was missed.
      backgroundThrottling: true,
    },
  });
  if (place.maximized) window.maximize();
  window.once('ready-to-show', () => window.show());
  options.links.watch(window.webContents);
  keepState(window, options);
  void window.loadURL(`${trustedOrigin()}/index.html`);
  return window;
}
