import type { CheckDefinition } from './checks.ts';
import { currentResult, messageOf, scriptedCheck, type CheckResult, type Run } from './health.ts';
import type { Phase } from './scenario.ts';

/** The result of one past request to a node. */
export type PastAnswer = { readonly atMs: number } & (
  { readonly status: number; readonly body: string } | { readonly failure: 'refused' }
);

/** A phase of a scenario that has an end. */
export type PastPhase = Partial<Pick<Phase, 'checks' | 'down'>> & {
  readonly forSeconds: number;
  /** The node still answers, but does not run its checks. */
  readonly hangs?: true;
};

/** Something that happened to a node. */
export interface PastStory {
  /** How long before the end of the past it began. */
  readonly agoSeconds: number;
  readonly phases: readonly PastPhase[];
  /** What the operator wrote about it afterwards. */
  readonly note?: string;
}

export interface NodePast {
  /** For how long it has been watched. */
  readonly forSeconds: number;
  /** Oldest first, without overlaps. */
  readonly stories: readonly PastStory[];
}

/** A node's past, to be written into a profile. */
export interface ToldPast {
  readonly name: string;
  /** As in the header of its answers. */
  readonly nodeId: string;
  readonly fromMs: number;
  /** The end, exclusive. */
  readonly untilMs: number;
  readonly answers: Iterable<PastAnswer>;
  /** The operator's notes, each with the time of its story. */
  readonly notes: readonly { readonly fromMs: number; readonly toMs: number; readonly note: string }[];
}

/** Makes a past from the checks and the id of its node. */
export function tellPast(
  { name, nodeId, checks }: { name: string; nodeId: string; checks: readonly CheckDefinition[] },
  past: NodePast,
  span: PastSpan,
): ToldPast {
  const { untilMs } = span;
  const notes = past.stories.flatMap(({ note, ...story }) => {
    const stretches = layOut([story], untilMs);
    const fromMs = stretches[0]?.fromMs ?? untilMs;
    return note === undefined ? [] : [{ fromMs, toMs: stretches.at(-1)?.toMs ?? fromMs, note }];
  });
  const fromMs = untilMs - past.forSeconds * 1_000;
  return { name, nodeId, fromMs, untilMs, notes, answers: answersOfPast(checks, past, span) };
}

export interface PastSpan {
  /** The time of the running node's round 0, in Unix milliseconds. */
  readonly roundsFromMs: number;
  readonly untilMs: number;
  readonly periodMs: number;
}

/** How often the node was polled, by age: within a little more than an hour, a day, a week, a month, and before. */
const rhythms: readonly { readonly withinMs: number; readonly everyMs: number }[] = [
  { withinMs: 75 * 60_000, everyMs: 60_000 },
  { withinMs: 26 * 3_600_000, everyMs: 900_000 },
  { withinMs: 8 * 86_400_000, everyMs: 2 * 3_600_000 },
  { withinMs: 31 * 86_400_000, everyMs: 8 * 3_600_000 },
  { withinMs: Infinity, everyMs: 24 * 3_600_000 },
];
const shortestGapMs = 30_000;
/** While checks hang: short enough that the app counts the node as watched and so as stalled. */
const hangGapMs = 60_000;
/**
 * After an event each wait is this share of the time since it. A state counts as known for three times the shorter of
 * the last two waits, so waits may grow by the square root of three.
 */
const growth = 0.7;
/** How long after a change it is polled. */
const askedAfterMs = 2_000;

interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
  readonly phase: PastPhase;
}

const quiet: PastPhase = { forSeconds: Infinity };

/**
 * The past of a node as its answers, oldest first: frequent while something happens, then ever sparser,
 * and sparser the longer ago it is, since a year has a million rounds. A round's answer is the one that the node would give
 * today, from the same definitions of its checks.
 */
