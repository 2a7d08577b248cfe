import type { AppError, Result } from '../../../shared/errors.ts';
import type { Incident } from '../../../shared/health/types.ts';
import type { IncidentFilter } from '../../../shared/ipc/contract-health.ts';
import { call } from '../bridge.ts';

export const allIncidents: IncidentFilter = {
  nodeId: null,
  check: null,
  state: 'all',
  fromMs: null,
  toMs: null,
  text: '',
};

const pageSize = 50;

/** Incidents under one filter, newest start first, read page by page. */
export class IncidentList {
  filter = $state.raw<IncidentFilter>(allIncidents);
  incidents = $state.raw<Incident[]>([]);
  totalCount = $state(0);
  /** The first page for the present filter has arrived. */
  loaded = $state(false);
  error = $state.raw<AppError | null>(null);
  #epoch = 0;

  get hasMore(): boolean {
    return this.incidents.length < this.totalCount;
  }

  /** Lists what the filter lets through. What is shown stays until the answer is there. */
  async find(filter: IncidentFilter): Promise<void> {
    this.filter = filter;
    await this.#read(0, pageSize);
  }

  /** Reads again as many as are shown. */
  async refresh(): Promise<void> {
    await this.#read(0, Math.min(500, Math.max(pageSize, this.incidents.length)));
  }

  async more(): Promise<void> {
    if (this.hasMore) await this.#read(this.incidents.length, pageSize);
  }

  async note({ nodeId, id }: Incident, note: string): Promise<Result<Incident>> {
    const result = await call('incidents.note', { nodeId, id, note });
    if (result.ok) this.#put(result.value);
    return result;
  }

  #put(incident: Incident): void {
    this.incidents = this.incidents.map((known) => (known.id === incident.id ? incident : known));
  }

  async #read(offset: number, limit: number): Promise<void> {
    this.#epoch += 1;
    const epoch = this.#epoch;
    const result = await call('incidents.list', { filter: this.filter, offset, limit });
    // Answers to an earlier filter are dropped.
    if (epoch !== this.#epoch) return;
    this.error = result.ok ? null : result.error;
    if (!result.ok) return;
    this.loaded = true;
    this.totalCount = result.value.totalCount;
    this.incidents =
      offset === 0 ? result.value.incidents : [...this.incidents.slice(0, offset), ...result.value.incidents];
  }
}
