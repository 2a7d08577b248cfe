import { ok } from '../../../shared/errors.ts';
import type { Incident } from '../../../shared/health/types.ts';
import type { IncidentFilter } from '../../../shared/ipc/contract.ts';
import { call } from '../bridge.ts';
import { whenOutdated } from './kept-answers.ts';
import { LongList, type ListOptions, type ListPage, type ListSource } from './long-list.svelte.ts';

export const allIncidents: IncidentFilter = {
  nodeId: null,
  check: null,
  state: 'all',
  fromMs: null,
  toMs: null,
  text: '',
};

const step = 50;
/** Incidents per answer. */
export const mostAtOnce = 500;

interface IncidentRows extends ListPage {
  rows: readonly Incident[];
}

const incidents: ListSource<IncidentFilter, IncidentRows> = {
  async read({ filter, offset, limit: wanted }) {
    const rows: Incident[] = [];
    for (;;) {
      const limit = Math.min(mostAtOnce, wanted - rows.length);
      const read = await call('incidents.list', { filter, offset: offset + rows.length, limit });
      if (!read.ok) return read;
      rows.push(...read.value.incidents);
      const isEnd = read.value.incidents.length < limit || rows.length === wanted;
      if (isEnd) return ok({ rows, offset, totalCount: read.value.totalCount });
    }
  },
  follow: (asked, then) => whenOutdated('incidents.list', asked, then),
};

/** The incidents under one filter, newest start first: as many of them as are wanted. */
export class IncidentList extends LongList<IncidentFilter, IncidentRows> {
  constructor(options?: ListOptions) {
    super(incidents, { onlyNewest: step, ...options });
  }

  more(): Promise<void> {
    return this.showNewest(this.rows.length + step);
  }
}
