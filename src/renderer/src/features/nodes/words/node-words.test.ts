import { describe, expect, it } from 'vitest';
import { noAnswer } from '../../../../../shared/health/no-answer.ts';
import type { NodeStatus, StripCell } from '../../../../../shared/health/types.ts';
import { sampleNodes } from '../../../testing/sample-health.ts';
import {
  episodeCounts,
  episodeSpan,
  heardOfMs,
  failingNow,
  nodeLabel,
  sinceWords,
  spanOf,
  spansOf,
} from './node-words.ts';

const nowMs = Date.UTC(2026, 8, 16, 14, 5, 7);
const hourMs = 3_600_000;

function cell(part: Partial<StripCell>): StripCell {
  return {
    fromMs: Date.UTC(2026, 8, 16, 14),
    toMs: Date.UTC(2026, 8, 16, 14, 15),
    state: 'pass',
    runs: 30,
    failures: 0,
    error: null,
    ...part,
  };
}

describe('a cell of a strip', () => {
  const check = { check: 'C', cells: [] };
  const node = { check: null, cells: [] };

  it.each([
    [check, {}, 'pass', '2026-09-16 14:00 – 14:15 · Passing, 30 runs'],
    [
      check,
      { state: 'fail', failures: 4, error: 'too\nslow' },
      'fail',
      '2026-09-16 14:00 – 14:15 · Failing, 4 of 30 runs failed: too slow',
    ],
    [check, { state: 'stalled' }, 'stalled', '2026-09-16 14:00 – 14:15 · Not running, 30 runs'],
    [node, { state: 'stalled' }, 'stalled', '2026-09-16 14:00 – 14:15 · Not running its checks, 30 polls'],
    [node, { state: 'unknown', runs: 1 }, 'idle', '2026-09-16 14:00 – 14:15 · Not observed, 1 poll'],
    [node, { state: 'none', runs: 0 }, 'none', '2026-09-16 14:00 – 14:15 · No data'],
  ] as const)('%j %j', (strip, part, tone, words) => {
    expect(spanOf(cell(part), { ...strip, cells: [] })).toEqual({ tone, words });
  });

  it('of a whole day is told by its date, and one over midnight by both dates', () => {
    const fromMs = Date.UTC(2026, 8, 16);
    for (const hours of [23, 24, 25]) {
      const day = spanOf(cell({ fromMs, toMs: fromMs + hours * hourMs }), check);
      expect(day.words).toBe('2026-09-16 · Passing, 30 runs');
    }
    const night = spanOf(cell({ fromMs: fromMs + 16 * hourMs, toMs: fromMs + 24 * hourMs }), check);
    expect(night.words).toContain('2026-09-16 16:00 – 2026-09-17 00:00');
  });
});

describe('a strip of what was first watched inside of it', () => {
  const quarter = hourMs / 4;
  const cells = (...states: StripCell['state'][]) =>
    states.map((state, index) =>
      cell({ state, fromMs: nowMs + index * quarter, toMs: nowMs + (index + 1) * quarter }),
    );

  it('tells apart what was not watched yet from what is not known', () => {
    const strip = { check: 'C', cells: cells('none', 'none', 'none', 'pass') };
    const tones = (sinceMs: number) => spansOf(strip, sinceMs).map(({ tone }) => tone);
    expect(tones(nowMs + 2 * quarter)).toEqual([null, null, 'none', 'pass']);
    expect(tones(nowMs + 2 * quarter - 1)).toEqual([null, 'none', 'none', 'pass']);
    expect(tones(0)).toEqual(['none', 'none', 'none', 'pass']);
    expect(spansOf(strip, nowMs + quarter)[0]?.words).toBe('2026-09-16 14:05 – 14:20 · Not watched yet');
  });

  it('hides no run that the first poll saw, however old', () => {
    const strip = { check: null, cells: cells('none', 'fail', 'none', 'pass') };
    const tones = spansOf(strip, nowMs + 3.5 * quarter).map(({ tone }) => tone);
    expect(tones).toEqual([null, 'fail', 'none', 'pass']);
  });

  it.each([
    [nowMs, false, 'Watched since 2026-09-16 14:05'],
    [nowMs, true, 'Recorded since 2026-09-16 14:05'],
    [nowMs - hourMs, false, null],
    [1, false, null],
  ])('says since when: %i', (sinceMs, isRecorded, words) => {
    expect(sinceWords(sinceMs, nowMs - hourMs, isRecorded)).toBe(words);
  });
});

