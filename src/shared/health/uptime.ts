import type { CheckRun, RecordedPoll } from './check-run.ts';
import type { CheckState, KnownSums, NodeState } from './types.ts';

/**
 * The one rule of what is known of a node and its checks at a moment (docs/uptime.md has it in words). The store applies it
 * day by day, tests apply it to everything at once.
 */

/** `unreachable` is known of the node alone: it did not answer, as seen from this computer. */
export type Known = 'up' | 'down' | 'unreachable' | 'unknown';

export interface SeenPoll extends Pick<RecordedPoll, 'polledAtMs' | 'state'> {
  /** The runs that this poll was the first to see. */
  runs: readonly Omit<CheckRun, 'error'>[];
}

/** What was known from `fromMs` on, until the next change. */
export interface Change {
  fromMs: number;
  known: Known;
}

/** A span in which the node itself says that a check failed all the time; `check` null is the node as a whole. */
export interface Claim {
  check: string | null;
  fromMs: number;
  toMs: number;
}

/** A failing or passing run, placed in time. `counted`: how many runs it stands for, by the node's own count. */
export interface PlacedRun {
  atMs: number;
  state: CheckState;
  counted: number;
}

/** A run that is said to be older than this when it is first seen counts from the poll that saw it. */
export const oldestRunMs = 86_400_000;
const shortestHoldMs = 120_000;
const holdsForGaps = 3;
/** A node's count is believed as far as its checks can have run that often. */
const shortestPeriodMs = 1_000;

/** The moment for which a run counts: its own time, unless that lies after the poll or more than a day before it. */
export function runTimeMs(ranAtMs: number, polledAtMs: number): number {
  return ranAtMs <= polledAtMs && ranAtMs > polledAtMs - oldestRunMs ? ranAtMs : polledAtMs;
}

/** What has to be known of the time before a span to go on in it. */
export interface Prior {
  /** Times of the last poll and the one before. */
  lastPollMs: number | null;
  previousPollMs: number | null;
  /** Until when the last poll, unless it was blind, lets the checks be seen. */
  seenUntilMs: number;
  node: { known: Known; untilMs: number };
  runs: Map<string, PriorRun>;
}

export interface PriorRun extends Pick<CheckRun, 'state' | 'contiguousFailures'> {
  atMs: number;
  seenAtMs: number;
}

/** What a span tells: changes by check (null: the node), the first at its start; the runs in it, and how it goes on. */
export interface SpanHistory {
  changes: Map<string | null, Change[]>;
  runs: Map<string, PlacedRun[]>;
  prior: Prior;
}

/** Before every moment, and a number that JSON has. */
const never = Number.MIN_SAFE_INTEGER;

export function nothingPrior(): Prior {
  return {
    lastPollMs: null,
    previousPollMs: null,
    seenUntilMs: never,
    node: { known: 'unknown', untilMs: never },
    runs: new Map(),
  };
}

/**
 * Applies the rule to `fromMs` ≤ t < `toMs`. `polls` are in order of time, then of recording; they hold every poll of the
 * span and every later one that saw a run of it. What lies before the span is left to `prior`, which is not changed. Claims
 * are not part of it: they may reach into the past.
 */
export function spanHistory(
  prior: Prior,
  polls: readonly SeenPoll[],
  fromMs: number,
  toMs: number,
): SpanHistory {
  const later = { ...prior, runs: new Map(prior.runs) };
  const nodeStates: State[] = [{ ...prior.node, atMs: fromMs }];
  /** What each poll lets be seen of the checks. */
  const sights: Sight[] = [{ atMs: -Infinity, untilMs: prior.seenUntilMs }];
  const runs = new Map<string, PriorRun[]>();
  let { lastPollMs, previousPollMs } = prior;
  for (const poll of polls) {
    const { polledAtMs } = poll;
    for (const { check, ranAtMs, state, contiguousFailures } of poll.runs) {
      const atMs = runTimeMs(ranAtMs, polledAtMs);
      if (atMs < fromMs || atMs >= toMs) continue;
      const seen = { atMs, seenAtMs: polledAtMs, state, contiguousFailures };
      const list = runs.get(check);
      if (list === undefined) runs.set(check, [seen]);
      else list.push(seen);
    }
    const beginMs = beginOf(poll, lastPollMs);
    const untilMs = polledAtMs + holdMs(polledAtMs, lastPollMs, previousPollMs);
    if (beginMs >= fromMs && beginMs < toMs) {
      later.node = { known: nodeKnown[poll.state], untilMs };
      nodeStates.push({ ...later.node, atMs: beginMs });
    }
    previousPollMs = lastPollMs;
    lastPollMs = polledAtMs;
    if (polledAtMs >= toMs) continue;
    const seenUntilMs = isBlind(poll.state) ? never : untilMs;
    sights.push({ atMs: polledAtMs, untilMs: seenUntilMs });
    Object.assign(later, { seenUntilMs, previousPollMs, lastPollMs });
  }
  const seen = untilNext(sights);
  const changes = new Map<string | null, Change[]>([[null, changesOf(untilNext(nodeStates), fromMs, toMs)]]);
  const placed = new Map<string, PlacedRun[]>();
  for (const check of new Set([...prior.runs.keys(), ...runs.keys()])) {
    const before = prior.runs.get(check) ?? null;
    const own = (runs.get(check) ?? []).sort((a, b) => a.atMs - b.atMs);
    changes.set(check, changesOf(checkStates(before, own, seen, fromMs, toMs), fromMs, toMs));
    placed.set(check, placeRuns(before, own));
    const last = own.at(-1);
    if (last !== undefined) later.runs.set(check, last);
  }
  return { changes, runs: placed, prior: later };
}

