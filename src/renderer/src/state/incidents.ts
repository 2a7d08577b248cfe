import type { Incident } from '../../../shared/health/types.ts';
import type { IncidentFilter, ResultOf } from '../../../shared/ipc/contract.ts';
import { call } from '../bridge.ts';
import { Paged, type PageSource } from './paged.svelte.ts';
import { whenOutdated } from './kept-answers.ts';

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
    return whenOutdated('incidents.list', asked, () => void this.refresh());
  }
}

function incidentSource(filter: IncidentFilter): PageSource<IncidentPage, Incident> {
  return {
    read: ({ token, count, again }) =>
      call('incidents.list', {
        filter,
        offset: Number(token ?? 0),
        limit: again ? Math.min(mostAtOnce, Math.max(atOnce, count)) : atOnce,
      }),
    itemsOf: ({ incidents }) => incidents,
    keyOf: ({ id }) => id,
    tokenOf: ({ totalCount }, count) => (count < totalCount ? String(count) : null),
  };
}
