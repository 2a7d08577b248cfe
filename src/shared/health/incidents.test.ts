import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { causeReachMs, foldIncidents, noteMarks, onsetWindowMs, type IncidentHistory } from './incidents.ts';
import { noAnswer } from './no-answer.ts';
import type { FailureEpisode, Incident } from './types.ts';

const minuteMs = 60_000;
const chains = new Set(['C', 'P', 'X']);

/** `C 0-5`: check C fails from minute 0 to minute 5; without an end it still fails. Its id is its text. */
function episode(text: string, fields: Partial<FailureEpisode> = {}): FailureEpisode {
  const [check = '', span = ''] = text.split(' ');
  const [from = '', to = ''] = span.split('-');
  return {
    id: text,
    check,
    startedAtMs: Number(from) * minuteMs,
    startKnownFrom: 'seen',
    endedAtMs: to === '' ? null : Number(to) * minuteMs,
    endKnownFrom: to === '' ? null : 'seen',
    failuresSeen: 1,
    failuresReported: null,
    firstError: `${check} is down`,
    lastError: null,
    passes: 1,
    ...fields,
  };
}

const fold = (episodes: readonly FailureEpisode[], more: Partial<IncidentHistory> = {}): Incident[] =>
  foldIncidents({
    nodeId: 'n',
    episodes,
    marks: [],
    chainChecks: chains,
    thresholds: { failAfter: 1, recoverAfter: 1 },
    ...more,
  });
const shape = (incidents: readonly Incident[]): string[] =>
  incidents
    .map(({ id, parts }) => [id, ...parts.map((part) => part.id).filter((part) => part !== id)].join(' + '))
    .reverse();

describe('which failures are one incident', () => {
  it('is the same while the last report has no such check', () => {
    const episodes = ['P 0-5', 'network 1-6'].map((text) => episode(text));
    expect(shape(fold(episodes, { chainChecks: new Set() }))).toEqual(shape(fold(episodes)));
  });

  it.each<[string, string[], string[]]>([
    ['nothing', [], []],
    ['one failure', ['C 0-5'], ['C 0-5']],
    [
      'onsets within the window: one, and the global check leads',
      ['C 0-5', 'network 2-6'],
      ['network 2-6 + C 0-5'],
    ],
    ['onsets beyond it, the chain first: two', ['C 0-9', 'network 2.1-6'], ['C 0-9', 'network 2.1-6']],
    [
      'over before the other began, but within the window: one',
      ['C 0-0.5', 'P 1.5-3'],
      ['C 0-0.5 + P 1.5-3'],
    ],
    [
      'the window counts from the onset of the incident',
      ['C 0-9', 'P 1.5-9', 'X 3-9'],
      ['C 0-9 + P 1.5-9', 'X 3-9'],
    ],
    ['a chain fails while a global check does', ['network 0-60', 'C 20-30'], ['network 0-60 + C 20-30']],
    ['a chain fails while a global check still does', ['network 0', 'C 20'], ['network 0 + C 20']],
    [
      'a chain fails at the end of a global failure',
      ['network 0-20', 'C 20-30'],
      ['network 0-20', 'C 20-30'],
    ],
    ['a chain fails an hour after a global check', ['network 0-90', 'C 60-70'], ['network 0-90 + C 60-70']],
    ['a chain fails later than an hour', ['network 0-90', 'C 60.1-70'], ['network 0-90', 'C 60.1-70']],
    ['a chain does not explain a chain', ['C 0-60', 'P 20-30'], ['C 0-60', 'P 20-30']],
    ['a chain does not explain a global check', ['C 0-60', 'network 20-30'], ['C 0-60', 'network 20-30']],
    [
      'a global check does not explain a global check',
      ['disk 0-60', 'network 20-30'],
      ['disk 0-60', 'network 20-30'],
    ],
    ['global checks together: the first leads', ['router 1-5', 'network 0-5'], ['network 0-5 + router 1-5']],
    [
      'at the same moment global before chain, then the name',
      ['C 0', 'router 0', 'network 0'],
      ['network 0 + router 0 + C 0'],
    ],
    ['the same check again is another incident', ['C 0-0.5', 'C 1-1.5'], ['C 0-0.5', 'C 1-1.5']],
    [
      'unless a global failure explains both',
      ['network 0-9', 'C 0-0.5', 'C 1-1.5'],
      ['network 0-9 + C 0-0.5 + C 1-1.5'],
    ],
    [
      'of two causes the one with the later onset',
      ['disk 0-60', 'network 20-60', 'C 25-30'],
      ['disk 0-60', 'network 20-60 + C 25-30'],
    ],
    [
      'flaps of two checks that fail together stay in pairs',
      ['network 0-0.5', 'C 0-0.5', 'network 1-1.5', 'C 1-1.5'],
      ['network 0-0.5 + C 0-0.5', 'network 1-1.5 + C 1-1.5'],
    ],
    [
      'one that failed later does not prolong the reach of one that failed before',
      ['network 0-90', 'disk 1.5-5', 'C 60.5-70'],
      ['network 0-90 + disk 1.5-5', 'C 60.5-70'],
    ],
    [
      'that the node was silent is no failure of its checks',
      [`${noAnswer} 0-5`, 'C 1-5'],
      [`${noAnswer} 0-5`, 'C 1-5'],
    ],
    ['nor are theirs its silence', ['network 0-5', `${noAnswer} 1-5`], ['network 0-5', `${noAnswer} 1-5`]],
    ['and it explains none', [`${noAnswer} 0-60`, 'C 20-30'], [`${noAnswer} 0-60`, 'C 20-30']],
  ])('%s', (_, texts, expected) => {
    expect(shape(fold(texts.map((text) => episode(text))))).toEqual(expected);
  });

  it('are in order of their names where they began together, whatever their ids', () => {
    const [incident] = fold([episode('network 0', { id: 'a' }), episode('disk 0', { id: 'b' })]);
    expect(incident?.parts.map(({ check }) => check)).toEqual(['disk', 'network']);
  });

  it('has limits that its words name', () => {
    expect([onsetWindowMs, causeReachMs]).toEqual([2 * minuteMs, 60 * minuteMs]);
  });
});

