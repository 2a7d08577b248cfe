import { orAdd } from '../or-add.ts';
import type { CheckRun, RecordedPoll } from './check-run.ts';
import type { CheckState, KnownSums, NodeState } from './types.ts';

/**
 * The rule for what was known of a node and its checks at any moment (explained in docs/uptime.md). The store applies
 * it day by day, the tests to everything at once.
 */

/** `unreachable` only applies to the node, as seen from this computer. */
export type Known = 'up' | 'down' | 'unreachable' | 'unknown';

export interface SeenPoll extends Pick<RecordedPoll, 'polledAtMs' | 'state' | 'isFirst'> {
  /** The runs that this poll was the first to see. */
  runs: readonly Omit<CheckRun, 'error'>[];
}

/** The state from `fromMs` until the next change. */
export interface Change {
  fromMs: number;
  known: Known;
}

/** A span for which the node itself reported that a check was failing throughout; `check` null is the whole node. */
export interface Claim {
  check: string | null;
  fromMs: number;
  toMs: number;
}

/** A failing or passing run with its time. `counted`: how many runs it represents by the node's own count. */
export interface PlacedRun {
  atMs: number;
  state: CheckState;
  counted: number;
}

/** A run older than this when first seen gets the time of the poll that saw it. */
export const oldestRunMs = 86_400_000;
const shortestHoldMs = 120_000;
const holdsForGaps = 3;
/** A node's count of failures is limited to one per this time. */
const shortestPeriodMs = 1_000;

/** The time a run counts for: its own, unless that is after the poll or more than a day before it. */
export function runTimeMs(ranAtMs: number, polledAtMs: number): number {
  return ranAtMs <= polledAtMs && ranAtMs > polledAtMs - oldestRunMs ? ranAtMs : polledAtMs;
}

/** The state before a span that is needed to continue in it. */
export interface Prior {
  /**
   * Times of the last polls, the newest first; of those before the last, at most three. Times in which nobody looked are
   * left out between them.
   */
  lastPollMs: number | null;
  previousPollMs: number | null;
  /** Absent in days that were stored before 0.3.0. */
  olderPollMs?: number | null;
  /** How long the last poll still tells the state of the checks, unless it was blind. */
  seenUntilMs: number;
  node: { known: Known; untilMs: number };
  runs: Map<string, PriorRun>;
}

export interface PriorRun extends Pick<CheckRun, 'state' | 'contiguousFailures'> {
  atMs: number;
  seenAtMs: number;
}

/** Result for a span: changes by check (null: the node), the first at its start; its runs; its end state. */
export interface SpanHistory {
  changes: Map<string | null, Change[]>;
  runs: Map<string, PlacedRun[]>;
  prior: Prior;
}

/** Before any real time; unlike -Infinity it can be stored as JSON. */
const never = Number.MIN_SAFE_INTEGER;

export const nothingPrior = (): Prior => ({
  lastPollMs: null,
  previousPollMs: null,
  olderPollMs: null,
  seenUntilMs: never,
  node: { known: 'unknown', untilMs: never },
  runs: new Map(),
});

/**
 * Applies the rule to `fromMs` ≤ t < `toMs`. `polls`, in order of time and then of recording, must include all polls of
 * the span and all later ones that saw a run in it. Anything before the span is in `prior`, which is not changed.
 * Claims are not applied: they may concern the past.
 */
