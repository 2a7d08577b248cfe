import type { AppError, Result } from '../../../shared/errors.ts';

/** One thing a button or form does: whether it is under way, and why it last failed. */
export class Action<Args extends unknown[], Value> {
  running = $state(false);
  error = $state.raw<AppError | null>(null);
  readonly #work: (...args: Args) => Promise<Result<Value>>;

  constructor(work: (...args: Args) => Promise<Result<Value>>) {
    this.#work = work;
  }

  async run(...args: Args): Promise<Result<Value>> {
    this.running = true;
    this.error = null;
    const result = await this.#work(...args);
    this.running = false;
    if (!result.ok) this.error = result.error;
    return result;
  }

  reset(): void {
    this.error = null;
  }
}
