import { onMount, untrack } from 'svelte';
import type { ActivityList } from './activity-list.ts';
import type { Navigation } from './navigation.svelte.ts';

/** Keeps the rows of the Activity view up to date with the filter and with what is stored. To be called in a component's set-up. */
export function followActivity(list: ActivityList, navigation: Navigation): void {
  // Without tracking, because what the list reads of itself must not trigger this effect.
  $effect(() => {
    const { filter } = navigation;
    untrack(() => void list.setFilter(filter));
  });
  onMount(() => list.follow());
}
