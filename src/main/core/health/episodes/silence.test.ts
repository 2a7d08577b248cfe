import { describe, expect, it } from 'vitest';
import { foldIncidents } from '../../../../shared/health/incidents.ts';
import { noAnswer } from '../../../../shared/health/no-answer.ts';
import type { FailureEpisode, NodeState } from '../../../../shared/health/types.ts';
import { foldAnswer, restoreHistory, type CheckHistory } from './check-history.ts';
import { readReport } from '../ask/report.ts';
import { asOurs } from '../testing/clocks.ts';

const read = (...args: Parameters<typeof readReport>) => asOurs(readReport(...args));

const startMs = 1_700_000_000_000;

/** What a poll found: a report, nothing, or something that does not tell; `named` is a refusal that names the node. */
type Found = 'report' | 'silence' | 'unclear' | 'named';

/** One poll each 30 s, from the first; what is stored of the node not answering. */
function fold(found: readonly (Found | 'restart')[]): FailureEpisode[] {
  const stored = new Map<string, FailureEpisode>();
  let history: CheckHistory = restoreHistory(null, 0, []);
  let polledAtMs = startMs;
  let ids = 0;
  for (const each of found) {
    if (each === 'restart') {
      history = restoreHistory(
        history.lastReport,
        startMs,
        [...stored.values()].filter(({ endedAtMs }) => endedAtMs === null),
      );
    } else {
      const answer = {
        targetId: 'n',
        polledAtMs,
        reportedNodeId: each === 'named' ? 'NodeID-1' : null,
        reading: readingOf(each),
      };
      const step = foldAnswer('n', history, answer, () => `e${(ids += 1)}`);
      history = step.history;
      for (const episode of step.poll.episodes) stored.set(episode.id, episode);
      polledAtMs += 30_000;
    }
  }
  return [...stored.values()];
}

function readingOf(found: Found) {
  if (found === 'report') return read(200, '{"healthy":true,"checks":{}}');
  const state: NodeState = found === 'silence' ? 'unreachable' : 'unknown';
  return {
    kind: 'no-report' as const,
    state,
    reason: 'The node refused the connection.',
    error: { code: 'unreachable' as const, message: '' },
    failure: null,
  };
}

const at = (poll: number): number => startMs + poll * 30_000;

describe('a node that does not answer', () => {
  it.each<[string, Parameters<typeof fold>[0], Partial<FailureEpisode>[]]>([
    ['answers all the time', ['report', 'report'], []],
    [
      'does not answer',
      ['report', 'silence', 'silence'],
      [{ startedAtMs: at(1), endedAtMs: null, failuresSeen: 2 }],
    ],
    ['never did', ['silence'], [{ startedAtMs: at(0), endedAtMs: null }]],
    [
      'answers again',
      ['report', 'silence', 'report'],
      [{ startedAtMs: at(1), endedAtMs: at(2), endKnownFrom: 'seen' }],
    ],
    [
      'answers with a refusal of its own',
      ['silence', 'silence', 'named'],
      [{ endedAtMs: at(2), endKnownFrom: 'seen' }],
    ],
    [
      'is behind something that does not tell',
      ['silence', 'silence', 'unclear'],
      [{ endedAtMs: null, failuresSeen: 2 }],
    ],
    [
      'seemed silent once, when we saw nothing',
      ['report', 'silence', 'unclear'],
      [{ endedAtMs: at(1), failuresSeen: 0 }],
    ],
    [
      'answers after the app was away',
      ['silence', 'silence', 'restart', 'report'],
      [{ endedAtMs: at(2), endKnownFrom: 'seen' }],
    ],
    [
      'is silent twice',
      ['silence', 'report', 'silence'],
      [{ endedAtMs: at(1) }, { startedAtMs: at(2), endedAtMs: null }],
    ],
  ])('%s', (_how, found, expected) => {
    const episodes = fold(found);
    expect(episodes).toMatchObject(expected.map((each) => ({ check: noAnswer, ...each })));
    expect(episodes).toHaveLength(expected.length);
  });

  it('is an incident of its own, and what is taken back is none', () => {
    const failing: FailureEpisode = {
      ...episode('network', at(1)),
      endedAtMs: at(2),
      endKnownFrom: 'seen',
      passes: 9,
    };
    const incidentsOf = (found: Parameters<typeof fold>[0], failAfter = 1) =>
      foldIncidents({
        nodeId: 'n',
        episodes: [failing, ...fold(found)],
        marks: [],
        chainChecks: new Set(['C']),
        thresholds: { failAfter, recoverAfter: 3 },
      }).map(({ leadingCheck, endedAtMs, parts }) => ({ leadingCheck, endedAtMs, parts: parts.length }));
    expect(incidentsOf(['report', 'silence', 'report'])).toEqual([
      { leadingCheck: noAnswer, endedAtMs: at(2), parts: 1 },
      { leadingCheck: 'network', endedAtMs: at(2), parts: 1 },
    ]);
    expect(incidentsOf(['report', 'silence', 'unclear'])).toHaveLength(1);
    expect(incidentsOf(['report', 'silence', 'report'], 2)).toEqual([]);
  });

  it('does not explain the failure of a chain', () => {
    const incidents = foldIncidents({
      nodeId: 'n',
      episodes: [{ ...episode(noAnswer, at(0)) }, { ...episode('C', at(1)) }],
      marks: [],
      chainChecks: new Set(['C']),
      thresholds: { failAfter: 1, recoverAfter: 1 },
    });
    expect(incidents.map(({ leadingCheck }) => leadingCheck)).toEqual(['C', noAnswer]);
  });
});

describe('a check without a name', () => {
  it('is not taken for the node', () => {
    const reading = read(503, '{"healthy":false,"checks":{"":{"error":"no"}}}');
    expect(reading.kind === 'report' && reading.report.checks.map(({ name }) => name)).toEqual(['(no name)']);
  });
});

function episode(check: string, startedAtMs: number): FailureEpisode {
  return {
    id: `of-${check}`,
    check,
    startedAtMs,
    startKnownFrom: 'seen',
    endedAtMs: null,
    endKnownFrom: null,
    failuresSeen: 1,
    failuresReported: null,
    firstError: null,
    lastError: null,
    passes: 1,
  };
}
