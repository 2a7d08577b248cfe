import { dayMs, hourMs, timestampToMs } from '../../../../../shared/time.ts';
import { isObject } from '../../../../../shared/json.ts';
import { orAdd } from '../../../../../shared/or-add.ts';
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

const lengthsMs = { hour: hourMs, day: dayMs, week: 7 * dayMs };
/** Weeks begin on Mondays, and 1970 began on a Thursday. */
const beforeMs = { hour: 0, day: 0, week: 3 * dayMs };

/** The number of the bucket in UTC that contains `ms`. */
function bucketOf(ms: number, interval: Interval): number {
  if (interval !== 'month') return Math.floor((ms + beforeMs[interval]) / lengthsMs[interval]);
  const date = new Date(ms);
  return 12 * (date.getUTCFullYear() - 1970) + date.getUTCMonth();
}

/** When the bucket with this number begins. */
function startOf(bucket: number, interval: Interval): number {
  return interval === 'month' ? Date.UTC(1970, bucket, 1) : bucket * lengthsMs[interval] - beforeMs[interval];
}

/** The interval that was asked for. Without one it is unknown: steps between points do not tell gaps from buckets. */
function intervalOf(asked: string | undefined): Interval | null {
  return asked === 'hour' || asked === 'day' || asked === 'week' || asked === 'month' ? asked : null;
}

/** More lines than this cannot be told apart. */
const mostSeries = 8;
/** In a longer series, such as a broken one with a far point, each gap has its first bucket alone. */
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
  const { times, gapCount } = withGaps(known, interval);
  const total = (group: ReadonlyMap<number, Given>) =>
    [...group.values()].reduce((sum, { values }) => sum + Number(values.at(-1)), 0);
  const largest = [...groups].sort(([, a], [, b]) => total(b) - total(a)).slice(0, mostSeries);
  const series = largest.map(([name, group]) => ({
    name,
    points: times.map((ms): SeriesPoint => {
      const given = group.get(ms);
      if (given === undefined) return { ms, exact: null, isUnfinished: false, others: [] };
      const isUnfinished =
        interval !== null && startOf(bucketOf(ms, interval) + 1, interval) > given.fetchedAtMs;
      return { ms, exact: given.values.at(-1) ?? null, isUnfinished, others: given.values.slice(0, -1) };
    }),
  }));
  const points = series.flatMap((one) => one.points);
  return {
    series,
    leftOut: groups.size - largest.length,
    interval,
    gapCount,
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
      const group = orAdd(groups, point.name, () => new Map<number, Given>());
      const before = group.get(point.ms)?.values ?? [];
      group.set(point.ms, {
        values: [...before.filter((value) => value !== point.exact), point.exact],
        fetchedAtMs,
      });
    }
  }
  return groups;
}

/** Adds the starts of the buckets in which there is no point, and counts these. */
function withGaps(
  known: readonly number[],
  interval: Interval | null,
): { times: readonly number[]; gapCount: number } {
  if (interval === null) return { times: known, gapCount: 0 };
  const filled = known.map((ms) => bucketOf(ms, interval));
  const gaps = filled.flatMap((bucket, index) => {
    const count = bucket - (filled[index - 1] ?? bucket) - 1;
    return count > 0 ? [{ first: bucket - count, count }] : [];
  });
  const gapCount = gaps.reduce((sum, { count }) => sum + count, 0);
  const isLong = known.length + gapCount > mostBuckets;
  const missing = gaps.flatMap(({ first, count }) =>
    Array.from({ length: isLong ? 1 : count }, (_, later) => startOf(first + later, interval)),
  );
  return { times: [...known, ...missing].sort((a, b) => a - b), gapCount };
}
