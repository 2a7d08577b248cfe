import type { ActivityFilter, SavedView } from '../../../../../shared/activity/filter.ts';
import { longest } from '../../../../../shared/limits.ts';

/** The saved view with this filter, if there is one. */
export function viewOf(views: readonly SavedView[], filter: ActivityFilter): SavedView | null {
  const text = JSON.stringify(normalised(filter));
  return views.find((view) => JSON.stringify(normalised(view.filter)) === text) ?? null;
}

/** The views with this filter saved under this name; an existing view of that name is replaced. */
export function withView(
  views: readonly SavedView[],
  name: string,
  filter: ActivityFilter,
  nowMs: number,
): SavedView[] {
  const trimmed = name.trim();
  const known = views.find((view) => view.name === trimmed);
  if (known !== undefined) return views.map((view) => (view === known ? { ...view, filter } : view));
  const taken = new Set(views.map(({ id }) => id));
  let id = String(nowMs);
  while (taken.has(id)) id += '+';
  return [...views, { id, name: trimmed, filter }];
}

/** The view under its name, or with a number after it where another view has that name by now. */
export function underFreeName(views: readonly SavedView[], view: SavedView): SavedView {
  const taken = new Set(views.flatMap(({ id, name }) => (id === view.id ? [] : name)));
  let { name } = view;
  for (let number = 2; taken.has(name); number += 1) {
    const end = ` (${number})`;
    name = view.name.slice(0, longest.viewName - end.length) + end;
  }
  return { ...view, name };
}

/** For comparing: the order of pills and keys does not matter. */
function normalised(filter: ActivityFilter): unknown {
  const pills = filter.pills.map((pill) =>
    JSON.stringify(Object.entries(pill).sort(([a], [b]) => (a < b ? -1 : 1))),
  );
  const { by, ascending } = filter.order ?? {};
  return [pills.sort(), filter.text.trim(), filter.showHidden, by, ascending];
}
