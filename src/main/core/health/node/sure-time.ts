/** What the two clocks say at one moment. */
export interface ClockReading {
  /** The system's clock, which may have been set wrong. */
  nowMs: number;
  /** A clock that is never set; it stands still while the computer sleeps. */
  steadyMs: number;
}

/** How far the system's clock is to be believed where history is forgotten by it. */
export interface SureTime {
  /** Never ahead of the system's clock. */
  sureMs: number;
  last: ClockReading;
  /** Since when the two clocks have gone alike. */
  steadySinceMs: number;
}

/** What a step of the clock takes cannot be brought back, and a day that stays too long harms nobody. */
const believedAfterMs = 6 * 3_600_000;
/** Clocks are adjusted all the time; a larger difference is a step, or sleep. */
const toleranceMs = 60_000;

/** At the start of the app; `seenMs` is the time of the last poll that an earlier start has stored, null without one. */
export function startSureTime(seenMs: number | null, reading: ClockReading): SureTime {
  const sureMs = Math.min(reading.nowMs, seenMs ?? reading.nowMs);
  return { sureMs, last: reading, steadySinceMs: reading.steadyMs };
}

/**
 * A later look at the clocks. The sure time goes on with the steady clock, and follows the system's clock only once the two
 * have gone alike for hours: so a step forward counts when it has lasted, or when two different starts have seen it.
 */
export function sureTime({ sureMs, last, steadySinceMs }: SureTime, reading: ClockReading): SureTime {
  const elapsedMs = reading.steadyMs - last.steadyMs;
  const isStep = Math.abs(reading.nowMs - last.nowMs - elapsedMs) > toleranceMs;
  const sinceMs = isStep ? reading.steadyMs : steadySinceMs;
  const isBelieved = reading.steadyMs - sinceMs >= believedAfterMs;
  return {
    sureMs: isBelieved ? reading.nowMs : Math.min(reading.nowMs, sureMs + elapsedMs),
    last: reading,
    steadySinceMs: sinceMs,
  };
}
