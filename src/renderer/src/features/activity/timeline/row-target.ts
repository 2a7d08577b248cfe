import { cellIds, type CellId } from './copy-row.ts';

/** What of the list is under the pointer. */
interface RowTarget {
  place: number;
  cell: CellId | null;
  /** The button that asks for the menu of the row. */
  isTools: boolean;
}

/** The row of the list that an event happened in; null outside of rows. */
export function rowTargetOf(event: Event): RowTarget | null {
  const element = event.target instanceof Element ? event.target : null;
  const place = element?.closest<HTMLElement>('[data-place]')?.dataset['place'];
  if (place === undefined) return null;
  const name = element?.closest<HTMLElement>('[data-cell]')?.dataset['cell'];
  return {
    place: Number(place),
    cell: cellIds.find((known) => known === name) ?? null,
    isTools: element?.closest('[data-menu]') !== null,
  };
}
