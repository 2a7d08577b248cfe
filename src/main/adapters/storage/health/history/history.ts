import { checkDocument } from '../../documents.ts';
import type { ReportMoment } from '../../../../../shared/health/types.ts';
import { nothingPrior, sumKnown, type Prior, type Claim } from '../../../../../shared/health/uptime.ts';
import type { StoredCell, StoredUptime } from '../../../../core/health-ports.ts';
import { blockSpanMs, type StoredPolls } from './stored-polls.ts';
import { bytes, integer, integerOrNull, json } from '../../sqlite/row.ts';
import type { SqlRow } from '../../sqlite/sql.ts';
import { CellCounter, quarterMs } from './cell-counter.ts';
import { dayMs } from '../../../../../shared/time.ts';
import {
  addRuns,
  allSteps,
  countIn,
  countRuns,
  dayOf,
  momentsIn,
  sightOf,
  summaryOf,
  timelineOf,
  type CheckRuns,
  type Span,
  type DayContent,
  unpackDay,
  type DayTimeline,
} from './day.ts';

const nothing = nothingPrior();
/** Longer spans of the node alone are read from the days, as all others. */
const longestShortMs = 3 * dayMs;

/** Answers queries about a node's past from summaries of days and, where more detail is needed, from polls. */
export class History {
  readonly #polls: StoredPolls;

  constructor(polls: StoredPolls) {
    this.#polls = polls;
  }

