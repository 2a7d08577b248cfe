import { createContext } from 'svelte';
import { createSubscriber } from 'svelte/reactivity';
import { growthStepMs } from './format.ts';

/**
 * The present for ages and countdowns. What is drawn with it is drawn anew as
 * seldom as its words allow, because a window is open all day: nothing runs while nothing on the page needs it.
 */
export class Clock {
  readonly #readMs: () => number;

  readonly #followSteps = createSubscriber((update) => {
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      // At whole steps of the time itself, so that the cells of strips change in time.
      timer = setTimeout(
        () => {
          update();
          wait();
        },
        growthStepMs - (this.#readMs() % growthStepMs),
      );
    };
    wait();
    return () => clearTimeout(timer);
  });

  readonly #followSeconds = createSubscriber((update) => {
    const timer = setInterval(update, 1_000);
    return () => clearInterval(timer);
  });

  constructor(readMs: () => number) {
    this.#readMs = readMs;
  }

  /** Milliseconds since 1970; in what is drawn, of the last half of a minute. */
  get nowMs(): number {
    this.#followSteps();
    return this.#readMs();
  }

  /** How long it is until a moment, followed each second; 0 from then on. */
  msUntil(atMs: number): number {
    const ms = atMs - this.#readMs();
    if (ms <= 0) return 0;
    this.#followSeconds();
    return ms;
  }
}

export const [useClock, provideClock] = createContext<Clock>();
