import type { ActivityRow } from '../../../shared/activity/types.ts';
import type { ActivityList } from './activity-list.ts';
import type { Navigation } from './navigation.svelte.ts';

/** A row that is open, and those to which one can step from it. */
interface OpenedRow {
  row: ActivityRow;
  newer: ActivityRow | null;
  older: ActivityRow | null;
}

/** The row of a list whose drawer is open; null without one. To be called in a component's set-up. */
export function followOpened(list: ActivityList, navigation: Navigation): () => OpenedRow | null {
  /** Its current version, as it may become complete or move while it is open. */
  const current = $derived.by(() => {
    const { opened } = navigation;
    if (opened === null) return null;
    const place = list.placeOf(opened.id);
    return { row: place === null ? opened : (list.at(place) ?? opened), place };
  });
  /** The rows beside it; once it has left the list, those that were there last. */
  let beside = $state.raw<Pick<OpenedRow, 'newer' | 'older'>>({ newer: null, older: null });
  $effect(() => {
    if (current === null) beside = { newer: null, older: null };
    else if (current.place !== null)
      beside = { newer: list.at(current.place - 1), older: list.at(current.place + 1) };
  });
  const inList = (row: ActivityRow | null) => (row !== null && list.placeOf(row.id) !== null ? row : null);
  return () => current && { row: current.row, newer: inList(beside.newer), older: inList(beside.older) };
}
