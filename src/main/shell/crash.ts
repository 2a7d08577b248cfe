import type { App, Dialog } from 'electron';
import type { Clock, Log } from '../core/ports.ts';

export interface CrashOptions {
  app: Pick<App, 'isPackaged' | 'relaunch'>;
  dialog: Pick<Dialog, 'showErrorBox'>;
  process: Pick<NodeJS.EventEmitter, 'on'>;
  log: Log;
  clock: Pick<Clock, 'monotonicMs'>;
  /** How the app is started again; null: it is not. */
  startAgain: () => { execPath: string; args: string[] } | null;
  end: () => void;
}

/** What ends sooner would end again and again. */
const shortestRunMs = 60_000;

/**
 * What nobody caught ends the app, which starts again and goes on watching: every write to a store is whole. Without this,
 * Electron stops everything behind a dialog until somebody presses its button.
 */
export function startAgainAfterCrash(options: CrashOptions): void {
  const { app, dialog, process, log, clock, startAgain, end } = options;
  const startedMs = clock.monotonicMs();
  let isEnding = false;
  process.on('uncaughtException', (error) => {
    // One start is enough, also where telling of the crash fails in turn.
    if (isEnding) return;
    isEnding = true;
    const ref = log.error('app.crashed', error);
    const again = clock.monotonicMs() - startedMs < shortestRunMs ? null : startAgain();
    if (again !== null) app.relaunch(again);
    else if (app.isPackaged)
      dialog.showErrorBox(
        'Watchkeeper has to close',
        `Watchkeeper ran into an unexpected error. No stored data was lost. For details, search logs/main.log in the data folder for “${ref}”.`,
      );
    end();
  });
  process.on('unhandledRejection', (cause) => void log.error('app.rejection-unhandled', cause));
}
