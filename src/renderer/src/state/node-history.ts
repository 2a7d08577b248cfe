const hourMs = 3_600_000;

/** Spans of time that strips show, each cut into cells that are a round part of a day, or a day. */
export const historyRanges = {
  day: { text: '24 h', words: 'last 24 hours', cellMs: hourMs / 4, cellCount: 96 },
  week: { text: '7 d', words: 'last 7 days', cellMs: 2 * hourMs, cellCount: 84 },
  month: { text: '30 d', words: 'last 30 days', cellMs: 8 * hourMs, cellCount: 90 },
  year: { text: '1 y', words: 'last year', cellMs: 24 * hourMs, cellCount: 365 },
  /** For strips that have little room. */
  halfHours: { text: '24 h', words: 'last 24 hours', cellMs: hourMs / 2, cellCount: 48 },
} as const;

/** A node may have thousands of checks; nobody reads more at once. */
export const stripStep = 40;

export type HistoryRange = keyof typeof historyRanges;

/** Those that a user chooses from. */
export type ChosenRange = Exclude<HistoryRange, 'halfHours'>;
export const rangeOptions = (['day', 'week', 'month', 'year'] as const).map((value) => ({
  value,
  text: historyRanges[value].text,
}));

export interface CellSpan {
  fromMs: number;
  toMs: number;
  cellCount: number;
}

/**
 * The span of a range up to the end of the cell that `endMs` is in. `zoneOffsetMs` is added to a time to get that of the
 * wall clock, so that the cells of a year are the days of the calendar.
 */
export function rangeSpan(range: HistoryRange, endMs: number, zoneOffsetMs: number): CellSpan {
  const { cellMs, cellCount } = historyRanges[range];
  const toMs = (Math.floor((endMs + zoneOffsetMs) / cellMs) + 1) * cellMs - zoneOffsetMs;
  return { fromMs: toMs - cellCount * cellMs, toMs, cellCount };
}
