/** Work that is done one piece after the other, in the order in which it is handed in. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Does the work when all before it has ended, however that ended; settles as the work does. */
  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    // How it ended is told to its caller alone; the next one only waits for the end.
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** Ends when all work that was handed in so far has ended; never rejects. */
  async settled(): Promise<void> {
    await this.#last;
  }
}
