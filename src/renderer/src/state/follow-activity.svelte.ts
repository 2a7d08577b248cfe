import { onMount, untrack } from 'svelte';
import type { ActivityList } from './activity-list.svelte.ts';
import type { AppState } from './app.svelte.ts';
import type { Navigation } from './navigation.svelte.ts';

/** Keeps the rows of the Activity view up to date with the filter, with what is stored, and with names. To be called in a component's set-up. */
export function followActivity(list: ActivityList, app: AppState, navigation: Navigation): void {
  // Without tracking, because what the list reads of itself must not trigger this effect.
  $effect(() => {
    const { filter } = navigation;
    untrack(() => void list.setFilter(filter));
  });
  onMount(() => app.onActivityChanged((change) => void list.changed(change.address, change.chainId)));

  /** Names and tags, by which rows are filtered and searched. */
  const names = $derived(
    JSON.stringify([
      app.watchlist.map(({ address, label, tags }) => [address, label, tags]),
      app.book.map(({ address, name }) => [address, name]),
    ]),
  );
  let knownNames: string | null = null;
  $effect(() => {
    // The first rows are read while the state is loaded.
    if (app.phase !== 'ready' || names === knownNames) return;
    const isFirst = knownNames === null;
    knownNames = names;
    if (!isFirst) untrack(() => void list.reload());
  });
}
