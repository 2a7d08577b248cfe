import { untrack } from 'svelte';

/**
 * Enter in a field whose choices may still be read: acts as soon as they are there, unless another key comes first or the
 * field is left. To be called in a component's set-up.
 */
export function earlyEnter(
  isBusy: () => boolean,
  act: () => void,
): { onkeydown: (event: KeyboardEvent) => void; onblur: () => void } {
  let isPressed = $state(false);
  $effect(() => {
    if (!isPressed || isBusy()) return;
    isPressed = false;
    untrack(act);
  });
  return {
    onkeydown: ({ key, repeat, isComposing }) => {
      // A key that is held down was pressed for something else: what opened the list, or the choice before.
      if (!repeat) isPressed = key === 'Enter' && !isComposing;
    },
    onblur: () => (isPressed = false),
  };
}
