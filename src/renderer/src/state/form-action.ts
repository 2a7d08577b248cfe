import { onDestroy } from 'svelte';
import type { Reply } from '../../../shared/ipc/contract.ts';
import { Action } from './action.svelte.ts';
import { useWindow } from './window.ts';

/** What a form or drawer does: its failure is a message where that has gone by then. To be called in a component's set-up. */
export function formAction<Args extends unknown[], Value>(
  work: (...args: Args) => Reply<Value>,
): Action<Args, Value> {
  const { messages } = useWindow();
  let isShown = true;
  onDestroy(() => (isShown = false));
  return new Action(async (...args: Args) => {
    const result = await work(...args);
    messages.unlessShown(result, isShown);
    return result;
  });
}