function* answersOfPast(
  checks: readonly CheckDefinition[],
  past: NodePast,
  { roundsFromMs, untilMs, periodMs }: PastSpan,
): Generator<PastAnswer> {
  const stretches = layOut(past.stories, untilMs);
  const sorted = checks.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const roundAt = (atMs: number) => Math.floor((atMs - roundsFromMs) / periodMs);
  const startMs = untilMs - past.forSeconds * 1_000;
  /** The first failure of each failing check. */
  const failingFrom = new Map<string, number>();
  const edges = [startMs, ...stretches.flatMap(({ fromMs, toMs }) => [fromMs, toMs]), untilMs];
  let next = 0;
  let edgeMs = startMs;
  let runsFromMs = -Infinity;
  for (let atMs = startMs; atMs < untilMs;) {
    while (next < stretches.length && (stretches[next]?.toMs ?? Infinity) <= atMs) {
      const ended = stretches[next]?.phase;
      if (ended?.down === true) {
        runsFromMs = stretches[next]?.toMs ?? runsFromMs;
        failingFrom.clear();
      }
      next += 1;
    }
    const stretch = stretches[next];
    const isIn = stretch !== undefined && stretch.fromMs <= atMs;
    const phase = isIn ? stretch.phase : quiet;
    if (phase.down === true) yield { atMs, failure: 'refused' };
    else {
      // A hanging node keeps reporting the round before.
      const round = roundAt(isIn && phase.hangs === true ? stretch.fromMs : atMs);
      yield { atMs, ...report(round) };
    }
    while (edges[0] !== undefined && edges[0] <= atMs) edgeMs = edges.shift() ?? edgeMs;
    atMs = nextAsked(atMs, phase);
  }

  function report(round: number): { status: number; body: string } {
    const ranAtMs = roundsFromMs + round * periodMs;
    const results: Record<string, CheckResult> = {};
    let healthy = true;
    for (const definition of sorted) {
      const run = ranAtMs < runsFromMs ? null : runOf(definition, round, ranAtMs);
      healthy &&= run?.error === null;
      results[definition.name] = currentResult(run);
    }
    return { status: healthy ? 200 : 503, body: JSON.stringify({ checks: results, healthy }) };
  }

  function runOf(definition: CheckDefinition, round: number, ranAtMs: number): Run {
    const stretch = stretches.find(({ fromMs, toMs }) => fromMs <= ranAtMs && ranAtMs < toMs);
    const { checks: scripted = {} } = stretch?.phase ?? quiet;
    const progress = stretch === undefined ? 0 : (ranAtMs - stretch.fromMs) / (stretch.toMs - stretch.fromMs);
    const told = scriptedCheck(definition, { phase: { checks: scripted }, progress }, round);
    const durationNs = told?.durationNs ?? definition.durationNs(round);
    const error = told?.error ?? null;
    const message = () => messageOf(definition, told, round);
    const run = { finishedAtMs: ranAtMs + durationNs / 1e6, durationNs, error, message };
    if (error === null) {
      failingFrom.delete(definition.name);
      return { ...run, failures: 0, firstFailure: null };
    }
    const fromMs = failingFrom.get(definition.name) ?? ranAtMs;
    failingFrom.set(definition.name, fromMs);
    const firstFailure = { ...run, finishedAtMs: fromMs + durationNs / 1e6, failures: 1, firstFailure: null };
    return { ...run, failures: (ranAtMs - fromMs) / periodMs + 1, firstFailure };
  }

  function nextAsked(atMs: number, phase: PastPhase): number {
    const rhythm = rhythms.find(({ withinMs }) => untilMs - atMs <= withinMs);
    const longestMs = phase.hangs === true ? hangGapMs : (rhythm?.everyMs ?? shortestGapMs);
    const gapMs = Math.min(longestMs, Math.max(shortestGapMs, Math.floor(growth * (atMs - edgeMs))));
    const nextEdgeMs = edges[0] ?? untilMs;
    // When a change becomes visible: a stop at once, anything else in the next round.
    const isDown = phase.down === true;
    const seenMs = isDown ? nextEdgeMs : roundsFromMs + (roundAt(nextEdgeMs - 1) + 1) * periodMs;
    const landMs = seenMs + askedAfterMs;
    return nextEdgeMs > atMs && landMs > atMs ? Math.min(atMs + gapMs, landMs) : atMs + gapMs;
  }
}

/** The phases of all stories with their start and end. */
function layOut(stories: readonly PastStory[], untilMs: number): Stretch[] {
  return stories.flatMap(({ agoSeconds, phases }) => {
    let toMs = untilMs - agoSeconds * 1_000;
    return phases.map((phase) => {
      const fromMs = toMs;
      toMs += phase.forSeconds * 1_000;
      return { fromMs, toMs, phase };
    });
  });
}
