import { dayMs, hourMs, timestampToMs } from '../../../../../shared/time.ts';
import { isObject } from '../../../../../shared/json.ts';
import { cellText } from './result-rows.ts';

export type Interval = 'hour' | 'day' | 'week' | 'month';

/** A point of a series. `exact` has every digit; null where the service gave no point: a gap, never zero. */
export interface SeriesPoint {
  ms: number;
  exact: string | null;
  /** Its bucket had not ended when its page was fetched. */
  isUnfinished: boolean;
  /** Other values that the service gave for the same time. */
  others: readonly string[];
}

export interface Series {
  /** What distinguishes it, such as its two chains; empty when there is only one series. */
  name: string;
  points: SeriesPoint[];
}

export interface SeriesChartData {
  series: Series[];
  /** How many series are not in `series`. */
  leftOut: number;
  interval: Interval | null;
  /** Buckets between the first and the last without any point. */
  gapCount: number;
  /** Times of points whose bucket had not ended when their page was fetched. */
  unfinishedMs: number[];
  /** Points for which the service gave more than one value. */
  conflictCount: number;
}

/** The records of one page. */
export interface RecordsOfPage {
  records: readonly unknown[];
  fetchedAtMs: number;
}

/** Start of the bucket in UTC that contains `ms`, or of a later one. Weeks begin on Mondays. */
function bucketStart(ms: number, interval: Interval, later = 0): number {
  const date = new Date(ms);
  if (interval === 'month') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1);
  if (interval === 'hour') return Math.floor(ms / hourMs + later) * hourMs;
  const day = Math.floor(ms / dayMs);
  // 1970 began on a Thursday.
  return interval === 'day' ? (day + later) * dayMs : (day - ((day + 3) % 7) + 7 * later) * dayMs;
}

/** The interval that was asked for. Without one it is unknown: steps between points do not tell gaps from buckets. */
function intervalOf(asked: string | undefined): Interval | null {
  return asked === 'hour' || asked === 'day' || asked === 'week' || asked === 'month' ? asked : null;
}

/** More lines than this cannot be told apart. */
const mostSeries = 8;
/** A limit for broken series, in which one far point would cause endless gaps. */
const mostBuckets = 20_000;

/** The values for one time of a series, in the order in which they were received; the last one is drawn. */
interface Given {
  values: string[];
  fetchedAtMs: number;
}

/** The fields that group points into series (specification, endpoint 17); other texts describe the point. */
const seriesFields = ['srcBlockchainId', 'destBlockchainId'];

function pointOf(record: unknown): { name: string; ms: number; exact: string } | null {
  if (!isObject(record)) return null;
  const { value, timestamp } = record;
  const ms = timestampToMs(Number(timestamp));
  const exact = cellText(value);
  if (ms === null || exact === '') return null;
  const name = seriesFields
    .map((field) => record[field])
    .filter((label) => typeof label === 'string')
    .join(' → ');
  return { name, ms, exact };
}

/** Arranges points for drawing: by series, in order of time, with explicit gaps. */
export function seriesOf(
  pages: readonly RecordsOfPage[],
  askedInterval: string | undefined,
): SeriesChartData {
  const interval = intervalOf(askedInterval);
  const groups = groupsOf(pages);
  const known = [...new Set([...groups.values()].flatMap((group) => [...group.keys()]))].sort(
    (a, b) => a - b,
  );
  const times = withGaps(known, interval);
  const total = (group: ReadonlyMap<number, Given>) =>
    [...group.values()].reduce((sum, { values }) => sum + Number(values.at(-1)), 0);
  const largest = [...groups].sort(([, a], [, b]) => total(b) - total(a)).slice(0, mostSeries);
  const series = largest.map(([name, group]) => ({
    name,
    points: times.map((ms): SeriesPoint => {
      const given = group.get(ms);
      if (given === undefined) return { ms, exact: null, isUnfinished: false, others: [] };
      const isUnfinished = interval !== null && bucketStart(ms, interval, 1) > given.fetchedAtMs;
      return { ms, exact: given.values.at(-1) ?? null, isUnfinished, others: given.values.slice(0, -1) };
    }),
  }));
  const points = series.flatMap((one) => one.points);
  return {
    series,
    leftOut: groups.size - largest.length,
    interval,
    gapCount: times.length - known.length,
    unfinishedMs: [...new Set(points.filter(({ isUnfinished }) => isUnfinished).map(({ ms }) => ms))].sort(
      (a, b) => a - b,
    ),
    conflictCount: points.filter(({ others }) => others.length > 0).length,
  };
}

function groupsOf(pages: readonly RecordsOfPage[]): Map<string, Map<number, Given>> {
  const groups = new Map<string, Map<number, Given>>();
  // The oldest page first, so that the newest has the last word.
  for (const { records, fetchedAtMs } of pages.toSorted((a, b) => a.fetchedAtMs - b.fetchedAtMs)) {
    for (const record of records) {
      const point = pointOf(record);
      if (point === null) continue;
      const group = groups.get(point.name) ?? new Map<number, Given>();
      const before = group.get(point.ms)?.values ?? [];
      group.set(point.ms, {
        values: [...before.filter((value) => value !== point.exact), point.exact],
        fetchedAtMs,
      });
      groups.set(point.name, group);
    }
  }
  return groups;
}

/** Adds the starts of the buckets in which there is no point. */
function withGaps(known: readonly number[], interval: Interval | null): readonly number[] {
  const [first] = known;
  const last = known.at(-1);
  if (interval === null || first === undefined || last === undefined) return known;
  const filled = new Set(known.map((ms) => bucketStart(ms, interval)));
  const gaps: number[] = [];
  let ms = bucketStart(first, interval);
  for (; ms < last && gaps.length + known.length < mostBuckets; ms = bucketStart(ms, interval, 1)) {
    if (!filled.has(ms)) gaps.push(ms);
  }
  return [...known, ...gaps].sort((a, b) => a - b);
}
