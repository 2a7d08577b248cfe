import { onDestroy, tick, untrack } from 'svelte';
import { layoutFor, type RowLayout } from './columns.ts';
import { barHeight, clampTop, poolSize, scrollTopFor, spareRows, topAfterScroll } from './scroll-map.ts';

/** Longer than the pause between two steps of a scroll wheel. */
const restMs = 200;

interface Options {
  /** Rows of the list. */
  count: () => number;
  /** The timeline is as high as its rows and does not scroll. */
  fit: () => boolean;
}

/** Which rows of a timeline are visible, and where on the page they are drawn. To be made in its component's set-up. */
export class TimelineScroll {
  /** The scrolling element, and its size without the scroll bar. */
  element = $state<HTMLElement | null>(null);
  width = $state(0);
  height = $state(0);
  /** The first and the last visible row. */
  first = $state(0);
  last = $state(-1);
  /** From pixels of the list to pixels of the page: 0 unless the list is taller than a page can be. */
  shift = $state(0);
  // The pixel of the rows at the top of the view, and the position of the bar. Not reactive, because they change
  // with every frame of a scroll; drawing follows only when a row becomes visible.
  #top = 0;
  #bar = 0;
  #resting: ReturnType<typeof setTimeout> | undefined;
  /** Rows that exist beside the visible ones: none until these have been drawn. */
  #spare = $state(0);
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
    const drawn = setTimeout(() => (this.#spare = spareRows), restMs);
    onDestroy(() => {
      clearTimeout(drawn);
      clearTimeout(this.#resting);
    });
    // After a change of the view's, the page's or the rows' height the bar and the visible rows are matched again.
    let rowHeight = untrack(() => this.rowHeight);
    $effect(() => {
      const clamped = clampTop((this.#top / rowHeight) * this.rowHeight, this.#span);
      rowHeight = this.rowHeight;
      untrack(() => (clamped === this.#top ? this.#show(this.#top, this.#bar) : this.#goTo(clamped)));
    });
  }

  readonly layout: RowLayout = $derived(layoutFor(this.width));
  // All rows have the same height, so positions can be computed.
  readonly rowHeight: number = $derived(this.layout.rowHeight);
  readonly #span = $derived.by(() => ({
    contentPx: this.#options.count() * this.rowHeight,
    viewPx: Math.max(this.rowHeight, this.height - this.layout.headHeight),
  }));
  readonly pageHeight: number = $derived(barHeight(this.#span.contentPx));
  /** Number of rows in the page, and the index of the first (`start`). */
  readonly size: number = $derived.by(() => {
    const count = this.#options.count();
    const size = poolSize(this.#span.viewPx, this.rowHeight, this.#spare);
    return this.#options.fit() ? count : Math.min(count, size);
  });
  readonly start: number = $derived.by(() => {
    const around = Math.floor((this.size - (this.last - this.first + 1)) / 2);
    const start = Math.max(0, Math.min(this.first - around, this.#options.count() - this.size));
    return this.#options.fit() ? 0 : start;
  });
  /** How many rows Page Up and Page Down move. */
  readonly pageSize: number = $derived(Math.max(1, Math.floor(this.#span.viewPx / this.rowHeight) - 1));

  get isAtTop(): boolean {
    return this.#top === 0;
  }

  readonly onscroll = (): void => {
    const scrollTop = this.element?.scrollTop ?? this.#bar;
    if (scrollTop === this.#bar || this.#options.fit()) return;
    this.#show(topAfterScroll({ top: this.#top, scrollTop: this.#bar }, scrollTop, this.#span), scrollTop);
    if (this.shift === 0) return;
    clearTimeout(this.#resting);
    // Once scrolling rests, the bar moves to its right position while the visible rows stay.
    this.#resting = setTimeout(() => this.#goTo(this.#top), restMs);
  };

  toStart(): void {
    this.#goTo(0);
  }

  /** Scrolls a row into view. */
  reveal(place: number): void {
    const edge = place * this.rowHeight;
    if (edge < this.#top) this.#goTo(edge);
    const below = edge + this.rowHeight - this.#span.viewPx;
    if (below > this.#top) this.#goTo(below);
  }

  /** Rows were replaced, and the visible ones are now `places` further down: keeps them still on the screen. */
  async follow(places: number): Promise<void> {
    // The page must have its new height before the bar can move there.
    this.#show(clampTop(this.#top + places * this.rowHeight, this.#span), this.#bar);
    const wanted = this.#top;
    await tick();
    this.#goTo(wanted);
  }

  /** Stores the position, and draws the rows that became visible. */
  #show(top: number, bar: number): void {
    this.#top = top;
    this.#bar = bar;
    this.first = Math.floor(top / this.rowHeight);
    const last = Math.floor((top + this.#span.viewPx - 1) / this.rowHeight);
    this.last = Math.min(this.#options.count() - 1, last);
    this.shift = bar - top;
  }

  #goTo(wanted: number): void {
    const top = clampTop(wanted, this.#span);
    this.#show(top, scrollTopFor(top, this.#span));
    if (this.element !== null) this.element.scrollTop = this.#bar;
  }
}
