import type { AppError, Result } from '../../../shared/errors.ts';
import type { Removed } from '../../../shared/ipc/answers.ts';
import { visibleText } from '../../../shared/text.ts';
import { call } from '../bridge.ts';

type Content =
  | { kind: 'done'; text: string }
  /** Something was removed, and can be put back while the message is shown. */
  | { kind: 'removed'; text: string; settle: Settle }
  | { kind: 'error'; error: AppError };
export type Message = { id: number } & Content;

/** Undoes a removal, or makes it final; called again only where the undo has failed. */
type Settle = (putBack: boolean) => Promise<Result<unknown>>;

const staysMs = { done: 4_000, removed: 10_000 };

/** Calls back after a time; returns a function that cancels it. */
export type Later = (delayMs: number, then: () => void) => () => void;

const later: Later = (delayMs, then) => {
  const timer = setTimeout(then, delayMs);
  return () => clearTimeout(timer);
};

/** Short confirmations, and errors that belong to no view. Errors stay until dismissed. */
export class Messages {
  list = $state.raw<Message[]>([]);
  #nextId = 1;
  readonly #later: Later;
  /** Ends the wait for the end of a message. */
  readonly #planned = new Map<number, () => void>();
  readonly #held = new Set<number>();
  #inSight = true;

  constructor(inTime = later) {
    this.#later = inTime;
  }

  /** The newest removal that can be put back; null without any. */
  get undoable(): { id: number; text: string } | null {
    return this.list.findLast((message) => message.kind === 'removed') ?? null;
  }

  done(text: string): void {
    this.#add({ kind: 'done', text });
  }

  error(error: AppError): void {
    this.#add({ kind: 'error', error });
  }

  /** Shows a removal by the main process, and offers to put it back; `then` is called after that. */
  removed(text: string, { undoId }: Removed, then?: () => void): void {
    this.offerUndo(text, async (putBack) => {
      const settled = await call('removals.settle', { undoId, putBack });
      if (settled.ok && putBack) then?.();
      return settled;
    });
  }

  /** Shows a removal, and offers to put it back. */
  offerUndo(text: string, settle: Settle): void {
    this.#add({ kind: 'removed', text, settle });
  }

  /** Undoes the removal that a message offers to undo. */
  async undo(id: number): Promise<void> {
    const message = this.#take(id);
    if (message?.kind !== 'removed') return;
    const result = await message.settle(true);
    // What could not be restored, as on a full disk, is offered again.
    if (!result.ok && result.error.code !== 'not-found') this.offerUndo(message.text, message.settle);
    await this.report(Promise.resolve(result), 'Restored.');
  }

  /** Shows a failure that the form or dialog which asked shows no more, because it is closed. */
  unlessShown(result: Result<unknown>, isShown: boolean): void {
    if (!result.ok && !isShown) this.error(result.error);
  }

  /** Waits for an answer and shows its failure, or its success where there is a text for it. Null: it failed. */
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

  /** Copies to the clipboard, and shows whether that succeeded. */
  async copy(text: string, done: string): Promise<void> {
    await this.report(call('app.copyText', { text: visibleText(text) }), done);
  }

  dismiss(id: number): void {
    const message = this.#take(id);
    if (message?.kind === 'removed') void this.report(message.settle(false));
  }

  /** Whether the window is visible: while it is not, messages stay, since nobody could act on them. */
  setInSight(inSight: boolean): void {
    this.#inSight = inSight;
    for (const { id } of this.list) this.#plan(id);
  }

  /** The pointer or the focus is on the message: it stays until `letGo`, and then for its whole time. */
  hold(id: number): void {
    this.#held.add(id);
    this.#plan(id);
  }

  letGo(id: number): void {
    this.#held.delete(id);
    this.#plan(id);
  }

  #plan(id: number): void {
    this.#planned.get(id)?.();
    this.#planned.delete(id);
    const message = this.list.find((known) => known.id === id);
    const isStill = !this.#inSight || this.#held.has(id);
    if (message === undefined || message.kind === 'error' || isStill) return;
    this.#planned.set(
      id,
      this.#later(staysMs[message.kind], () => this.dismiss(id)),
    );
  }

  #take(id: number): Message | undefined {
    const message = this.list.find((known) => known.id === id);
    this.list = this.list.filter((known) => known !== message);
    this.letGo(id);
    return message;
  }

  #add(content: Content): void {
    const id = this.#nextId;
    this.#nextId += 1;
    this.list = [...this.list, { id, ...content }];
    this.#plan(id);
    // At most three, so that they do not cover the view; one that is held or offers to undo does not give way, and an
    // error only to another one.
    const others = this.list
      .slice(0, -1)
      .filter(({ kind }) => kind !== 'removed' && (kind !== 'error' || content.kind === 'error'))
      .filter((message) => !this.#held.has(message.id));
    for (const { id: old } of others.slice(0, Math.max(0, this.list.length - 3))) this.dismiss(old);
  }
}
