import { call } from '../bridge.ts';

const hourMs = 3_600_000;

/** Spans of time that strips show, shortest first, each cut into cells that are a round part of a day, or a day. */
export const historyRanges = {
  hour: { text: '1 h', words: 'last hour', cellMs: hourMs / 30, cellCount: 30 },
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
const chosenRanges = ['hour', 'day', 'week', 'month', 'year'] as const;
export const rangeOptions = chosenRanges.map((value) => ({ value, text: historyRanges[value].text }));

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

/** Of a node or a recording: since when it was watched, and until when its past is shown. */
export interface WatchedSpan {
  id: string;
  sinceMs: number;
  endMs: number;
}

/**
 * What is shown where the user has chosen no range: the shortest one that is known for at least half of its time, and the
 * shortest of all where none is. What cannot be read is left to the strips to tell.
 */
export async function usualRange({ id, sinceMs, endMs }: WatchedSpan): Promise<ChosenRange> {
  for (const range of chosenRanges) {
    const { cellMs, cellCount } = historyRanges[range];
    const wholeMs = cellMs * cellCount;
    // What was watched for less than half of it is not known for more, and of longer ranges even less.
    if (2 * (endMs - sinceMs) < wholeMs) break;
    const reply = await call('nodes.uptime', { id, fromMs: endMs - wholeMs, toMs: endMs });
    const known = reply.ok ? reply.value.find(({ scope }) => scope === 'node') : undefined;
    if (known !== undefined && 2 * known.unknownMs <= wholeMs) return range;
  }
  return 'hour';
}
