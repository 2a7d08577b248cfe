/** Whether something happened less than `spanMs` ago. What is from the future comes from a clock that was wrong. */
export function isYounger(atMs: number | null, nowMs: number, spanMs: number): boolean {
  if (atMs === null) return false;
  const ageMs = nowMs - atMs;
  return ageMs >= 0 && ageMs < spanMs;
}
