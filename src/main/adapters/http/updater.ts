import { dirname } from 'node:path';
import type { AuthInfo, Session } from 'electron';
import type { AppUpdater } from 'electron-updater';
import type { OutboundGate, Proxy, ProxyRules, Updater } from '../../core/ports.ts';
import { AppFailure } from '../../../shared/errors.ts';
import type { UpdateFeed } from '../../../shared/updates.ts';
import { checkDownload, checkUpdate, replaceAppImage, type DownloadedUpdate } from './downloaded-update.ts';
import { noProxyFor } from './failures.ts';
import { portOf } from './open-connection.ts';

export interface UpdaterOptions {
  gate: OutboundGate;
  proxies: ProxyRules;
  /** Of the place that is asked first; its proxies serve all. */
  origin: string;
  feed: UpdateFeed;
  /** `app-update.yml`, where electron-updater finds the folder for downloads and, on Windows, the publisher. */
  configPath: string;
  /** What a new version replaces: the path of the running AppImage if it is one, else that of the program. */
  app: { platform: string; appImage: string | null; program: string };
  load?: () => Promise<AppUpdater>;
}

type LoginAnswer = (user: string, password: string) => void;

/** Loaded with the first question only, so that it costs the start nothing. */
const loadAutoUpdater = async () => (await import('electron-updater')).default.autoUpdater;

/** The `Updater` port, based on electron-updater, which has a session of its own: each of its requests asks the gate. */
export function createUpdater({ load = loadAutoUpdater, ...options }: UpdaterOptions): Updater {
  let loading: Promise<AppUpdater> | null = null;
  let loaded: AppUpdater | null = null;
  let announced: readonly string[] = [];
  let downloaded: DownloadedUpdate | null = null;
  const { platform, appImage, program } = options.app;
  const into = [dirname(appImage ?? program), appImage === null] as const;
  /** What electron-updater is doing. It would join a new task to one that is being stopped. */
  let busy: Promise<unknown> = Promise.resolve();
  let logins: Proxy[] = [];

  async function whenFree(): Promise<AppUpdater> {
    loaded = await (loading ??= load().then((updater) => prepare(updater, options, logIn)));
    await Promise.allSettled([busy]);
    const { gate, proxies, origin } = options;
    const found = await proxies.proxiesFor(new URL(origin));
    logins = found.flatMap((proxy) => proxy ?? []);
    for (const { url } of logins) {
      const message = gate.refusal(new URL(url), 'proxy');
      if (message !== null) throw new AppFailure({ code: 'not-allowed', message });
    }
    // For Chromium, an empty list of rules is the direct connection.
    if (found.length === 0) throw new AppFailure({ code: 'proxy', message: noProxyFor(new URL(origin)) });
    const proxyRules = found.map((proxy) => proxy?.url ?? 'direct://').join(',');
    await loaded.netSession.setProxy({ mode: 'fixed_servers', proxyRules });
    return loaded;
  }

  /** Each login is given once: Chromium asks again when it was not accepted. */
  function logIn({ isProxy, host, port }: AuthInfo, answer: LoginAnswer): void {
    const isAsking = (url: URL) => isProxy && url.hostname === host && portOf(url) === String(port);
    const asked = logins.find(({ url }) => isAsking(new URL(url)));
    logins = logins.filter((login) => login !== asked);
    const encoded = asked?.authorization?.replace(/^Basic /, '') ?? '';
    const login = Buffer.from(encoded, 'base64').toString();
    const [, user, password] = /^([^:]*):(.*)$/s.exec(login) ?? [];
    // Electron gives up when it gets none: a cast, because electron-updater's types do not know.
    const giveUp = answer as () => void;
    if (user === undefined || password === undefined) giveUp();
    else answer(user, password);
  }

  async function stoppable<T>(task: Promise<T>, signal: AbortSignal, stop: () => void): Promise<T> {
    busy = task;
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    try {
      return await task;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  return {
    async ask(signal) {
      const updater = await whenFree();
      const stop = () => void updater.netSession.closeAllConnections();
      const answer = await stoppable(updater.checkForUpdates(), signal, stop);
      if (answer?.isUpdateAvailable !== true) return null;
      announced = answer.updateInfo.files.map(({ sha512 }) => sha512);
      return answer.updateInfo.version;
    },
    async download(onProgress, signal) {
      const updater = await whenFree();
      const {
        default: { CancellationToken },
      } = await import('electron-updater');
      const token = new CancellationToken();
      const tell = ({ percent }: { percent: number }) => onProgress(percent);
      updater.on('download-progress', tell);
      try {
        const [file = ''] = await stoppable(updater.downloadUpdate(token), signal, () => token.cancel());
        // On macOS the system itself has taken it over by now.
        if (platform === 'darwin') return;
        downloaded = { file, announced };
        await checkDownload(downloaded, ...into);
      } finally {
        updater.off('download-progress', tell);
      }
    },
    install() {
      if (downloaded === null) return;
      checkUpdate(downloaded, ...into);
      if (appImage !== null) replaceAppImage(appImage, downloaded);
      else loaded?.quitAndInstall(true, false);
    },
  };
}

function prepare(
  updater: AppUpdater,
  { gate, feed, configPath, app }: UpdaterOptions,
  logIn: (info: AuthInfo, answer: LoginAnswer) => void,
): AppUpdater {
  updater.logger = null;
  updater.autoDownload = false;
  // On macOS a download is handed to the system at once, which replaces the app when it has ended.
  updater.autoInstallOnAppQuit = app.platform === 'darwin';
  updater.allowDowngrade = false;
  updater.allowPrerelease = false;
  // One request for the whole package, instead of many for the parts that differ from the running one.
  updater.disableDifferentialDownload = true;
  updater.disableWebInstaller = true;
  // Everybody gets a release at once, so nobody needs the number by which electron-updater tells copies apart.
  updater.isUserWithinRollout = () => true;
  // Otherwise it asks only from an installed package.
  updater.forceDevUpdateConfig = true;
  updater.updateConfigPath = configPath;
  updater.setFeedURL(feed);
  updater.on('login', logIn);
  guard(updater.netSession, gate);
  return updater;
}

/** Cancels what the gate refuses, and takes that number out of every request. */
function guard({ webRequest }: Session, gate: OutboundGate): void {
  webRequest.onBeforeRequest(({ url }, callback) => {
    callback({ cancel: gate.refusal(new URL(url), 'update') !== null });
  });
  webRequest.onBeforeSendHeaders(({ requestHeaders }, callback) => {
    const kept = Object.entries(requestHeaders).filter(
      ([name]) => name.toLowerCase() !== 'x-user-staging-id',
    );
    callback({ requestHeaders: Object.fromEntries(kept) });
  });
}
