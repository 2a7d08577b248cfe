import type { ActivityStore, StoredRow, StoredSync, SyncState } from '../ports.ts';

export interface PageWriterOptions {
  store: ActivityStore;
  address: string;
  chainId: string;
  /** Called after each write, with the number of pages that it held. */
  onSaved: (sync: StoredSync, pages: number) => void;
}

/** As many pages may wait for the store; then the walk waits for it. */
const maxWaitingPages = 8;

interface Batch {
  rows: StoredRow[];
  /** What all pages up to the last of the batch prove. */
  state: SyncState;
  pages: number;
}

/**
 * Writes pages in their order while further ones are being fetched. Pages that arrive during a write are written
 * together by the next one: each costs a wait for the disk, which is longer than it takes to fetch a page.
 */
export class PageWriter {
  readonly #options: PageWriterOptions;
  #waiting: Batch | null = null;
  #writing: Promise<void> | null = null;
  #failure: { cause: unknown } | null = null;

  constructor(options: PageWriterOptions) {
    this.#options = options;
  }

  /** Takes a page; waits only when the store is far behind. Rejects when an earlier write has failed. */
  async add(rows: readonly StoredRow[], state: SyncState): Promise<void> {
    this.#throwFailure();
    this.#waiting = {
      rows: [...(this.#waiting?.rows ?? []), ...rows],
      state,
      pages: (this.#waiting?.pages ?? 0) + 1,
    };
    this.#writing ??= this.#writeAll();
    if (this.#pagesWaiting() >= maxWaitingPages) await this.flush();
  }

  /** Waits until all that was added is stored. Rejects with what the store rejected with. */
  async flush(): Promise<void> {
    await this.#writing;
    this.#throwFailure();
  }

  #pagesWaiting(): number {
    return this.#waiting?.pages ?? 0;
  }

  /** Never rejects: nobody may be waiting for it. */
  async #writeAll(): Promise<void> {
    const { store, address, chainId, onSaved } = this.#options;
    try {
      for (;;) {
        const batch = this.#waiting;
        if (batch === null) break;
        this.#waiting = null;
        onSaved(await store.savePage(address, chainId, batch.rows, batch.state), batch.pages);
      }
    } catch (cause) {
      this.#failure = { cause };
      this.#waiting = null;
    }
    this.#writing = null;
  }

  #throwFailure(): void {
    if (this.#failure !== null) throw this.#failure.cause;
  }
}
