import { createContext } from 'svelte';
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

  /** Says why something failed, and with `words` that it was done; null where there is nothing to say. */
  async report<Value>(
    work: Promise<Result<Value>>,
    words: (value: Value) => string | null = () => null,
  ): Promise<Result<Value>> {
    const result = await work;
    const said = result.ok ? words(result.value) : null;
    if (!result.ok) this.error(result.error);
    else if (said !== null) this.done(said);
    return result;
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

export const [useMessages, provideMessages] = createContext<Messages>();
