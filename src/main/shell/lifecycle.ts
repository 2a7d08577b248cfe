import { BrowserWindow, type App } from 'electron';
import type { Log } from '../core/ports.ts';

export interface LifecycleOptions {
  app: App;
  log: Log;
  /** Opens the window; called at the start and again when the app is activated without one (macOS). */
  openWindow: () => BrowserWindow;
  /** Ends the work and closes the store; the app exits when it has settled, or after `closeLimitMs`. */
  close: () => Promise<void>;
  /** Whether a thread of this process waits for something that may never come, which an orderly exit would wait for. */
  isHeldUp: () => boolean;
}

/** Closing writes what is in memory, which takes milliseconds; a disk that hangs must not keep the app alive. */
const closeLimitMs = 5_000;

/**
 * One instance a profile, one window, and an orderly end: the second start brings the first window to the front, and
 * quitting waits for the store. Returns false when this process is the second one and is about to exit.
 */
export function claimSingleInstance(app: App): boolean {
  if (!app.requestSingleInstanceLock()) {
    app.exit(0);
    return false;
  }
  app.on('second-instance', () => {
    const [first] = BrowserWindow.getAllWindows();
    if (first === undefined) return;
    if (first.isMinimized()) first.restore();
    first.show();
    first.focus();
  });
  return true;
}

/** Keeps the app alive with its window and ends it in order. */
export function followLifecycle({ app, log, openWindow, close, isHeldUp }: LifecycleOptions): void {
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
    // All that is worth keeping has been written by now.
    if (isHeldUp()) process.kill(process.pid, 'SIGKILL');
    app.exit(code);
  };

  let closing = false;
  app.on('will-quit', (event) => {
    // Electron does not wait for promises, so the quit is held back and done for good once the store is closed.
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
