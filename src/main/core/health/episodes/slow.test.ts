import { describe, expect, it } from 'vitest';
import { addPast, slowChecks, spanOfPastMs, usualWhenSlow, watchDurations, type Durations } from './slow.ts';

const durationsOfPast = (polls: Parameters<typeof addPast>[1][], nodeId: string | null) =>
  polls.reduce<ReadonlyMap<string, Durations>>((past, poll) => addPast(past, poll, nodeId), new Map());
const steady = (ms: number, count = 30): number[] => Array<number>(count).fill(ms);

describe('usualWhenSlow', () => {
  const truth: [string, number[], number | null][] = [
    ['nothing', [], null],
    ['too little of a past', [...steady(10, 19), 5_000, 5_000], null],
    ['just enough of a past', [...steady(10, 20), 5_000, 5_000], 10],
    ['what is usual', steady(10), null],
    ['one slow run', [...steady(10), 5_000], null],
    ['two slow runs with a quick one in between', [...steady(10), 5_000, 10, 5_000], null],
    ['two slow runs', [...steady(10), 5_000, 4_000], 10],
    ['three times as long, but not by 250 ms', [...steady(10), 200, 200], null],
    ['longer by 250 ms, but not three times', [...steady(1_000), 2_000, 2_000], null],
    ['just three times as long', [...steady(1_000), 3_000, 3_000], null],
    ['against the middle of an even past', [...steady(30, 10), ...steady(10, 10), 5_000, 5_000], 20],
    ['against the middle of an odd past', [...steady(30, 11), ...steady(10, 10), 5_000, 5_000], 30],
    ['three times as long', [...steady(1_000), 3_001, 3_001], 1_000],
    [
      'a check that always varied so much',
      [...Array.from({ length: 30 }, (_, i) => (i % 3) * 1_000), 4_000, 4_000],
      null,
    ],
    ['quicker than usual', [...steady(5_000), 1, 1], null],
    ['a few odd runs in a quiet past', [...steady(10, 27), 9_000, 9_000, 9_000, 1_000, 1_000], 10],
    ['what has been slow for as long as it is remembered', steady(5_000, 120), null],
  ];
  it.each(truth)('%s', (_what, pastMs, usualMs) => {
    expect(usualWhenSlow(pastMs)).toBe(usualMs);
  });

  it('never calls a check slow that varies within its own range', () => {
    let state = 7;
    const next = (): number => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
    for (let series = 0; series < 200; series += 1) {
      const scaleMs = 10 ** (next() * 4);
      const pastMs = Array.from({ length: 120 }, () => scaleMs * (1 + next()));
      expect(usualWhenSlow(pastMs)).toBeNull();
    }
  });
});

describe('watchDurations', () => {
  const run = (ranAtMs: number | null, durationNs: string | null) => [{ name: 'C', ranAtMs, durationNs }];
  const past = (known: ReadonlyMap<string, Durations>): readonly number[] | undefined =>
    known.get('C')?.pastMs;

  it('takes each run once, in milliseconds', () => {
    let known = watchDurations(new Map(), run(1_000, '1500000'));
    known = watchDurations(known, run(1_000, '1500000'));
    known = watchDurations(known, run(2_000, '99999999999999999999'));
    expect(past(known)).toEqual([1.5, 1e14]);
  });

  it('keeps what it knows of a run without time or duration, and forgets a check that is gone', () => {
    const known = watchDurations(new Map(), run(1_000, '1000000'));
    expect(past(watchDurations(known, run(2_000, null)))).toEqual([1]);
    expect(past(watchDurations(known, run(null, '5')))).toEqual([1]);
    expect(watchDurations(known, [])).toEqual(new Map());
    expect(watchDurations(new Map(), run(null, null))).toEqual(new Map());
  });

  it('remembers 120 runs', () => {
    let known: ReadonlyMap<string, Durations> = new Map();
    for (let index = 0; index < 200; index += 1) known = watchDurations(known, run(index, `${index}000000`));
    expect(past(known)).toHaveLength(120);
    expect(past(known)?.at(0)).toBe(80);
  });
});

describe('slowChecks', () => {
  it('names the slow ones, the slowest against its usual first', () => {
    const byCheck = new Map([
      ['fine', { ranAtMs: 1, pastMs: steady(10) }],
      ['slow', { ranAtMs: 1, pastMs: [...steady(100), 1_000, 1_000] }],
      ['slower', { ranAtMs: 1, pastMs: [...steady(10), 900, 900] }],
    ]);
    expect(slowChecks(byCheck)).toEqual([
      { check: 'slower', nowMs: 900, usualMs: 10 },
      { check: 'slow', nowMs: 1_000, usualMs: 100 },
    ]);
  });
});

describe('the durations of stored polls', () => {
  const poll = (
    reportedNodeId: string | null,
    ...checks: [name: string, ranAtMs: number, tookMs: number | null][]
  ) => ({
    reportedNodeId,
    reportJson: JSON.stringify({
      healthy: true,
      checks: checks.map(([name, ranAtMs, tookMs]) => ({
        name,
        state: 'pass',
        error: null,
        message: null,
        ranAtMs,
        durationNs: tookMs === null ? null : String(tookMs * 1e6),
        contiguousFailures: null,
        firstFailureAtMs: null,
      })),
      notes: [],
    }),
  });

  it('are one a run, of those that tell how long they took', () => {
    const polls = [
      poll('a', ['C', 1, 5], ['P', 1, null]),
      poll('a', ['C', 1, 5], ['P', 2, null]),
      { reportedNodeId: null, reportJson: null },
      { reportedNodeId: 'a', reportJson: '{"healthy":' },
      poll(null, ['C', 2, 7]),
    ];
    expect(durationsOfPast(polls, 'a')).toEqual(new Map([['C', { ranAtMs: 2, pastMs: [5, 7] }]]));
  });

  it('are not those of another node, and no more than are kept', () => {
    const polls = Array.from({ length: 500 }, (_, at) => poll(at % 2 === 0 ? 'a' : 'b', ['C', at, at]));
    const past = durationsOfPast(polls, 'b').get('C');
    expect(past?.pastMs).toHaveLength(120);
    expect(past).toMatchObject({ ranAtMs: 499 });
    expect(past?.pastMs.slice(-2)).toEqual([497, 499]);
    expect(durationsOfPast(polls, null).get('C')?.pastMs.slice(-2)).toEqual([498, 499]);
  });

  it('are looked for as far back as many runs go, and a day at most', () => {
    expect(spanOfPastMs(30_000)).toBe(3_600_000);
    expect(spanOfPastMs(3_600_000)).toBe(86_400_000);
  });
});