describe('what an incident says', () => {
  it('takes start, end and first error from its parts', () => {
    const [incident] = fold([
      episode('C 0-20', { startKnownFrom: 'node-reported', failuresReported: 40, failuresSeen: 3 }),
      episode('network 1-5', { firstError: null, endKnownFrom: 'inferred' }),
    ]);
    expect(incident).toEqual({
      id: 'network 1-5',
      nodeId: 'n',
      startedAtMs: 0,
      startKnownFrom: 'node-reported',
      endedAtMs: 20 * minuteMs,
      endKnownFrom: 'seen',
      leadingCheck: 'network',
      firstError: 'C is down',
      parts: [
        {
          id: 'C 0-20',
          check: 'C',
          startedAtMs: 0,
          startKnownFrom: 'node-reported',
          endedAtMs: 20 * minuteMs,
          endKnownFrom: 'seen',
          failures: 40,
          firstError: 'C is down',
        },
        expect.objectContaining({
          id: 'network 1-5',
          failures: 1,
          endKnownFrom: 'inferred',
          firstError: null,
        }),
      ],
      worst: [],
      gone: [],
      note: '',
    } satisfies Record<keyof Incident, unknown>);
  });

  it('ends with the last of its parts', () => {
    const inferred = episode('network 1-9', { endKnownFrom: 'inferred' });
    for (const episodes of [
      [episode('C 0-5'), inferred],
      [inferred, episode('C 2-5')],
    ]) {
      expect(fold(episodes)).toMatchObject([{ endedAtMs: 9 * minuteMs, endKnownFrom: 'inferred' }]);
    }
  });

  it('tells the first error that there is', () => {
    const silent = { firstError: null };
    expect(fold([episode('network 0', silent), episode('C 1')])).toMatchObject([{ firstError: 'C is down' }]);
    expect(fold([episode('network 0', silent), episode('C 1', silent)])).toMatchObject([
      { firstError: null },
    ]);
  });

  it('lasts while one of its checks fails', () => {
    expect(fold([episode('network 0-5'), episode('C 1')])).toMatchObject([
      { endedAtMs: null, endKnownFrom: null },
    ]);
  });

  it('knows its start as seen when one of the checks that began it was seen', () => {
    const reported = { startKnownFrom: 'node-reported' } as const;
    expect(fold([episode('C 0', reported), episode('P 0')])).toMatchObject([{ startKnownFrom: 'seen' }]);
    expect(fold([episode('C 0', reported), episode('P 1')])).toMatchObject([
      { startKnownFrom: 'node-reported' },
    ]);
  });

  it('stands newest start first', () => {
    expect(fold([episode('C 0-1'), episode('C 20-21'), episode('C 10-11')]).map(({ id }) => id)).toEqual([
      'C 20-21',
      'C 10-11',
      'C 0-1',
    ]);
  });
});

