import { createContext } from 'svelte';

export type TimeZoneChoice = 'local' | 'utc';

/** The present for ages and countdowns, updated once a second, and the zone that times are written in. */
export class Clock {
  nowMs = $state(0);
  readonly #readMs: () => number;
  readonly #readTimeZone: () => TimeZoneChoice;

  constructor(readMs: () => number, readTimeZone: () => TimeZoneChoice) {
    this.#readMs = readMs;
    this.#readTimeZone = readTimeZone;
    this.nowMs = readMs();
  }

  get timeZone(): TimeZoneChoice {
    return this.#readTimeZone();
  }

  start(): () => void {
    const timer = setInterval(() => {
      this.nowMs = this.#readMs();
    }, 1_000);
    return () => clearInterval(timer);
  }
}

export const [useClock, provideClock] = createContext<Clock>();
