import type { ReportMoment } from '../../../../../shared/health/types.ts';
import {
  countedRuns,
  runTimeMs,
  spanHistory,
  type CountedRun,
  type Prior,
  type Change,
} from '../../../../../shared/health/uptime.ts';
import type { StoredCell } from '../../../../core/health-ports.ts';
import { dayMs } from '../../../../../shared/time.ts';
import { SqlFailure } from '../../sqlite/sql.ts';
import type { CorePoll } from './block.ts';
import { CellCounter, quarterMs, type QuarterRun, type Sighted } from './cell-counter.ts';
import { orAdd } from '../../../../../shared/or-add.ts';
import { pack } from './packed.ts';
import { unpack } from './unpacked.ts';

/** A day's summary: counts for strips, a timeline for uptime, and the moments at which reports changed. */

export function dayOf(atMs: number): number {
  return Math.floor(atMs / dayMs);
}

/** Counts the polls of a slice, and the runs, that are within its span. */
export function countIn(counter: CellCounter, { polls, fromMs, toMs }: Slice): void {
  const add = (seen: Sighted): void => {
    if (seen.atMs >= fromMs && seen.atMs < toMs) counter.add(seen);
  };
  for (const poll of polls()) {
    add(sightOf(poll));
    for (const { check, ranAtMs, state, error } of poll.runs)
      add({ check, atMs: runTimeMs(ranAtMs, poll.polledAtMs), state, error });
  }
}

/** The node's own state, as a poll saw it. */
export function sightOf(poll: Pick<CorePoll, 'polledAtMs' | 'state' | 'reason'>): Sighted {
  return { check: null, atMs: poll.polledAtMs, state: poll.state, error: poll.reason };
}

export interface CheckRuns {
  check: string | null;
  /** Over the day, by the node's own times: passing and failing runs, and the failing ones among them. */
  runs: number;
  failedRuns: number;
}

export interface DayTimeline {
  changes: Map<string | null, Change[]>;
  runs: CheckRuns[];
  /** What the next day has to know. */
  prior: Prior;
}

export interface DayContent {
  cells: QuarterRun[];
  timeline: DayTimeline;
  moments: ReportMoment[];
}

/** From and to, in milliseconds. */
export type Span = readonly [number, number];

/** A part of a span, small enough for memory; `polls` are those that concern it (`StoredPolls.slices`). */
export interface Slice {
  fromMs: number;
  toMs: number;
  polls: () => readonly CorePoll[];
}

/** What follows from a slice: changes of states, its runs, and what the next slice has to know. */
export interface SpanSummary extends DayTimeline {
  /** How many runs were read for it. */
  read: number;
}

/** Packs a day's summary for storing. */
export function packDay({ cells, timeline, moments }: DayContent) {
  return { cells: pack(cells), timeline: pack([withoutMaps(timeline)]), moments: pack(moments) };
}

/** JSON has no maps. */
function withoutMaps({ changes, runs, prior }: DayTimeline) {
  return { changes: [...changes], runs, prior: { ...prior, runs: [...prior.runs] } };
}

/** Inverse of `packDay`. */
export const unpackDay: { [Part in keyof DayContent]: (packed: Uint8Array) => DayContent[Part] } = {
  cells: (packed) => unpack(packed),
  moments: (packed) => unpack(packed),
  timeline: (packed) => {
    const [stored] = unpack<ReturnType<typeof withoutMaps>>(packed);
    if (stored === undefined) throw new SqlFailure('corrupt', 'a day of the history has no timeline');
    const { changes, runs, prior } = stored;
    return { changes: new Map(changes), runs, prior: { ...prior, runs: new Map(prior.runs) } };
  },
};

/** Work that can be left for a while between two steps; each tells how many runs it has read. */
export type Steps<T> = Generator<number, T>;

