import { AppFailure } from '../../../shared/errors.ts';
import type { Keychain, KeychainFailure, Log } from '../ports.ts';
import { withoutValues } from './without-echo.ts';

/** The known state of one entry in the keychain. */
export interface KeptSecret {
  /** The keychain's last response. */
  state: 'unread' | 'read' | KeychainFailure;
  /** Value last read or written, null for no entry; undefined while unknown. */
  text: string | null | undefined;
}

/** Entries in the system's keychain, with a cache of the values last read or written. */
export class KeptSecrets {
  readonly #keychain: Keychain;
  readonly #onChange: () => void;
  readonly #entries = new Map<string, KeptSecret>();
  readonly #reads = new Map<string, Promise<KeptSecret>>();

  constructor(keychain: Keychain, onChange: () => void = () => undefined) {
    this.#keychain = keychain;
    this.#onChange = onChange;
  }

  known(account: string): KeptSecret {
    return this.#entries.get(account) ?? { state: 'unread', text: undefined };
  }

  texts(): string[] {
    return [...this.#entries.values()].flatMap(({ text }) => text ?? []);
  }

  /** Removes the values of all known entries from a text that others read. */
  hide(text: string): string {
    return withoutValues(text, this.texts());
  }

  /** Reads an entry, once at a time: a locked keychain would otherwise show one prompt per request. */
  read(account: string, isAskedFor: boolean): Promise<KeptSecret> {
    const reading = this.#reads.get(account) ?? this.#read(account, isAskedFor);
    this.#reads.set(account, reading);
    return reading;
  }

  /** Reads an entry only if it is not known: a keychain that is locked by now would show a prompt each time. */
  async recall(account: string, isAskedFor: boolean): Promise<KeptSecret> {
    const known = this.known(account);
    return known.text === undefined ? await this.read(account, isAskedFor) : known;
  }

  /** Writes the entry; null removes it. Throws `keychain` when it cannot be used. */
  async write(account: string, text: string | null): Promise<void> {
    const { text: before } = this.known(account);
    const outcome =
      text === null
        ? await this.#keychain.remove(account)
        : await this.#keychain.write(account, text, before);
    const { state, text: kept } = this.known(account);
    // What could not be replaced is still there.
    const isAsBefore = text !== null && kept != null;
    if (outcome.ok) this.#learn(account, text, 'read');
    else this.#learn(account, undefined, isAsBefore ? state : outcome.failure);
    // Without a keychain nothing was stored, so there is nothing to remove.
    if (!outcome.ok && !(text === null && outcome.failure === 'absent'))
      throw keychainFailure(outcome.failure);
  }

  /** Writes the entry for a change that belongs to it; when that throws, the entry is put back as it was. */
  async writeFor(
    account: string,
    text: string | null,
    change: () => void | Promise<void>,
    log: Log,
  ): Promise<void> {
    const { text: before, state } = await this.recall(account, true);
    // Who has dismissed one prompt is not shown another.
    if (before === undefined && state === 'locked') throw keychainFailure(state);
    await this.write(account, text);
    try {
      await change();
    } catch (cause) {
      if (before !== undefined)
        await this.write(account, before).catch((left: unknown) => {
          // The user needs the first error.
          log.error('keychain.entry-left', left);
        });
      throw cause;
    }
  }

  async #read(account: string, isAskedFor: boolean): Promise<KeptSecret> {
    let before = this.#entries.get(account);
    // A value written in the meantime is newer.
    const learn = (text: KeptSecret['text'], state: KeptSecret['state']) => {
      if (this.#entries.get(account) !== before) return;
      this.#learn(account, text, state);
      before = this.#entries.get(account);
    };
    const onLate = (text: string | null) => learn(text, 'read');
    const outcome = await this.#keychain.read(account, { isAskedFor, onLate });
    this.#reads.delete(account);
    learn(outcome.ok ? outcome.value : undefined, outcome.ok ? 'read' : outcome.failure);
    return this.known(account);
  }

  #learn(account: string, text: KeptSecret['text'], state: KeptSecret['state']): void {
    this.#entries.set(account, { state, text: text === undefined ? this.known(account).text : text });
    this.#onChange();
  }
}

/** The error for the user when the keychain cannot be used. */
export function keychainFailure(failure: KeychainFailure): AppFailure {
  const message =
    failure === 'locked'
      ? 'This computer’s keychain is locked. Unlock it and try again.'
      : 'This computer has no keychain that the app can use.';
  return new AppFailure({ code: 'keychain', message });
}
