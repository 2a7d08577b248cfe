/** The time intervals of endpoint 17. */
export type Interval = 'hour' | 'day' | 'week' | 'month';

const daySeconds = 86_400;
/** Their lengths, and the start of one of them: 1970 began on a Thursday, so its first Monday was 5 January. */
const fixed = {
  hour: { length: 3600, origin: 0 },
  day: { length: daySeconds, origin: 0 },
  week: { length: 7 * daySeconds, origin: 4 * daySeconds },
};

/** The number of the interval that contains a time: hours, days, weeks or months since a fixed start. */
export function bucketAt(interval: Interval, seconds: number): number {
  if (interval !== 'month') return Math.floor((seconds - fixed[interval].origin) / fixed[interval].length);
  const date = new Date(seconds * 1000);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** When an interval begins, in seconds since 1970: 00:00 UTC of the day, the Monday, the 1st (service-and-node.md §3). */
export function bucketStart(interval: Interval, bucket: number): number {
  if (interval !== 'month') return fixed[interval].origin + bucket * fixed[interval].length;
  return Date.UTC(Math.floor(bucket / 12), bucket % 12) / 1000;
}
