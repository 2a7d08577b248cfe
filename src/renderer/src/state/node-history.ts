import { dayMs, hourMs } from '../../../shared/time.ts';
import { call } from '../bridge.ts';

/** The ranges of the strips, shortest first, with cells that are a day or divide a day evenly. */
export const historyRanges = {
  hour: { text: '1 h', words: 'last hour', cellMs: hourMs / 30, cellCount: 30 },
  day: { text: '24 h', words: 'last 24 hours', cellMs: hourMs / 4, cellCount: 96 },
  week: { text: '7 d', words: 'last 7 days', cellMs: 2 * hourMs, cellCount: 84 },
  month: { text: '30 d', words: 'last 30 days', cellMs: 8 * hourMs, cellCount: 90 },
  year: { text: '1 y', words: 'past year', cellMs: 24 * hourMs, cellCount: 365 },
  /** For small strips. */
  halfHours: { text: '24 h', words: 'last 24 hours', cellMs: hourMs / 2, cellCount: 48 },
} as const;

export type HistoryRange = keyof typeof historyRanges;

/** The ranges that the user can choose. */
export type ChosenRange = Exclude<HistoryRange, 'halfHours'>;
const chosenRanges = ['hour', 'day', 'week', 'month', 'year'] as const;
export const rangeOptions: Readonly<Partial<Record<ChosenRange, string>>> = Object.fromEntries(
  chosenRanges.map((range) => [range, historyRanges[range].text]),
);

export interface CellSpan {
  fromMs: number;
  toMs: number;
  cellCount: number;
  /** When each begins, where they are calendar days. */
  starts?: number[];
}

/** The beginning of the current cell, which changes only when the strips do; `zoneOffsetMs` as in `rangeSpan`. */
export function lastCell(range: HistoryRange, nowMs: number, zoneOffsetMs: number): number {
  return rangeSpan(range, nowMs, zoneOffsetMs).toMs - historyRanges[range].cellMs;
}

/**
 * The span of a range up to the end of the cell with `endMs`. `zoneOffsetMs` is added to a time of now to get the
 * local time, and `offsetAt` says what it is at another time, so that the cells of a year are calendar days.
 */
export function rangeSpan(
  range: HistoryRange,
  endMs: number,
  zoneOffsetMs: number,
  offsetAt: (ms: number) => number = () => zoneOffsetMs,
): CellSpan {
  const { cellMs, cellCount } = historyRanges[range];
  const lastMs = (Math.floor((endMs + zoneOffsetMs) / cellMs) + 1) * cellMs;
  const toMs = lastMs - zoneOffsetMs;
  if (cellMs < dayMs) return { fromMs: toMs - cellCount * cellMs, toMs, cellCount };
  const edges = Array.from({ length: cellCount + 1 }, (_, index) => {
    const localMs = lastMs - (cellCount - index) * cellMs;
    return localMs - offsetAt(localMs - offsetAt(localMs));
  });
  return { fromMs: edges[0] ?? toMs, toMs: edges[cellCount] ?? toMs, cellCount, starts: edges.slice(0, -1) };
}

/** The shortest range up to now, from `least` on, that includes a time; the longest where none does. */
export function rangeWith(atMs: number, nowMs: number, least: ChosenRange): ChosenRange {
  const longer = chosenRanges.slice(chosenRanges.indexOf(least));
  return longer.find((range) => rangeSpan(range, nowMs, 0).fromMs <= atMs) ?? 'year';
}

/** For a node or a recording: when watching began, and the end of the shown past. */
export interface WatchedSpan {
  id: string;
  sinceMs: number;
  endMs: number;
}

/**
 * The range shown by default: the shortest one of which at least half is known, or the
 * shortest of all. Errors are left to the strips, which read the same.
 */
export async function usualRange({ id, sinceMs, endMs }: WatchedSpan): Promise<ChosenRange> {
  for (const range of chosenRanges) {
    const { cellMs, cellCount } = historyRanges[range];
    const wholeMs = cellMs * cellCount;
    // A range that was watched for less than half cannot be known for more, and longer ones even less.
    if (2 * (endMs - sinceMs) < wholeMs) break;
    const reply = await call('nodes.uptime', { id, fromMs: endMs - wholeMs, toMs: endMs });
    const known = reply.ok ? reply.value.find(({ scope }) => scope === 'node') : undefined;
    if (known !== undefined && 2 * known.unknownMs <= wholeMs) return range;
  }
  return 'hour';
}
