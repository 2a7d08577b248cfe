import { AppFailure } from '../../../shared/errors.ts';
import type { StorageStatus } from '../../../shared/ipc/answers.ts';
import type { ServiceProfile } from '../../../shared/settings.ts';
import { Turns } from '../../../shared/turns.ts';
import type { Log } from '../ports.ts';
import type { SettingsService } from './settings-service.ts';

export interface ServiceChangeDeps {
  settings: SettingsService;
  log: Log;
  /** Stops all work with the open service, and closes its store. */
  close: () => Promise<void>;
  /** Opens the store of the configured service. When it rejects, nothing is open. */
  open: () => Promise<void>;
  /** Another service is open, or none: data shown so far is obsolete. */
  changed: () => void;
}

const allWell: StorageStatus = { state: 'ready', notKept: false, notices: [] };

/**
 * Switches from one service's store to another's, one change at a time. If the new one cannot be opened, the previous
 * service is restored, and `status` tells the user.
 */
export class ServiceChange {
  readonly #deps: ServiceChangeDeps;
  readonly #turns = new Turns();
  #isGoingBack = false;
  #status = allWell;
  /** Where the way back leads while others that were chosen cannot be opened. */
  #lastOpen: ServiceProfile | null = null;

  constructor(deps: ServiceChangeDeps) {
    this.#deps = deps;
  }

  /** The outcome of the last change, for the user; `failed`: no service is open. */
  get status(): StorageStatus {
    return this.#status;
  }

  /** Call when the settings no longer name `previous` but another service. */
  from(previous: ServiceProfile): void {
    if (!this.#isGoingBack) void this.#turns.take(() => this.#change(previous));
  }

  /** Resolves when no change is under way; never rejects. */
  settled(): Promise<void> {
    return this.#turns.settled();
  }

  /** Closes the service that is open, for the end of the app; never rejects. */
  async end(): Promise<void> {
    await this.settled();
    await this.#close();
  }

  async #close(): Promise<void> {
    const { log, close } = this.#deps;
    // A store that fails to close properly has still saved everything that it acknowledged.
    await close().catch((cause: unknown) => log.error('service.close-failed', cause));
  }

  async #change(previous: ServiceProfile): Promise<void> {
    const { log, open, changed } = this.#deps;
    const wanted = this.#deps.settings.current().service;
    await this.#close();
    try {
      await open();
      this.#status = allWell;
    } catch (cause) {
      const why = unopened(wanted, cause, log);
      this.#lastOpen ??= previous;
      // Another one was chosen meanwhile, which is opened next.
      if (this.#deps.settings.current().service.dataUrl !== wanted.dataUrl) return;
      this.#status = await this.#goBack(this.#lastOpen, why);
    }
    this.#lastOpen = null;
    changed();
  }

  async #goBack(previous: ServiceProfile, words: string): Promise<StorageStatus> {
    try {
      this.#setBack(previous);
      await this.#deps.open();
      const outcome = `The service wasn’t changed: ${previous.dataUrl} is still in use.`;
      return { state: 'ready', notKept: false, notices: [`${words} ${outcome}`] };
    } catch (cause) {
      const ref = this.#deps.log.error('service.back-failed', cause);
      const also = `The data stored for ${previous.dataUrl}, the previous service, couldn’t be opened either: ${reason(cause, ref)}`;
      return { state: 'failed', notKept: false, notices: [words, `${also} Start the app again.`] };
    }
  }

  #setBack(previous: ServiceProfile): void {
    this.#isGoingBack = true;
    try {
      this.#deps.settings.update({ service: previous });
    } finally {
      this.#isGoingBack = false;
    }
  }
}

/** Logs why the store of a service cannot be opened, and says it to the user. */
export function unopened({ dataUrl }: ServiceProfile, cause: unknown, log: Log): string {
  const ref = log.error('service.open-failed', cause);
  return `The app couldn’t open the data stored for ${dataUrl}: ${reason(cause, ref)}`;
}

const reason = (cause: unknown, ref: string): string =>
  cause instanceof AppFailure ? cause.error.message : `Search logs/main.log in the data folder for “${ref}”.`;

/** Loads the parts of a store one after the other; if one fails, closes the store, since nobody else could. */
export async function loadOrClose(
  store: { close(): Promise<void> },
  parts: readonly { load(): Promise<void> }[],
): Promise<void> {
  try {
    for (const part of parts) await part.load();
  } catch (cause) {
    await store.close();
    throw cause;
  }
}
