import type { App, BrowserWindow, Dialog } from 'electron';
import { accessSync, constants } from 'node:fs';
import type { Log } from '../core/ports.ts';

/** With this argument the app starts without its window. */
export const backgroundSwitch = 'background';

/** What closing the window means. */
export type WhenClosed = 'keep' | 'quit';

export interface LifecycleOptions {
  app: App;
  log: Log;
  openWindow: () => BrowserWindow;
  /** Whether to start without a window. */
  startsHidden: boolean;
  /** The user's choice; null where there is none yet. */
  whenClosed: () => WhenClosed | null;
  /** Asks the user, and keeps the answer; null: the window stays open. */
  askWhenClosed: (window: BrowserWindow) => Promise<WhenClosed | null>;
  /** Asks whether to close the window, quit, or load the page again, though it has something typed that is not saved. */
  askToDiscard: (window: BrowserWindow) => Promise<boolean>;
  /** Called when the app goes on without its window, which may have been closed before its page asked for anything. */
  goesOn: () => void;
  /** Has the app start again once it has ended. */
  startAgain: () => void;
  /** Stops all work and closes the stores; the app exits once it has settled, or after `closeLimitMs`. */
  close: () => Promise<void>;
  /**
   * Whether to end without Chromium's orderly exit: it would wait for a thread that is blocked in a call that may never
   * return, and write to a profile that was deleted.
   */
  endsAtOnce: () => boolean;
}

/** The system ends a page where memory is short; it is loaded again, but not more often. */
const reloadPauseMs = 10_000;
/** Closing takes milliseconds; a disk that hangs must not keep the app alive. */
const closeLimitMs = 5_000;

/**
 * Ensures a single instance per profile. Returns false when this process is about to exit: it is the second one, or one of
 * `folders` may not be written, which it says.
 */
export function claimSingleInstance(
  app: Pick<App, 'requestSingleInstanceLock' | 'exit' | 'whenReady'>,
  dialog: Pick<Dialog, 'showErrorBox'>,
  folders: readonly string[],
): boolean {
  if (app.requestSingleInstanceLock()) return true;
  const locked = folders.find((folder) => !isWritable(folder));
  if (locked === undefined) app.exit(0);
  else
    void app.whenReady().then(() => {
      const words = `Watchkeeper can’t write to the folder ${locked}. The folder may belong to another user, or its disk may be read-only. Make the folder writable, then start Watchkeeper again.`;
      dialog.showErrorBox('Watchkeeper can’t start', words);
      app.exit(1);
    });
  return false;
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    return false;
  }
}

/** Ends the process; `atOnce` without Chromium's orderly exit, which would wait for blocked threads. */
export function endProcess(app: Pick<App, 'exit'>, atOnce: boolean, code: number): void {
  // Everything worth keeping has been written by now.
  if (atOnce) process.kill(process.pid, 'SIGKILL');
  app.exit(code);
}

/**
 * Opens the window, keeps the app alive with it, and without it where the user wants that, and shuts it down in order.
 * A second start, unless it is one in the background, and the dock open the window again, and so does `reveal`. `reload` loads
 * its page again without a question.
 */
export function followLifecycle(options: LifecycleOptions): { reveal: () => void; reload: () => void } {
  const { app, log, close, endsAtOnce, whenClosed } = options;
  let window: BrowserWindow | null = null;
  let isQuitting = false;
  /** The window has been told to close. */
  let isClosing = false;
  /** Somebody wants to see the window that is closing: it is opened again. */
  let isWanted = false;
  /** What is typed in the page is to go with it. */
  let isDiscarded = false;
  /** What closing the last window meant. */
  let chosen: WhenClosed = 'keep';

  const open = () => {
    const opened = options.openWindow();
    window = opened;
    let isAsking = false;
    isClosing = isDiscarded = false;
    /** The answer, for the close that goes on with it. */
    let answered: WhenClosed | null = null;
    const discard = async (then: () => void) => {
      isAsking = true;
      const isAgreed = await options.askToDiscard(opened).finally(() => (isAsking = false));
      if (isAgreed && !opened.isDestroyed()) then();
    };
    const ask = async () => {
      isAsking = true;
      answered = await options.askWhenClosed(opened).finally(() => (isAsking = false));
      if (answered !== null && !opened.isDestroyed()) opened.close();
    };
    opened.on('close', (event) => {
      const choice = answered ?? whenClosed();
      answered = null;
      if (isQuitting) return;
      if (choice !== null && !isAsking) {
        chosen = choice;
        isClosing = true;
        return;
      }
      event.preventDefault();
      if (!isAsking) ask().catch((cause: unknown) => log.error('app.close-question-failed', cause));
    });
    opened.webContents.on('will-prevent-unload', (event) => {
      if (isDiscarded) return event.preventDefault();
      const then = isQuitting || isClosing ? () => opened.destroy() : reload;
      if (isQuitting) chosen = 'quit';
      // The page stays until the answer, and with it the app.
      isQuitting = isClosing = isWanted = false;
      if (isAsking) return;
      reveal();
      discard(then).catch((cause: unknown) => log.error('app.discard-question-failed', cause));
    });
    opened.webContents.on('did-navigate', () => (isDiscarded = false));
    opened.on('unresponsive', () => {
      // It was told to close, and its page hangs: that would keep the window, and the app, for ever.
      if (isQuitting || isClosing) opened.destroy();
    });
    opened.on('closed', () => {
      if (window === opened) window = null;
    });
    let reloadedMs = -Infinity;
    opened.webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason === 'clean-exit') return;
      log.warn('window.page-gone', { reason });
      // One that ends at once each time is not loaded without end.
      const waitMs = Math.max(0, reloadedMs + reloadPauseMs - performance.now());
      setTimeout(() => {
        reloadedMs = performance.now();
        if (!opened.isDestroyed()) opened.webContents.reload();
      }, waitMs);
    });
  };
  let closing = false;
  let startsAgain = false;
  const startAgain = () => {
    if (!startsAgain) options.startAgain();
    startsAgain = true;
  };
  const reload = () => {
    isDiscarded = true;
    window?.webContents.reload();
  };
  const reveal = () => {
    // A window would be gone in a moment.
    if (closing) return startAgain();
    if (window === null) return open();
    isWanted = isQuitting || isClosing;
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  };
  if (!options.startsHidden) open();
  app.on('second-instance', (_event, args) => {
    if (!args.includes(`--${backgroundSwitch}`)) reveal();
  });
  app.on('activate', reveal);
  app.on('before-quit', () => {
    isQuitting = true;
  });
  app.on('window-all-closed', () => {
    if (isWanted) {
      isWanted = false;
      open();
    } else if (chosen === 'quit') app.quit();
    else options.goesOn();
  });

  app.on('will-quit', (event) => {
    // Electron does not wait for promises, so quitting is prevented and repeated once the stores are closed.
    event.preventDefault();
    if (closing) return;
    closing = true;
    if (isWanted) startAgain();
    const limit = new Promise<'late'>((passed) => {
      setTimeout(() => {
        log.warn('app.close-took-too-long', { limitMs: closeLimitMs });
        passed('late');
      }, closeLimitMs).unref();
    });
    Promise.race([close(), limit]).then(
      // What hangs would hold up an orderly exit, too.
      (end) => endProcess(app, end === 'late' || endsAtOnce(), 0),
      (error: unknown) => {
        log.error('app.close-failed', error);
        endProcess(app, endsAtOnce(), 1);
      },
    );
  });
  return { reveal, reload };
}
