/** All cells in one line; some of them over each other; two lines without a head. */
export type RowLayout = 'wide' | 'medium' | 'narrow';

/** In pixels, as the styles of the rows have it. */
export const rowHeights: Readonly<Record<RowLayout, number>> = { wide: 40, medium: 40, narrow: 56 };

export const headHeights: Readonly<Record<RowLayout, number>> = { wide: 31, medium: 41, narrow: 25 };

/** The layout in which every amount keeps its digits at this width, in pixels. */
export function layoutFor(width: number): RowLayout {
  if (width >= 1260) return 'wide';
  return width >= 980 ? 'medium' : 'narrow';
}
