/** Compares by code units: independent of the locale, and stable across versions. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