export function spanHistory(
  prior: Prior,
  polls: readonly SeenPoll[],
  fromMs: number,
  toMs: number,
): SpanHistory {
  const later = { ...prior, runs: new Map(prior.runs) };
  const nodeStates: State[] = [{ ...prior.node, atMs: fromMs }];
  /** The times during which each poll tells the state of the checks. */
  const sights: Sight[] = [{ atMs: -Infinity, untilMs: prior.seenUntilMs }];
  const runs = new Map<string, PriorRun[]>();
  let { lastPollMs, previousPollMs, olderPollMs = null } = prior;
  for (const poll of polls) {
    const { polledAtMs } = poll;
    for (const { check, ranAtMs, state, contiguousFailures } of poll.runs) {
      const atMs = runTimeMs(ranAtMs, polledAtMs);
      if (atMs < fromMs || atMs >= toMs) continue;
      const seen = { atMs, seenAtMs: polledAtMs, state, contiguousFailures };
      orAdd(runs, check, () => []).push(seen);
    }
    const beginMs = beginOf(poll, lastPollMs);
    const awayMs = polledAtMs - (lastPollMs ?? polledAtMs);
    const before: readonly (number | null)[] =
      poll.isFirst === true
        ? [previousPollMs, olderPollMs].map((ms) => ms && ms + awayMs)
        : [lastPollMs, previousPollMs, olderPollMs];
    const untilMs = polledAtMs + holdMs([polledAtMs, ...before]);
    if (beginMs >= fromMs && beginMs < toMs) {
      later.node = { known: knownOf[poll.state], untilMs };
      nodeStates.push({ ...later.node, atMs: beginMs });
    }
    [previousPollMs = null, olderPollMs = null] = before;
    lastPollMs = polledAtMs;
    if (polledAtMs >= toMs) continue;
    const seenUntilMs = isBlind(poll.state) ? never : untilMs;
    sights.push({ atMs: polledAtMs, untilMs: seenUntilMs });
    Object.assign(later, { seenUntilMs, olderPollMs, previousPollMs, lastPollMs });
  }
  const seen = untilNext(sights);
  const ofNode = changesIn(fromMs, toMs);
  for (const { known, atMs, untilMs } of untilNext(nodeStates)) ofNode.add(known, atMs, untilMs);
  const changes = new Map<string | null, Change[]>([[null, ofNode.end()]]);
  const placed = new Map<string, PlacedRun[]>();
  for (const check of new Set([...prior.runs.keys(), ...runs.keys()])) {
    const before = prior.runs.get(check) ?? null;
    const own = (runs.get(check) ?? []).sort((a, b) => a.atMs - b.atMs);
    changes.set(check, checkChanges(before, own, seen, fromMs, toMs));
    placed.set(check, placeRuns(before, own));
    const last = own.at(-1);
    if (last !== undefined) later.runs.set(check, last);
  }
  for (const [check, run] of later.runs) if (isForgotten(run, toMs)) later.runs.delete(check);
  return { changes, runs: placed, prior: later };
}

/** A starting node counts as neither up nor down. */
const knownOf: Readonly<Record<NodeState | CheckState, Known>> = {
  healthy: 'up',
  pass: 'up',
  unhealthy: 'down',
  fail: 'down',
  unreachable: 'unreachable',
  starting: 'unknown',
  pending: 'unknown',
  unknown: 'unknown',
  stalled: 'unknown',
};

/** True for a poll that tells nothing about the checks: they were not seen, or did not run. */
export function isBlind(state: NodeState | CheckState): boolean {
  return state === 'unreachable' || state === 'unknown' || state === 'stalled';
}

/**
 * How long a state holds: three times the middle one of the last three gaps between polls, at least two minutes. So
 * neither one poll between two others counts, nor one pause.
 */
function holdMs(newestFirst: readonly (number | null)[]): number {
  const gapsMs = newestFirst.flatMap((atMs, index) => {
    const beforeMs = newestFirst[index + 1] ?? null;
    return atMs === null || beforeMs === null ? [] : [atMs - beforeMs];
  });
  gapsMs.sort((a, b) => a - b);
  if (gapsMs.length < 2) return shortestHoldMs;
  return Math.max(shortestHoldMs, holdsForGaps * (gapsMs[gapsMs.length === 2 ? 0 : 1] ?? 0));
}

/** A node's state begins with the run that caused it, if that was after the previous poll. */
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

/** Something valid from one time until another. */
interface Sight {
  atMs: number;
  untilMs: number;
}

interface State extends Sight {
  known: Known;
}

/** Ends each one at the start of the next; they are in order. */
function untilNext<S extends Sight>(sights: readonly S[]): S[] {
  return sights.map((sight, index) => ({
    ...sight,
    untilMs: Math.min(sight.untilMs, sights[index + 1]?.atMs ?? Infinity),
  }));
}

/** The changes of a check: each run's state, until the next run, for as long as polls confirm that there is none. */
function checkChanges(
  before: PriorRun | null,
  runs: readonly PriorRun[],
  seen: readonly Sight[],
  fromMs: number,
  toMs: number,
): Change[] {
  const span = changesIn(fromMs, toMs);
  const add = ({ atMs, seenAtMs, state }: PriorRun, endMs: number): void => {
    const known = knownOf[state];
    span.add(known, atMs, Math.min(endMs, seenAtMs));
    const seenMs = Math.max(seenAtMs, fromMs);
    for (let at = lastUpTo(seen, seenMs); at < seen.length; at += 1) {
      const sight = seen[at];
      if (sight === undefined || sight.atMs >= endMs) break;
      span.add(known, Math.max(sight.atMs, seenMs), Math.min(sight.untilMs, endMs));
    }
  };
  let last = before;
  for (const run of runs) {
    if (last !== null) add(last, run.atMs);
    last = run;
  }
  if (last !== null) add(last, toMs);
  return span.end();
}

/** Index of the last one that begins at or before this time; the first begins before any time. */
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

