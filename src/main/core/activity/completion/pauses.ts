/** What has failed is left alone for a pause that depends on how often it failed in a row. Times are monotonic. */
export class Pauses<Key> {
  readonly #pauses = new Map<Key, { failures: number; untilMs: number }>();

  /** Failures in a row. */
  failures(key: Key): number {
    return this.#pauses.get(key)?.failures ?? 0;
  }

  /** `pauseMs` gets the number of failures in a row; this one counts unless something else may be its cause. */
  failed(key: Key, nowMs: number, pauseMs: (failures: number) => number, counts = true): void {
    const failures = this.failures(key) + (counts ? 1 : 0);
    this.#pauses.set(key, { failures, untilMs: nowMs + pauseMs(failures) });
  }

  succeeded(key: Key): void {
    this.#pauses.delete(key);
  }

  clear(): void {
    this.#pauses.clear();
  }

  isPaused(key: Key, nowMs: number): boolean {
    return (this.#pauses.get(key)?.untilMs ?? -Infinity) > nowMs;
  }

  paused(nowMs: number): Key[] {
    return [...this.#pauses.keys()].filter((key) => this.isPaused(key, nowMs));
  }

  /** When the next pause ends; Infinity without one. */
  nextEndMs(nowMs: number): number {
    let endMs = Infinity;
    for (const { untilMs } of this.#pauses.values()) if (untilMs > nowMs && untilMs < endMs) endMs = untilMs;
    return endMs;
  }
}
