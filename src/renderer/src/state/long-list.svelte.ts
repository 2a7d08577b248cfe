import type { AppError } from '../../../shared/errors.ts';
import type { Reply } from '../../../shared/ipc/contract.ts';

/** Rows from a place on, of all that pass a filter. */
export interface ListPage {
  rows: readonly { readonly id: unknown }[];
  offset: number;
  totalCount: number;
}
type RowOf<Page extends ListPage> = Page['rows'][number];

export interface PageQuestion<Filter, Page extends ListPage> {
  filter: Filter;
  offset: number;
  limit: number;
  /** Wherever this row is now: the page begins so many rows `before` it. */
  anchor: { rowId: RowOf<Page>['id']; before: number } | null;
}

/** Where the rows come from. */
export interface ListSource<Filter, Page extends ListPage> {
  /** Without regard to the anchor where rows move by few places only. */
  read: (question: PageQuestion<Filter, Page>) => Reply<Page>;
  /** Calls `then` when an answer to what is asked has become old; returns a function that stops this. */
  follow: (asked: () => PageQuestion<Filter, Page> | null, then: () => void) => () => void;
  /** The rows of one filter are rows of the other, so the view can keep its place. */
  keepsPlace?: (before: Filter, after: Filter) => boolean;
}

/** Rows of one page, and how many pages are kept; dropped pages are read again when they come into view. */
const pageSize = 50;
const mostPages = 40;

/** Rows above and below the view that are read with it. */
const margin = 50;

/**
 * Replaces rows so that the list on the screen can keep its place: the rows in view are then `shift` places further
 * down. Null when they are other rows, which are shown from the first on.
 */
export type ReplaceRows = (replace: () => void, shift: number | null) => void;

const replaceOnly: ReplaceRows = (replace) => replace();
const noWait = () => Promise.resolve();

export interface ListOptions {
  /** Waits before changed rows are read again: they come in bursts. */
  settle?: (() => Promise<void>) | undefined;
  /** Waits whether the view jumps again. */
  rest?: (() => Promise<void>) | undefined;
  /** Reads this many of the newest rows and no more. */
  onlyNewest?: number;
  /** The view keeps its first row at the very top, too, instead of following the newest one. */
  keepsTop?: boolean;
}

/**
 * A list of what is stored, behind a virtual list: places from 0 (the newest row) to `count`, of which only the pages around
 * the view are held. When stored rows change, what is in view is read again around the row at its top, which keeps its
 * place on the screen; all else is read anew when it comes into view.
 */
export class LongList<Filter, Page extends ListPage> {
  /** The answer for the view, with its counts; null before the first. */
  answer = $state.raw<Page | null>(null);
  /** Rows and counts are still those of the previous filter, which are shown until the new ones arrive. */
  isBefore = $state(false);
  /** The filter of the rows and counts; null before they have arrived. */
  shownFilter = $state.raw<Filter | null>(null);
  error = $state.raw<AppError | null>(null);

  /** Rises with every change of what `at` returns. */
  #version = $state(0);
  /** In order of use, the latest last. Page `n` begins at place `origin + n * pageSize`; page -1 ends at `origin`. */
  #pages = new Map<number, readonly RowOf<Page>[]>();
  #origin = 0;
  #filter: Filter | null = null;
  #view = { first: 0, last: 0, isAtTop: true };
  #isStale = false;
  /** Off the screen the rows of a filter are read once, and changes are only noted. */
  #isShown = false;
  /** Rises with every filter; answers for an earlier one are dropped. */
  #epoch = 0;
  busy = $state(false);
  #replaceRows = replaceOnly;
  /** Jumps of the view within the time of `rest`. */
  #jumps = 0;
  #onlyNewest: number | null = null;
  readonly #source: ListSource<Filter, Page>;
  readonly #settle: () => Promise<void>;
  readonly #rest: () => Promise<void>;
  readonly #options: ListOptions;

  constructor(source: ListSource<Filter, Page>, options: ListOptions = {}) {
    this.#source = source;
    this.#options = options;
    this.#settle = options.settle ?? noWait;
    this.#rest = options.rest ?? noWait;
  }

  /** Rows have arrived. */
  get loaded(): boolean {
    return this.answer !== null;
  }

  /** Rows that pass the filter. */
  get totalCount(): number {
    return this.answer?.totalCount ?? 0;
  }

  /** Places in the list. */
  get count(): number {
    return this.#onlyNewest === null ? this.totalCount : Math.min(this.totalCount, this.#onlyNewest);
  }

