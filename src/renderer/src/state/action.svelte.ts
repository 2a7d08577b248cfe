// What the window knows, and where the user is in it, as far as it outlives a component: `window.ts` names what is there
// once, the other classes are made for one list, drawer or button. It follows the main process by calls and events of
// `bridge.ts` and knows no component: components read it, and call its methods.
import type { AppError, Result } from '../../../shared/errors.ts';
import type { Reply } from '../../../shared/ipc/contract.ts';

/** One thing that is done or asked, once or again and again: only the answer to the last time counts. */
export class Action<Args extends unknown[], Value> {
  running = $state(false);
  /** Why it did not go well the last time; what was known before stays. */
  error = $state.raw<AppError | null>(null);
  /** What it has brought when it last went well; undefined before. */
  value = $state.raw<Value | undefined>(undefined);
  #last = new AbortController();
  #subject: unknown;
  readonly #work: (...args: Args) => Reply<Value>;
  readonly #subjectOf: (...args: Args) => unknown;

  /** What is known is forgotten when `subjectOf` names another subject for other arguments. */
  constructor(work: (...args: Args) => Reply<Value>, subjectOf: (...args: Args) => unknown = () => null) {
    this.#work = work;
    this.#subjectOf = subjectOf;
  }

  /** Ends when nobody waits for the answer any more: it was stopped, or asked for again. */
  get signal(): AbortSignal {
    return this.#last.signal;
  }

  /** Does it; what went wrong before is no longer said. */
  async run(...args: Args): Promise<Result<Value>> {
    this.error = null;
    return await this.refresh(...args);
  }

  /** Does it while what is shown, an error too, stays until the answer is here. */
  async refresh(...args: Args): Promise<Result<Value>> {
    this.stop();
    const { signal } = (this.#last = new AbortController());
    const subject = this.#subjectOf(...args);
    if (subject !== this.#subject) this.value = undefined;
    this.#subject = subject;
    this.running = true;
    const result = await this.#work(...args);
    if (signal.aborted) return result;
    this.running = false;
    this.error = result.ok ? null : result.error;
    if (result.ok) this.value = result.value;
    return result;
  }

  /** Gives up what is under way. */
  stop(): void {
    this.#last.abort();
    this.running = false;
  }

  reset(): void {
    this.error = null;
  }
}
