export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

const units = [
  [dayMs, 'd'],
  [hourMs, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const;

/** A span of time by its largest unit, in whole ones: `3 d`, `5 h`, `12 min`, `40 s`. */
export function spanWords(ms: number, count: (whole: number) => string = String): string {
  const [size, name] = units.find(([least]) => ms >= least) ?? units[3];
  return `${count(Math.max(0, Math.floor(ms / size)))} ${name}`;
}

/** `2026-01-31 14:05`, or `2026-01-31 14:05:09`, in UTC. */
export function utcText(ms: number, until: 'minute' | 'second' = 'minute'): string {
  return new Date(ms)
    .toISOString()
    .replace('T', ' ')
    .slice(0, until === 'minute' ? -8 : -5);
}

/** From here on a figure must be in milliseconds: as seconds it would be after the year 5138. */
const largestSecondsTimestamp = 100_000_000_000;

/**
 * Converts a timestamp to milliseconds since 1970. The specification does not state its unit: known services use
 * seconds, and values too large for that are taken as milliseconds. Null for an invalid time.
 */
export function timestampToMs(value: number): number | null {
  if (!Number.isFinite(value) || value < 0) return null;
  const ms = value < largestSecondsTimestamp ? value * 1000 : value;
  return ms <= 8.64e15 ? Math.trunc(ms) : null;
}