describe('thresholds', () => {
  // Failures and passes in a row of one check, in turns, beginning with failures; `1` at the end still fails.
  const history = (runs: readonly number[], thresholds: IncidentHistory['thresholds']): string[] => {
    const episodes: FailureEpisode[] = [];
    let minute = 0;
    for (let index = 0; index < runs.length; index += 2) {
      const failures = runs[index] ?? 0;
      const end = runs[index + 1] === undefined ? '' : String(minute + failures);
      episodes.push(episode(`C ${minute}-${end}`, { failuresSeen: failures, passes: runs[index + 1] ?? 0 }));
      minute += failures + (runs[index + 1] ?? 0);
    }
    return fold(episodes, { thresholds })
      .map(({ startedAtMs, endedAtMs, parts }) =>
        [startedAtMs / minuteMs, endedAtMs === null ? '…' : endedAtMs / minuteMs, parts[0]?.failures].join(
          ' ',
        ),
      )
      .reverse();
  };

  it.each<[number, number, number[], string[]]>([
    [1, 1, [1, 1, 1, 1], ['0 1 1', '2 3 1']],
    [1, 1, [2], ['0 … 2']],
    [2, 1, [1, 1, 2, 1], ['2 4 2']],
    [2, 1, [1], []],
    [3, 1, [2, 1, 2, 1], []],
    [1, 2, [1, 1, 1, 2], ['0 3 2']],
    [1, 2, [1, 2, 1, 2], ['0 1 1', '3 4 1']],
    [1, 2, [1, 1], ['0 … 1']],
    [3, 2, [3, 1, 1, 2], ['0 5 4']],
    [3, 2, [2, 1, 3, 2], ['3 6 3']],
    [3, 2, [3, 1, 1, 1, 1, 5], ['0 7 5']],
    [3, 2, [3, 2, 1, 1, 3, 2], ['0 3 3', '7 10 3']],
    [3, 2, [3, 1, 1, 1], ['0 … 4']],
  ])('fail after %d, recover after %d, runs %j', (failAfter, recoverAfter, runs, expected) => {
    expect(history(runs, { failAfter, recoverAfter })).toEqual(expected);
  });

  it('joins no failure to one that ended after it, or lasts: it is of a time when our clock was ahead', () => {
    const more = { thresholds: { failAfter: 1, recoverAfter: 2 } };
    const ahead = episode('C 60-60', { passes: 2 });
    expect(shape(fold([ahead, episode('C 10-', { passes: 0 })], more))).toEqual(['C 10-', 'C 60-60']);
    expect(shape(fold([ahead, episode('C 10-65')], more))).toEqual(['C 10-65', 'C 60-60']);
    // But to one that was taken for its end; our clock was set back during this one.
    expect(fold([episode('C 50-60', { passes: 1 }), ahead], more)).toMatchObject([
      { endedAtMs: 60 * minuteMs },
    ]);
    // It is another one.
    expect(shape(fold([ahead, episode('C 10-20', { passes: 1 })], more))).toEqual(['C 10-20', 'C 60-60']);
  });

  it('is over where the next failure is no part of it, although its own passes are counted no longer', () => {
    const more = { thresholds: { failAfter: 1, recoverAfter: 2 } };
    // Our clock was set back during the second one.
    const both = [episode('C 10-20', { passes: 1 }), episode('C 21-21', { passes: 2 })];
    expect(fold(both, more)).toMatchObject([{ endedAtMs: 21 * minuteMs }, { endedAtMs: 20 * minuteMs }]);
  });

  it('wait for no passing run of a check that is not reported any more', () => {
    const gone = episode('C 0-9', { endKnownFrom: 'unreported' });
    const more = { thresholds: { failAfter: 1, recoverAfter: 3 } };
    expect(fold([gone], more)).toMatchObject([{ endedAtMs: 9 * minuteMs, endKnownFrom: 'unreported' }]);
    expect(fold([gone, episode('C 10')], more)).toMatchObject([
      { startedAtMs: 10 * minuteMs, endedAtMs: null },
      { startedAtMs: 0, endedAtMs: 9 * minuteMs },
    ]);
  });

  it('join failures of one check in order of time, with the first error of them', () => {
    const more = { thresholds: { failAfter: 1, recoverAfter: 3 } };
    const episodes = [episode('C 4-5'), episode('C 0-1', { firstError: null }), episode('C 2-3')];
    expect(fold(episodes, more)).toMatchObject([
      { id: 'C 0-1', startedAtMs: 0, endedAtMs: null, parts: [{ failures: 3, firstError: 'C is down' }] },
    ]);
  });

  it('wait for no passing run of a node that answers again', () => {
    const more = { thresholds: { failAfter: 1, recoverAfter: 3 } };
    expect(fold([episode(`${noAnswer} 0-5`)], more)).toMatchObject([{ endedAtMs: 5 * minuteMs }]);
  });

  it('count failures that the node reported but nobody saw', () => {
    const reported = [episode('C 0-9', { failuresReported: 7 })];
    expect(fold(reported, { thresholds: { failAfter: 7, recoverAfter: 1 } })).toHaveLength(1);
    expect(fold(reported, { thresholds: { failAfter: 8, recoverAfter: 1 } })).toHaveLength(0);
  });
});

