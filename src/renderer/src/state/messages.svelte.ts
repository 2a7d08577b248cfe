import type { AppError, Result } from '../../../shared/errors.ts';

export type Message = { id: number } & ({ kind: 'done'; text: string } | { kind: 'error'; error: AppError });

const doneStaysMs = 4_000;

/** Short notes about what was just done, and errors that have no place of their own. Errors stay until dismissed. */
export class Messages {
  list = $state.raw<Message[]>([]);
  #nextId = 1;

  done(text: string): void {
    const id = this.#add({ kind: 'done', text });
    setTimeout(() => this.dismiss(id), doneStaysMs);
  }

  error(error: AppError): void {
    this.#add({ kind: 'error', error });
  }

  /** Waits for an answer, tells of its failure, and of its success where there are words for it. Null: it failed. */
  async report<Value>(
    answer: Promise<Result<Value>>,
    done?: string | ((value: Value) => string | null),
  ): Promise<{ value: Value } | null> {
    const result = await answer;
    if (!result.ok) this.error(result.error);
    const text = result.ok && typeof done === 'function' ? done(result.value) : done;
    if (result.ok && typeof text === 'string') this.done(text);
    return result.ok ? { value: result.value } : null;
  }

  /** What came of putting something on the clipboard. */
  copied(wasTaken: boolean, what: string): void {
    if (wasTaken) this.done(`${what} copied.`);
    else this.error({ code: 'internal', message: 'The clipboard did not take it.', ref: 'clipboard' });
  }

  dismiss(id: number): void {
    this.list = this.list.filter((message) => message.id !== id);
  }

  #add(content: { kind: 'done'; text: string } | { kind: 'error'; error: AppError }): number {
    const id = this.#nextId;
    this.#nextId += 1;
    // Three are enough: older ones would cover the view.
    this.list = [...this.list, { id, ...content }].slice(-3);
    return id;
  }
}
