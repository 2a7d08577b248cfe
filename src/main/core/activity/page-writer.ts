import { BatchWriter } from '../batch-writer.ts';
import type { ActivityStore, StoredRow, StoredSync, SyncState } from '../ports.ts';

export interface PageWriterOptions {
  store: ActivityStore;
  address: string;
  chainId: string;
  /** Called after each write, with the number of pages that it held. */
  onSaved: (sync: StoredSync, pages: number) => void;
}

interface Page {
  rows: readonly StoredRow[];
  /** What all pages up to this one prove. */
  state: SyncState;
}

/** Writes the pages of a history in their order while further ones are being fetched (see `BatchWriter`). */
export class PageWriter {
  readonly #batches: BatchWriter<Page>;

  constructor({ store, address, chainId, onSaved }: PageWriterOptions) {
    this.#batches = new BatchWriter(async (pages) => {
      const last = pages.at(-1);
      if (last === undefined) return;
      const rows = pages.flatMap((page) => page.rows);
      onSaved(await store.savePage(address, chainId, rows, last.state), pages.length);
    });
  }

  /** Takes a page; waits only when the store is far behind. Rejects when an earlier write has failed. */
  async add(rows: readonly StoredRow[], state: SyncState): Promise<void> {
    await this.#batches.add({ rows, state });
  }

  /** Waits until all that was added is stored. Rejects with what the store rejected with. */
  async flush(): Promise<void> {
    await this.#batches.flush();
  }
}