describe('a node in a list', () => {
  const [healthy, unhealthy, , unreachable] = sampleNodes(nowMs);
  if (!healthy || !unhealthy || !unreachable) throw new Error('the sample has four nodes');

  it('has its state in a word, or that it is paused', () => {
    expect(nodeLabel(healthy)).toEqual({ tone: 'pass', word: 'Healthy' });
    expect(nodeLabel({ ...healthy, state: 'stalled' })).toEqual({
      tone: 'stalled',
      word: 'Not running its checks',
    });
    expect(nodeLabel({ ...unhealthy, node: { ...unhealthy.node, paused: true } })).toEqual({
      tone: 'paused',
      word: 'Paused',
    });
  });

  it('counts failing checks only where the report is about now', () => {
    expect(failingNow(unhealthy)).toBe(2);
    expect(failingNow(healthy)).toBe(0);
    expect(failingNow(unreachable)).toBeNull();
    expect(failingNow({ ...unhealthy, node: { ...unhealthy.node, paused: true } })).toBeNull();
    expect(failingNow({ ...unhealthy, report: null })).toBeNull();
  });
});

describe('an episode', () => {
  const episode = {
    check: 'C',
    id: 'e1',
    startedAtMs: 0,
    startKnownFrom: 'seen',
    endedAtMs: 2 * hourMs,
    endKnownFrom: 'seen',
    failuresSeen: 3,
    failuresReported: 41,
    firstError: null,
    lastError: null,
    passes: 1,
  } as const;

  it('lasted, lasted at most, or lasts', () => {
    const at = { nowMs: 9e9, heardMs: null };
    expect(episodeSpan(episode, at)).toBe('2 h');
    expect(episodeSpan({ ...episode, endKnownFrom: 'inferred' }, at)).toBe('at most 2 h');
    expect(episodeSpan({ ...episode, endKnownFrom: 'unreported' }, at)).toBe('at most 2 h');
    const open = { ...episode, endedAtMs: null };
    expect(episodeSpan(open, { ...at, nowMs: hourMs })).toBe('Failing for 1 h');
    // Its node was last heard 23 minutes after the start, and nobody knows what is since.
    expect(episodeSpan(open, { ...at, nowMs: hourMs, heardMs: 23 * 60_000 })).toBe(
      'Failing for 23 min as of the last report (00:23)',
    );
    expect(episodeSpan(episode, { ...at, heardMs: 5 })).toBe('2 h');
  });

  it('is known to go on only while its node is heard', () => {
    const node = { id: 'n', paused: false } as NodeStatus['node'];
    const heard = { node, state: 'unhealthy', reportAtMs: 7, silentAtMs: 9 } as const;
    const heardMs = (check: string, ...nodes: Parameters<typeof heardOfMs>[2]['nodes']) =>
      heardOfMs(check, 'n', { nodes, recordings: [{ id: 'r', toMs: 5 }] });
    expect(heardMs('C', heard)).toBeNull();
    expect(heardMs('C', { ...heard, state: 'unreachable' })).toBe(7);
    expect(heardMs(noAnswer, { ...heard, state: 'unreachable' })).toBeNull();
    expect(heardMs(noAnswer, { ...heard, state: 'unreachable', node: { ...node, paused: true } })).toBe(9);
    // Our own network is down, since or before the app was started.
    expect(heardMs(noAnswer, { ...heard, state: 'unknown' })).toBe(9);
    expect(heardMs(noAnswer, { ...heard, state: 'unknown', silentAtMs: null })).toBe(7);
    expect(heardOfMs('C', 'r', { nodes: [heard], recordings: [{ id: 'r', toMs: 5 }] })).toBe(5);
  });

  it('tells what was seen from what was reported', () => {
    expect(episodeCounts(episode)).toBe('3 seen, 41 reported by the node');
    expect(episodeCounts({ ...episode, failuresReported: 3 })).toBe('3 seen');
    expect(episodeCounts({ ...episode, failuresReported: null })).toBe('3 seen');
  });
});