/** Takes states, in order and not overlapping, and makes changes over a span of them; unknown in between. */
function changesIn(fromMs: number, toMs: number) {
  const changes: Change[] = [];
  let last: Known | null = null;
  let endMs = fromMs;
  const change = (known: Known, atMs: number): void => {
    if (known !== last) changes.push({ fromMs: atMs, known });
    last = known;
  };
  return {
    add(known: Known, atMs: number, untilMs: number): void {
      const startMs = Math.max(atMs, fromMs);
      if (Math.min(untilMs, toMs) <= startMs) return;
      if (startMs > endMs) change('unknown', endMs);
      change(known, startMs);
      endMs = untilMs;
    },
    end(): Change[] {
      if (endMs < toMs || last === null) change('unknown', endMs);
      return changes;
    },
  };
}

/** A check that was not reported any more a day before is forgotten: a node may make up names without end. */
function isForgotten({ state, atMs }: Pick<PriorRun, 'state' | 'atMs'>, nowMs: number): boolean {
  return state === 'unknown' && atMs <= nowMs - oldestRunMs;
}

/** The fields of a run that say how many runs it stands for. */
export type CountedRun = Pick<PriorRun, 'state' | 'contiguousFailures' | 'atMs'>;

/** How many runs each run represents: the node's count since the previous one. */
function placeRuns(before: PriorRun | null, runs: readonly PriorRun[]): PlacedRun[] {
  let previous = before;
  return runs.map((run) => {
    const counted = run.state === 'fail' ? countedRuns(previous, run) : 1;
    previous = run;
    return { atMs: run.atMs, state: run.state, counted };
  });
}

/** How many runs a failing run stands for, after another one of its check. */
export function countedRuns(previous: CountedRun | null, run: CountedRun): number {
  const count = run.contiguousFailures;
  if (count === null || previous === null || isForgotten(previous, run.atMs)) return 1;
  const goesOn = previous.state === 'fail' && (previous.contiguousFailures ?? Infinity) < count;
  const fresh = goesOn ? count - (previous.contiguousFailures ?? 0) : count;
  const room = Math.floor((run.atMs - previous.atMs) / shortestPeriodMs);
  return Math.max(1, Math.min(fresh, room));
}

// ---- Claims ----------------------------------------------------------------------------------------------------------

/**
 * Claims of a poll about the past: a failing run with an earlier first failure claims that the check failed all the
 * time in between, and so does an unhealthy node. Rejected if a passing run was seen since then: `lastPassMs` is the
 * latest time at which a check was seen to pass. Call in the order of recording.
 */
export function claimsOf(poll: SeenPoll, lastPassMs: (check: string) => number | null): Claim[] {
  const claims: Claim[] = [];
  let nodeFromMs = Infinity;
  for (const run of poll.runs) {
    const fromMs = run.firstFailureAtMs;
    const toMs = runTimeMs(run.ranAtMs, poll.polledAtMs);
    if (run.state !== 'fail' || fromMs === null || fromMs >= toMs) continue;
    const passMs = lastPassMs(run.check) ?? -Infinity;
    // A pass after this poll is of a time when our clock was ahead, and proves nothing.
    if (fromMs <= passMs && passMs <= poll.polledAtMs) continue;
    claims.push({ check: run.check, fromMs, toMs });
    nodeFromMs = Math.min(nodeFromMs, fromMs);
  }
  if (poll.state === 'unhealthy' && nodeFromMs < poll.polledAtMs) {
    claims.push({ check: null, fromMs: nodeFromMs, toMs: poll.polledAtMs });
  }
  return claims;
}

/** The latest passing run of each check in a poll, needed to judge later claims. */
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
 * Sums over `fromMs` ≤ t < `toMs` that add up to the span exactly. `changes` are in order and hold until the next one;
 * before the first, the state is unknown. Time covered by a claim counts as down.
 */
export function sumKnown(
  changes: readonly Change[],
  claims: readonly Pick<Claim, 'fromMs' | 'toMs'>[],
  fromMs: number,
  toMs: number,
): KnownSums {
  const sums: Record<Known, number> = { up: 0, down: 0, unreachable: 0, unknown: 0 };
  const spans = claims.toSorted((a, b) => a.fromMs - b.fromMs);
  let passed = 0;
  const add = (known: Known, startMs: number, endMs: number): void => {
    let atMs = startMs;
    // Times go forward: a claim that is over is not looked at again.
    while ((spans[passed]?.toMs ?? Infinity) <= startMs) passed += 1;
    for (let index = passed; index < spans.length; index += 1) {
      const span = spans[index];
      if (span === undefined || span.fromMs >= endMs) break;
      if (span.toMs <= atMs) continue;
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
 * Uptime in parts per million, rounded down; null if more than half of the time is unknown, since the figure would then
 * be misleading.
 */
export function uptimePpm({ upMs, downMs, unreachableMs, unknownMs }: KnownSums): number | null {
  const knownMs = upMs + downMs + unreachableMs;
  return knownMs === 0 || unknownMs > knownMs ? null : Math.floor((upMs * 1e6) / knownMs);
}
