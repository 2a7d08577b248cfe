import type { AppError } from '../../../shared/errors.ts';
import type { Reply } from '../../../shared/ipc/contract.ts';

/** What the main process answers to one question after the other: only the answer to the last one counts. */
export class Resource<Value> {
  value = $state.raw<Value | null>(null);
  /** Why the last question was not answered; what was known before stays. */
  error = $state.raw<AppError | null>(null);
  loading = $state(false);
  #key = '';
  #question: AbortController | null = null;

  /**
   * Asks; what is known stays until the answer is here, unless it is about another `key`. The signal ends with the
   * question. Returns the answer, or null when there was none or another question came after this one.
   */
  async load(ask: (signal: AbortSignal) => Reply<Value>, key = ''): Promise<Value | null> {
    this.stop();
    const { signal } = (this.#question = new AbortController());
    if (key !== this.#key) this.value = null;
    this.#key = key;
    this.loading = true;
    const result = await ask(signal);
    if (signal.aborted) return null;
    this.loading = false;
    this.error = result.ok ? null : result.error;
    if (!result.ok) return null;
    this.value = result.value;
    return result.value;
  }

  /** Gives up a question that is under way: nobody looks at its answer any more. */
  stop(): void {
    this.#question?.abort();
    this.loading = false;
  }
}
