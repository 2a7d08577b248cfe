/** The service's time. Milliseconds since 1970. */
export interface Clock {
  nowMs(): number;
}

export type ServiceClock = ReturnType<typeof createServiceClock>;

/** A clock that can be stepped, on top of the real one or a test's. */
export function createServiceClock(base: Clock) {
  let offsetMs = 0;
  return {
    nowMs: () => base.nowMs() + offsetMs,
    /** Moves the service's time; nodes, tokens, limits and chains all follow. Negative steps go back. */
    advance(ms: number) {
      offsetMs += ms;
    },
    offsetMs: () => offsetMs,
    reset() {
      offsetMs = 0;
    },
  };
}
