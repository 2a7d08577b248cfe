/** Compares by code units: independent of the locale, and stable across versions. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
