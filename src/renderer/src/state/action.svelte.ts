import type { AppError, Result } from '../../../shared/errors.ts';

/** One thing a button or form does: whether it is under way, and why it last failed. */
export class Action<Args extends unknown[], Value> {
  running = $state(false);
  error = $state.raw<AppError | null>(null);
  /** What the last run that went well has brought. */
  value = $state.raw<Value | undefined>(undefined);
  #latest = 0;
  readonly #work: (...args: Args) => Promise<Result<Value>>;

  constructor(work: (...args: Args) => Promise<Result<Value>>) {
    this.#work = work;
  }

  async run(...args: Args): Promise<Result<Value>> {
    this.#latest += 1;
    const run = this.#latest;
    this.running = true;
    this.error = null;
    const result = await this.#work(...args);
    // An answer to what was asked before says nothing about what is asked now.
    if (run !== this.#latest) return result;
    this.running = false;
    if (result.ok) this.value = result.value;
    else this.error = result.error;
    return result;
  }

  reset(): void {
    this.error = null;
  }
}
