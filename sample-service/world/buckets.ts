/** The time intervals of endpoint 17. */
export type Interval = 'hour' | 'day' | 'week' | 'month';

const hourSeconds = 3600;
const daySeconds = 86_400;
/** 1970 began on a Thursday; the first Monday was the fifth day. */
const firstMondaySeconds = 4 * daySeconds;

/** The number of the interval in which a time lies: hours, days, weeks or months from a fixed beginning on. */
export function bucketAt(interval: Interval, seconds: number): number {
  switch (interval) {
    case 'hour':
      return Math.floor(seconds / hourSeconds);
    case 'day':
      return Math.floor(seconds / daySeconds);
    case 'week':
      return Math.floor((seconds - firstMondaySeconds) / (7 * daySeconds));
    case 'month': {
      const date = new Date(seconds * 1000);
      return date.getUTCFullYear() * 12 + date.getUTCMonth();
    }
  }
}

/** When an interval begins, in seconds since 1970: 00:00 UTC of the day, the Monday, the 1st (facts §3). */
export function bucketStart(interval: Interval, bucket: number): number {
  switch (interval) {
    case 'hour':
      return bucket * hourSeconds;
    case 'day':
      return bucket * daySeconds;
    case 'week':
      return firstMondaySeconds + bucket * 7 * daySeconds;
    case 'month':
      return Date.UTC(Math.floor(bucket / 12), bucket % 12) / 1000;
  }
}
