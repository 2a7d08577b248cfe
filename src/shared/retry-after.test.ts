import { describe, expect, it } from 'vitest';
import { retryAfterMs } from './retry-after.ts';

const nowMs = Date.UTC(2026, 0, 1, 12);

describe('retryAfterMs', () => {
  it.each([
    [{ 'retry-after': '30' }, 30_000],
    [{ 'retry-after': ' 1.5 ' }, 1_500],
    [{ 'retry-after': 'Thu, 01 Jan 2026 12:01:00 GMT' }, 60_000],
    [{ 'retry-after': 'Thu, 01 Jan 2026 11:00:00 GMT' }, 0],
    [{ 'ratelimit-reset': '12' }, 12_000],
    [{ 'retry-after': 'soon', 'ratelimit-reset': '12' }, 12_000],
    [{ 'retry-after': '5', 'ratelimit-reset': '12' }, 5_000],
    [{ 'retry-after': '99999999' }, 86_400_000],
    [{ 'retry-after': '60, 60' }, 60_000],
    // A moment instead of a span: seconds and milliseconds since 1970, ISO 8601, a time of the day.
    [{ 'ratelimit-reset': String(nowMs / 1000 + 42) }, 42_000],
    [{ 'ratelimit-reset': String(nowMs + 42_000) }, 42_000],
    [{ 'ratelimit-reset': String(nowMs / 1000 - 42) }, 0],
    [{ 'ratelimit-reset': '2026-01-01T12:00:42Z' }, 42_000],
    [{ 'ratelimit-reset': '12:00:42' }, 42_000],
    // Just past is about now, also over midnight; what is further back is tomorrow's.
    [{ 'ratelimit-reset': '11:59:59 GMT' }, 0],
    [{ 'ratelimit-reset': '12:00:00', date: 'Thu, 01 Jan 2026 12:00:01 GMT' }, 0],
    [{ 'ratelimit-reset': '23:59:58', date: 'Thu, 01 Jan 2026 00:00:01 GMT' }, 0],
    [{ 'ratelimit-reset': '00:00:30', date: 'Thu, 01 Jan 2026 23:59:50 GMT' }, 40_000],
    [{ 'ratelimit-reset': '11:54:59' }, 86_099_000],
    [{ 'ratelimit-reset': '25:00:00' }, null],
    // By the server's clock, which is two minutes behind ours.
    [{ 'retry-after': 'Thu, 01 Jan 2026 11:58:30 GMT', date: 'Thu, 01 Jan 2026 11:58:00 GMT' }, 30_000],
    [{ 'retry-after': '-5' }, null],
    [{ 'retry-after': '' }, null],
    [{}, null],
  ])('%j is %s', (headers, waitMs) => {
    expect(retryAfterMs(headers, nowMs)).toBe(waitMs);
  });
});
