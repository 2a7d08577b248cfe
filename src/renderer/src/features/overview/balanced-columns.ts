/**
 * How many columns a number of tiles has, so that its rows are equally full: four tiles stand two by two where three would
 * fit. A single tile leaves half of the room where two would fit.
 */
export function balancedColumns(count: number, widthPx: number, leastPx: number, gapPx: number): number {
  const most = Math.max(1, Math.floor((widthPx + gapPx) / (leastPx + gapPx)));
  const rows = Math.max(1, Math.ceil(count / most));
  return Math.min(most, Math.max(2, Math.ceil(count / rows)));
}
