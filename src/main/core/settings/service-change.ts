import { AppFailure } from '../../../shared/errors.ts';
import type { StorageStatus } from '../../../shared/ipc/answers.ts';
import type { ServiceProfile } from '../../../shared/settings.ts';
import { Turns } from '../../../shared/turns.ts';
import type { Log } from '../ports.ts';
import type { SettingsService } from './settings-service.ts';

export interface ServiceChangeDeps {
  settings: SettingsService;
  log: Log;
  /** Ends what is under way with the service that is open, and closes its store. */
  close: () => Promise<void>;
  /** Opens the store of the service that is set now. When it rejects, nothing is open. */
  open: () => Promise<void>;
  /** Another service is open, or none: whatever was shown before holds no longer. */
  changed: () => void;
}

const allWell: StorageStatus = { state: 'ready', notices: [] };

/**
 * Goes from the store of one service to that of another, one change after the other. When the other one cannot be opened,
 * the service before is set and opened again, and `status` tells the user.
 */
export class ServiceChange {
  readonly #deps: ServiceChangeDeps;
  readonly #turns = new Turns();
  #isGoingBack = false;
  #status = allWell;

  constructor(deps: ServiceChangeDeps) {
    this.#deps = deps;
  }

  /** How the last change ended, in words for the user; `failed`: no service is open. */
  get status(): StorageStatus {
    return this.#status;
  }

  /** The settings name another service than `previous` now. */
  from(previous: ServiceProfile): void {
    if (!this.#isGoingBack) void this.#turns.take(() => this.#change(previous));
  }

  /** Resolves when no change is under way any more; never rejects. */
  settled(): Promise<void> {
    return this.#turns.settled();
  }

  async #change(previous: ServiceProfile): Promise<void> {
    const { log, close, open, changed } = this.#deps;
    const wanted = this.#deps.settings.current().service.dataUrl;
    // A store that does not close in order has still kept all that it acknowledged.
    await close().catch((cause: unknown) => log.error('service.close-failed', cause));
    try {
      await open();
      this.#status = allWell;
    } catch (cause) {
      const ref = log.error('service.open-failed', cause);
      this.#status = await this.#goBack(
        previous,
        `What is stored of ${wanted} cannot be opened: ${reason(cause, ref)}`,
      );
    }
    changed();
  }

  async #goBack(previous: ServiceProfile, words: string): Promise<StorageStatus> {
    try {
      this.#setBack(previous);
      await this.#deps.open();
      const outcome = `The service was not changed: ${previous.dataUrl} is in use.`;
      return { state: 'ready', notices: [`${words} ${outcome}`] };
    } catch (cause) {
      const ref = this.#deps.log.error('service.back-failed', cause);
      const also = `${previous.dataUrl}, which was in use before, cannot be opened again either: ${reason(cause, ref)}`;
      return { state: 'failed', notices: [words, `${also} Start the app again.`] };
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

function reason(cause: unknown, ref: string): string {
  return cause instanceof AppFailure ? cause.error.message : `The log has the reason under ${ref}.`;
}

/** Loads one after the other what is in a store; closes the store, which nobody else could, when one cannot be loaded. */
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
