import type { BookEntry } from '../../../../shared/activity/types.ts';
import { cleanText } from '../../../../shared/text.ts';
import { refuse } from '../../../../shared/errors.ts';
import { createListeners, type Listeners } from '../../listeners.ts';
import type { BookStore } from '../../activity-ports.ts';
import type { Clock } from '../../ports.ts';
import { checkedAddress, longestName } from './address-fields.ts';

export interface BookServiceDeps {
  store: BookStore;
  clock: Clock;
}

/** The names that the user has given to addresses. */
export class BookService {
  readonly #deps: BookServiceDeps;
  readonly #entries = new Map<string, BookEntry>();
  readonly #changes: Listeners<BookEntry[]> = createListeners();

  constructor(deps: BookServiceDeps) {
    this.#deps = deps;
  }

  /** Reads the names from the store; once, at start. Rejects when the store fails. */
  async load(): Promise<void> {
    for (const entry of await this.#deps.store.list()) this.#entries.set(entry.address, entry);
    this.#changes.emit(this.list());
  }

  list(): BookEntry[] {
    return [...this.#entries.values()];
  }

  /** Calls with every change. Returns the function that ends it. */
  onChange(listener: (book: BookEntry[]) => void): () => void {
    return this.#changes.add(listener);
  }

  /** Names an address, or changes its name. Rejects when the store fails. */
  async put(address: string, name: string, note: string | null): Promise<BookEntry> {
    const checked = checkedAddress(address);
    const cleanName = cleanText(name, longestName);
    // A name of which nothing can be seen names nobody.
    if (cleanName.replaceAll('\uFFFD', '').trim() === '') refuse('Enter a name.');
    const cleanNote = note === null || note.trim() === '' ? null : note.trim();
    const changedAtMs = this.#deps.clock.nowMs();
    const entry: BookEntry = { address: checked, name: cleanName, note: cleanNote, changedAtMs };
    await this.#deps.store.put(entry);
    this.#entries.set(entry.address, entry);
    this.#changes.emit(this.list());
    return entry;
  }

  /** Takes the name away; one that is not there is no mistake. Rejects when the store fails. */
  async remove(address: string): Promise<null> {
    const checked = checkedAddress(address);
    await this.#deps.store.remove(checked);
    this.#entries.delete(checked);
    this.#changes.emit(this.list());
    return null;
  }
}