/** The state of a node as knowledge: one that starts is neither up nor down. */
const nodeKnown: Readonly<Record<NodeState, Known>> = {
  healthy: 'up',
  unhealthy: 'down',
  starting: 'unknown',
  unreachable: 'unreachable',
  unknown: 'unknown',
  stalled: 'unknown',
};

const checkKnown: Readonly<Record<CheckState, Known>> = {
  pass: 'up',
  fail: 'down',
  pending: 'unknown',
  unknown: 'unknown',
  stalled: 'unknown',
};

/** True for a poll after which nothing is known of the checks. */
function isBlind(state: NodeState): boolean {
  return state === 'unreachable' || state === 'unknown' || state === 'stalled';
}

/** A state holds for three times the shorter of the two last waits between polls, and at least two minutes. */
function holdMs(polledAtMs: number, lastMs: number | null, previousMs: number | null): number {
  if (lastMs === null || previousMs === null) return shortestHoldMs;
  return Math.max(shortestHoldMs, holdsForGaps * Math.min(polledAtMs - lastMs, lastMs - previousMs));
}

/** The state of a node begins with the run that brought it, if that came after the poll before. */
function beginOf({ polledAtMs, state, runs }: SeenPoll, lastPollMs: number | null): number {
  let beginMs: number | null = null;
  if (state === 'healthy') {
    for (const run of runs) beginMs = Math.max(beginMs ?? -Infinity, runTimeMs(run.ranAtMs, polledAtMs));
  } else if (state === 'unhealthy') {
    for (const run of runs) {
      if (run.state !== 'fail') continue;
      beginMs = Math.min(beginMs ?? Infinity, runTimeMs(run.ranAtMs, polledAtMs));
    }
  }
  if (beginMs === null || (lastPollMs !== null && beginMs <= lastPollMs)) return polledAtMs;
  return beginMs;
}

/** Something that holds from a moment on, and until when at most. */
interface Sight {
  atMs: number;
  untilMs: number;
}

interface State extends Sight {
  known: Known;
}

/** Each ends where the next begins at the latest; they are in order. */
function untilNext<S extends Sight>(sights: readonly S[]): S[] {
  return sights.map((sight, index) => ({
    ...sight,
    untilMs: Math.min(sight.untilMs, sights[index + 1]?.atMs ?? Infinity),
  }));
}

/** The states of a check: that of each run until the next one, for as long as polls say that it is the last one. */
function checkStates(
  before: PriorRun | null,
  runs: readonly PriorRun[],
  seen: readonly Sight[],
  fromMs: number,
  toMs: number,
): State[] {
  const states: State[] = [];
  const all = before === null ? runs : [before, ...runs];
  for (const [index, run] of all.entries()) {
    const endMs = all[index + 1]?.atMs ?? toMs;
    const known = checkKnown[run.state];
    states.push({ known, atMs: run.atMs, untilMs: Math.min(endMs, run.seenAtMs) });
    const seenMs = Math.max(run.seenAtMs, fromMs);
    for (let at = lastUpTo(seen, seenMs); at < seen.length; at += 1) {
      const sight = seen[at];
      if (sight === undefined || sight.atMs >= endMs) break;
      states.push({ known, atMs: Math.max(sight.atMs, seenMs), untilMs: Math.min(sight.untilMs, endMs) });
    }
  }
  return states;
}

/** Index of the last one that begins at this moment or before; the first begins before every moment. */
function lastUpTo(sights: readonly Sight[], atMs: number): number {
  let low = 0;
  let high = sights.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((sights[middle]?.atMs ?? Infinity) <= atMs) low = middle;
    else high = middle;
  }
  return low;
}

/** What is known over a span, by states in order that do not overlap. What is not said is unknown. */
function changesOf(states: readonly State[], fromMs: number, toMs: number): Change[] {
  const changes: Change[] = [];
  const add = (known: Known, atMs: number): void => {
    if (changes.at(-1)?.known !== known) changes.push({ fromMs: atMs, known });
  };
  let endMs = fromMs;
  for (const { known, atMs, untilMs } of states) {
    const startMs = Math.max(atMs, fromMs);
    if (Math.min(untilMs, toMs) <= startMs) continue;
    if (startMs > endMs) add('unknown', endMs);
    add(known, startMs);
    endMs = untilMs;
  }
  if (endMs < toMs || changes.length === 0) add('unknown', endMs);
  return changes;
}

