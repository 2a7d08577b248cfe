/**
 * The pause after a number of failures in a row: `firstMs`, doubled with each further failure up to `longestMs`. Also
 * `firstMs` without any failure.
 */
export function doubledMs(firstMs: number, longestMs: number, failures: number): number {
  return Math.min(firstMs * 2 ** Math.max(0, failures - 1), longestMs);
}
