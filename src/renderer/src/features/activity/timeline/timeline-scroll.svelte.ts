import { onDestroy, tick, untrack } from 'svelte';
import { layoutFor, type RowLayout } from './columns.ts';
import { barHeight, clampTop, poolSize, scrollTopFor, topAfterScroll } from './scroll-map.ts';

/** Longer than between two steps of a scroll wheel. */
const restMs = 200;

interface Options {
  /** Rows of the list. */
  count: () => number;
  /** The timeline is as high as its rows, and does not scroll. */
  fit: () => boolean;
}

/** Which rows are in the window of a timeline, and where on the page they are drawn. Made while its component is set up. */
export class TimelineScroll {
  /** What scrolls, and its size without its bar. */
  element = $state<HTMLElement | null>(null);
  width = $state(0);
  height = $state(0);
  /** The first and the last row in the window. */
  first = $state(0);
  last = $state(-1);
  /** From pixels of the list to pixels of the page: nothing, until the list is taller than a page can be. */
  shift = $state(0);
  // The part of the rows that is on top, in pixels from the first, and where the bar stands. Not reactive: they change
  // with every frame of a scroll, and what is drawn only when a row comes into the window.
  #top = 0;
  #bar = 0;
  #resting: ReturnType<typeof setTimeout> | undefined;
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
    onDestroy(() => clearTimeout(this.#resting));
    // The window or the page has got another height: the bar and what is on the screen are brought together again.
    $effect(() => {
      const clamped = clampTop(this.#top, this.#span);
      untrack(() => (clamped === this.#top ? this.#show(this.#top, this.#bar) : this.#goTo(clamped)));
    });
  }

  readonly layout: RowLayout = $derived(layoutFor(this.width));
  // All rows are equally high, so that places in the list are a matter of arithmetic.
  readonly rowHeight: number = $derived(this.layout.rowHeight);
  readonly #span = $derived.by(() => ({
    contentPx: this.#options.count() * this.rowHeight,
    viewPx: Math.max(this.rowHeight, this.height - this.layout.headHeight),
  }));
  /** How tall the page is. */
  readonly pageHeight: number = $derived(barHeight(this.#span.contentPx));
  /** How many rows exist at once, and the first of them. */
  readonly size: number = $derived.by(() => {
    const count = this.#options.count();
    return this.#options.fit() ? count : poolSize(this.#span.viewPx, this.rowHeight, count);
  });
  readonly start: number = $derived.by(() => {
    const around = Math.floor((this.size - (this.last - this.first + 1)) / 2);
    const start = Math.max(0, Math.min(this.first - around, this.#options.count() - this.size));
    return this.#options.fit() ? 0 : start;
  });
  /** How many rows a page of the keyboard is. */
  readonly pageSize: number = $derived(Math.max(1, Math.floor(this.#span.viewPx / this.rowHeight) - 1));

  get isAtTop(): boolean {
    return this.#top === 0;
  }

  /** The bar has moved. */
  readonly onscroll = (): void => {
    const scrollTop = this.element?.scrollTop ?? this.#bar;
    if (scrollTop === this.#bar || this.#options.fit()) return;
    this.#show(topAfterScroll({ top: this.#top, scrollTop: this.#bar }, scrollTop, this.#span), scrollTop);
    if (this.shift === 0) return;
    clearTimeout(this.#resting);
    // The bar goes where it belongs; what is on the screen stays.
    this.#resting = setTimeout(() => this.#goTo(this.#top), restMs);
  };

  toStart(): void {
    this.#goTo(0);
  }

  /** Brings a row into the window. */
  reveal(place: number): void {
    const edge = place * this.rowHeight;
    if (edge < this.#top) this.#goTo(edge);
    const below = edge + this.rowHeight - this.#span.viewPx;
    if (below > this.#top) this.#goTo(below);
  }

  /** Rows have been replaced, and those in view are `places` further down: they stay where they are on the screen. */
  async follow(places: number): Promise<void> {
    // The page has to be as high as the new rows before the bar can go there.
    this.#show(clampTop(this.#top + places * this.rowHeight, this.#span), this.#bar);
    const wanted = this.#top;
    await tick();
    this.#goTo(wanted);
  }

  /** Remembers where the window is, and draws what has come into it. */
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
