import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noAnswer } from '../../../../shared/health/no-answer.ts';
import { parseStoredReport } from '../../../../shared/health/stored.ts';
import type { FailureEpisode } from '../../../../shared/health/types.ts';
import type { StoredPoll } from '../../health-ports.ts';
import { foldAnswer, restoreHistory, type CheckHistory, type JudgedAnswer } from './check-history.ts';
import { readReport } from '../ask/report.ts';
import { asOurs } from '../testing/clocks.ts';

const read = (...args: Parameters<typeof readReport>) => asOurs(readReport(...args));

/** What the store gives after a start. */
const isCurrent = ({ endedAtMs, passes }: FailureEpisode): boolean => endedAtMs === null || passes < 20;

const periodMs = 30_000;
const startMs = 1_700_000_000_000;
const timeOfRun = (index: number): number => startMs + index * periodMs;

/** What a node says after its run `index`, if `results` are the results of its check so far. */
function answerOf(results: readonly boolean[], index: number): JudgedAnswer {
  let failures = 0;
  while (failures <= index && results[index - failures] === false) failures += 1;
  const at = (run: number): string => new Date(timeOfRun(run)).toISOString();
  const failing = {
    error: `failed ${failures} times`,
    contiguousFailures: failures,
    timeOfFirstFailure: at(index - failures + 1),
  };
  const check = { timestamp: at(index), duration: 1_000, ...(failures > 0 ? failing : {}) };
  const body = JSON.stringify({ healthy: failures === 0, checks: { C: check } });
  return {
    polledAtMs: timeOfRun(index) + 1_000,
    reading: read(failures === 0 ? 200 : 503, body),
    reportedNodeId: null,
  };
}

function run(
  results: readonly boolean[],
  polledRuns: readonly number[],
  restartBefore: (poll: number) => boolean,
): { episodes: FailureEpisode[]; polls: StoredPoll[] } {
  const stored = new Map<string, FailureEpisode>();
  const polls: StoredPoll[] = [];
  let history: CheckHistory = restoreHistory(null, 0, []);
  let ids = 0;
  for (const [poll, index] of polledRuns.entries()) {
    if (restartBefore(poll)) {
      const last = polls.at(-1);
      const open = [...stored.values()].filter(isCurrent);
      history = restoreHistory(parseStoredReport(last?.reportJson ?? ''), last?.polledAtMs ?? 0, open);
    }
    const step = foldAnswer('n', history, answerOf(results, index), () => `id-${(ids += 1)}`);
    history = step.history;
    polls.push(step.poll);
    for (const episode of step.poll.episodes) stored.set(episode.id, episode);
  }
  return { episodes: [...stored.values()], polls };
}

/** The failures as they were, with the runs at which they began and at which the check passed again. */
function truth(results: readonly boolean[]): { from: number; to: number | null }[] {
  const spans: { from: number; to: number | null }[] = [];
  for (const [index, passed] of results.entries()) {
    const last = spans.at(-1);
    if (!passed && (last === undefined || last.to !== null)) spans.push({ from: index, to: null });
    else if (passed && last?.to === null) last.to = index;
  }
  return spans;
}

const results = fc.array(fc.boolean(), { minLength: 1, maxLength: 60 });

