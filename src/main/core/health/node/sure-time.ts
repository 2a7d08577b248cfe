/** Both clocks, read at the same moment. */
export interface ClockReading {
  /** The system's clock, which may be set wrong. */
  nowMs: number;
  /** A monotonic clock; it may stand still while the computer sleeps. */
  steadyMs: number;
}

/** How far the system's clock is trusted for deleting old history. */
export interface SureTime {
  /** The trusted time; never ahead of the system's clock. */
  sureMs: number;
  last: ClockReading;
  /** Since when both clocks have advanced alike, by the monotonic clock. */
  steadySinceMs: number;
}

/** Data deleted because of a wrong clock is lost for good, while keeping a day too long does no harm. */
export const believedAfterMs = 6 * 3_600_000;
/** Readings are an hour apart at most; if they are further, the computer slept, and nobody saw its clock. */
const asleepMs = 2 * 3_600_000;
/** Clocks are adjusted all the time; a larger difference means a step, or sleep. */
const toleranceMs = 60_000;

/**
 * At the start of the app; `seenMs` is the time of a stored poll that is hours older than the last one: a clock that was
 * wrong for the last one only says nothing. Null where none is known: then nothing says that the clock is right, and no
 * time has surely passed.
 */
export function startSureTime(seenMs: number | null, reading: ClockReading): SureTime {
  const sureMs = Math.min(reading.nowMs, seenMs ?? 0);
  return { sureMs, last: reading, steadySinceMs: reading.steadyMs };
}

/**
 * Updates the trusted time. It advances with the monotonic clock and catches up with the system's clock only once both
 * have advanced alike for hours: a step forward counts after it has lasted.
 */
export function sureTime({ sureMs, last, steadySinceMs }: SureTime, reading: ClockReading): SureTime {
  const elapsedMs = reading.steadyMs - last.steadyMs;
  const isStep = elapsedMs > asleepMs || Math.abs(reading.nowMs - last.nowMs - elapsedMs) > toleranceMs;
  const sinceMs = isStep ? reading.steadyMs : steadySinceMs;
  const isBelieved = reading.steadyMs - sinceMs >= believedAfterMs;
  return {
    sureMs: isBelieved ? reading.nowMs : Math.min(reading.nowMs, sureMs + elapsedMs),
    last: reading,
    steadySinceMs: sinceMs,
  };
}
