import { describe, expect, it } from 'vitest';
import { createFakeTime } from '../health/testing/fake-ports.ts';
import { Silences, watchSilence, type Silence } from './silence.ts';

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

describe('the silence of nodes', () => {
  function build() {
    const time = createFakeTime();
    const due: string[] = [];
    const silences = new Silences({ ...time, dueMs: () => 90_000, onDue: (nodeId) => due.push(nodeId) });
    return { time, due, silences };
  }

  it('is due after its time, between two polls, once', async () => {
    const { time, due, silences } = build();
    for (let poll = 0; poll < 3; poll += 1) {
      silences.polled('a', true);
      await time.advance(40_000);
      expect(due).toEqual(poll === 2 ? ['a'] : []);
    }
    expect(silences.ms('a')).toBe(90_000);
    silences.polled('a', true);
    await time.advance(200_000);
    expect(due).toEqual(['a']);
    expect(silences.ms('a')).toBe(120_000);
    silences.polled('a', false);
    expect(silences.ms('a')).toBe(0);
  });

  it.each<[string, (built: ReturnType<typeof build>) => void]>([
    ['an answer', ({ silences }) => silences.polled('a', false)],
    ['its node having been removed', ({ silences }) => silences.forget('a')],
    ['the end', ({ silences }) => silences.clear()],
    ['a sleep', ({ time }) => time.stepClock(600_000)],
  ])('is not due after %s', async (_what, happens) => {
    const built = build();
    const { time, due, silences } = built;
    silences.polled('a', true);
    await time.advance(50_000);
    silences.polled('a', true);
    await time.advance(30_000);
    happens(built);
    await time.advance(60_000);
    expect(silences.ms('a')).toBe(0);
    expect(due).toEqual([]);
  });
});