  /** `ofNode`: of the node alone, which takes far less. */
  cells(node: number, fromMs: number, cellMs: number, cellCount: number, ofNode = false): StoredCell[] {
    const counter = new CellCounter(fromMs, cellMs, cellCount);
    const untilMs = fromMs + cellMs * cellCount;
    const isShort = ofNode && untilMs - fromMs <= longestShortMs;
    const count = (startMs: number, endMs: number): void => {
      if (isShort) return this.#countNode(counter, node, startMs, endMs);
      for (const slice of this.#polls.slices(node, startMs, endMs)) countIn(counter, slice);
    };
    let uncountedMs = fromMs;
    for (const { fromMs: dayFromMs, hasRuns, read } of this.#days(node, fromMs, untilMs, 'cells')) {
      const cells = isShort && hasRuns ? null : read();
      if (cells === null) continue;
      if (dayFromMs > uncountedMs) count(uncountedMs, dayFromMs);
      uncountedMs = Math.min(dayFromMs + dayMs, untilMs);
      const divided = new Set<number>();
      for (const quarters of cells) counter.addQuarters(quarters, dayFromMs, hasRuns ? divided : null);
      for (const startMs of divided) count(startMs, startMs + quarterMs);
    }
    if (untilMs > uncountedMs) count(uncountedMs, untilMs);
    for (const claims of this.#claims(node, fromMs, untilMs, ofNode).values()) {
      for (const claim of claims) counter.addClaim(claim);
    }
    const counted = counter.counted();
    return ofNode ? counted.filter(({ check }) => check === null) : counted;
  }

  #countNode(counter: CellCounter, node: number, fromMs: number, toMs: number): void {
    for (let hour = Math.floor(fromMs / blockSpanMs); hour * blockSpanMs < toMs; hour += 1) {
      const hourMs = hour * blockSpanMs;
      const sights = this.#polls.hours.sights(node, hourMs, () =>
        this.#polls.between(node, hourMs, hourMs + blockSpanMs).map(sightOf),
      );
      for (const seen of sights) if (seen.atMs >= fromMs && seen.atMs < toMs) counter.add(seen);
    }
  }

  uptime(node: number, fromMs: number, toMs: number): StoredUptime[] {
    const claims = this.#claims(node, fromMs, toMs);
    const days = [...this.#timelines(node, fromMs, toMs)];
    const runsOf = new Map<string | null, CheckRuns>();
    for (const counts of days.flatMap(({ runs }) => runs)) addRuns(runsOf, counts);
    const checks = days.flatMap(({ changes }) => [...changes.keys()]);
    return [...new Set([null, ...claims.keys(), ...checks, ...runsOf.keys()])]
      .map((check) => {
        const all = days.flatMap(({ startMs, changes }) => [
          { fromMs: startMs, known: 'unknown' as const },
          ...(changes.get(check) ?? []),
        ]);
        const sums = sumKnown(all, claims.get(check) ?? [], fromMs, toMs);
        return { check, ...sums, runs: 0, failedRuns: 0, ...runsOf.get(check) };
      })
      .filter(({ check, upMs, downMs, runs }) => check === null || upMs + downMs + runs > 0);
  }

  moments(node: number, fromMs: number, toMs: number, limit: number) {
    const moments: ReportMoment[] = [];
    let nextMs = fromMs;
    const read = (untilMs: number): void => {
      for (const slice of this.#polls.slices(node, nextMs, untilMs + 1)) {
        // A busy node may have more changes in an hour than were asked for.
        if (moments.length > limit) return;
        moments.push(...momentsIn(slice.polls(), slice.fromMs, slice.toMs - 1));
      }
    };
    for (const day of this.#days(node, fromMs, toMs + 1, 'moments')) {
      const ofDay = day.read();
      if (ofDay === null) continue;
      read(day.fromMs - 1);
      if (moments.length > limit) break;
      moments.push(...ofDay.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs));
      nextMs = day.fromMs + dayMs;
    }
    read(toMs);
    return { moments: moments.slice(0, limit), isCut: moments.length > limit };
  }

  /** What was known at the end of the last computed day before `day`, and the first day after that one. */
  priorTo(node: number, day: number): { prior: Prior; nextDay: number } {
    const row = this.#polls.reader.get(
      `SELECT id, day, timeline FROM health_day WHERE node_ref = ? AND day < ? AND is_stale = 0
       ORDER BY day DESC LIMIT 1`,
      [node, day],
    );
    const earliest = 'SELECT min(first_at_ms) AS at_ms FROM health_block WHERE node_ref = ?';
    const firstMs = integerOrNull(this.#polls.reader.get(earliest, [node]), 'at_ms') ?? Infinity;
    const firstDay = Math.min(day, dayOf(firstMs));
    if (row === undefined) return { prior: nothing, nextDay: firstDay };
    const readPrior = () => this.#read(row, 'timeline')?.prior ?? nothing;
    const prior = this.#polls.hours.priorOf(integer(row, 'id'), readPrior);
    return { prior, nextDay: Math.max(integer(row, 'day') + 1, firstDay) };
  }

  /** The timelines of a span's days, in order, computed where they are not stored; counts only runs in the span. */
  *#timelines(node: number, fromMs: number, toMs: number): Generator<DayTimeline & { startMs: number }> {
    const firstDay = dayOf(fromMs);
    const firstMs = firstDay * dayMs;
    const before = this.priorTo(node, firstDay);
    let { prior } = before;
    if (before.nextDay < firstDay) {
      prior = this.#timelineOf(node, prior, [before.nextDay * dayMs, firstMs], [firstMs, firstMs]).prior;
    }
    const stored = new Map(
      Array.from(this.#days(node, fromMs, toMs, 'timeline'), (day) => [day.fromMs, day] as const),
    );
    const lastMs = (dayOf(toMs - 1) + 1) * dayMs;
    let endMs = firstMs;
    for (let startMs = firstMs; startMs < toMs; startMs = endMs) {
      const day = stored.get(startMs);
      // Days that are not stored at once: by a wrong clock there may be millions of them.
      const next = () => [...stored.keys()].find((atMs) => atMs > startMs) ?? lastMs;
      endMs = day === undefined ? next() : startMs + dayMs;
      const isWhole = fromMs <= startMs && toMs >= endMs;
      const counted = [Math.max(fromMs, startMs), Math.min(toMs, endMs)] as const;
      let timeline = day?.read() ?? null;
      if (timeline === null) {
        timeline = this.#timelineOf(node, prior, [startMs, endMs], counted);
      } else if (!isWhole && day !== undefined) {
        timeline = { ...timeline, runs: this.#runsIn(node, day, prior, counted) };
      }
      const { prior: later } = timeline;
      prior = day === undefined ? later : this.#polls.hours.priorOf(day.id, () => later);
      yield { startMs, ...timeline };
    }
  }

  /** From single polls, of which whole hours are computed once. */
  #timelineOf(node: number, prior: Prior, [fromMs, toMs]: Span, counted: Span): DayTimeline {
    const { hours } = this.#polls;
    const slices = this.#polls.slices(node, fromMs, toMs);
    return allSteps(
      timelineOf(prior, slices, counted, (known, slice) =>
        hours.summary(node, slice, known, () => summaryOf(known, slice)),
      ),
    );
  }

  /** The runs in a part of a day: counted exactly while they are stored, later by the quarter they are in. */
  #runsIn(node: number, day: { fromMs: number; hasRuns: boolean }, prior: Prior, counted: Span): CheckRuns[] {
    if (day.hasRuns) {
      const { fromMs: startMs } = day;
      // From an hour before on, where mostly each check has a run: the one before tells how many a failing run stands for.
      const fromMs = Math.max(startMs, counted[0] - blockSpanMs);
      const before = fromMs === startMs ? prior.runs : null;
      const runs = countRuns(before, this.#polls.slices(node, fromMs, counted[1]), counted);
      if (runs !== null) return runs;
      return this.#timelineOf(node, prior, [startMs, startMs + dayMs], counted).runs;
    }
    const sums = new Map<string | null, CheckRuns>();
    for (const { check, state, count } of this.cells(node, counted[0], counted[1] - counted[0], 1)) {
      const isFailed = state === 'fail' || state === 'unhealthy';
      if (!isFailed && state !== 'pass' && state !== 'healthy' && state !== 'starting') continue;
      addRuns(sums, { check, runs: count, failedRuns: isFailed ? count : 0 });
    }
    return [...sums.values()];
  }

  /** The computed days of a span, in order, and how to read a part of their summary; of days without runs no moments. */
  *#days<Part extends keyof DayContent>(node: number, fromMs: number, toMs: number, part: Part) {
    for (const row of this.#polls.reader.iterate(
      `SELECT id, day, has_runs, ${part} FROM health_day
       WHERE node_ref = ? AND day >= ? AND day <= ? AND is_stale = 0 AND ${part} IS NOT NULL ORDER BY day`,
      [node, dayOf(fromMs), dayOf(toMs - 1)],
    )) {
      const [id, day] = [integer(row, 'id'), integer(row, 'day')];
      const read = () => this.#read(row, part);
      yield { id, fromMs: day * dayMs, hasRuns: integer(row, 'has_runs') === 1, read };
    }
  }

  /** Null for an unreadable part; single polls are used instead, where they are still stored. */
  #read<Part extends keyof DayContent>(row: SqlRow, part: Part): DayContent[Part] | null {
    const packed = bytes(row, part);
    return this.#polls.readable('health_day', integer(row, 'id'), () => unpackDay[part](packed));
  }

  #claims(node: number, fromMs: number, toMs: number, ofNode = false): Map<string | null, Claim[]> {
    const isOfNode = ofNode ? `AND check_json = 'null'` : '';
    const rows = this.#polls.reader.all(
      `SELECT check_json, from_ms, to_ms FROM health_claim
       WHERE node_ref = ? AND to_ms > ? AND from_ms < ? ${isOfNode}`,
      [node, fromMs, toMs],
    );
    const claims = rows.map((row) => ({
      check: json(row, 'check_json', checkDocument),
      fromMs: integer(row, 'from_ms'),
      toMs: integer(row, 'to_ms'),
    }));
    return Map.groupBy(claims, ({ check }) => check);
  }
}
