import { describe, expect, it } from 'vitest';
import { watchSilence, type Silence } from './silence.ts';

const at = (monotonicMs: number, aheadMs = 0) => ({ nowMs: monotonicMs + aheadMs, monotonicMs });
const lasted = (silence: Silence | null): number | null => silence && silence.lastMs - silence.sinceMs;

describe('silence', () => {
  it.each<[string, [boolean, ReturnType<typeof at>][], number | null]>([
    ['of one poll has not lasted', [[true, at(0)]], 0],
    [
      'is as long as its polls',
      [
        [true, at(0)],
        [true, at(60_000)],
        [true, at(90_000)],
      ],
      90_000,
    ],
    [
      'ends with an answer',
      [
        [true, at(0)],
        [false, at(30_000)],
      ],
      null,
    ],
    [
      'begins anew after one',
      [
        [true, at(0)],
        [false, at(30_000)],
        [true, at(60_000)],
      ],
      0,
    ],
    [
      'begins anew after a gap',
      [
        [true, at(0)],
        [true, at(90_000)],
      ],
      0,
    ],
    [
      'begins anew after a sleep that only the clock of the day tells',
      [
        [true, at(0)],
        [true, at(30_000, 3_600_000)],
      ],
      0,
    ],
    [
      'begins anew after that clock was set back',
      [
        [true, at(0)],
        [true, at(30_000, -60_000)],
      ],
      0,
    ],
    [
      'goes on while it is adjusted',
      [
        [true, at(0)],
        [true, at(60_000, 800)],
      ],
      60_000,
    ],
  ])('%s', (_what, polls, expected) => {
    let silence: Silence | null = null;
    for (const [isUnreachable, now] of polls) silence = watchSilence(silence, isUnreachable, now);
    expect(lasted(silence)).toBe(expected);
  });
});
