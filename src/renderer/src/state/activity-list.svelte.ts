import type { ActivityRow, ActivityRows } from '../../../shared/activity/types.ts';
import type { AppError, Result } from '../../../shared/errors.ts';
import { call } from '../bridge.ts';
import type { ActivityFilter } from './navigation.svelte.ts';

/** Identifies a row: the same transaction may stand in the history of two watched addresses. */
export function rowKey(row: ActivityRow): string {
  return `${row.chainId} ${row.address} ${row.txHash}`;
}

/** Consecutive rows, fetched from `cursor` on; `nextCursor` begins the page after it. */
interface Page {
  cursor: string | null;
  rows: ActivityRow[];
  nextCursor: string | null;
  /** Rows may have come or changed since it was read. */
  stale: boolean;
}

const pageSize = 100;

/** Most rows that one call may bring (see `ActivityQuery`). */
const largestPage = 500;

interface Options {
  /** Called to replace rows, so that the list on the screen can keep its place. */
  keepPlace?: (replace: () => void) => void;
  /** Reads this many of the newest rows and no more. */
  onlyNewest?: number;
}

/**
 * The merged timeline behind a virtual list, read page by page. When stored rows change, only the pages in view are
 * read again, each from where it begins to where the next one begins; the others wait until they come into view.
 */
export class ActivityList {
  rows = $state.raw<ActivityRow[]>([]);
  totalCount = $state(0);
  /** The first page of the present filter has arrived. */
  loaded = $state(false);
  loadingMore = $state(false);
  error = $state.raw<AppError | null>(null);

  #pages: Page[] = [];
  #filter: ActivityFilter | null = null;
  /** Answers to questions of an earlier filter are dropped. */
  #epoch = 0;
  #busy = false;
  #view = { first: 0, last: 0 };
  readonly #keepPlace: (replace: () => void) => void;
  readonly #onlyNewest: number | null;

  constructor({ keepPlace = (replace) => replace(), onlyNewest }: Options = {}) {
    this.#keepPlace = keepPlace;
    this.#onlyNewest = onlyNewest ?? null;
  }

  get hasMore(): boolean {
    return this.rows.length < this.totalCount;
  }

  /** Shows another part of the history, from its newest row on. */
  async setFilter(filter: ActivityFilter): Promise<void> {
    if (this.#filter?.address === filter.address && this.#filter.chainId === filter.chainId) return;
    this.#filter = filter;
    this.#epoch += 1;
    this.#busy = false;
    this.#pages = [];
    this.#view = { first: 0, last: 0 };
    this.rows = [];
    this.totalCount = 0;
    this.loaded = false;
    this.error = null;
    await this.#work();
  }

  /** Stored rows of this address and chain have changed. */
  async changed(address: string, chainId: string): Promise<void> {
    const filter = this.#filter;
    if (filter === null) return;
    if (filter.address !== null && filter.address !== address) return;
    if (filter.chainId !== null && filter.chainId !== chainId) return;
    for (const page of this.#pages) page.stale = true;
    this.error = null;
    await this.#work();
  }

  /** The rows that are on the screen: they are kept current, and more are read before the end is reached. */
  async look(first: number, last: number): Promise<void> {
    this.#view = { first, last };
    await this.#work();
  }

  /** Tries again what failed. */
  async retry(): Promise<void> {
    this.error = null;
    await this.#work();
  }

  /** One call at a time: reads again what is stale in view, then goes on at the end, until nothing is left to do. */
  async #work(): Promise<void> {
    if (this.#busy || this.error !== null) return;
    this.#busy = true;
    const epoch = this.#epoch;
    for (;;) {
      const next = this.#nextJob();
      if (next === null) break;
      this.loadingMore = next === 'more';
      const failure = next === 'more' ? await this.#readMore(epoch) : await this.#readAgain(next, epoch);
      if (epoch !== this.#epoch) return;
      if (failure !== null) {
        this.error = failure;
        break;
      }
    }
    this.loadingMore = false;
    this.#busy = false;
  }

  #nextJob(): Page | 'more' | null {
    if (this.#pages.length === 0) return 'more';
    let start = 0;
    for (const [index, page] of this.#pages.entries()) {
      const end = start + page.rows.length;
      // The first page tells of new rows; the last one, of the way on when the end was reached before.
      const isInView =
        index === 0 ||
        index === this.#pages.length - 1 ||
        (start <= this.#view.last && end >= this.#view.first);
      if (page.stale && isInView) return page;
      start = end;
    }
    if (this.#onlyNewest !== null) return null;
    const isNearEnd = this.#view.last + pageSize / 2 >= this.rows.length;
    return isNearEnd && (this.#pages.at(-1)?.nextCursor ?? null) !== null ? 'more' : null;
  }

  async #readMore(epoch: number): Promise<AppError | null> {
    const cursor = this.#pages.at(-1)?.nextCursor ?? null;
    const result = await this.#read(cursor, this.#onlyNewest ?? pageSize);
    if (epoch !== this.#epoch) return null;
    if (!result.ok) return result.error;
    const { rows, nextCursor, totalCount } = result.value;
    this.#pages.push({ cursor, rows, nextCursor, stale: false });
    this.#show(totalCount);
    return null;
  }

  async #readAgain(page: Page, epoch: number): Promise<AppError | null> {
    page.stale = false;
    const following = this.#pages[this.#pages.indexOf(page) + 1];
    const stopAt = following?.rows[0] === undefined ? null : rowKey(following.rows[0]);
    // One page more than before: most changes add only a few rows.
    const limit = Math.min(largestPage, page.rows.length + pageSize);
    const rows: ActivityRow[] = [];
    let { cursor } = page;
    let totalCount = this.totalCount;
    for (;;) {
      const result = await this.#read(cursor, this.#onlyNewest ?? limit);
      if (epoch !== this.#epoch) return null;
      if (!result.ok) {
        page.stale = true;
        return result.error;
      }
      totalCount = result.value.totalCount;
      const end = stopAt === null ? -1 : result.value.rows.findIndex((row) => rowKey(row) === stopAt);
      rows.push(...(end < 0 ? result.value.rows : result.value.rows.slice(0, end)));
      cursor = result.value.nextCursor;
      // The page before another one ends where that begins; the last one is read once.
      if (end >= 0 || cursor === null || stopAt === null) break;
    }
    page.rows = rows;
    if (following === undefined) page.nextCursor = cursor;
    else if (cursor === null) {
      // What the next page began with is gone from the store, and everything after it has just been read.
      page.nextCursor = null;
      this.#pages = this.#pages.slice(0, this.#pages.indexOf(page) + 1);
    }
    this.#show(totalCount);
    return null;
  }

  #read(cursor: string | null, limit: number): Promise<Result<ActivityRows>> {
    const { address, chainId } = this.#filter ?? { address: null, chainId: null };
    return call('activity.rows', { address, chainId, cursor, limit });
  }

  #show(totalCount: number): void {
    const seen = new Set<string>();
    const rows: ActivityRow[] = [];
    // A row that moved between two readings may stand in two pages; it is shown once.
    for (const row of this.#pages.flatMap((page) => page.rows)) {
      const key = rowKey(row);
      if (seen.has(key)) continue;
      seen.add(key);
      rows.push(row);
    }
    this.#keepPlace(() => {
      this.rows = rows;
      this.totalCount = totalCount;
      this.loaded = true;
    });
  }
}
