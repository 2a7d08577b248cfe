/** Whether `atMs` is less than `spanMs` ago. A time in the future comes from a wrong clock and does not count. */
export function isYounger(atMs: number | null, nowMs: number, spanMs: number): boolean {
  if (atMs === null) return false;
  const ageMs = nowMs - atMs;
  return ageMs >= 0 && ageMs < spanMs;
}