export function allSteps<T>(steps: Steps<T>): T {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** Computes a day's summary from stored polls. */
export function* contentOfDay(day: number, known: Prior, slices: Iterable<Slice>): Steps<DayContent> {
  const fromMs = day * dayMs;
  const quarters = new CellCounter(fromMs, quarterMs, dayMs / quarterMs);
  const moments: ReportMoment[] = [];
  const timeline = yield* timelineOf(known, slices, [fromMs, fromMs + dayMs], (prior, slice) => {
    countIn(quarters, slice);
    moments.push(...momentsIn(slice.polls(), slice.fromMs, slice.toMs - 1));
    return summaryOf(prior, slice);
  });
  return { cells: joinQuarters(quarters.counted()), timeline, moments };
}

/** Summarises a slice; only runs of `counted` are counted. */
export function summaryOf(
  known: Prior,
  slice: Slice,
  counted: Span = [slice.fromMs, slice.toMs],
): SpanSummary {
  const polls = slice.polls();
  const [fromMs, toMs] = [Math.max(slice.fromMs, counted[0]), Math.min(slice.toMs, counted[1])];
  const { changes, runs: placed, prior } = spanHistory(known, polls, slice.fromMs, slice.toMs);
  const runs = [nodeRuns(polls, fromMs, toMs)];
  for (const [check, ofCheck] of placed) {
    const counts: CheckRuns = { check, runs: 0, failedRuns: 0 };
    for (const { atMs, state, counted: count } of ofCheck) {
      if (atMs < fromMs || atMs >= toMs || (state !== 'pass' && state !== 'fail')) continue;
      counts.runs += state === 'pass' ? 1 : count;
      if (state === 'fail') counts.failedRuns += count;
    }
    if (counts.runs > 0) runs.push(counts);
  }
  const read = polls.reduce((sum, poll) => sum + poll.runs.length, 0);
  return { read, changes, runs, prior };
}

/** Adds runs to the others of their check. */
export function addRuns(to: Map<string | null, CheckRuns>, { check, runs, failedRuns }: CheckRuns): void {
  const sum = orAdd(to, check, () => ({ check, runs: 0, failedRuns: 0 }));
  sum.runs += runs;
  sum.failedRuns += failedRuns;
}

/** The timeline of consecutive slices, and the runs in the part of them to count. */
export function* timelineOf(
  known: Prior,
  slices: Iterable<Slice>,
  counted: Span,
  summarise: (known: Prior, slice: Slice) => SpanSummary,
): Steps<DayTimeline> {
  const timeline: DayTimeline = { changes: new Map(), runs: [], prior: known };
  const runsOf = new Map<string | null, CheckRuns>();
  for (const slice of slices) {
    const isCounted = slice.toMs > counted[0] && slice.fromMs < counted[1];
    const isWhole = slice.fromMs >= counted[0] && slice.toMs <= counted[1];
    const span = summarise(timeline.prior, slice);
    const { runs } = isCounted && !isWhole ? summaryOf(timeline.prior, slice, counted) : span;
    timeline.prior = span.prior;
    for (const [check, changes] of span.changes) {
      const before = timeline.changes.get(check);
      if (before === undefined) timeline.changes.set(check, [...changes]);
      else before.push(...(changes[0]?.known === before.at(-1)?.known ? changes.slice(1) : changes));
    }
    for (const counts of isCounted ? runs : []) addRuns(runsOf, counts);
    yield span.read;
  }
  timeline.runs = [...runsOf.values()];
  return timeline;
}

/**
 * The runs in a span, as `timelineOf` counts them, without its changes. `before`: the last run of each check before the slices;
 * null if that is not known. Null where it takes a timeline to tell.
 */
export function countRuns(
  before: Prior['runs'] | null,
  slices: Iterable<Slice>,
  [fromMs, toMs]: Span,
): CheckRuns[] | null {
  const latest = new Map<string, CountedRun>(before ?? []);
  const all = new Map<string | null, CheckRuns>();
  for (const slice of slices) {
    const polls = slice.polls();
    addRuns(all, nodeRuns(polls, Math.max(slice.fromMs, fromMs), Math.min(slice.toMs, toMs)));
    for (const { polledAtMs, runs } of polls) {
      for (const { check, ranAtMs, state, contiguousFailures } of runs) {
        const atMs = runTimeMs(ranAtMs, polledAtMs);
        if (atMs < slice.fromMs || atMs >= slice.toMs) continue;
        const last = latest.get(check) ?? null;
        const run = { atMs, state, contiguousFailures };
        latest.set(check, run);
        // Seen late: its place is among those that were counted.
        if (last !== null && last.atMs > atMs) return null;
        if (atMs < fromMs || atMs >= toMs || (state !== 'pass' && state !== 'fail')) continue;
        const isFailed = state === 'fail';
        if (isFailed && before === null && last === null && contiguousFailures !== null) return null;
        const count = isFailed ? countedRuns(last, run) : 1;
        addRuns(all, { check, runs: count, failedRuns: isFailed ? count : 0 });
      }
    }
  }
  return [...all.values()];
}

/** For the node itself, each report counts as a run. */
export function nodeRuns(
  polls: readonly Pick<CorePoll, 'polledAtMs' | 'state'>[],
  fromMs: number,
  toMs: number,
): CheckRuns {
  const counts: CheckRuns = { check: null, runs: 0, failedRuns: 0 };
  for (const { polledAtMs, state } of polls) {
    if (polledAtMs < fromMs || polledAtMs >= toMs) continue;
    if (state === 'healthy' || state === 'unhealthy' || state === 'starting') counts.runs += 1;
    if (state === 'unhealthy') counts.failedRuns += 1;
  }
  return counts;
}

export function momentsIn(polls: readonly CorePoll[], fromMs: number, toMs: number): ReportMoment[] {
  const isIn = ({ polledAtMs: atMs }: CorePoll) => atMs >= fromMs && atMs <= toMs;
  const moments = polls.filter((poll) => poll.isChange && poll.hasReport && isIn(poll));
  return moments.map(({ polledAtMs, state }) => ({ atMs: polledAtMs, state }));
}

/** Merges equal consecutive quarters. */
function joinQuarters(quarters: readonly StoredCell[]): QuarterRun[] {
  const joined: QuarterRun[] = [];
  const last = new Map<string, QuarterRun>();
  for (const { check, state, cell, count, firstError } of [...quarters].sort((a, b) => a.cell - b.cell)) {
    const key = JSON.stringify([check, state, count, firstError]);
    const before = last.get(key);
    if (before !== undefined && before.start + before.length === cell) {
      before.length += 1;
      continue;
    }
    const begun = { check, state, start: cell, length: 1, count, firstError };
    joined.push(begun);
    last.set(key, begun);
  }
  return joined;
}
