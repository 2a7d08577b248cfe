import type { ArgsOf, EventChannel, EventContract, ResultOf } from '../../../shared/ipc/contract.ts';
import { outdatedBy, type DataChannel, type Rules } from '../../../shared/ipc/outdated.ts';
import { listen } from '../bridge.ts';

/** Answers kept while their view is away. */
const mostKept = 20;

/** Calls `then` when an event has made the answer of a call old; returns a function that stops this. */
export function whenOutdated<C extends DataChannel>(
  channel: C,
  args: () => ArgsOf<C> | null,
  then: () => void,
): () => void {
  const rules: Rules<C> | 'each-time' = outdatedBy[channel];
  if (rules === 'each-time') return () => undefined;
  const follow = <E extends EventChannel>(event: E) =>
    listen(event, (payload: EventContract[E]) => {
      const asked = args();
      if (asked !== null && rules[event]?.(payload, asked) === true) then();
    });
  // `Object.keys` loses the type of the keys.
  const endings = (Object.keys(rules) as EventChannel[]).map(follow);
  return () => {
    for (const end of endings) end();
  };
}

/** Answers that were read, while their view is away and no event has made them old. One per window. */
export class KeptAnswers {
  readonly #kept = new Map<string, { value: unknown; forget: () => void }>();

  keep<C extends DataChannel>(channel: C, args: ArgsOf<C>, value: ResultOf<C>): void {
    const key = keyOf(channel, args);
    this.take(channel, args);
    const forget = whenOutdated(
      channel,
      () => args,
      () => this.take(channel, args),
    );
    if (outdatedBy[channel] !== 'each-time') this.#kept.set(key, { value, forget });
    for (const [oldest, { forget: forgetIt }] of this.#kept) {
      if (this.#kept.size <= mostKept) return;
      forgetIt();
      this.#kept.delete(oldest);
    }
  }

  /** The answer, which is then no longer kept; undefined without one. */
  take<C extends DataChannel>(channel: C, args: ArgsOf<C>): ResultOf<C> | undefined {
    const key = keyOf(channel, args);
    const found = this.#kept.get(key);
    found?.forget();
    this.#kept.delete(key);
    // Kept by the same channel.
    return found?.value as ResultOf<C> | undefined;
  }
}

const keyOf = (channel: DataChannel, args: unknown): string => `${channel} ${JSON.stringify(args)}`;
