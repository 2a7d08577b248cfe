/** The service's time. Milliseconds since 1970. */
export interface Clock {
  nowMs(): number;
}

export interface ServiceClock extends Clock {
  /** Moves the service's time; nodes, tokens, limits and chains all follow. Negative steps go back. */
  advance(ms: number): void;
  offsetMs(): number;
  reset(): void;
}

/** A clock that can be stepped, on top of the real one or a test's. */
export function createServiceClock(base: Clock): ServiceClock {
  let offsetMs = 0;
  return {
    nowMs: () => base.nowMs() + offsetMs,
    advance(ms) {
      offsetMs += ms;
    },
    offsetMs: () => offsetMs,
    reset() {
      offsetMs = 0;
    },
  };
}
