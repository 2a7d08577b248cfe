import { describe, expect, it } from 'vitest';
import { crossingOf, fitLimits, type Point } from './trend.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const startMs = 1_700_000_000_000;

/** Uniform numbers from 0 to 1, the same for the same seed. */
function chance(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function normal(fraction: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - fraction())) * Math.cos(2 * Math.PI * fraction());
}

/** One point an hour. */
const series = (count: number, valueAt: (hour: number) => number): Point[] =>
  Array.from({ length: count }, (_, hour) => ({ atMs: startMs + hour * hourMs, value: valueAt(hour) }));
const daysAhead = (points: readonly Point[], atMs: number): number =>
  (atMs - (points.at(-1)?.atMs ?? 0)) / dayMs;

describe('crossingOf', () => {
  it('gives the day of a clean line, and no range around it', () => {
    // 1 a day; at the end it is 20 with the threshold at 11.
    const points = series(169, (hour) => 27 - hour / 24);
    const crossing = crossingOf(points, 11, 'falling');
    expect(crossing).not.toBeNull();
    if (crossing === null) return;
    expect(daysAhead(points, crossing.atMs)).toBeCloseTo(9, 6);
    expect(daysAhead(points, crossing.earliestMs)).toBeCloseTo(9, 6);
    expect(daysAhead(points, crossing.latestMs)).toBeCloseTo(9, 6);
  });

  it('does the same for a figure that rises, and for points in any order', () => {
    const points = series(100, (hour) => hour / 24).reverse();
    const crossing = crossingOf(points, 10, 'rising');
    expect(crossing?.atMs).toBeCloseTo(startMs + 10 * dayMs, -1);
  });

  const fraction = chance(1);
  const noise = Array.from({ length: 400 }, () => normal(fraction));
  const noisy = (hour: number, amount: number): number => (noise[hour] ?? 0) * amount;

  it.each<[string, Point[], number, boolean]>([
    ['a good line', series(120, (hour) => 100 - hour / 4 + noisy(hour, 1)), 40, true],
    ['too few points', series(fitLimits.fewestPoints - 1, (hour) => 100 - hour), 50, false],
    ['just enough points', series(fitLimits.fewestPoints, (hour) => 100 - hour), 50, true],
    [
      'too short a span',
      series(100, (hour) => 100 - hour / 4).map(({ atMs, value }) => ({
        atMs: startMs + (atMs - startMs) / 10,
        value,
      })),
      60,
      false,
    ],
    [
      'all at one moment',
      series(50, (hour) => hour).map(({ value }) => ({ atMs: startMs, value })),
      60,
      false,
    ],
    ['noise', series(150, (hour) => 50 + noisy(hour, 5)), 10, false],
    ['a constant', series(150, () => 50), 10, false],
    ['the other way', series(150, (hour) => 50 + hour), 10, false],
    ['past the threshold', series(150, (hour) => 200 - hour), 60, false],
    ['a slope lost in noise', series(150, (hour) => 50 - hour / 100 + noisy(hour, 5)), 10, false],
    ['down and up again', series(150, (hour) => 50 + Math.abs(hour - 75) / 5), 10, false],
    ['one step', series(150, (hour) => (hour < 75 ? 50 : 40)), 10, false],
    ['a saw', series(150, (hour) => 50 - (hour % 30)), 10, false],
    ['as far ahead as six times the span', series(150, (hour) => 1_000 - hour), 0, true],
    ['further ahead', series(150, (hour) => 1_200 - hour), 0, false],
    ['outliers in a good line', series(120, (hour) => (hour % 12 === 0 ? 0 : 100 - hour / 4)), 40, true],
    ['a good line until room was made', series(123, (hour) => (hour < 120 ? 100 - hour / 4 : 95)), 40, false],
    ['one better hour at its end', series(121, (hour) => (hour < 120 ? 100 - hour / 4 : 95)), 40, true],
    [
      'a good line that has become worse',
      series(123, (hour) => (hour < 120 ? 100 - hour / 4 : 55)),
      40,
      true,
    ],
    ['a figure in steps', series(170, (hour) => Math.floor(60 - hour / 24)), 30, true],
  ])('%s', (_, points, threshold, isShown) => {
    expect(crossingOf(points, threshold, 'falling') !== null).toBe(isShown);
  });

  /** Noise in which each value resembles the one before. */
  function similarNoise(seed: number, likeness: number): (hour: number) => number {
    const next = chance(seed);
    let value = 0;
    const values = Array.from({ length: 400 }, () => {
      value = likeness * value + Math.sqrt(1 - likeness ** 2) * normal(next);
      return value;
    });
    return (hour) => values[hour] ?? 0;
  }

  it.each([
    [0, 0],
    [0.5, 0],
    // Two days of noise in which each hour is much like the last do look like a trend now and then.
    [0.8, 2],
  ])('reads nothing into 2,000 series of noise with likeness %d, but for %d', (likeness, most) => {
    let misread = 0;
    for (let seed = 0; seed < 1_000; seed += 1) {
      const at = similarNoise(seed, likeness);
      const points = series(48, (hour) => 50 + 5 * at(hour));
      if (crossingOf(points, 10, 'falling') !== null) misread += 1;
      if (crossingOf(points, 90, 'rising') !== null) misread += 1;
    }
    expect(misread).toBeLessThanOrEqual(most);
  });

  it.each([0, 0.5])('has the truth in its range at least nine times in ten, likeness %d', (likeness) => {
    let shown = 0;
    let right = 0;
    for (let seed = 0; seed < 500; seed += 1) {
      const at = similarNoise(seed + 10_000, likeness);
      const perHour = 0.1 + (seed % 10) / 20;
      const points = series(72, (hour) => 100 - perHour * hour + 1.5 * at(hour));
      const left = 100 - perHour * 71 - 40;
      if (left <= 0) continue;
      const truthMs = startMs + (71 + left / perHour) * hourMs;
      const crossing = crossingOf(points, 40, 'falling');
      if (crossing === null) continue;
      shown += 1;
      if (crossing.earliestMs <= truthMs && truthMs <= crossing.latestMs) right += 1;
      expect(crossing.earliestMs).toBeLessThanOrEqual(crossing.atMs);
      expect(crossing.atMs).toBeLessThanOrEqual(crossing.latestMs);
    }
    expect(shown).toBeGreaterThan(200);
    expect(right / shown).toBeGreaterThanOrEqual(0.9);
  });

  it('allows for a threshold that is not known exactly', () => {
    const points = series(100, (hour) => 100 - hour / 4);
    const exact = crossingOf(points, 50, 'falling');
    const vague = crossingOf(points, 50, 'falling', 3);
    expect(vague?.atMs).toBe(exact?.atMs);
    expect(vague?.earliestMs).toBeCloseTo((exact?.atMs ?? 0) - 12 * hourMs, -1);
    expect(vague?.latestMs).toBeCloseTo((exact?.atMs ?? 0) + 12 * hourMs, -1);
  });
});
