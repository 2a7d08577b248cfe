import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Phase } from './phase.ts';
import { learnPhase } from '../testing/clocks.ts';
import { automaticIntervalMs, extraLook, nextDueMs, type Look } from './schedule.ts';

interface Node {
  periodMs: number;
  /** Share of the period by which a run may be late, by 0.8 s at most. */
  jitter: number;
  offsetMs: number;
  latencyMs: number;
  seed: number;
}

const node: fc.Arbitrary<Node> = fc.record({
  // From two minutes on it is asked twice in a period.
  periodMs: fc.integer({ min: 3_000, max: 110_000 }),
  jitter: fc.double({ min: 0, max: 0.02, noNaN: true }),
  offsetMs: fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
  latencyMs: fc.integer({ min: 1, max: 400 }),
  seed: fc.nat(),
});

interface Poll {
  atMs: number;
  phase: Phase | null;
  /** How long after the newest run its answer came; null when that run was seen before. */
  delayMs: number | null;
}

/** Polls as the poller sends them to a node without an interval of the user's, by the pure rules alone. */
function pollNode({ periodMs, jitter, offsetMs, latencyMs, seed }: Node, forMs: number): Poll[] {
  let state = seed >>> 0;
  const random = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  const runsMs: number[] = [];
  for (let atMs = random() * periodMs; atMs < forMs + periodMs; atMs += periodMs)
    runsMs.push(atMs + random() * Math.min(800, jitter * periodMs));
  const polls: Poll[] = [];
  let phase: Phase | null = null;
  let look: ReturnType<typeof extraLook> = null;
  let explored: Look['explored'] = null;
  let learnLooks = 0;
  let newest = -1;
  let gridMs = 0;
  for (let atMs = 0; atMs < forMs;) {
    const before: Phase | null = phase;
    const seenBefore = newest;
    while ((runsMs[newest + 1] ?? Infinity) <= atMs) newest += 1;
    const ranMs = runsMs[newest];
    const answeredMs = atMs + latencyMs;
    const ranAtMs = ranMs === undefined ? null : Math.trunc(ranMs + 1_700_000_000_000 + offsetMs);
    phase = learnPhase(phase, { checks: [{ name: 'C', ranAtMs }], sentMs: atMs, answeredMs });
    const isNew = newest > seenBefore && ranMs !== undefined;
    polls.push({ atMs, phase, delayMs: isNew ? answeredMs - ranMs : null });
    const nextMs = nextDueMs({
      dueMs: gridMs,
      endedMs: answeredMs,
      intervalMs: automaticIntervalMs(phase?.periodMs ?? null),
      failuresInRow: 0,
      retryAfterMs: null,
      jitter: 0.5,
      phase,
      isAutomatic: true,
      confirms: false,
    });
    const sawNewRun = phase !== null && phase.lastRunMs !== before?.lastRunMs;
    const wanted = extraLook({ endedMs: answeredMs, phase, sawNewRun, explored, learnLooks });
    learnLooks =
      wanted?.why === 'learn' ? learnLooks + 1 : (phase?.periodMs ?? null) === null ? learnLooks : 0;
    look =
      wanted !== null &&
      (look === null || look.why === 'learn' || wanted.why === 'learn') &&
      wanted.atMs < nextMs
        ? wanted
        : null;
    if (look?.why === 'explore') explored = { periodMs: phase?.periodMs ?? 0, atMs: answeredMs };
    if (look === null) gridMs = nextMs;
    atMs = look?.atMs ?? nextMs;
  }
  return polls;
}

const minuteMs = 60_000;

describe('a node of any period, jitter and clock that is polled automatically', () => {
  it('has its period learned for sure, and never another one', () => {
    fc.assert(
      fc.property(node, (any) => {
        const polls = pollNode(any, 30 * minuteMs);
        for (const { phase } of polls) {
          if (phase?.isSure !== true) continue;
          expect(Math.abs((phase.periodMs ?? 0) / any.periodMs - 1)).toBeLessThan(0.05);
        }
        const learned = polls.find(({ phase }) => phase?.isSure === true)?.atMs ?? Infinity;
        expect(learned).toBeLessThan(Math.max(6 * minuteMs, 8 * any.periodMs));
      }),
      { numRuns: 300 },
    );
  });

  it('is asked about once in its period, just after its runs', () => {
    fc.assert(
      fc.property(node, (any) => {
        const polls = pollNode(any, 120 * minuteMs).filter(({ atMs }) => atMs > 30 * minuteMs);
        const expected = (90 * minuteMs) / automaticIntervalMs(any.periodMs);
        expect(polls.length).toBeLessThan(1.3 * expected + 3);
        const delays = polls.flatMap(({ delayMs }) => delayMs ?? []).sort((a, b) => a - b);
        expect(delays[Math.floor(delays.length / 2)]).toBeLessThan(2_000 + 0.03 * any.periodMs);
      }),
      { numRuns: 60 },
    );
  });
});
