import { ok } from '../../../shared/errors.ts';
import type { RunFilter, RunSummary } from '../../../shared/explore/types.ts';
import { call } from '../bridge.ts';
import { whenOutdated } from './kept-answers.ts';
import { LongList, type ListPage, type ListSource } from './long-list.svelte.ts';

export const everyRun: RunFilter = { text: '', states: [], asked: null, fromMs: null, beforeMs: null };

const anyRuns = { filter: { ...everyRun, states: [] }, offset: 0, limit: 1 };

interface RunRows extends ListPage {
  rows: readonly RunSummary[];
  /** Queries that cannot be read, and have no place. */
  unreadableCount: number;
}

const runs: ListSource<RunFilter, RunRows> = {
  async read({ filter, offset, limit }) {
    const found = { ...filter, text: filter.text.trim(), states: [...filter.states] };
    const read = await call('runs.list', { filter: found, offset, limit });
    return read.ok ? ok({ ...read.value, rows: read.value.runs, offset }) : read;
  },
  // Of any filter.
  follow: (_asked, then) => whenOutdated('runs.list', () => anyRuns, then),
};

/** The past queries that pass a filter, newest first. */
export class PastQueries extends LongList<RunFilter, RunRows> {
  filter = $state.raw<RunFilter>(everyRun);
  /** The first and the last day of the filter, as in date fields. */
  days = $state.raw({ from: '', to: '' });

  constructor(settle?: () => Promise<void>) {
    super(runs, { settle, keepsTop: true });
  }

  async find(filter: RunFilter): Promise<void> {
    this.filter = filter;
    await this.setFilter(filter);
  }
}
