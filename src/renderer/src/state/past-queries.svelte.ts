import type { AppError, Result } from '../../../shared/errors.ts';
import type { RunFilter, RunList, RunSummary } from '../../../shared/explore/types.ts';
import type { Removed } from '../../../shared/ipc/answers.ts';
import { call } from '../bridge.ts';

/** Places of one page of the list, and how many pages are kept; others are read again when they come into view. */
const pageSize = 50;
const mostPages = 40;

export const everyRun: RunFilter = { text: '', states: [], asked: null, fromMs: null, beforeMs: null };

/**
 * The list of past queries behind a virtual list: places from 0 (the newest) to `totalCount`, of which the pages around
 * the view are held.
 */
export class PastQueries {
  filter = $state.raw<RunFilter>(everyRun);
  /** The first and the last day of the filter, as in date fields. */
  days = $state.raw({ from: '', to: '' });
  totalCount = $state(0);
  /** Queries that cannot be read, and have no place. */
  unreadableCount = $state(0);
  /** Queries have arrived. */
  loaded = $state(false);
  error = $state.raw<AppError | null>(null);
  /** Called when so many queries have been added above those on the screen. */
  onAdded: (count: number) => void = () => undefined;
  /** Called when the queries of another filter are shown, from the newest on. */
  onFound: () => void = () => undefined;

  #pages = $state.raw<ReadonlyMap<number, readonly RunSummary[]>>(new Map());
  /** Queries by the last event about them, which is newer than any list. */
  #newest = $state.raw<ReadonlyMap<string, RunSummary>>(new Map());
  /** Queries for which the list was read again since the filter was changed, with their state then where that counts. */
  readonly #asked = new Map<string, string>();
  #view = { first: 0, last: 0 };
  /** The filter of the queries that are shown. */
  #shown = everyRun;
  /** A place of each query that is held: pages from before and after a change may both have it. */
  readonly #placeOf = $derived(
    new Map(
      [...this.#pages].flatMap(([page, runs]) =>
        runs.map(({ id }, index) => [id, page * pageSize + index] as const),
      ),
    ),
  );
  /** Pages that are being read. */
  readonly #reading = new Set<number>();
  /** Rises whenever the list is read anew; answers from before are dropped. */
  #epoch = 0;

  /** The query at a place; null while it is not loaded. */
  at(place: number): RunSummary | null {
    const run = this.#pages.get(Math.floor(place / pageSize))?.[place % pageSize];
    return run === undefined ? null : this.newest(run);
  }

  /** Identifies what is at a place: the query, wherever it moves, or the place while it is not loaded. */
  keyOf(place: number): string {
    const id = this.at(place)?.id;
    return id !== undefined && this.#placeOf.get(id) === place ? id : String(place);
  }

  /** Lists the queries that pass a filter. What is shown stays until the answer arrives. */
  async find(filter: RunFilter): Promise<void> {
    this.filter = filter;
    this.#asked.clear();
    await this.refresh();
  }

  /** Reads the visible queries again; those of another filter from the newest on. */
  async refresh(): Promise<void> {
    this.#epoch += 1;
    const epoch = this.#epoch;
    const { filter } = this;
    const isOther = filter !== this.#shown;
    this.#reading.clear();
    this.error = null;
    const fresh = new Map<number, readonly RunSummary[]>();
    let total = 0;
    for (const page of isOther ? [0] : this.#pagesInView()) {
      const read = await this.#read(page);
      if (epoch !== this.#epoch) return;
      if (read === null) {
        // Otherwise queries of the old filter would pass for those of the new one, and pages of both be mixed.
        if (isOther) [this.#pages, this.totalCount, this.loaded] = [fresh, 0, false];
        return;
      }
      fresh.set(page, read.runs);
      total = read.totalCount;
      this.unreadableCount = read.unreadableCount;
    }
    const added = !isOther && this.loaded ? total - this.totalCount : 0;
    this.#pages = fresh;
    this.totalCount = total;
    this.loaded = true;
    if (added > 0) this.onAdded(added);
    if (isOther) {
      this.#shown = filter;
      this.#view = { first: 0, last: 0 };
      this.onFound();
    }
    // The view may have moved meanwhile.
    await this.look(this.#view.first, this.#view.last);
  }

  /** The places on the screen. */
  async look(first: number, last: number): Promise<void> {
    this.#view = { first, last };
    const epoch = this.#epoch;
    for (const page of this.#pagesInView()) {
      if (this.#pages.has(page) || this.#reading.has(page)) continue;
      this.#reading.add(page);
      const read = await this.#read(page);
      this.#reading.delete(page);
      if (epoch !== this.#epoch || read === null) return;
      this.totalCount = Math.min(this.totalCount, read.totalCount);
      this.unreadableCount = read.unreadableCount;
      this.#pages = new Map([...this.#pages, [page, read.runs] as const].slice(-mostPages));
    }
  }

  async remove(runId: string): Promise<Result<Removed>> {
    const result = await call('runs.remove', { runId });
    if (result.ok) await this.refresh();
    return result;
  }

  /** The newest known state of a query. */
  newest(run: RunSummary): RunSummary {
    return this.#newest.get(run.id) ?? run;
  }

  /**
   * A query has changed. Only the store knows whether it passes the filter, so it is asked once; where that depends on its
   * state, which can be searched too, once for each.
   */
  changed(run: RunSummary): void {
    const { text, states } = this.filter;
    const state = text.trim() === '' && states.length === 0 ? '' : run.state;
    const held = [...this.#pages.values()].flat().find(({ id }) => id === run.id);
    const isKnown = held !== undefined && (state === '' || this.newest(held).state === state);
    this.#newest = new Map([...this.#newest, [run.id, run] as const]);
    if (!this.loaded || isKnown || this.#asked.get(run.id) === state) return;
    this.#asked.set(run.id, state);
    void this.refresh().then(() => {
      if (this.error !== null) this.#asked.delete(run.id);
    });
  }

  #pagesInView(): number[] {
    const [first, last] = [this.#view.first, this.#view.last].map((place) => Math.floor(place / pageSize));
    return Array.from({ length: (last ?? 0) - (first ?? 0) + 1 }, (_, index) => (first ?? 0) + index);
  }

  async #read(page: number): Promise<RunList | null> {
    const epoch = this.#epoch;
    const filter = { ...this.filter, text: this.filter.text.trim(), states: [...this.filter.states] };
    const result = await call('runs.list', { filter, offset: page * pageSize, limit: pageSize });
    if (result.ok) return result.value;
    if (epoch === this.#epoch) this.error = result.error;
    return null;
  }
}
