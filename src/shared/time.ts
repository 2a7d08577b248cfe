/** Seconds since 1970 beyond which a figure can only be milliseconds: the year 5138. */
const largestSecondsTimestamp = 100_000_000_000;

/**
 * Milliseconds since 1970 from a timestamp whose unit the specification does not state. All known ones are seconds;
 * one too large to be seconds is taken as milliseconds. Null for what is no time at all.
 */
export function timestampToMs(value: number): number | null {
  if (!Number.isFinite(value) || value < 0) return null;
  const ms = value < largestSecondsTimestamp ? value * 1000 : value;
  return ms <= 8.64e15 ? Math.trunc(ms) : null;
}
