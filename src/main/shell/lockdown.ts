import type { App, Session, WebContents } from 'electron';
import type { Log } from '../core/ports.ts';
import { appScheme } from './app-file.ts';
import { isTrustedUrl, trustedOrigin } from './trusted-origin.ts';

/** Schemes of requests that never leave the process. */
const harmlessSchemes = new Set([`${appScheme}:`, 'devtools:']);

/**
 * Keeps Chromium from asking hosts of its own choice, in every session: no dictionaries, no proxy (but for what
 * `system-rules.ts` and the updater set), no resolver but the system's, no certificate that tells who asks. To be called before the app is ready.
 */
export function lockNetwork(
  app: Pick<App, 'commandLine' | 'configureHostResolver' | 'on' | 'whenReady'>,
): Promise<void> {
  app.commandLine.appendSwitch('no-proxy-server');
  // Chromium downloads the dictionary of the system's language for each session, even when the spell checker is off.
  app.on('session-created', (session) => session.setSpellCheckerLanguages([]));
  app.on('select-client-certificate', (event, _contents, _url, _certificates, answer) => {
    // Otherwise the first one of the system's store would be sent.
    event.preventDefault();
    answer();
  });
  return app.whenReady().then(() => {
    app.configureHostResolver({ enableBuiltInResolver: false, secureDnsMode: 'off' });
  });
}

/** Refuses all permissions, and all requests outside the app's own scheme. */
export function lockSession(session: Session, log: Log): void {
  session.setPermissionRequestHandler((_contents, permission, callback) => {
    log.warn('shell.permission-refused', { permission });
    callback(false);
  });
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  // The window never downloads anything: exports are written by the main process.
  session.on('will-download', (event) => event.preventDefault());
  session.webRequest.onBeforeRequest((details, callback) => {
    const { protocol } = new URL(details.url);
    const allowed = harmlessSchemes.has(protocol) || (import.meta.env.DEV && isDevelopmentUrl(details.url));
    if (!allowed) log.warn('shell.request-cancelled', { scheme: protocol });
    callback({ cancel: !allowed });
  });
}

/** The development server also uses a web socket. */
const isDevelopmentUrl = (url: string): boolean =>
  isTrustedUrl(url) || isTrustedUrl(url.replace(/^ws/, 'http'));

/** Blocks navigation, redirects, new windows and webviews in every page. */
export function lockPages(app: App, log: Log): void {
  app.on('web-contents-created', (_event, contents) => lockPage(contents, log));
}

function lockPage(contents: WebContents, log: Log): void {
  const refuse = (what: string) => (event: { preventDefault(): void }) => {
    log.warn('shell.navigation-refused', { what });
    event.preventDefault();
  };
  contents.on('will-navigate', (event) => {
    // Reloading the app's own page counts as a navigation too.
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