/** How many runs each run stands for: what the node has counted since the one before. */
function placeRuns(before: PriorRun | null, runs: readonly PriorRun[]): PlacedRun[] {
  let previous = before;
  return runs.map((run) => {
    const counted = run.state === 'fail' ? countedRuns(previous, run) : 1;
    previous = run;
    return { atMs: run.atMs, state: run.state, counted };
  });
}

function countedRuns(previous: PriorRun | null, run: PriorRun): number {
  const count = run.contiguousFailures;
  if (count === null || previous === null) return 1;
  const goesOn = previous.state === 'fail' && (previous.contiguousFailures ?? Infinity) < count;
  const fresh = goesOn ? count - (previous.contiguousFailures ?? 0) : count;
  const room = Math.floor((run.atMs - previous.atMs) / shortestPeriodMs);
  return Math.max(1, Math.min(fresh, room));
}

// ---- Claims ----------------------------------------------------------------------------------------------------------

/**
 * What a poll claims of the past: a failing run whose first failure lies before it says that the check failed all the time
 * in between, and an unhealthy node with it. Believed only if no passing run since then was seen: `lastPassMs` gives the
 * latest moment at which a check was seen to pass. Polls are taken in the order in which they were recorded.
 */
export function claimsOf(poll: SeenPoll, lastPassMs: (check: string) => number | null): Claim[] {
  const claims: Claim[] = [];
  let nodeFromMs = Infinity;
  for (const run of poll.runs) {
    const fromMs = run.firstFailureAtMs;
    const toMs = runTimeMs(run.ranAtMs, poll.polledAtMs);
    if (run.state !== 'fail' || fromMs === null || fromMs >= toMs) continue;
    if (fromMs <= (lastPassMs(run.check) ?? -Infinity)) continue;
    claims.push({ check: run.check, fromMs, toMs });
    nodeFromMs = Math.min(nodeFromMs, fromMs);
  }
  if (poll.state === 'unhealthy' && nodeFromMs < poll.polledAtMs) {
    claims.push({ check: null, fromMs: nodeFromMs, toMs: poll.polledAtMs });
  }
  return claims;
}

/** The latest passing run of each check in a poll, to be remembered for the claims of later ones. */
export function passesOf(poll: SeenPoll): Map<string, number> {
  const passes = new Map<string, number>();
  for (const run of poll.runs) {
    if (run.state !== 'pass') continue;
    const atMs = runTimeMs(run.ranAtMs, poll.polledAtMs);
    passes.set(run.check, Math.max(passes.get(run.check) ?? -Infinity, atMs));
  }
  return passes;
}

// ---- Sums ------------------------------------------------------------------------------------------------------------

/**
 * Sums over `fromMs` ≤ t < `toMs`, which add up to the span exactly. `changes` are in order of time and hold until the next;
 * before the first nothing is known. Where a claim covers a moment it was down.
 */
export function sumKnown(
  changes: readonly Change[],
  claims: readonly Pick<Claim, 'fromMs' | 'toMs'>[],
  fromMs: number,
  toMs: number,
): KnownSums {
  const sums: Record<Known, number> = { up: 0, down: 0, unreachable: 0, unknown: 0 };
  const spans = claims.toSorted((a, b) => a.fromMs - b.fromMs);
  const add = (known: Known, startMs: number, endMs: number): void => {
    let atMs = startMs;
    for (const span of spans) {
      if (span.toMs <= atMs) continue;
      if (span.fromMs >= endMs) break;
      const downFromMs = Math.max(span.fromMs, atMs);
      const downToMs = Math.min(span.toMs, endMs);
      sums[known] += downFromMs - atMs;
      sums.down += downToMs - downFromMs;
      atMs = downToMs;
    }
    sums[known] += endMs - atMs;
  };
  let known: Known = 'unknown';
  let startMs = fromMs;
  for (const change of changes) {
    const atMs = Math.min(Math.max(change.fromMs, fromMs), toMs);
    add(known, startMs, atMs);
    startMs = Math.max(startMs, atMs);
    known = change.known;
  }
  add(known, startMs, toMs);
  const { up, down, unreachable, unknown } = sums;
  return { upMs: up, downMs: down, unreachableMs: unreachable, unknownMs: unknown };
}

/**
 * Uptime in parts per million, rounded down; null when more than half of the time is not known: such a figure would be
 * taken for more than it says.
 */
export function uptimePpm({ upMs, downMs, unreachableMs, unknownMs }: KnownSums): number | null {
  const knownMs = upMs + downMs + unreachableMs;
  return knownMs === 0 || unknownMs > knownMs ? null : Math.floor((upMs * 1e6) / knownMs);
}
