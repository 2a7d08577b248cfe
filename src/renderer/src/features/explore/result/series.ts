import { timestampToMs } from '../../../../../shared/time.ts';
import { isObject } from '../../../../../shared/explore/answer-table.ts';
import { cellText } from './result-rows.ts';

export type Interval = 'hour' | 'day' | 'week' | 'month';

/** A bucket of a series. `exact` has every digit; null where the service gave no point: a gap, never zero. */
export interface SeriesPoint {
  ms: number;
  exact: string | null;
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
  /** Start of the last bucket if it had not ended at the time of the answer. */
  unfinishedFromMs: number | null;
}

const hourMs = 3_600_000;
const lengths: Readonly<Record<Interval, number>> = {
  hour: hourMs,
  day: 24 * hourMs,
  week: 7 * 24 * hourMs,
  month: 28 * 24 * hourMs,
};

/** Start of the bucket after the one that starts at `ms`. */
function nextBucket(ms: number, interval: Interval): number {
  if (interval !== 'month') return ms + lengths[interval];
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/** The requested interval, or else the largest that is no longer than the smallest step between points. */
function intervalOf(asked: string | undefined, times: readonly number[]): Interval | null {
  if (asked === 'hour' || asked === 'day' || asked === 'week' || asked === 'month') return asked;
  let smallest = Infinity;
  for (const [index, ms] of times.entries()) {
    const before = times[index - 1];
    if (before !== undefined) smallest = Math.min(smallest, ms - before);
  }
  if (!Number.isFinite(smallest)) return null;
  const fitting = (['month', 'week', 'day', 'hour'] as const).find(
    (interval) => smallest >= lengths[interval],
  );
  return fitting ?? null;
}

/** More lines than this cannot be told apart. */
const mostSeries = 8;
/** A limit for broken series, in which one far point would cause endless gaps. */
const mostBuckets = 20_000;

interface Point {
  name: string;
  ms: number;
  exact: string;
}

/** The fields that group points into series (specification, endpoint 17); other texts describe the point. */
const seriesFields = ['srcBlockchainId', 'destBlockchainId'];

function pointOf(record: unknown): Point | null {
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
  records: readonly unknown[],
  askedInterval: string | undefined,
  fetchedAtMs: number,
): SeriesChartData {
  const groups = new Map<string, Map<number, string>>();
  for (const record of records) {
    const point = pointOf(record);
    if (point === null) continue;
    const group = groups.get(point.name) ?? new Map<number, string>();
    group.set(point.ms, point.exact);
    groups.set(point.name, group);
  }
  const known = [...new Set([...groups.values()].flatMap((group) => [...group.keys()]))].sort(
    (a, b) => a - b,
  );
  const interval = intervalOf(askedInterval, known);
  const times = withGaps(known, interval);
  const last = known.at(-1);
  const isUnfinished = last !== undefined && interval !== null && nextBucket(last, interval) > fetchedAtMs;
  const total = (group: ReadonlyMap<number, string>) =>
    [...group.values()].reduce((sum, text) => sum + Number(text), 0);
  const largest = [...groups].sort(([, a], [, b]) => total(b) - total(a)).slice(0, mostSeries);
  return {
    series: largest.map(([name, group]) => ({
      name,
      points: times.map((ms) => ({ ms, exact: group.get(ms) ?? null })),
    })),
    leftOut: groups.size - largest.length,
    interval,
    gapCount: times.length - known.length,
    unfinishedFromMs: isUnfinished ? last : null,
  };
}

function withGaps(known: readonly number[], interval: Interval | null): readonly number[] {
  const [first] = known;
  const last = known.at(-1);
  if (interval === null || first === undefined || last === undefined) return known;
  const times = new Set(known);
  for (let ms = first; ms < last && times.size < mostBuckets; ms = nextBucket(ms, interval)) times.add(ms);
  return [...times].sort((a, b) => a - b);
}
