import type { App, Session, WebContents } from 'electron';
import type { Log } from '../core/ports.ts';
import { appScheme } from './app-file.ts';
import { isTrustedUrl, trustedOrigin } from './trusted-origin.ts';

/** Schemes of requests that never leave the process. */
const harmlessSchemes = new Set([`${appScheme}:`, 'devtools:']);

/** Refuses every permission and every request that would leave the app's own scheme. */
export function lockSession(session: Session, log: Log): void {
  session.setPermissionRequestHandler((_contents, permission, callback) => {
    log.warn('shell.permission-refused', { permission });
    callback(false);
  });
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  // The app has no use for a download by the window: exports are written by the main process.
  session.on('will-download', (event) => event.preventDefault());
  session.webRequest.onBeforeRequest((details, callback) => {
    const { protocol } = new URL(details.url);
    const allowed = harmlessSchemes.has(protocol) || (import.meta.env.DEV && isDevelopmentUrl(details.url));
    if (!allowed) log.warn('shell.request-cancelled', { scheme: protocol });
    callback({ cancel: !allowed });
  });
}

/** The development server is also spoken to by web socket. */
function isDevelopmentUrl(url: string): boolean {
  return isTrustedUrl(url) || isTrustedUrl(url.replace(/^ws/, 'http'));
}

/** Refuses navigation, redirects, new windows and webviews in every page that is ever created. */
export function lockPages(app: App, log: Log): void {
  app.on('web-contents-created', (_event, contents) => lockPage(contents, log));
}

function lockPage(contents: WebContents, log: Log): void {
  const refuse = (what: string) => (event: { preventDefault(): void }) => {
    log.warn('shell.navigation-refused', { what });
    event.preventDefault();
  };
  contents.on('will-navigate', (event) => {
    // A reload of our own page is a navigation too.
    if (event.url === `${trustedOrigin()}/index.html` || (import.meta.env.DEV && isTrustedUrl(event.url)))
      return;
    refuse('navigate')(event);
  });
  contents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame) refuse('frame')(event);
  });
  contents.on('will-redirect', refuse('redirect'));
  contents.on('will-attach-webview', refuse('webview'));
  contents.setWindowOpenHandler(() => {
    log.warn('shell.navigation-refused', { what: 'new-window' });
    return { action: 'deny' };
  });
}
