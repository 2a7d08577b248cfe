import type { App } from 'electron';
import { appLinkScheme, parseAppLink, writeAppLink, type AppLink } from '../../shared/app-link.ts';
import type { Log } from '../core/ports.ts';

/**
 * Links by which other programs open the app. They are untrusted, so they are parsed strictly, and an invalid one is
 * only logged. The last link is kept until the window, which may still be loading, takes it.
 */
export class AppLinks {
  readonly #log: Log;
  readonly #tell: () => void;
  #waiting: AppLink | null = null;

  /** `tell` informs the window of a waiting link. */
  constructor(log: Log, tell: () => void) {
    this.#log = log;
    this.#tell = tell;
  }

  /** Handles links from this start, from a second start, and from the system (macOS). */
  follow(app: Pick<App, 'on' | 'isPackaged' | 'setAsDefaultProtocolClient'>, args: readonly string[]): void {
    this.open(...args);
    app.on('second-instance', (_event, later) => this.open(...later));
    app.on('open-url', (event, url) => {
      event.preventDefault();
      this.open(url);
    });
    // On Linux the package's menu entry does this. An unpackaged build must not take an installed app's links.
    if (app.isPackaged && process.platform !== 'linux') app.setAsDefaultProtocolClient(appLinkScheme);
  }

  /** Returns the waiting link, if any, and clears it. */
  take(): AppLink | null {
    const link = this.#waiting;
    this.#waiting = null;
    return link;
  }

  /** The waiting link as an argument of the next start. */
  get left(): string[] {
    return this.#waiting === null ? [] : [writeAppLink(this.#waiting)];
  }

  /** Opens the first link among these. */
  open(...args: readonly string[]): void {
    const text = args.find(isAppLink);
    if (text === undefined) return;
    const link = parseAppLink(text);
    this.#waiting = link ?? this.#waiting;
    if (link === null) this.#log.warn('link.refused', { letters: text.length });
    else this.#tell();
  }
}

/** Whether an argument of the program is meant as a link. */
export const isAppLink = (argument: string): boolean =>
  argument.toLowerCase().startsWith(`${appLinkScheme}:`);
