// Limits that the window, the calls and the main process share: what one of them lets in, no other refuses.

/** Lengths of texts that the user writes, in characters. */
export const longest = {
  /** Of an address, also as a name in the book. */
  label: 300,
  bookNote: 2_000,
  incidentNote: 20_000,
  viewName: 100,
  search: 200,
} as const;

/** Number and length of an address's tags. */
export const tagLimits = { count: 20, length: 50 } as const;

/** Of a filter of the timeline. */
export const mostPills = 30;

/** Of the history of a node. */
export const historyLimits = {
  keepDays: { min: 1, max: 3_650 },
  keepMegabytesPerNode: { min: 5, max: 10_000 },
} as const;

/** Of the options of a node. */
export const nodeLimits = {
  name: 200,
  url: 2_048,
  /** The shortest leaves what is urgent within the budget of a node: 8 of 10 requests in two minutes. */
  intervalMs: { min: 15_000, max: 86_400_000 },
  tags: 50,
  tagLength: 200,
  headers: 20,
  headerName: 64,
  headerValue: 8_192,
  certificate: 20_000,
} as const;

/** After so many pages, a query of Explore to its last page stops and asks. */
export const pagesAtOnce = 50;

/** How many widths of columns are kept, and how long their names may be. */
export const columnLimits = { count: 200, name: 200 } as const;
