/**
 * The pause after so many failures in a row: the first one, doubled with each further failure up to the longest one. Before
 * any failure it is the first one, too.
 */
export function doubledMs(firstMs: number, longestMs: number, failures: number): number {
  return Math.min(firstMs * 2 ** Math.max(0, failures - 1), longestMs);
}
