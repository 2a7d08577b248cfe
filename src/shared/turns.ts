/** A queue that runs one piece of work at a time, in order. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs the work once all earlier work has ended, whether it succeeded or not; settles like the work does. */
  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    // Failures only concern the caller; the next piece just waits for the end.
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** Resolves when all work queued so far has ended; never rejects. */
  async settled(): Promise<void> {
    await this.#last;
  }
}
