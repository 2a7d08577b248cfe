import { onDestroy } from 'svelte';
import type { Reply } from '../../../shared/ipc/contract.ts';
import { Action } from './action.svelte.ts';
import { useWindow } from './window.ts';

class FormAction<Args extends unknown[], Value> extends Action<Args, Value> {
  /** The form is still there. */
  isShown = true;
}

/** What a form or drawer does: its failure is a message where that has gone by then. To be called in a component's set-up. */
export function formAction<Args extends unknown[], Value>(
  work: (...args: Args) => Reply<Value>,
): FormAction<Args, Value> {
  const { messages } = useWindow();
  const action: FormAction<Args, Value> = new FormAction(async (...args: Args) => {
    const result = await work(...args);
    messages.unlessShown(result, action.isShown);
    return result;
  });
  onDestroy(() => (action.isShown = false));
  return action;
}
