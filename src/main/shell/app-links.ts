import type { App } from 'electron';
import { appLinkScheme, parseAppLink, type AppLink } from '../../shared/app-link.ts';
import type { Log } from '../core/ports.ts';

/**
 * Links that other programs open in the app. Anybody can write one, so they are read strictly, and one that leads nowhere is
 * dropped with a word in the log alone. The last one waits here until the window, which may still be loading, takes it.
 */
export class AppLinks {
  readonly #log: Log;
  readonly #tell: () => void;
  #waiting: AppLink | null = null;

  /** `tell` says to the window that a link waits. */
  constructor(log: Log, tell: () => void) {
    this.#log = log;
    this.#tell = tell;
  }

  /** Takes links that this start was given, those of a second start, and those that the system hands over (macOS). */
  follow(app: Pick<App, 'on' | 'isPackaged' | 'setAsDefaultProtocolClient'>, args: readonly string[]): void {
    this.#open(args);
    app.on('second-instance', (_event, later) => this.#open(later));
    app.on('open-url', (event, url) => {
      event.preventDefault();
      this.#open([url]);
    });
    // On Linux the menu entry of the installed package says it. A build in a folder must not take links from an installed app.
    if (app.isPackaged && process.platform !== 'linux') app.setAsDefaultProtocolClient(appLinkScheme);
  }

  /** The link that waits, if any, which then waits no more. */
  take(): AppLink | null {
    const link = this.#waiting;
    this.#waiting = null;
    return link;
  }

  #open(args: readonly string[]): void {
    const text = args.find((arg) => arg.toLowerCase().startsWith(`${appLinkScheme}:`));
    if (text === undefined) return;
    const link = parseAppLink(text);
    this.#waiting = link ?? this.#waiting;
    if (link === null) this.#log.warn('link.refused', { letters: text.length });
    else this.#tell();
  }
}
