import { describe, expect, it } from 'vitest';
import { rangeSpan } from './node-history.ts';

const nowMs = Date.UTC(2026, 8, 16, 14, 5, 7);
const hourMs = 3_600_000;

describe('the span of a range', () => {
  it.each([
    ['day', 0, Date.UTC(2026, 8, 16, 14, 15), 24],
    ['week', 0, Date.UTC(2026, 8, 16, 16), 7 * 24],
    ['month', 0, Date.UTC(2026, 8, 16, 16), 30 * 24],
    ['year', 0, Date.UTC(2026, 8, 17), 365 * 24],
    ['year', 2 * hourMs, Date.UTC(2026, 8, 16, 22), 365 * 24],
    ['year', -11 * hourMs, Date.UTC(2026, 8, 17, 11), 365 * 24],
  ] as const)('%s at an offset of %i ms ends with the cell that is now', (range, offsetMs, toMs, hours) => {
    const span = rangeSpan(range, nowMs, offsetMs);
    expect(span).toMatchObject({ toMs, fromMs: toMs - hours * hourMs });
  });
});