describe('history of a check', () => {
  it('is exactly what happened when every run was seen', () => {
    fc.assert(
      fc.property(results, fc.func(fc.boolean()), (happened, restart) => {
        const { episodes } = run(happened, [...happened.keys()], restart);
        expect(
          episodes.map(({ startedAtMs, startKnownFrom, endedAtMs, endKnownFrom, failuresSeen }) => ({
            startedAtMs,
            startKnownFrom,
            endedAtMs,
            endKnownFrom,
            failuresSeen,
          })),
        ).toEqual(
          truth(happened).map(({ from, to }) => ({
            startedAtMs: timeOfRun(from),
            startKnownFrom: 'seen',
            endedAtMs: to === null ? null : timeOfRun(to),
            endKnownFrom: to === null ? null : 'seen',
            failuresSeen: (to ?? happened.length) - from,
          })),
        );
      }),
    );
  });

  it('finds every failure that lasted until a poll, with its true start, however few polls there were', () => {
    fc.assert(
      fc.property(results, fc.func(fc.boolean()), fc.func(fc.boolean()), (happened, isPolled, restart) => {
        const polled = [...happened.keys()].filter(isPolled);
        const { episodes } = run(happened, polled, restart);
        const seen = truth(happened)
          .map(({ from, to }) => ({ from, to: to ?? happened.length }))
          .map((span) => ({
            ...span,
            failures: polled.filter((index) => index >= span.from && index < span.to),
          }))
          .filter(({ failures }) => failures.length > 0);
        expect(
          episodes.map(({ startedAtMs, failuresSeen, failuresReported }) => ({
            startedAtMs,
            failuresSeen,
            failuresReported,
          })),
        ).toEqual(
          seen.map(({ from, failures }) => ({
            startedAtMs: timeOfRun(from),
            failuresSeen: failures.length,
            failuresReported: (failures.at(-1) ?? 0) - from + 1,
          })),
        );
        for (const [index, episode] of episodes.entries()) {
          const lastFailure = seen[index]?.failures.at(-1) ?? 0;
          const next = polled.find((poll) => poll > lastFailure);
          const begunAfter = episodes[index + 1]?.startedAtMs ?? null;
          if (next === undefined) expect(episode.endedAtMs).toBeNull();
          else if (happened[next] === true)
            expect(episode).toMatchObject({ endedAtMs: timeOfRun(next), endKnownFrom: 'seen' });
          else expect(episode).toMatchObject({ endedAtMs: begunAfter, endKnownFrom: 'inferred' });
        }
      }),
    );
  });

  it('stores each run once, however often it is polled', () => {
    const { polls } = run([true, false, true], [0, 0, 1, 1, 1, 2], (poll) => poll === 4);
    expect(polls.map((poll) => poll.runs.map(({ state }) => state))).toEqual([
      ['pass'],
      [],
      ['fail'],
      [],
      [],
      ['pass'],
    ]);
  });

  it('neither ends nor goes on while the check is not seen', () => {
    const seeing = answerOf([false, false, false], 0);
    const empty: JudgedAnswer = { ...seeing, reading: read(200, '{"healthy":true,"checks":{}}') };
    const blind: JudgedAnswer = { ...seeing, reading: read(502, '') };
    let history = foldAnswer('n', restoreHistory(null, 0, []), seeing, () => 'id').history;
    for (const answer of [empty, blind]) {
      const step = foldAnswer('n', history, answer, () => 'other');
      // That nobody answers is a failure of its own.
      expect(step.poll.episodes.filter(({ check }) => check !== noAnswer)).toEqual([]);
      history = step.history;
    }
    const again = foldAnswer('n', history, answerOf([false, false, false], 2), () => 'other');
    expect(again.poll.episodes.filter(({ check }) => check !== noAnswer)).toMatchObject([
      { id: 'id', failuresSeen: 2, endedAtMs: null },
    ]);
  });

  describe('a node that restarts', () => {
    const answer = (polledAtMs: number, status: number, check: unknown): JudgedAnswer => ({
      polledAtMs,
      reading: read(status, JSON.stringify({ healthy: status === 200, checks: { C: check } })),
      reportedNodeId: null,
    });
    const at = (run: number): string => new Date(timeOfRun(run)).toISOString();
    const failing = (run: number, count: number): JudgedAnswer =>
      answer(timeOfRun(run) + 1_000, 503, {
        timestamp: at(run),
        error: 'down',
        contiguousFailures: count,
        timeOfFirstFailure: at(run - count + 1),
      });
    const notRun = (run: number): JudgedAnswer =>
      answer(timeOfRun(run), 503, { timestamp: '0001-01-01T00:00:00Z', error: 'not yet run' });
    const passing = (run: number): JudgedAnswer => answer(timeOfRun(run), 200, { timestamp: at(run) });

    /** What is stored in the end; `appRestarts` after each answer as well. */
    function fold(answers: readonly JudgedAnswer[], appRestarts: boolean): FailureEpisode[] {
      const stored = new Map<string, FailureEpisode>();
      let history = restoreHistory(null, 0, []);
      let ids = 0;
      for (const each of answers) {
        const step = foldAnswer('n', history, each, () => `id-${(ids += 1)}`);
        for (const episode of step.poll.episodes) stored.set(episode.id, episode);
        history = step.history;
        if (!appRestarts) continue;
        const open = [...stored.values()].filter(isCurrent);
        history = restoreHistory(
          history.lastReport,
          each.polledAtMs,
          open,
          each.reading.state === 'unreachable',
        );
      }
      return [...stored.values()];
    }

    it.each([false, true])('and counts anew goes on to fail; the app restarts: %s', (appRestarts) => {
      const episodes = fold([failing(4, 5), notRun(6), failing(8, 1), failing(9, 2)], appRestarts);
      expect(episodes).toMatchObject([
        { startedAtMs: startMs, startKnownFrom: 'node-reported', endedAtMs: null, failuresSeen: 3 },
      ]);
    });

    it.each([false, true])(
      'and does not name its checks at first goes on to fail; the app restarts: %s',
      (appRestarts) => {
        const unnamed = { ...notRun(6), reading: read(503, '{"healthy":false,"checks":{}}') };
        const episodes = fold([failing(4, 5), unnamed, failing(8, 1), failing(9, 2)], appRestarts);
        expect(episodes).toMatchObject([{ startedAtMs: startMs, endedAtMs: null, failuresSeen: 3 }]);
      },
    );

    it.each([false, true])('and then passes ends the failure; the app restarts: %s', (appRestarts) => {
      const episodes = fold([failing(4, 5), notRun(6), passing(8), failing(10, 1)], appRestarts);
      expect(episodes).toMatchObject([
        { endedAtMs: timeOfRun(8), endKnownFrom: 'seen' },
        { startedAtMs: timeOfRun(10), endedAtMs: null },
      ]);
    });

    const gone: JudgedAnswer = { ...failing(6, 1), polledAtMs: timeOfRun(6), reading: read(502, '') };
    it.each([false, true])(
      'between two polls, one of which it did not answer, goes on: %s',
      (appRestarts) => {
        const episodes = fold([failing(4, 5), gone, failing(8, 1), failing(9, 2)], appRestarts);
        expect(episodes.filter(({ check }) => check !== noAnswer)).toMatchObject([
          { startedAtMs: startMs, endedAtMs: null, failuresSeen: 3 },
        ]);
      },
    );

    it.each([false, true])('is told from a recovery by what was seen in between: %s', (appRestarts) => {
      const episodes = fold([failing(4, 5), failing(8, 1)], appRestarts);
      expect(episodes).toMatchObject([{ endKnownFrom: 'inferred' }, { endedAtMs: null }]);
      // Counting goes on as ever after the restart was taken in.
      const later = fold([failing(4, 5), notRun(6), failing(9, 2), failing(12, 1)], appRestarts);
      expect(later).toMatchObject([{ endKnownFrom: 'inferred' }, { startedAtMs: timeOfRun(12) }]);
    });
  });

  it('records a poll without a report as what it was', () => {
    const answer: JudgedAnswer = {
      polledAtMs: 5,
      reading: read(404, ''),
      reportedNodeId: 'N',
    };
    const history = restoreHistory(null, 0, []);
    const step = foldAnswer('n', history, answer, () => 'id');
    expect(step.poll).toEqual({
      nodeId: 'n',
      polledAtMs: 5,
      state: 'unknown',
      reason: answer.reading.reason,
      reportedNodeId: 'N',
      reportJson: null,
      runs: [],
      episodes: [],
    });
    expect(step.history).toEqual(history);
  });
});

