import type { WebContents } from 'electron';
import type { Clock } from '../core/ports.ts';
import { refuse } from '../../shared/errors.ts';
import { outsideLink } from '../../shared/outside-link.ts';

/** Long enough for the call after a click on a slow machine, too short for a script to keep a click for later. */
const gestureLastsMs = 2_000;

const gestures: ReadonlySet<string> = new Set(['mouseUp', 'keyDown', 'rawKeyDown', 'gestureTap']);

/**
 * Opens links in the user's browser: only `https:` without credentials, and only right after a real key press or click
 * in the window. Input events are counted in the main process, where a script cannot fake them; each allows one link.
 */
export class ExternalLinks {
  readonly #clock: Clock;
  readonly #open: (url: string) => Promise<void>;
  #lastGestureMs: number | null = null;

  constructor(clock: Clock, open: (url: string) => Promise<void>) {
    this.#clock = clock;
    this.#open = open;
  }

  /** Counts the input events of this page as the user's. */
  watch(contents: Pick<WebContents, 'on'>): void {
    contents.on('input-event', (_event, input) => {
      if (gestures.has(input.type)) this.#lastGestureMs = this.#clock.monotonicMs();
    });
  }

  async open(text: string): Promise<void> {
    const href = outsideLink(text);
    if (href === null)
      refuse('The app opens only links that start with https://.', 'url must be an https address');
    const sinceMs = this.#lastGestureMs === null ? Infinity : this.#clock.monotonicMs() - this.#lastGestureMs;
    this.#lastGestureMs = null;
    if (sinceMs > gestureLastsMs)
      refuse('The app opens a link only when you click it.', 'no click or key press came before the call');
    await this.#open(href);
  }
}
