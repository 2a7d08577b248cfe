import { describe, expect, it } from 'vitest';
import { historyRanges, lastCell, rangeSpan, type HistoryRange } from './node-history.ts';

const hourMs = 3_600_000;
const dayStartMs = Date.UTC(2026, 8, 16);
const ranges = Object.keys(historyRanges) as HistoryRange[];

describe.each([-9.5, -5, 0, 2, 5.5, 5.75, 13])('in a zone at %s h from UTC', (offsetHours) => {
  it.each(ranges)('the strips of a %s end with the cell that is now, at any time of the day', (range) => {
    const zoneOffsetMs = offsetHours * hourMs;
    const { cellMs } = historyRanges[range];
    for (let minutes = 0; minutes < 24 * 60; minutes += 7) {
      const nowMs = dayStartMs + minutes * 60_000;
      // As the strips do, which are read again only when the cell changes.
      const { toMs } = rangeSpan(range, lastCell(range, nowMs, zoneOffsetMs), zoneOffsetMs);
      expect(toMs).toBeGreaterThan(nowMs);
      expect(toMs - nowMs).toBeLessThanOrEqual(cellMs);
    }
  });
});
