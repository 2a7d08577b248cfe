import type { CheckState, NodeState } from '../../../../../shared/health/types.ts';
import { type Carry, type CarriedRun, type Change, type Known } from '../../../../../shared/health/uptime.ts';
import { ColumnReader, ColumnWriter } from './columns.ts';
import { seal, unseal } from './sealed.ts';
import { checkStates, nodeStates } from './states.ts';
import type { QuarterRun, DayTimeline, DayContent } from './day.ts';

/** A day as the bytes that are stored. */

export interface DayBytes {
  cells: Uint8Array;
  timeline: Uint8Array;
  moments: Uint8Array;
}

export function packDay({ cells, timeline, moments }: DayContent): DayBytes {
  return { cells: packCells(cells), timeline: packTimeline(timeline), moments: packMoments(moments) };
}

function packCells(cells: readonly QuarterRun[]): Uint8Array {
  const writer = new ColumnWriter();
  const checks = new Places<string | null>();
  const errors = new Places<string | null>();
  const checkPlaces = cells.map(({ check }) => checks.of(check));
  const errorPlaces = cells.map(({ firstError }) => errors.of(firstError));
  writer.json(checks.values);
  writer.json(errors.values);
  writer.count(cells.length);
  writer.numbers(checkPlaces);
  writer.numbers(cells.map(({ check, state }) => placeOfState(check, state)));
  writer.numbers(cells.map(({ start }) => start));
  writer.numbers(cells.map(({ length }) => length));
  writer.numbers(cells.map(({ count }) => count));
  writer.numbers(errorPlaces);
  return seal(writer.finish());
}

export function unpackCells(sealed: Uint8Array): QuarterRun[] {
  const reader = new ColumnReader(unseal(sealed));
  const checks = reader.nullableList();
  const errors = reader.nullableList();
  const length = reader.count();
  const checkPlaces = reader.numbers(length);
  const states = reader.numbers(length);
  const starts = reader.numbers(length);
  const lengths = reader.numbers(length);
  const counts = reader.numbers(length);
  const errorPlaces = reader.numbers(length);
  return checkPlaces.map((place, at) => {
    const check = checks[place] ?? null;
    return {
      check,
      state: stateAt(check, states[at] ?? 0),
      start: starts[at] ?? 0,
      length: lengths[at] ?? 0,
      count: counts[at] ?? 0,
      firstError: errors[errorPlaces[at] ?? 0] ?? null,
    };
  });
}

function placeOfState(check: string | null, state: CheckState | NodeState): number {
  const states: readonly string[] = check === null ? nodeStates : checkStates;
  return states.indexOf(state);
}

function stateAt(check: string | null, place: number): CheckState | NodeState {
  return check === null ? (nodeStates[place] ?? 'unknown') : (checkStates[place] ?? 'unknown');
}

// Places are the numbers that are stored: what is added goes to the end.
const knowns: readonly Known[] = ['unknown', 'up', 'down', 'unreachable'];

/** -Infinity is no JSON. */
type CarryJson = [
  lastPollMs: number | null,
  previousPollMs: number | null,
  seenUntilMs: number | null,
  node: [known: number, untilMs: number | null],
  runs: [string, atMs: number, seenAtMs: number, state: number, contiguousFailures: number | null][],
];

function packTimeline({ changes, runs, carry }: DayTimeline): Uint8Array {
  const writer = new ColumnWriter();
  const checks = [...changes.keys()];
  writer.json(checks);
  writer.numbers([...changes.values()].map((list) => list.length));
  const all = [...changes.values()].flat();
  writer.numbers(all.map(({ fromMs }) => fromMs));
  writer.numbers(all.map(({ known }) => knowns.indexOf(known)));
  const counts = checks.map((check) => runs.find((run) => run.check === check));
  writer.numbers(counts.map((count) => count?.runs ?? 0));
  writer.numbers(counts.map((count) => count?.failedRuns ?? 0));
  writer.json(carryJson(carry));
  return seal(writer.finish());
}

/** Equal for carries that are equal. */
function carryJson(carry: Carry): CarryJson {
  const finite = (ms: number) => (Number.isFinite(ms) ? ms : null);
  return [
    carry.lastPollMs,
    carry.previousPollMs,
    finite(carry.seenUntilMs),
    [knowns.indexOf(carry.node.known), finite(carry.node.untilMs)],
    [...carry.runs]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([check, { atMs, seenAtMs, state, contiguousFailures }]) => [
        check,
        atMs,
        seenAtMs,
        checkStates.indexOf(state),
        contiguousFailures,
      ]),
  ];
}

export function unpackTimeline(sealed: Uint8Array): DayTimeline {
  const reader = new ColumnReader(unseal(sealed));
  const checks = reader.nullableList();
  const lengths = reader.numbers(checks.length);
  let total = 0;
  for (const length of lengths) total += length;
  const times = reader.numbers(total);
  const places = reader.numbers(total);
  const runs = reader.numbers(checks.length);
  const failedRuns = reader.numbers(checks.length);
  // Written by `carryJson`.
  const [lastPollMs, previousPollMs, seenUntilMs, [known, untilMs], carried] = reader.json() as CarryJson;
  let next = 0;
  const changes = new Map(
    checks.map((check, at): [string | null, Change[]] => {
      const end = next + (lengths[at] ?? 0);
      const list: Change[] = [];
      for (; next < end; next += 1) {
        list.push({ fromMs: times[next] ?? 0, known: knowns[places[next] ?? 0] ?? 'unknown' });
      }
      return [check, list];
    }),
  );
  const carriedRuns = carried.map(
    ([check, atMs, seenAtMs, state, contiguousFailures]): [string, CarriedRun] => [
      check,
      { atMs, seenAtMs, state: checkStates[state] ?? 'unknown', contiguousFailures },
    ],
  );
  return {
    changes,
    runs: checks.map((check, at) => ({ check, runs: runs[at] ?? 0, failedRuns: failedRuns[at] ?? 0 })),
    carry: {
      lastPollMs,
      previousPollMs,
      seenUntilMs: seenUntilMs ?? -Infinity,
      node: { known: knowns[known] ?? 'unknown', untilMs: untilMs ?? -Infinity },
      runs: new Map(carriedRuns),
    },
  };
}

function packMoments(moments: DayContent['moments']): Uint8Array {
  const writer = new ColumnWriter();
  writer.count(moments.length);
  writer.numbers(moments.map(({ atMs }) => atMs));
  writer.numbers(moments.map(({ state }) => nodeStates.indexOf(state)));
  return seal(writer.finish());
}

export function unpackMoments(sealed: Uint8Array): DayContent['moments'] {
  const reader = new ColumnReader(unseal(sealed));
  const length = reader.count();
  const times = reader.numbers(length);
  const states = reader.numbers(length);
  return times.map((atMs, at) => ({ atMs, state: nodeStates[states[at] ?? 0] ?? 'unknown' }));
}

/** The place of each value in the list of different ones. */
class Places<T> {
  readonly values: T[] = [];
  readonly #places = new Map<T, number>();

  of(value: T): number {
    const known = this.#places.get(value);
    if (known !== undefined) return known;
    this.#places.set(value, this.values.length);
    this.values.push(value);
    return this.values.length - 1;
  }
}
