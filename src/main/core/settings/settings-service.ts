import { AppFailure } from '../../../shared/errors.ts';
import type { Settings } from '../../../shared/settings.ts';
import { createListeners } from '../listeners.ts';
import type { Log, SettingsStore } from '../ports.ts';

/** The current settings. A change takes effect only once it is written. */
export class SettingsService {
  readonly #store: SettingsStore;
  readonly #log: Log;
  readonly #changes = createListeners<Record<'settings' | 'previous', Settings>>();
  #settings: Settings;
  /** Notice for the user about how the settings were read; null when all is well. */
  readonly notice: string | null;

  constructor(store: SettingsStore, log: Log) {
    this.#store = store;
    this.#log = log;
    const { settings, notice } = store.read();
    this.#settings = settings;
    this.notice = notice;
  }

  current(): Settings {
    return this.#settings;
  }

  /** Calls the listener with every change. Returns the function that removes it. */
  readonly onChange = this.#changes.add;

  /** Writes changed settings; throws `storage` when they cannot be written. */
  update(patch: Partial<Settings>): Settings {
    const previous = this.#settings;
    const settings = { ...previous, ...patch };
    try {
      this.#store.write(settings);
    } catch (cause) {
      const ref = this.#log.error('settings.write-failed', cause);
      if (cause instanceof AppFailure) throw cause;
      const message = `The settings couldn’t be saved. Search logs/main.log in the data folder for “${ref}”.`;
      throw new AppFailure({ code: 'storage', message });
    }
    this.#settings = settings;
    this.#changes.emit({ settings, previous });
    return settings;
  }

  /** As `update` where nobody waits to be told that they cannot be written: the log has that. */
  tryUpdate(patch: Partial<Settings>): void {
    try {
      this.update(patch);
    } catch (cause) {
      if (!(cause instanceof AppFailure)) throw cause;
    }
  }
}
