// The window's state that outlives a component: data and navigation. `window.ts` lists the classes that exist
// once; the others are created for one list, drawer or button. State follows the main process by calls and events of
// `bridge.ts` and knows no component: components read it, and call its methods.
import type { AppError, Result } from '../../../shared/errors.ts';
import type { Reply } from '../../../shared/ipc/contract.ts';

/** A call that can be repeated; only the answer to the last one counts. */
export class Action<Args extends unknown[], Value> {
  running = $state(false);
  /** Why the last call failed; `value` keeps the answer before. */
  error = $state.raw<AppError | null>(null);
  /** The answer of the last call that succeeded; undefined before. */
  value = $state.raw<Value | undefined>(undefined);
  #last = new AbortController();
  #subject: unknown;
  readonly #work: (...args: Args) => Reply<Value>;
  readonly #subjectOf: (...args: Args) => unknown;

  /** `value` is dropped when `subjectOf` gives another subject for the new arguments. */
  constructor(work: (...args: Args) => Reply<Value>, subjectOf: (...args: Args) => unknown = () => null) {
    this.#work = work;
    this.#subjectOf = subjectOf;
  }

  /** Aborted when the answer is no longer needed: the call was stopped or repeated. */
  get signal(): AbortSignal {
    return this.#last.signal;
  }

  /** Calls, and removes an earlier error at once. */
  async run(...args: Args): Promise<Result<Value>> {
    this.error = null;
    return await this.refresh(...args);
  }

  /** Calls while what is shown, errors included, stays until the answer arrives. */
  async refresh(...args: Args): Promise<Result<Value>> {
    this.stop();
    const { signal } = (this.#last = new AbortController());
    const subject = this.#subjectOf(...args);
    if (subject !== this.#subject) {
      this.value = undefined;
      this.error = null;
    }
    this.#subject = subject;
    this.running = true;
    const result = await this.#work(...args);
    if (signal.aborted) return result;
    this.running = false;
    this.error = result.ok ? null : result.error;
    if (result.ok) this.value = result.value;
    return result;
  }

  /** Takes an answer that is known already. */
  put(value: Value, ...args: Args): void {
    this.stop();
    this.#subject = this.#subjectOf(...args);
    this.error = null;
    this.value = value;
  }

  /** Ignores the answer of the call under way. */
  stop(): void {
    this.#last.abort();
    this.running = false;
  }

  reset(): void {
    this.error = null;
  }
}
