import type { CheckState, NodeState } from '../../../../../shared/health/types.ts';
import {
  runTimeMs,
  spanHistory,
  type CarriedRun,
  type Carry,
  type Change,
} from '../../../../../shared/health/uptime.ts';
import { SqlFailure } from '../../sqlite/sql.ts';
import type { CorePoll } from './block.ts';
import { pack, unpack } from './packed.ts';

/** What a day comes to: counts for strips, what was known when for uptime, and where reports changed. */

export const dayMs = 86_400_000;
export const quarterMs = 900_000;

export function dayOf(atMs: number): number {
  return Math.floor(atMs / dayMs);
}

/** Something that was seen: a run of a check, or (check null) a poll of the node. */
export interface Sighted {
  check: string | null;
  atMs: number;
  state: CheckState | NodeState;
  error: string | null;
}

/** What the polls saw of `fromMs` ≤ t < `toMs`, in order of time for each check. */
export function sightedIn(polls: readonly CorePoll[], fromMs: number, toMs: number): Sighted[] {
  const seen: Sighted[] = [];
  for (const { polledAtMs, state, reason, runs } of polls) {
    if (polledAtMs >= fromMs && polledAtMs < toMs) {
      seen.push({ check: null, atMs: polledAtMs, state, error: reason });
    }
    for (const run of runs) {
      const atMs = runTimeMs(run.ranAtMs, polledAtMs);
      if (atMs >= fromMs && atMs < toMs)
        seen.push({ check: run.check, atMs, state: run.state, error: run.error });
    }
  }
  return seen.sort((a, b) => a.atMs - b.atMs);
}

/** As many quarters of an hour, one after the other, in each of which the state was seen `count` times. */
export interface QuarterRun {
  check: string | null;
  state: CheckState | NodeState;
  /** Quarter of the day. */
  start: number;
  length: number;
  count: number;
  /** Of the first in each of them. */
  firstError: string | null;
}

export interface CheckRuns {
  check: string | null;
  /** Over the day: passing and failing runs, and the failing ones among them, as the node counted them. */
  runs: number;
  failedRuns: number;
}

export interface DayTimeline {
  changes: Map<string | null, Change[]>;
  runs: CheckRuns[];
  carry: Carry;
}

export interface DayContent {
  cells: QuarterRun[];
  timeline: DayTimeline;
  /** Times of polls whose report changed, with the node's state. */
  moments: { atMs: number; state: NodeState }[];
}

/** Polls about a part of a span (`StoredPolls.slices`), small enough to be in memory at once. */
export interface Slice {
  fromMs: number;
  toMs: number;
  polls: readonly CorePoll[];
}

/** A day as the bytes that are stored. */
export function packDay({ cells, timeline, moments }: DayContent): Record<keyof DayContent, Uint8Array> {
  const { changes, runs, carry } = timeline;
  const { seenUntilMs, node } = carry;
  const stored: StoredTimeline = {
    changes: [...changes],
    runs,
    carry,
    carried: [...carry.runs],
    seenUntilMs,
    nodeUntilMs: node.untilMs,
  };
  return { cells: pack(cells), timeline: pack([stored]), moments: pack(moments) };
}

/** Of a carry JSON has neither the runs nor -Infinity, for which it has null. */
interface StoredTimeline {
  changes: [string | null, Change[]][];
  runs: CheckRuns[];
  carry: Carry;
  carried: [string, CarriedRun][];
  seenUntilMs: number | null;
  nodeUntilMs: number | null;
}

export function unpackTimeline(packed: Uint8Array): DayTimeline {
  const [stored] = unpack<StoredTimeline>(packed);
  if (stored === undefined) throw new SqlFailure('corrupt', 'a day of the history has no timeline');
  const { changes, runs, carry, carried, seenUntilMs, nodeUntilMs } = stored;
  return {
    changes: new Map(changes),
    runs,
    carry: {
      ...carry,
      seenUntilMs: seenUntilMs ?? -Infinity,
      node: { ...carry.node, untilMs: nodeUntilMs ?? -Infinity },
      runs: new Map(carried),
    },
  };
}

export function unpackCells(packed: Uint8Array): QuarterRun[] {
  return unpack(packed);
}

export function unpackMoments(packed: Uint8Array): DayContent['moments'] {
  return unpack(packed);
}

/** Computes a day from what is stored about it. */
export function contentOfDay(day: number, carry: Carry, slices: Iterable<Slice>): DayContent {
  const fromMs = day * dayMs;
  const timeline = new TimelineSum(carry, [fromMs, fromMs + dayMs]);
  const quarters = new QuarterCounter(fromMs);
  const moments: DayContent['moments'] = [];
  for (const slice of slices) {
    timeline.add(slice);
    quarters.add(slice);
    moments.push(...momentsIn(slice.polls, slice.fromMs, slice.toMs - 1));
  }
  return { cells: quarters.counted(), timeline: timeline.sum(), moments };
}

/** The timeline of a span, and the runs in the part of it that is counted. */
export function timelineOf(
  carry: Carry,
  slices: Iterable<Slice>,
  counted: readonly [number, number],
): DayTimeline {
  const timeline = new TimelineSum(carry, counted);
  for (const slice of slices) timeline.add(slice);
  return timeline.sum();
}

