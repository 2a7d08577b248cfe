/** Browsers cut off taller pages, and positions near that limit lose whole pixels. */
const tallestPx = 15_000_000;

/** Heights in pixels. */
export interface ScrollSpan {
  /** Height of all rows. */
  contentPx: number;
  /** Height of the visible part. */
  viewPx: number;
}

/** Height of the page that scrolls: the rows' own height, up to the limit. */
export const barHeight = (contentPx: number): number => Math.min(contentPx, tallestPx);

/**
 * The pixel of the rows at the top of the view after the bar moved from `before.scrollTop` to
 * `scrollTop`. A list taller than the page moves pixel by pixel with wheel and keys, and in proportion when the bar jumps.
 */
export function topAfterScroll(
  before: { scrollTop: number; top: number },
  scrollTop: number,
  span: ScrollSpan,
): number {
  if (span.contentPx <= tallestPx) return clampTop(scrollTop, span);
  const moved = scrollTop - before.scrollTop;
  if (Math.abs(moved) <= 2 * span.viewPx) return clampTop(before.top + moved, span);
  return clampTop((scrollTop / (tallestPx - span.viewPx)) * (span.contentPx - span.viewPx), span);
}

/** The position of the bar when this pixel of the rows is at the top. */
export function scrollTopFor(top: number, span: ScrollSpan): number {
  const clamped = clampTop(top, span);
  if (span.contentPx <= tallestPx) return clamped;
  return Math.round((clamped / (span.contentPx - span.viewPx)) * (tallestPx - span.viewPx));
}

/** Keeps the view inside the list. */
export function clampTop(top: number, { contentPx, viewPx }: ScrollSpan): number {
  return Math.max(0, Math.min(top, contentPx - viewPx));
}

/** How many rows exist in the page: the visible ones and some around them (`spare`). */
export function poolSize(viewPx: number, rowHeight: number, spare: number): number {
  const needed = Math.ceil(viewPx / rowHeight) + 1;
  return Math.max(needed, Math.min(needed + spare, mostRows));
}

/** Rows around the visible ones, for the next steps of a scroll. */
export const spareRows = 8;

/** At most this many rows, unless more are visible. */
const mostRows = 60;

/** The row that a slot shows when the pool begins at `start`; a row keeps its slot while it stays in the pool. */
export function placeOfSlot(slot: number, start: number, size: number): number {
  return start + ((((slot - start) % size) + size) % size);
}
