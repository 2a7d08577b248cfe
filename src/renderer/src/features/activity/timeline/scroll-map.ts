/** A page that is taller is cut off by the browser, and near that height places lose their pixels. */
const tallestPx = 15_000_000;

/** A list in its window; all in pixels. */
export interface ScrollSpan {
  /** Height of all rows. */
  contentPx: number;
  /** Height of the window that they are seen through. */
  viewPx: number;
}

/** How tall the page is that the scroll bar sees: as tall as the rows while that is possible. */
export function barHeight(contentPx: number): number {
  return Math.min(contentPx, tallestPx);
}

/**
 * Which part of the rows is on top, in pixels from the first, after the bar went from `before.scrollTop` to
 * `scrollTop`. A taller list than the bar moves pixel by pixel with wheel and keys, and in proportion when the bar jumps.
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

/** Where the bar belongs when this part of the rows is on top. */
export function scrollTopFor(top: number, span: ScrollSpan): number {
  const clamped = clampTop(top, span);
  if (span.contentPx <= tallestPx) return clamped;
  return Math.round((clamped / (span.contentPx - span.viewPx)) * (tallestPx - span.viewPx));
}

/** Keeps the window inside the list. */
export function clampTop(top: number, { contentPx, viewPx }: ScrollSpan): number {
  return Math.max(0, Math.min(top, contentPx - viewPx));
}

/** Rows that exist at once: those in the window and a few around it. */
export function poolSize(viewPx: number, rowHeight: number, count: number): number {
  const needed = Math.ceil(viewPx / rowHeight) + 1;
  return Math.min(count, Math.max(needed, Math.min(needed + 8, mostRows)));
}

/** More rows than this are only there where the window itself has room for more. */
const mostRows = 60;

/** The place that a slot of the pool shows when the pool begins at `start`: a row that stays in it stays in its slot. */
export function placeOfSlot(slot: number, start: number, size: number): number {
  return start + ((((slot - start) % size) + size) % size);
}
