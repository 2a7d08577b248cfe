import type { BookEntry } from '../../../../shared/activity/types.ts';
import { longest } from '../../../../shared/limits.ts';
import { cleanText } from '../../../../shared/text.ts';
import { refuse } from '../../../../shared/errors.ts';
import type { BookStore } from '../../activity-ports.ts';
import type { Ports } from '../../ports.ts';
import type { Removal } from '../../removals.ts';
import { checkedAddress } from './address-fields.ts';

export interface BookServiceDeps extends Pick<Ports, 'emit' | 'clock'> {
  store: BookStore;
}

/** The user's names for addresses. */
export class BookService {
  readonly #deps: BookServiceDeps;
  readonly #entries = new Map<string, BookEntry>();

  constructor(deps: BookServiceDeps) {
    this.#deps = deps;
  }

  /** Reads the names from the store; call once, at start. Rejects when the store fails. */
  async load(): Promise<void> {
    for (const entry of await this.#deps.store.list()) this.#entries.set(entry.address, entry);
    this.#deps.emit('book.changed', this.list());
  }

  list(): BookEntry[] {
    return [...this.#entries.values()];
  }

  /** Adds or changes the name of an address. Rejects when the store fails. */
  async put(address: string, name: string, note: string | null): Promise<BookEntry> {
    const checked = checkedAddress(address);
    const cleanName = cleanText(name, longest.label);
    // A name of invisible characters only is no name.
    if (cleanName.replaceAll('\uFFFD', '').trim() === '') refuse('Enter a name.');
    const cleanNote = note === null || note.trim() === '' ? null : note.trim();
    const changedAtMs = this.#deps.clock.nowMs();
    return await this.#put({ address: checked, name: cleanName, note: cleanNote, changedAtMs });
  }

  /** Removes a name, if there is one. Rejects when the store fails. */
  async remove(address: string): Promise<Removal> {
    const checked = checkedAddress(address);
    const entry = this.#entries.get(checked);
    await this.#deps.store.remove(checked);
    this.#entries.delete(checked);
    this.#deps.emit('book.changed', this.list());
    return {
      putBack: () => {
        // A name entered in the meantime must not be overwritten.
        if (this.#entries.has(checked)) refuse('You’ve named this address again in the meantime.');
        return entry === undefined ? undefined : this.#put(entry);
      },
      finish: () => undefined,
    };
  }

  async #put(entry: BookEntry): Promise<BookEntry> {
    await this.#deps.store.put(entry);
    this.#entries.set(entry.address, entry);
    this.#deps.emit('book.changed', this.list());
    return entry;
  }
}
