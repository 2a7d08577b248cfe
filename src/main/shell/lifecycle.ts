import { BrowserWindow, type App } from 'electron';
import type { Log } from '../core/ports.ts';

export interface LifecycleOptions {
  app: App;
  log: Log;
  /** Opens the window: at the start, and when the app is activated without one (macOS). */
  openWindow: () => BrowserWindow;
  /** Stops all work and closes the stores; the app exits once it has settled, or after `closeLimitMs`. */
  close: () => Promise<void>;
  /**
   * Whether to end without Chromium's orderly exit: it would wait for a thread that is blocked in a call that may never
   * return, and write to a profile that was deleted.
   */
  endsAtOnce: () => boolean;
}

/** Closing takes milliseconds; a disk that hangs must not keep the app alive. */
const closeLimitMs = 5_000;

/**
 * Ensures a single instance per profile: a second start brings the first one's window to the front. Returns false when
 * this process is the second one and about to exit.
 */
export function claimSingleInstance(app: App): boolean {
  if (!app.requestSingleInstanceLock()) {
    app.exit(0);
    return false;
  }
  app.on('second-instance', revealWindow);
  return true;
}

/** Brings the window to the front. */
export function revealWindow(): void {
  const [first] = BrowserWindow.getAllWindows();
  if (first === undefined) return;
  if (first.isMinimized()) first.restore();
  first.show();
  first.focus();
}

/** Keeps the app alive with its window and shuts it down in order. */
export function followLifecycle({ app, log, openWindow, close, endsAtOnce }: LifecycleOptions): void {
  let window: BrowserWindow | null = null;
  const open = () => {
    window = openWindow();
    window.on('closed', () => {
      window = null;
    });
  };
  open();
  app.on('activate', () => {
    if (window === null) open();
  });
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });

  const exit = (code: number) => {
    // Everything worth keeping has been written by now.
    if (endsAtOnce()) process.kill(process.pid, 'SIGKILL');
    app.exit(code);
  };

  let closing = false;
  app.on('will-quit', (event) => {
    // Electron does not wait for promises, so quitting is prevented and repeated once the stores are closed.
    event.preventDefault();
    if (closing) return;
    closing = true;
    const limit = new Promise<void>((passed) => {
      setTimeout(() => {
        log.warn('app.close-took-too-long', { limitMs: closeLimitMs });
        passed();
      }, closeLimitMs).unref();
    });
    Promise.race([close(), limit]).then(
      () => exit(0),
      (error: unknown) => {
        log.error('app.close-failed', error);
        exit(1);
      },
    );
  });
}
