import type { ActivityFilter } from '../../../shared/activity/filter.ts';
import type { ActivityRows } from '../../../shared/activity/types.ts';
import { call } from '../bridge.ts';
import { whenOutdated } from './kept-answers.ts';
import { LongList, type ListOptions, type ListSource } from './long-list.svelte.ts';

const rows: ListSource<ActivityFilter, ActivityRows> = {
  read: (question) => call('activity.rows', question),
  follow: (asked, then) => whenOutdated('activity.rows', asked, then),
  // Hidden rows are switched on or off.
  keepsPlace: (before, after) =>
    JSON.stringify({ ...before, showHidden: after.showHidden }) === JSON.stringify(after),
};

/** The merged timeline. */
export class ActivityList extends LongList<ActivityFilter, ActivityRows> {
  constructor(options?: ListOptions) {
    super(rows, options);
  }

  /** Rows that would pass but are hidden. */
  get hiddenCount(): number {
    return this.answer?.hiddenCount ?? 0;
  }

  /** Rows that pass and are not complete. */
  get partialCount(): number {
    return this.answer?.partialCount ?? 0;
  }

  /** Rows that pass and have not what they are ordered by; the last ones. */
  get unrankedCount(): number {
    return this.answer?.unrankedCount ?? 0;
  }
}
