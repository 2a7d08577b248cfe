import { describe, expect, it } from 'vitest';
import { startSureTime, sureTime, type ClockReading, type SureTime } from './sure-time.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The sure time in days at each of these times; `[day of the system's clock, hours of the steady one]`. It is read each hour. */
function sureDays(seenDay: number | null, readings: readonly (readonly [number, number])[]): number[] {
  const toReading = ([day, hours]: readonly [number, number]): ClockReading => ({
    nowMs: day * dayMs,
    steadyMs: hours * hourMs,
  });
  const [first = [0, 0] as const, ...later] = readings;
  let state: SureTime = startSureTime(seenDay === null ? null : seenDay * dayMs, toReading(first));
  const sure = [state.sureMs];
  for (const reading of later.map(toReading)) {
    while (reading.steadyMs - state.last.steadyMs > hourMs) state = sureTime(state, plus(state.last, hourMs));
    state = sureTime(state, reading);
    sure.push(state.sureMs);
  }
  return sure.map((sureMs) => Math.round((sureMs / dayMs) * 100) / 100);
}

const plus = ({ nowMs, steadyMs }: ClockReading, ms: number): ClockReading => ({
  nowMs: nowMs + ms,
  steadyMs: steadyMs + ms,
});

describe('the time that history is forgotten by', () => {
  it.each<[string, number | null, (readonly [number, number])[], number[]]>([
    [
      'nothing is stored: none, until the clock has been steady',
      null,
      [
        [1_000, 0],
        [1_000.25, 6],
      ],
      [0, 1_000.25],
    ],
    [
      'goes on from what the last start has seen',
      1_000,
      [
        [1_001, 0],
        [1_001.25, 6],
      ],
      [1_000, 1_001.25],
    ],
    [
      'a step before the start is not believed',
      1_000,
      [
        [1_400, 0],
        [1_400.125, 3],
      ],
      [1_000, 1_000.13],
    ],
    [
      'until the clock has been steady for hours',
      1_000,
      [
        [1_400, 0],
        [1_400.2, 4.8],
        [1_400.25, 6],
      ],
      [1_000, 1_000.2, 1_400.25],
    ],
    [
      'a step while the app runs',
      1_000,
      [
        [1_000, 0],
        [1_001, 24],
        [1_401, 25],
        [1_401.2, 29.8],
      ],
      [1_000, 1_001, 1_001.04, 1_001.24],
    ],
    [
      'that is taken back',
      1_000,
      [
        [1_000, 0],
        [1_001, 24],
        [1_401, 25],
        [1_001.25, 30],
      ],
      [1_000, 1_001, 1_001.04, 1_001.25],
    ],
    [
      'each step begins the hours anew',
      1_000,
      [
        [1_400, 0],
        [1_400.2, 4.8],
        [1_500, 5],
        [1_500.2, 9.8],
      ],
      [1_000, 1_000.2, 1_000.21, 1_000.41],
    ],
    [
      'a clock that is behind',
      1_000,
      [
        [900, 0],
        [900.25, 6],
      ],
      [900, 900.25],
    ],
    [
      'a computer that has slept',
      1_000,
      [
        [1_000, 0],
        [1_001, 24],
        [1_003, 25],
        [1_003.25, 31],
      ],
      [1_000, 1_001, 1_001.04, 1_003.25],
    ],
  ])('%s', (_, seenDay, readings, expected) => {
    expect(sureDays(seenDay, readings)).toEqual(expected);
  });

  it('hours in which the computer slept say nothing, also where both clocks count them', () => {
    const begun = startSureTime(1_000 * dayMs, { nowMs: 1_400 * dayMs, steadyMs: 0 });
    const woken = sureTime(begun, plus(begun.last, 60 * hourMs));
    expect(woken.sureMs).toBe(1_002.5 * dayMs);
    expect(sureTime(woken, plus(woken.last, hourMs)).sureMs).toBe(1_002.5 * dayMs + hourMs);
  });
});
