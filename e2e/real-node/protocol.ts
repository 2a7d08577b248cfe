import type { Locator } from 'playwright/test';

/** What the window showed of a node, and when, in Unix milliseconds. */
export interface Sighting {
  atMs: number;
  words: string;
}

/** The texts that a node's banner must contain, and the one that it must not. */
export interface Wanted {
  says?: readonly string[];
  saysNot?: string;
}

/**
 * When the banner over a node's panel first says what is wanted, observed within the page, because polling from here would add to
 * the measured times. Start it before the change.
 */
export async function sighting(banner: Locator, wanted: Wanted, withinMs: number): Promise<Sighting> {
  const { says = [], saysNot = null } = wanted;
  const seen = await banner.evaluate(
    (element, { says, saysNot, withinMs }) =>
      new Promise<{ atMs: number | null; words: string }>((resolve) => {
        const read = (): string =>
          [...element.querySelectorAll('[role="status"] p')]
            .map((line) => line.textContent.trim())
            .join(': ');
        const end = (atMs: number | null): void => {
          observer.disconnect();
          clearTimeout(timer);
          resolve({ atMs, words: read() });
        };
        const look = (): void => {
          const words = read();
          if (says.every((text) => words.includes(text)) && (saysNot === null || !words.includes(saysNot)))
            end(Date.now());
        };
        const observer = new MutationObserver(look);
        observer.observe(element, { subtree: true, childList: true, characterData: true });
        const timer = setTimeout(() => end(null), withinMs);
        look();
      }),
    { says: [...says], saysNot, withinMs },
  );
  const { atMs, words } = seen;
  if (atMs !== null) return { atMs, words };
  const missing = [
    ...says.map((text) => `"${text}"`),
    ...(saysNot === null ? [] : [`other than "${saysNot}"`]),
  ];
  throw new Error(
    `Not seen within ${withinMs / 1_000} s: ${missing.join(', ')}. The window says "${words}".`,
  );
}

/** True when the window says so now. */
export async function isSeen(banner: Locator, wanted: Wanted): Promise<boolean> {
  return sighting(banner, wanted, 0).then(
    () => true,
    () => false,
  );
}

/** Prints each step, and counts failures and missed bounds. */
export class Protocol {
  #misses = 0;

  get misses(): number {
    return this.#misses;
  }

  /** A line without a bound. */
  note(step: string, words: string): void {
    console.log(`${step.padEnd(28)} ${words}`);
  }

  /** A figure with its upper bound. */
  measured(step: string, figure: number, bound: number, unit: string, words: string): void {
    const isMet = figure <= bound;
    if (!isMet) this.#misses += 1;
    this.note(step, `${figure.toFixed(2)} ${unit}, at most ${bound}: ${isMet ? 'met' : 'MISSED'}  ${words}`);
  }

  /** Runs one step; when it fails, the next ones still run. */
  async step(name: string, run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.#misses += 1;
      this.note(name, `FAILED  ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
