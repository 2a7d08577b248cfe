/** Order of texts by code units, which needs no locale and never changes. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
