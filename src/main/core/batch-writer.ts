/**
 * Writes items in order while more are being produced. Items that arrive during a write go into the next one together,
 * since a write waits for the disk for longer than fetching a page takes. The first item is written at once.
 */
export class BatchWriter<Item> {
  readonly #write: (items: readonly Item[]) => Promise<void>;
  #waiting: Item[] = [];
  /** Resolves when nothing is waiting any more. */
  #writing: Promise<void> | null = null;
  /** Resolves at the end of the current write. */
  #current: Promise<void> = Promise.resolve();
  #failure: { cause: unknown } | null = null;

  /** `write` gets at least one item; it is not called again before it has resolved, and never after it has rejected. */
  constructor(write: (items: readonly Item[]) => Promise<void>) {
    this.#write = write;
  }

  /** Adds an item; waits only when writing is far behind. Rejects when an earlier write has failed. */
  async add(item: Item): Promise<void> {
    this.#throwFailure();
    this.#waiting.push(item);
    this.#writing ??= this.#writeAll();
    if (this.#waiting.length < mostWaiting) return;
    // The next write takes everything that waits, so there is room once the current one has ended.
    await this.#current;
    this.#throwFailure();
  }

  /** Waits until all that was added is written. Rejects with what `write` rejected with. */
  async flush(): Promise<void> {
    await this.#writing;
    this.#throwFailure();
  }

  /** Never rejects: nobody may be waiting for it. */
  async #writeAll(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const items = this.#waiting;
        this.#waiting = [];
        const write = this.#write(items);
        // The failure is reported below, once.
        this.#current = write.catch(() => undefined);
        await write;
      }
    } catch (cause) {
      this.#failure = { cause };
      this.#waiting = [];
    }
    this.#writing = null;
  }

  #throwFailure(): void {
    if (this.#failure !== null) throw this.#failure.cause;
  }
}

/** Items that may wait before `add` does. */
const mostWaiting = 8;
