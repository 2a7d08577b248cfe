import { describe, expect, it } from 'vitest';
import { createFakeTime } from '../health/testing/fake-ports.ts';
import { createSilences } from './silence.ts';

describe('the silence of nodes', () => {
  function build(dueMs = 90_000) {
    const time = createFakeTime();
    const due: string[] = [];
    const silences = createSilences({
      ...time,
      dueMs: () => dueMs,
      onDue: (nodeId) => due.push(nodeId),
      onSlept: () => undefined,
    });
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

  it('is not due between polls that are minutes apart', async () => {
    const { time, due, silences } = build(300_000);
    silences.polled('a', true);
    for (let seconds = 0; seconds < 590; seconds += 10) {
      await time.advance(10_000);
      silences.runs();
    }
    expect(due).toEqual([]);
    silences.polled('a', true);
    expect(silences.ms('a')).toBe(590_000);
  });

  /** Rows: seconds after the poll before, whether it was not answered, and what the clock of the day was set by before. */
  it.each<[string, [number, boolean, number?][], number]>([
    ['of one poll has not lasted', [[0, true]], 0],
    [
      'is as long as its polls',
      [
        [0, true],
        [60, true],
        [30, true],
      ],
      90,
    ],
    [
      'is as long as polls that are minutes apart',
      [
        [0, true],
        [5, true],
        [595, true],
      ],
      600,
    ],
    [
      'ends with an answer',
      [
        [0, true],
        [30, false],
      ],
      0,
    ],
    [
      'begins anew after one',
      [
        [0, true],
        [30, false],
        [30, true],
      ],
      0,
    ],
    [
      'begins anew after a sleep that only the clock of the day tells',
      [
        [0, true],
        [30, true, 3_600],
      ],
      0,
    ],
    [
      'begins anew after that clock was set back',
      [
        [0, true],
        [30, true, -60],
      ],
      0,
    ],
    [
      'goes on while it is adjusted',
      [
        [0, true],
        [60, true, 0.8],
      ],
      60,
    ],
  ])('%s', async (_what, polls, seconds) => {
    const { time, silences } = build();
    for (const [afterSeconds, isUnreachable, stepSeconds = 0] of polls) {
      for (let second = 0; second < afterSeconds; second += 5) {
        await time.advance(5_000);
        if (second % 30 === 0) silences.runs();
      }
      if (stepSeconds !== 0) time.stepClock(stepSeconds * 1_000);
      silences.polled('a', isUnreachable);
    }
    expect(silences.ms('a')).toBe(seconds * 1_000);
  });

  it('begins anew after the app has stood still', async () => {
    const { time, silences } = build();
    silences.polled('a', true);
    await time.advance(80_000);
    silences.polled('a', true);
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
