import { createContext } from 'svelte';

export type TimeZoneChoice = 'local' | 'utc';

/** The time that ages and countdowns are measured against: it moves once a second. And how times are written. */
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