  /** The rows that are held, in order. */
  get rows(): readonly RowOf<Page>[] {
    void this.#version;
    return [...this.#pages.values()].flat();
  }

  /** The row at a place; null while it is not loaded, and outside of the list. */
  at(place: number): RowOf<Page> | null {
    void this.#version;
    const number = this.#pageOf(place);
    return this.#pages.get(number)?.[place - this.#startOf(number)] ?? null;
  }

  /** Index of a row among the loaded ones. */
  placeOf(rowId: RowOf<Page>['id']): number | null {
    void this.#version;
    for (const [number, rows] of this.#pages) {
      const index = rows.findIndex((row) => row.id === rowId);
      if (index >= 0) return this.#startOf(number) + index;
    }
    return null;
  }

  /** The list is on the screen, from its newest row on, until the returned function is called. */
  show(replaceRows = replaceOnly): () => void {
    this.#replaceRows = replaceRows;
    this.#view = { first: 0, last: this.#view.last - this.#view.first, isAtTop: true };
    this.#isShown = true;
    this.error = null;
    // Whether it is still empty is not known before it is read again.
    if (this.#isStale && this.totalCount === 0) this.answer = null;
    void this.#work(noWait);
    return () => {
      this.#isShown = false;
      this.#replaceRows = replaceOnly;
    };
  }

  /** Shows other rows, from the newest on unless the source keeps the place. */
  async setFilter(filter: Filter): Promise<void> {
    const known = this.#filter;
    if (known !== null && JSON.stringify(known) === JSON.stringify(filter)) return;
    this.#filter = filter;
    this.#onlyNewest = this.#options.onlyNewest ?? null;
    this.#epoch += 1;
    this.busy = false;
    this.error = null;
    const keepsPlace = known !== null && this.#source.keepsPlace?.(known, filter) === true;
    if (keepsPlace && this.loaded && !this.isBefore) this.#isStale = true;
    else if (this.loaded) this.isBefore = true;
    await this.#work(noWait);
  }

  /** Follows what is stored; returns a function that stops this. */
  follow(): () => void {
    const asked = () => this.#filter && { filter: this.#filter, offset: 0, anchor: null, limit: pageSize };
    return this.#source.follow(asked, () => void this.reload());
  }

  /** Called when stored rows have changed. */
  async reload(settle = this.#settle): Promise<void> {
    if (this.#filter === null) return;
    this.#isStale = true;
    this.error = null;
    await this.#work(settle);
  }

  /** Reads again at once. */
  refresh(): Promise<void> {
    return this.reload(noWait);
  }

  /** Reads so many of the newest rows, and no more, until the filter changes. */
  async showNewest(count: number): Promise<void> {
    this.#onlyNewest = count;
    await this.refresh();
  }

  /** The places on the screen. At the very top the view follows the newest row instead of keeping its first row. */
  async look(first: number, last: number, isAtTop = first === 0): Promise<void> {
    const isJump = first > this.#view.last || last < this.#view.first;
    this.#view = { first, last, isAtTop };
    if (isJump) void this.#countJump();
    await this.#work();
  }

  /** Nobody reads rows that are replaced with the next frame, so they are not drawn: it would slow the scrolling. */
  async #countJump(): Promise<void> {
    this.#jumps += 1;
    await this.#rest();
    this.#jumps -= 1;
    await this.#work();
  }

  async retry(): Promise<void> {
    this.error = null;
    await this.#work();
  }

  #clear(): void {
    this.#pages.clear();
    this.#version += 1;
    this.answer = null;
    this.isBefore = false;
  }

  #pageOf(place: number): number {
    return Math.floor((place - this.#origin) / pageSize);
  }

  #startOf(number: number): number {
    return Math.max(0, this.#origin + number * pageSize);
  }

  /** One call at a time, for what is in view when it is made, so a fast scroll loads only where it stops. */
  async #work(settle = this.#settle): Promise<void> {
    const filter = this.#filter;
    if (this.busy || this.error !== null || filter === null) return;
    this.busy = true;
    const epoch = this.#epoch;
    for (;;) {
      if (!this.#isShown && this.loaded && !this.isBefore) break;
      // Missing rows before stale ones: an empty view is worse than an outdated one. Those of another filter are at other places.
      const missing = this.isBefore || this.shownFilter !== filter ? null : this.#missingPage();
      if (missing !== null && this.#jumps > 1) break;
      if (missing === null && this.#isStale && !this.isBefore) {
        await settle();
        if (epoch !== this.#epoch) return;
      }
      if (missing === null && !this.#isStale && this.loaded && !this.isBefore) break;
      const failure =
        missing === null ? await this.#readView(filter, epoch) : await this.#readPage(filter, epoch, missing);
      if (epoch !== this.#epoch) return;
      if (failure !== null) {
        // Otherwise rows of the old filter would pass for those of the new one.
        if (this.isBefore) this.#clear();
        this.error = failure;
        break;
      }
    }
    this.busy = false;
  }

  /** The first page that is missing in the view, or else around it. */
  #missingPage(): number | null {
    if (this.#onlyNewest !== null) return null;
    const { first, last } = this.#view;
    for (const place of [first, last, first - margin, last + margin]) {
      if (place < 0 || place >= this.totalCount) continue;
      const number = this.#pageOf(place);
      const page = this.#pages.get(number);
      if (page === undefined) return number;
      this.#pages.delete(number);
      this.#pages.set(number, page);
    }
    return null;
  }

  async #readPage(filter: Filter, epoch: number, number: number): Promise<AppError | null> {
    const offset = this.#startOf(number);
    const limit = this.#origin + (number + 1) * pageSize - offset;
    const result = await this.#source.read({ filter, offset, anchor: null, limit });
    if (epoch !== this.#epoch) return null;
    if (!result.ok) return result.error;
    // The rows that pass have changed since they were counted, so places have moved.
    if (result.value.totalCount !== this.totalCount) this.#isStale = true;
    this.#pages.set(number, result.value.rows);
    this.#evict();
    this.#version += 1;
    return null;
  }

  /** Reads the rows in view again, anchored at the top one, and drops all others. */
  async #readView(filter: Filter, epoch: number): Promise<AppError | null> {
    this.#isStale = false;
    if (this.isBefore) this.#view = { first: 0, last: this.#view.last - this.#view.first, isAtTop: true };
    const { first, last } = this.#view;
    const isAtTop = this.#view.isAtTop && this.#options.keepsTop !== true;
    const top = isAtTop || this.isBefore || this.#onlyNewest !== null ? null : this.at(first);
    const before = Math.min(first, margin);
    const offset = isAtTop ? 0 : first - before;
    // The screen must not wait for the rows around it.
    const isFirst = !this.loaded || this.isBefore;
    const wanted = isFirst ? last - first + 1 : before + (last - first) + margin + pageSize;
    const limit = this.#onlyNewest ?? Math.min(500, Math.ceil(wanted / pageSize) * pageSize);
    const anchor = top === null ? null : { rowId: top.id, before };
    const result = await this.#source.read({ filter, offset, anchor, limit });
    if (epoch !== this.#epoch) return null;
    if (!result.ok) {
      this.#isStale = this.loaded && !this.isBefore;
      return result.error;
    }
    const { value } = result;
    // Fewer rows than before: the visible ones lie before the requested index.
    if (value.rows.length === 0 && value.totalCount > 0 && value.offset > 0) {
      const lastPlace = value.totalCount - 1;
      this.#view = { first: Math.max(0, lastPlace - (last - first)), last: lastPlace, isAtTop: false };
      this.#pages.clear();
      this.#isStale = true;
      this.answer = value;
      return null;
    }
    const index = top === null ? -1 : value.rows.findIndex((row) => row.id === top.id);
    const shift = index < 0 ? 0 : value.offset + index - first;
    if (shift !== 0) {
      // The user may have scrolled meanwhile: from the old places to the new ones.
      const now = this.#view;
      this.#view = { ...now, first: Math.max(0, now.first + shift), last: Math.max(0, now.last + shift) };
    }
    const take = () => {
      this.#takeRows(value);
      this.shownFilter = filter;
    };
    this.#replaceRows(take, this.isBefore ? null : shift);
    return null;
  }

  #takeRows(page: Page): void {
    const { rows, offset, totalCount } = page;
    this.#pages.clear();
    this.#origin = this.#onlyNewest === null ? offset % pageSize : 0;
    for (let start = 0; start < rows.length;) {
      const number = this.#pageOf(offset + start);
      const end = this.#startOf(number + 1) - offset;
      const isWhole = end <= rows.length || offset + rows.length >= totalCount;
      if (isWhole || this.#onlyNewest !== null) this.#pages.set(number, rows.slice(start, end));
      start = end;
    }
    this.answer = page;
    this.isBefore = false;
    this.#version += 1;
  }

  #evict(): void {
    for (const number of this.#pages.keys()) {
      if (this.#pages.size <= mostPages) return;
      this.#pages.delete(number);
    }
  }
}