/** Puts slices that follow on one another together. */
class TimelineSum {
  readonly #counted: readonly [number, number];
  readonly #changes = new Map<string | null, Change[]>();
  readonly #runs = new Map<string | null, CheckRuns>();
  #carry: Carry;

  constructor(carry: Carry, counted: readonly [number, number]) {
    this.#carry = carry;
    this.#counted = counted;
  }

  add({ polls, fromMs, toMs }: Slice): void {
    const countFromMs = Math.max(fromMs, this.#counted[0]);
    const countToMs = Math.min(toMs, this.#counted[1]);
    const span = spanHistory(this.#carry, polls, fromMs, toMs);
    this.#carry = span.carry;
    for (const [check, changes] of span.changes) {
      const before = this.#changes.get(check);
      if (before === undefined) this.#changes.set(check, changes);
      else before.push(...(changes[0]?.known === before.at(-1)?.known ? changes.slice(1) : changes));
    }
    const ofNode = nodeRuns(polls, countFromMs, countToMs);
    this.#count(null, ofNode.runs, ofNode.failedRuns);
    for (const [check, placed] of span.runs) {
      for (const { atMs, state, counted } of placed) {
        if (atMs < countFromMs || atMs >= countToMs) continue;
        if (state === 'pass') this.#count(check, 1, 0);
        if (state === 'fail') this.#count(check, counted, counted);
      }
    }
  }

  sum(): DayTimeline {
    return { changes: this.#changes, runs: [...this.#runs.values()], carry: this.#carry };
  }

  #count(check: string | null, runs: number, failedRuns: number): void {
    const counts = this.#runs.get(check);
    if (counts === undefined) this.#runs.set(check, { check, runs, failedRuns });
    else {
      counts.runs += runs;
      counts.failedRuns += failedRuns;
    }
  }
}

/** For the node every report counts as a run. */
export function nodeRuns(polls: readonly CorePoll[], fromMs: number, toMs: number): CheckRuns {
  const counts: CheckRuns = { check: null, runs: 0, failedRuns: 0 };
  for (const { polledAtMs, state } of polls) {
    if (polledAtMs < fromMs || polledAtMs >= toMs) continue;
    if (state === 'healthy' || state === 'unhealthy' || state === 'starting') counts.runs += 1;
    if (state === 'unhealthy') counts.failedRuns += 1;
  }
  return counts;
}

export function momentsIn(
  polls: readonly CorePoll[],
  fromMs: number,
  toMs: number,
): { atMs: number; state: NodeState }[] {
  return polls
    .filter(
      ({ polledAtMs, isChange, hasReport }) =>
        isChange && hasReport && polledAtMs >= fromMs && polledAtMs <= toMs,
    )
    .map(({ polledAtMs, state }) => ({ atMs: polledAtMs, state }));
}

interface Quarter {
  count: number;
  firstMs: number;
  firstError: string | null;
}

/** Counts without putting in order what was seen: a day has tens of thousands of runs. */
class QuarterCounter {
  readonly #dayFromMs: number;
  readonly #counts = new Map<string | null, Map<CheckState | NodeState, Quarter[]>>();

  constructor(dayFromMs: number) {
    this.#dayFromMs = dayFromMs;
  }

  add({ polls, fromMs, toMs }: Slice): void {
    for (const { polledAtMs, state, reason, runs } of polls) {
      if (polledAtMs >= fromMs && polledAtMs < toMs) this.#add(null, state, polledAtMs, reason);
      for (const run of runs) {
        const atMs = runTimeMs(run.ranAtMs, polledAtMs);
        if (atMs >= fromMs && atMs < toMs) this.#add(run.check, run.state, atMs, run.error);
      }
    }
  }

  counted(): QuarterRun[] {
    return [...this.#counts].flatMap(([check, states]) =>
      [...states].flatMap(([state, quarters]) => joinQuarters(check, state, quarters)),
    );
  }

  #add(check: string | null, state: CheckState | NodeState, atMs: number, error: string | null): void {
    let states = this.#counts.get(check);
    if (states === undefined) {
      states = new Map<CheckState | NodeState, Quarter[]>();
      this.#counts.set(check, states);
    }
    let quarters = states.get(state);
    if (quarters === undefined) {
      quarters = [];
      states.set(state, quarters);
    }
    const at = Math.floor((atMs - this.#dayFromMs) / quarterMs);
    const known = quarters[at];
    if (known === undefined) {
      quarters[at] = { count: 1, firstMs: atMs, firstError: error };
      return;
    }
    known.count += 1;
    if (atMs >= known.firstMs) return;
    known.firstMs = atMs;
    known.firstError = error;
  }
}

/** Equal quarters that follow on one another, as one. */
function joinQuarters(
  check: string | null,
  state: CheckState | NodeState,
  quarters: readonly (Quarter | undefined)[],
): QuarterRun[] {
  const joined: QuarterRun[] = [];
  for (const [start, quarter] of quarters.entries()) {
    if (quarter === undefined) continue;
    const { count, firstError } = quarter;
    const last = joined.at(-1);
    if (
      last !== undefined &&
      last.start + last.length === start &&
      last.count === count &&
      last.firstError === firstError
    ) {
      last.length += 1;
    } else {
      joined.push({ check, state, start, length: 1, count, firstError });
    }
  }
  return joined;
}
