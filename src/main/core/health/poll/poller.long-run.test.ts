import { describe, expect, it } from 'vitest';
import type { CheckReport, FailureEpisode } from '../../../../shared/health/types.ts';
import { restoreHistory, foldAnswer, type CheckHistory } from '../episodes/check-history.ts';
import { type Phase } from './phase.ts';
import { learnPhase } from '../testing/clocks.ts';
import { toldPeriodMs } from './schedule.ts';
import { reportReading } from '../ask/report.ts';
import { automaticIntervalMs, extraLook, nextDueMs, type Look } from './schedule.ts';
import { target } from '../testing/poller-world.ts';
import { markStalled, watchStanding, type StandingChecks } from '../episodes/stall.ts';

const periodMs = 60_000;
const dayMs = 86_400_000;
/** The clock is set three times in it. */
const spanMs = 100 * dayMs;

/** The same numbers in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

/** Spans of our monotonic time in which the check fails, and in which the node does not run it. */
interface Story {
  failing: [fromMs: number, toMs: number][];
  hung: [fromMs: number, toMs: number][];
}

/**
 * A hundred days of one node, decided by the pure rules alone: its clock is another one, goes a little wrong and is set once a
 * month, its runs come with jitter, and a check fails or hangs now and then.
 */
function hundredDays(story: Story, seed: number) {
  const random = seeded(seed);
  const pace = 1 + 1.5e-5;
  let offsetMs = 1_700_000_000_000;
  let setAtMs = 30 * dayMs;
  const isIn = (spans: Story['failing'], ms: number): boolean =>
    spans.some(([from, to]) => ms >= from && ms < to);

  let nextRunMs = 17_000;
  let check: CheckReport = {
    name: 'C',
    state: 'pass',
    error: null,
    message: null,
    ranAtMs: null,
    durationNs: '1000',
    contiguousFailures: null,
    firstFailureAtMs: null,
  };
  let seenRunMs = 0;
  let lastRunMs = 0;
  function runUntil(ms: number): void {
    for (; nextRunMs <= ms; nextRunMs += periodMs) {
      const atMs = nextRunMs + random() * 400;
      if (atMs > ms) return;
      if (isIn(story.hung, atMs)) continue;
      const ranAtMs = Math.trunc(atMs * pace + offsetMs);
      const fails = isIn(story.failing, atMs);
      const count = fails ? (check.contiguousFailures ?? 0) + 1 : null;
      check = {
        ...check,
        state: fails ? 'fail' : 'pass',
        error: fails ? 'down' : null,
        ranAtMs,
        contiguousFailures: count,
        firstFailureAtMs: fails ? (check.firstFailureAtMs ?? ranAtMs) : null,
      };
      lastRunMs = atMs;
    }
  }

  let history: CheckHistory = restoreHistory(null, 0, []);
  let phase: Phase | null = null;
  let standing: StandingChecks | null = null;
  let explored: Look['explored'] = null;
  let isExtra = false;
  let gridMs = 0;
  let atMs = 0;
  let polls = 0;
  let ids = 0;
  const delaysMs: number[] = [];
  const episodes = new Map<string, FailureEpisode>();
  const stalledMs: number[] = [];
  while (atMs < spanMs) {
    if (atMs > setAtMs) {
      offsetMs += (random() - 0.5) * 7_200_000;
      setAtMs += 30 * dayMs;
    }
    const sentMs = atMs;
    const answeredMs = sentMs + 20 + random() * 80;
    runUntil(sentMs);
    polls += 1;
    if (lastRunMs > seenRunMs) delaysMs.push(answeredMs - lastRunMs);
    seenRunMs = lastRunMs;
    const report = { healthy: check.state === 'pass', checks: [check], notes: [] };
    const before: Phase | null = phase;
    phase = learnPhase(phase, { checks: report.checks, sentMs, answeredMs });
    const intervalMs = automaticIntervalMs(phase?.periodMs ?? null);
    standing = watchStanding(standing, report.checks, answeredMs, 2.5 * intervalMs + 15_000);
    const judged = markStalled(report, standing, toldPeriodMs({ phase, target: target('n', null) }));
    if (judged.checks[0]?.state === 'stalled') stalledMs.push(answeredMs);
    const answer = {
      targetId: 'n',
      polledAtMs: Math.trunc(answeredMs + 1_700_000_000_000),
      reading: reportReading(judged),
      reportedNodeId: null,
    };
    const step = foldAnswer('n', history, answer, () => `id-${(ids += 1)}`);
    history = step.history;
    for (const episode of step.poll.episodes) episodes.set(episode.id, episode);
    const nextMs = nextDueMs({
      dueMs: gridMs,
      endedMs: answeredMs,
      intervalMs,
      failuresInRow: 0,
      retryAfterMs: null,
      jitter: 0,
      phase,
      isAutomatic: true,
      confirms: true,
    });
    const sawNewRun = phase !== null && phase.lastRunMs !== before?.lastRunMs;
    const look: ReturnType<typeof extraLook> = isExtra
      ? null
      : extraLook({ endedMs: answeredMs, phase, sawNewRun, explored, learnLooks: 0 });
    isExtra = look !== null && look.atMs < nextMs;
    if (look?.why === 'explore') explored = { periodMs: phase?.periodMs ?? 0, atMs: answeredMs };
    if (look !== null && isExtra) {
      atMs = look.atMs;
    } else {
      atMs = nextMs;
      gridMs = nextMs;
    }
  }
  return { polls, delaysMs: delaysMs.sort((a, b) => a - b), episodes: [...episodes.values()], stalledMs };
}

describe('a hundred simulated days', () => {
  it('have about one poll a period, see runs within 2 s, each failure once, and each time without runs', () => {
    const random = seeded(3);
    const spansOf = (count: number, shortestMs: number, longestMs: number): Story['failing'] =>
      Array.from({ length: count }, (_, index) => {
        const fromMs = ((index + 0.2 + 0.5 * random()) / count) * spanMs;
        return [fromMs, fromMs + shortestMs + random() * (longestMs - shortestMs)];
      });
    const story = { failing: spansOf(82, 2 * periodMs, 3_600_000), hung: spansOf(4, 600_000, 1_200_000) };
    const { polls, delaysMs, episodes, stalledMs } = hundredDays(story, 7);
    expect(polls / (spanMs / periodMs)).toBeGreaterThan(0.95);
    expect(polls / (spanMs / periodMs)).toBeLessThan(1.06);
    expect(delaysMs[Math.floor(delaysMs.length * 0.95)]).toBeLessThan(2_000);
    expect(episodes).toHaveLength(story.failing.length);
    expect(episodes.filter(({ endedAtMs }) => endedAtMs === null)).toEqual([]);
    const isHung = (ms: number): boolean =>
      story.hung.some(([from, to]) => ms >= from && ms < to + 2 * periodMs);
    expect(stalledMs.filter((ms) => !isHung(ms))).toEqual([]);
    for (const [from, to] of story.hung) expect(stalledMs.some((ms) => ms >= from && ms < to)).toBe(true);
  }, 60_000);
});
