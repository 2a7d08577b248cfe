import { timeWords } from '../../../shared/alerts/words.ts';
import { linkOf, type AlertMessage } from '../../../shared/alerts/types.ts';
import { AppFailure } from '../../../shared/errors.ts';
import type { AlertChannel, Clock, Log, Timers } from '../ports.ts';

export interface OutboxDeps {
  channels: readonly AlertChannel[];
  clock: Clock;
  timers: Timers;
  log: Log;
  /** Whether the user wants messages by the channel: what waits for one that is switched off is not sent any more. */
  isOn: (channel: string) => boolean;
  /** Whether it has to wait, since alerts are paused or it is quiet. */
  isHeldBack: (message: AlertMessage) => boolean;
  /** Whether names are hidden. */
  isPrivate: () => boolean;
  /** A message has been tried: to be stored. */
  onTried: (message: AlertMessage) => void;
}

/** Pauses after failed attempts double from the first to the last; the last is the bound in which a channel's return is noticed. */
const firstPauseMs = 5_000;
const longestPauseMs = 55_000;
/** Statuses by which a receiver refuses a message for what it says, so that others may pass. */
const refusals = [400, 413, 422];
/** From then on a message says when it is from. */
const lateAfterMs = 60_000;

/**
 * Messages that channels have not taken yet. Each channel gets them in order, one at a time; one that it
 * refuses for what it says waits behind the others. A crash between a channel's
 * acceptance and its being stored sends that message again, with the same id.
 */
export class Outbox {
  readonly #deps: OutboxDeps;
  readonly #lanes: ReadonlyMap<string, Lane>;
  /** Messages that a channel waits for, each with how far all channels are. */
  readonly #known = new Map<string, AlertMessage>();

  constructor(deps: OutboxDeps) {
    this.#deps = deps;
    const lane = (channel: AlertChannel) =>
      new Lane(channel, deps, (message, outcome) => this.#tried(channel.name, message, outcome));
    this.#lanes = new Map(deps.channels.map((channel) => [channel.name, lane(channel)]));
  }

  /** Takes messages whose `sent` says which channels they wait for; sends also those that were held back until now. */
  add(messages: readonly AlertMessage[]): void {
    for (const message of messages) {
      if (message.sent.some(({ state }) => state === 'waiting')) this.#known.set(message.id, message);
      for (const { channel, state } of message.sent)
        if (state === 'waiting') this.#lanes.get(channel)?.add(message);
    }
    for (const lane of this.#lanes.values()) lane.go();
  }

  /** Sends now, without waiting for others; throws why it was not accepted. */
  async test(channel: string, message: AlertMessage): Promise<void> {
    const found = this.#deps.channels.find(({ name }) => name === channel);
    await found?.send({ ...message, link: linkOf(message) }, true);
    this.tryAgain(channel);
  }

  /** Sends what waits for a channel now, whatever it has asked for. */
  tryAgain(channel: string): void {
    this.#lanes.get(channel)?.tryAgain();
  }

  stop(): void {
    for (const lane of this.#lanes.values()) lane.stop();
  }

  #tried(channel: string, { id }: AlertMessage, { state, error }: Outcome): void {
    const message = this.#known.get(id);
    if (message === undefined) return;
    const atMs = this.#deps.clock.nowMs();
    const sent = message.sent.map((each) =>
      each.channel === channel ? { ...each, state, atMs, error } : each,
    );
    const tried = { ...message, sent };
    if (sent.some((each) => each.state === 'waiting')) this.#known.set(id, tried);
    else this.#known.delete(id);
    this.#deps.onTried(tried);
  }
}

/** `error`: why it was not taken. */
type Outcome = Pick<AlertMessage['sent'][number], 'state' | 'error'>;

class Lane {
  readonly #channel: AlertChannel;
  readonly #deps: OutboxDeps;
  readonly #onTried: (message: AlertMessage, outcome: Outcome) => void;
  readonly #waiting: AlertMessage[] = [];
  #isSending = false;
  #isStopped = false;
  #pauseMs = 0;
  #cancelPause: (() => void) | null = null;

  constructor(
    channel: AlertChannel,
    deps: OutboxDeps,
    onTried: (message: AlertMessage, outcome: Outcome) => void,
  ) {
    this.#channel = channel;
    this.#deps = deps;
    this.#onTried = onTried;
  }

  add(message: AlertMessage): void {
    this.#waiting.push(message);
  }

  go(): void {
    if (this.#cancelPause === null) void this.#send();
  }

  tryAgain(): void {
    this.#cancelPause?.();
    this.#cancelPause = null;
    void this.#send();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelPause?.();
  }

  async #send(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    for (let message = this.#next(); message !== undefined; message = this.#next()) {
      const { waitMs, status, ...outcome } = await this.#try(message);
      this.#onTried(message, outcome);
      const isWaiting = outcome.state === 'waiting';
      if (!isWaiting || refusals.includes(status)) this.#waiting.splice(this.#waiting.indexOf(message), 1);
      if (!isWaiting) {
        this.#pauseMs = 0;
        continue;
      }
      if (refusals.includes(status)) this.#waiting.push(message);
      this.#pause(waitMs);
      break;
    }
    this.#isSending = false;
  }

  #next(): AlertMessage | undefined {
    return this.#isStopped ? undefined : this.#waiting.find((message) => !this.#deps.isHeldBack(message));
  }

  /** `waitMs`: for how long the channel wants to be left alone; `status`: what it answered, 0 for nothing. */
  async #try(message: AlertMessage): Promise<Outcome & { waitMs: number; status: number }> {
    const { clock, log, isOn, isPrivate } = this.#deps;
    if (!isOn(this.#channel.name)) return { state: 'off', error: null, waitMs: 0, status: 0 };
    const { id, level, atMs } = message;
    const nowMs = clock.nowMs();
    const late = nowMs - atMs > lateAfterMs ? `Late: this is from ${timeWords(atMs, nowMs)}. ` : '';
    const words = isPrivate()
      ? { title: message.hidden, body: late }
      : { title: message.title, body: late + message.body };
    try {
      await this.#channel.send({ id, level, ...words, link: linkOf(message) }, false);
      return { state: 'accepted', error: null, waitMs: 0, status: 0 };
    } catch (cause) {
      if (cause instanceof AppFailure) {
        const { error } = cause;
        const retryAtMs = 'retryAtMs' in error ? (error.retryAtMs ?? 0) : 0;
        const status = 'status' in error ? error.status : 0;
        return { state: 'waiting', error: error.message, waitMs: retryAtMs - clock.nowMs(), status };
      }
      log.error('alerts.send', cause);
      return { state: 'waiting', error: 'The message could not be sent.', waitMs: 0, status: 0 };
    }
  }

  #pause(leastMs: number): void {
    this.#pauseMs = Math.min(longestPauseMs, this.#pauseMs === 0 ? firstPauseMs : 2 * this.#pauseMs);
    this.#cancelPause = this.#deps.timers.after(Math.max(this.#pauseMs, leastMs), () => {
      this.#cancelPause = null;
      void this.#send();
    });
  }
}
