import { checkAddress } from '../../../../shared/activity/address.ts';
import type { BookEntry } from '../../../../shared/activity/types.ts';
import { cleanText } from '../../../../shared/text.ts';
import { AppFailure, err, ok, type Result } from '../../../../shared/errors.ts';
import { createListeners, type Listeners } from '../../listeners.ts';
import type { BookStore } from '../../activity-ports.ts';
import type { Clock, Log } from '../../ports.ts';
import { longestName } from './address-fields.ts';
import { addressProblem } from './address-problem.ts';

export interface BookServiceDeps {
  store: BookStore;
  clock: Clock;
  log: Log;
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

  /** Names an address, or changes its name. */
  async put(address: string, name: string, note: string | null): Promise<Result<BookEntry>> {
    const check = checkAddress(address);
    if (!check.ok) return invalid(addressProblem(check));
    const cleanName = cleanText(name, longestName);
    // A name of which nothing can be seen names nobody.
    if (cleanName.replaceAll('\uFFFD', '').trim() === '') return invalid('Enter a name.');
    const cleanNote = note === null || note.trim() === '' ? null : note.trim();
    const entry: BookEntry = {
      address: check.address,
      name: cleanName,
      note: cleanNote,
      changedAtMs: this.#deps.clock.nowMs(),
    };
    return await this.#guard(async () => {
      await this.#deps.store.put(entry);
      this.#entries.set(entry.address, entry);
      return entry;
    });
  }

  /** Takes the name away; one that is not there is no mistake. */
  async remove(address: string): Promise<Result<null>> {
    const check = checkAddress(address);
    if (!check.ok) return invalid(addressProblem(check));
    return await this.#guard(async () => {
      await this.#deps.store.remove(check.address);
      this.#entries.delete(check.address);
      return null;
    });
  }

  async #guard<T>(change: () => Promise<T>): Promise<Result<T>> {
    try {
      const value = await change();
      this.#changes.emit(this.list());
      return ok(value);
    } catch (cause) {
      const ref = this.#deps.log.error('book.write-failed', cause);
      return err(
        cause instanceof AppFailure
          ? cause.error
          : { code: 'internal', message: 'The name could not be stored.', ref },
      );
    }
  }
}

function invalid(message: string): Result<never> {
  return err({ code: 'invalid-params', message, issues: [message] });
}