describe('a note', () => {
  it('of each part is told, that of the leading one first', () => {
    const marks = [
      { episodeId: 'C 0-5', note: 'disk full' },
      { episodeId: 'network 1-5', note: 'seen it' },
    ];
    expect(fold([episode('C 0-5'), episode('network 1-5')], { marks })).toMatchObject([
      { note: 'seen it\n\ndisk full' },
    ]);
  });

  it('stays when another check comes to lead, and is one note when it is changed', () => {
    const note = { episodeId: 'C 0-5', note: 'seen it' };
    const [incident] = fold([episode('C 0-5'), episode('network 1-5')], { marks: [note] });
    expect(incident).toMatchObject({ id: 'network 1-5', note: 'seen it' });
    if (incident === undefined) return;
    expect(noteMarks(incident, 'known', [note])).toEqual([
      { ...note, note: '' },
      { episodeId: 'network 1-5', note: 'known' },
    ]);
    expect(noteMarks({ ...incident, parts: incident.parts.slice(1) }, '', [])).toEqual([]);
  });
});

describe('any history', () => {
  const anEpisode = fc
    .record({
      check: fc.constantFrom('network', 'disk', 'C', 'P', 'X'),
      from: fc.integer({ min: 0, max: 200 }),
      length: fc.option(fc.integer({ min: 0, max: 90 })),
    })
    .map(({ check, from, length }) => episode(`${check} ${from}-${length === null ? '' : from + length}`));
  const anyEpisodes = fc.uniqueArray(anEpisode, { selector: ({ id }) => id, maxLength: 40 });

  it('gives the same incidents to the byte in whatever order it comes, and loses no failure', () => {
    fc.assert(
      fc.property(
        anyEpisodes.chain((list) =>
          fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
        ),
        fc.array(fc.tuple(fc.nat(39), fc.string()), { maxLength: 6 }),
        ([episodes, shuffled], notes) => {
          const marks = notes.map(([of, note]) => ({ episodeId: episodes[of]?.id ?? 'none', note }));
          const incidents = fold(episodes, { marks });
          expect(JSON.stringify(fold(shuffled, { marks }))).toBe(JSON.stringify(incidents));
          const ids = incidents.flatMap(({ parts }) => parts.map(({ id }) => id));
          expect(ids.sort()).toEqual(episodes.map(({ id }) => id).sort());
          for (const { id, parts, startedAtMs } of incidents) {
            expect(parts.map((part) => part.id)).toContain(id);
            expect(startedAtMs).toBe(Math.min(...parts.map((part) => part.startedAtMs)));
          }
        },
      ),
    );
  });

  it('folds a year of a node whose 5,000 checks all fail and pass within a second', () => {
    const episodes = Array.from({ length: 100_000 }, (_, index) => {
      const check = index % 5_000;
      const from = Math.floor(index / 5_000);
      return episode(`c${check} ${from}-${from + 0.5}`);
    });
    expect(fold(episodes)).toHaveLength(20);
  });
});
