import type { ActivityFilter } from '../../../shared/activity/filter.ts';
import type { ActivityRow, ActivityRows } from '../../../shared/activity/types.ts';
import type { AppError } from '../../../shared/errors.ts';
import { call } from '../bridge.ts';
import { whenOutdated } from './kept-answers.ts';

/** Rows of one page, and how many pages are kept; dropped pages are read again when they come into view. */
const pageSize = 50;
const mostPages = 40;

/** Rows above and below the view that are read with it. */
const margin = 50;

/**
 * Replaces rows so that the list on the screen can keep its place: the rows in view are then `shift` places further
 * down. Null when they are other rows, which are shown from the first on.
 */
type ReplaceRows = (replace: () => void, shift: number | null) => void;

const replaceOnly: ReplaceRows = (replace) => replace();

interface Options {
  /** Waits before changed rows are read again: while a history is fetched, changes come in bursts. */
  settle?: () => Promise<void>;
  /** Waits whether the view jumps again. */
  rest?: () => Promise<void>;
  /** Reads this many of the newest rows and no more. */
  onlyNewest?: number;
}

/**
 * The merged timeline behind a virtual list: places from 0 (the newest row) to `count`, of which only the pages around
 * the view are held. When stored rows change, what is in view is read again around the row at its top, which keeps its
 * place on the screen; all else is read anew when it comes into view.
 */
export class ActivityList {
  /** Rows that pass the filter. */
  totalCount = $state(0);
  /** Rows that would pass but are hidden. */
  hiddenCount = $state(0);
  /** Rows that pass and are not complete. */
  partialCount = $state(0);
  /** Rows that pass and have not what they are ordered by; the last ones. */
  unrankedCount = $state(0);
  /** Rows have arrived. */
  loaded = $state(false);
  /** Rows and counts are still those of the previous filter, which are shown until the new ones arrive. */
  isBefore = $state(false);
  /** The filter of the rows and counts; null before they have arrived. */
  shownFilter = $state.raw<ActivityFilter | null>(null);
  error = $state.raw<AppError | null>(null);

  /** Rises with every change of what `at` returns. */
  #version = $state(0);
  /** In order of use, the latest last. Page `n` begins at place `origin + n * pageSize`; page -1 ends at `origin`. */
  #pages = new Map<number, readonly ActivityRow[]>();
  #origin = 0;
  #filter: ActivityFilter | null = null;
  #view = { first: 0, last: 0, isAtTop: true };
  #isStale = false;
  /** Off the screen the rows of a filter are read once, and changes are only noted. */
  #isShown = false;
  /** Rises with every filter; answers for an earlier one are dropped. */
  #epoch = 0;
  #busy = false;
  #replaceRows = replaceOnly;
  /** Jumps of the view within the time of `rest`. */
  #jumps = 0;
  readonly #settle: () => Promise<void>;
  readonly #rest: () => Promise<void>;
  readonly #onlyNewest: number | null;

  constructor({ settle, rest, onlyNewest }: Options = {}) {
    this.#settle = settle ?? (() => Promise.resolve());
    this.#rest = rest ?? (() => Promise.resolve());
    this.#onlyNewest = onlyNewest ?? null;
  }

  /** Places in the list. */
  get count(): number {
    return this.#onlyNewest === null ? this.totalCount : Math.min(this.totalCount, this.#onlyNewest);
  }

  /** The row at a place; null while it is not loaded, and outside of the list. */
  at(place: number): ActivityRow | null {
    void this.#version;
    const number = this.#pageOf(place);
    return this.#pages.get(number)?.[place - this.#startOf(number)] ?? null;
  }

  /** Index of a row among the loaded ones. */
  placeOf(rowId: number): number | null {
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
    if (this.#isStale && this.totalCount === 0) this.loaded = false;
    void this.#work(() => Promise.resolve());
    return () => {
      this.#isShown = false;
      this.#replaceRows = replaceOnly;
    };
  }

  /** Shows other rows, from the newest on; only switching hidden rows on or off keeps the place. */
  async setFilter(filter: ActivityFilter): Promise<void> {
    const known = this.#filter;
    if (known !== null && JSON.stringify(known) === JSON.stringify(filter)) return;
    this.#filter = filter;
    this.#epoch += 1;
    this.#busy = false;
    this.error = null;
    const isSameButHidden =
      known !== null &&
      JSON.stringify({ ...known, showHidden: filter.showHidden }) === JSON.stringify(filter);
    if (isSameButHidden && this.loaded && !this.isBefore) this.#isStale = true;
    else if (this.loaded) this.isBefore = true;
    await this.#work(() => Promise.resolve());
  }

  /** Follows what is stored; returns a function that stops this. */
  follow(): () => void {
    const asked = () => this.#filter && { filter: this.#filter, offset: 0, anchor: null, limit: pageSize };
    return whenOutdated('activity.rows', asked, () => void this.reload());
  }

  /** Called when stored rows have changed. */
  async reload(): Promise<void> {
    if (this.#filter === null) return;
    this.#isStale = true;
    this.error = null;
    await this.#work();
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
    this.totalCount = 0;
    this.hiddenCount = 0;
    this.partialCount = 0;
    this.unrankedCount = 0;
    this.loaded = false;
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
    if (this.#busy || this.error !== null || filter === null) return;
    this.#busy = true;
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
    this.#busy = false;
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

  async #readPage(filter: ActivityFilter, epoch: number, number: number): Promise<AppError | null> {
    const offset = this.#startOf(number);
    const limit = this.#origin + (number + 1) * pageSize - offset;
    const result = await call('activity.rows', { filter, offset, anchor: null, limit });
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
  async #readView(filter: ActivityFilter, epoch: number): Promise<AppError | null> {
    this.#isStale = false;
    if (this.isBefore) this.#view = { first: 0, last: this.#view.last - this.#view.first, isAtTop: true };
    const { first, last, isAtTop } = this.#view;
    const top = isAtTop || this.#onlyNewest !== null ? null : this.at(first);
    const before = Math.min(first, margin);
    const offset = isAtTop ? 0 : first - before;
    // The screen must not wait for the rows around it.
    const isFirst = !this.loaded || this.isBefore;
    const wanted = isFirst ? last - first + 1 : before + (last - first) + margin + pageSize;
    const limit = this.#onlyNewest ?? Math.min(500, Math.ceil(wanted / pageSize) * pageSize);
    const anchor = top === null ? null : { rowId: top.id, before };
    const result = await call('activity.rows', { filter, offset, anchor, limit });
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
      this.totalCount = value.totalCount;
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

  #takeRows({ rows, offset, totalCount, hiddenCount, partialCount, unrankedCount }: ActivityRows): void {
    this.#pages.clear();
    this.#origin = this.#onlyNewest === null ? offset % pageSize : 0;
    for (let start = 0; start < rows.length;) {
      const number = this.#pageOf(offset + start);
      const end = this.#startOf(number + 1) - offset;
      const isWhole = end <= rows.length || offset + rows.length >= totalCount;
      if (isWhole || this.#onlyNewest !== null) this.#pages.set(number, rows.slice(start, end));
      start = end;
    }
    this.totalCount = totalCount;
    this.hiddenCount = hiddenCount;
    this.partialCount = partialCount;
    this.unrankedCount = unrankedCount;
    this.loaded = true;
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