describe('a check that the node does not report any more', () => {
  const atMs = (poll: number): number => timeOfRun(poll) + 1_000;
  /** A poll whose report has these checks; `true` passes. */
  function answer(poll: number, checks: Record<string, boolean>, healthy: boolean): JudgedAnswer {
    const entries = Object.entries(checks).map(([name, passes]) => [
      name,
      { timestamp: new Date(timeOfRun(poll)).toISOString(), ...(passes ? {} : { error: 'behind' }) },
    ]);
    const body = JSON.stringify({ healthy, checks: Object.fromEntries(entries) });
    const reading = read(healthy ? 200 : 503, body);
    return { polledAtMs: atMs(poll), reading, reportedNodeId: null };
  }
  function episodesOf(answers: readonly JudgedAnswer[]): FailureEpisode[] {
    const stored = new Map<string, FailureEpisode>();
    let history = restoreHistory(null, 0, []);
    for (const each of answers) {
      // Also when the app is started anew before each poll.
      const open = [...stored.values()].filter(isCurrent);
      history = restoreHistory(history.lastReport, each.polledAtMs - periodMs, open);
      const step = foldAnswer('n', history, each, () => `id-${stored.size}`);
      history = step.history;
      for (const episode of step.poll.episodes) stored.set(episode.id, episode);
    }
    return [...stored.values()];
  }

  it('has failed no longer than until the first healthy report without it', () => {
    const subnet = { network: true, subnet: false };
    const answers = [
      answer(0, subnet, false),
      // Unhealthy for another reason, and starting anew: neither tells that it is gone for good.
      answer(1, { network: false }, false),
      answer(2, {}, false),
      answer(3, { network: true }, true),
      answer(4, { network: true }, true),
    ];
    expect(episodesOf(answers.slice(0, 3))).toMatchObject([{ check: 'subnet', endedAtMs: null }, {}]);
    expect(episodesOf(answers)).toMatchObject([
      { check: 'subnet', endedAtMs: atMs(3), endKnownFrom: 'unreported' },
      { check: 'network', endedAtMs: timeOfRun(3), endKnownFrom: 'seen' },
    ]);
  });

  it('makes room when the node goes on to make up others that fail', () => {
    const answers = Array.from({ length: 20 }, (_, poll) => {
      const names = Array.from({ length: 50 }, (_each, index) => `made-up-${poll}-${index}`);
      return answer(
        poll,
        { network: false, ...Object.fromEntries(names.map((name) => [name, false])) },
        false,
      );
    });
    let history = restoreHistory(null, 0, []);
    let ids = 0;
    const stored = new Map<string, FailureEpisode>();
    for (const each of answers) {
      const step = foldAnswer('n', history, each, () => `id-${(ids += 1)}`);
      history = step.history;
      for (const episode of step.poll.episodes) stored.set(episode.id, episode);
    }
    // The 51 of the last report, and the 200 that were reported last before them.
    expect(history.current.size).toBe(251);
    expect(history.seen.size).toBeLessThan(300);
    const episodes = [...stored.values()];
    expect(episodes).toHaveLength(1_001);
    expect(episodes.filter(({ endKnownFrom }) => endKnownFrom === 'unreported')).toHaveLength(750);
    expect(stored.get('id-1')).toMatchObject({ check: 'network', endedAtMs: null, failuresSeen: 20 });
    expect(stored.get('id-2')).toMatchObject({ check: 'made-up-0-0', endedAtMs: atMs(5) });
  });

  it('begins a failure of its own when it comes back', () => {
    const answers = [
      answer(0, { network: true, C: false }, false),
      answer(1, { network: true }, true),
      answer(2, { network: true, C: false }, false),
    ];
    expect(episodesOf(answers)).toMatchObject([
      { startedAtMs: timeOfRun(0), endedAtMs: atMs(1) },
      { startedAtMs: timeOfRun(2), endedAtMs: null },
    ]);
  });
});
