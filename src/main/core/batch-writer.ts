/**
 * Writes items in their order while further ones are being made. Those that arrive during a write are written together
 * by the next one: each write costs a wait for the disk, which is longer than it takes to fetch a page. So the first
 * item is written at once, and nothing is held back.
 */
export class BatchWriter<Item> {
  readonly #write: (items: readonly Item[]) => Promise<void>;
  #waiting: Item[] = [];
  /** Ends when nothing waits any more. */
  #writing: Promise<void> | null = null;
  /** Ends with the write that is under way. */
  #current: Promise<void> = Promise.resolve();
  #failure: { cause: unknown } | null = null;

  /** `write` is given at least one item, and is not called again before it has resolved, nor once it has rejected. */
  constructor(write: (items: readonly Item[]) => Promise<void>) {
    this.#write = write;
  }

  /** Takes an item; waits only when the writing is far behind. Rejects when an earlier write has failed. */
  async add(item: Item): Promise<void> {
    this.#throwFailure();
    this.#waiting.push(item);
    this.#writing ??= this.#writeAll();
    if (this.#waiting.length < mostWaiting) return;
    // The next write takes all that waits, so there is room as soon as this one has ended.
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
        // Its failure is told below, once.
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

/** As many items may wait; then whoever makes them waits for the writing. */
const mostWaiting = 8;
