import { ok } from '../../../shared/errors.ts';
import type { Incident } from '../../../shared/health/types.ts';
import type { IncidentFilter, ResultOf } from '../../../shared/ipc/contract.ts';
import { call } from '../bridge.ts';
import { Paged, type PageSource } from './paged.svelte.ts';
import { whenOutdated } from './kept-answers.ts';
import { oneAtATime } from './one-at-a-time.ts';

export const allIncidents: IncidentFilter = {
  nodeId: null,
  check: null,
  state: 'all',
  fromMs: null,
  toMs: null,
  text: '',
};

const atOnce = 50;
/** Incidents per answer. */
const mostAtOnce = 500;

type IncidentPage = ResultOf<'incidents.list'>;

/** The incidents under one filter, newest start first. */
export class IncidentList extends Paged<IncidentPage, Incident> {
  #filter: IncidentFilter | null = null;

  get totalCount(): number {
    return this.pages.at(-1)?.totalCount ?? 0;
  }

  /** Lists the incidents that match the filter. The shown ones stay until the answer arrives. */
  async find(filter: IncidentFilter): Promise<void> {
    this.#filter = filter;
    await this.load(incidentSource(filter), true);
  }

  /** Follows what is stored; returns a function that stops this. */
  follow(): () => void {
    const asked = () => this.#filter && { filter: this.#filter, offset: 0, limit: atOnce };
    const read = oneAtATime(() => this.refresh());
    return whenOutdated('incidents.list', asked, () => void read());
  }
}

function incidentSource(filter: IncidentFilter): PageSource<IncidentPage, Incident> {
  return {
    read: async ({ token, count, again, signal }) => {
      const wanted = again && token === null ? Math.max(atOnce, count) : atOnce;
      const incidents: Incident[] = [];
      for (;;) {
        const limit = Math.min(mostAtOnce, wanted - incidents.length);
        const offset = Number(token ?? 0) + incidents.length;
        const read = await call('incidents.list', { filter, offset, limit });
        if (!read.ok) return read;
        incidents.push(...read.value.incidents);
        const isEnd = read.value.incidents.length < limit;
        if (isEnd || incidents.length === wanted || signal.aborted) return ok({ ...read.value, incidents });
      }
    },
    itemsOf: ({ incidents }) => incidents,
    keyOf: ({ id }) => id,
    tokenOf: ({ totalCount }, count) => (count < totalCount ? String(count) : null),
  };
}
