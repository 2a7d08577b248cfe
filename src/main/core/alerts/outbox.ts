import { timeWords } from '../../../shared/alerts/words.ts';
import { linkOf, type AlertMessage } from '../../../shared/alerts/types.ts';
import { AppFailure } from '../../../shared/errors.ts';
import { Turns } from '../../../shared/turns.ts';
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
/** At the end of the app what is being sent has so long to be accepted; what takes longer is sent again at the next start. */
const endsWithinMs = 2_000;
/** From then on a message says when it is from. */
const lateAfterMs = 60_000;

/** `error`: why it was not taken; `waitMs`: for how long the channel wants to be left alone; `status`: what it answered. */
type Outcome = Pick<AlertMessage['sent'][number], 'state' | 'error'> & { waitMs?: number; status?: number };

interface Lane {
  channel: AlertChannel;
  turns: Turns;
  /** How often the user has set or tested it: what its address before has asked for is obsolete then. */
  sets: number;
  pauseMs: number;
  cancelPause: (() => void) | null;
  /** Messages that it has refused for what they say. */
  refused: Set<string>;
}

/**
 * Messages that channels have not taken yet. Each channel gets them in order, one at a time; one that it
 * refuses for what it says waits behind the others. A crash between a channel's
 * acceptance and its being stored sends that message again, with the same id.
 */
export class Outbox {
  readonly #deps: OutboxDeps;
  readonly #lanes: ReadonlyMap<string, Lane>;
  /** Messages that a channel waits for, each with how far all channels are. */
  readonly #waiting = new Map<string, AlertMessage>();
  #isStopped = false;

  constructor(deps: OutboxDeps) {
    this.#deps = deps;
    const lane = (channel: AlertChannel): Lane => ({
      ...{ channel, turns: new Turns(), sets: 0, pauseMs: 0, cancelPause: null, refused: new Set() },
    });
    this.#lanes = new Map(deps.channels.map((channel) => [channel.name, lane(channel)]));
  }

  /** Takes messages whose `sent` says which channels they wait for; sends also those that were held back until now. */
  add(messages: readonly AlertMessage[]): void {
    for (const message of messages)
      if (message.sent.some(({ state }) => state === 'waiting')) this.#waiting.set(message.id, message);
    for (const lane of this.#lanes.values()) this.#send(lane);
  }

  /** Sends now, without waiting for others; throws why it was not accepted. */
  async test(channel: string, message: AlertMessage): Promise<void> {
    await this.#lanes.get(channel)?.channel.send({ ...message, link: linkOf(message) }, true);
    this.tryAgain(channel);
  }

  /** Sends what waits for a channel now, whatever it has asked for. */
  tryAgain(channel: string): void {
    const lane = this.#lanes.get(channel);
    if (lane === undefined) return;
    lane.cancelPause?.();
    lane.cancelPause = null;
    lane.sets += 1;
    this.#send(lane);
  }

  /** Resolves when nothing is being sent any more, or it takes too long. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const lanes = [...this.#lanes.values()];
    for (const lane of lanes) lane.cancelPause?.();
    await Promise.race([
      Promise.all(lanes.map(({ turns }) => turns.settled())),
      new Promise<void>((late) => this.#deps.timers.after(endsWithinMs, late)),
    ]);
  }

  #send(lane: Lane): void {
    void lane.turns.take(() => this.#sendAll(lane));
  }

  async #sendAll(lane: Lane): Promise<void> {
    if (lane.cancelPause !== null) return;
    for (let message = this.#next(lane); message !== undefined; message = this.#next(lane)) {
      const { sets } = lane;
      const { waitMs = 0, status = 0, ...outcome } = await this.#try(lane.channel, message);
      this.#tried(lane.channel.name, message, outcome);
      if (refusals.includes(status)) lane.refused.add(message.id);
      if (outcome.state === 'waiting') {
        if (lane.sets !== sets) continue;
        this.#pause(lane, waitMs);
        break;
      }
      lane.refused.delete(message.id);
      lane.pauseMs = 0;
    }
  }

  #next({ channel: { name }, refused }: Lane): AlertMessage | undefined {
    if (this.#isStopped) return undefined;
    const isNext = (message: AlertMessage) =>
      message.sent.some(({ channel, state }) => channel === name && state === 'waiting') &&
      !this.#deps.isHeldBack(message);
    const next = [...this.#waiting.values()].filter(isNext);
    return next.find(({ id }) => !refused.has(id)) ?? next[0];
  }

  async #try(channel: AlertChannel, message: AlertMessage): Promise<Outcome> {
    const { clock, log, isOn, isPrivate } = this.#deps;
    if (!isOn(channel.name)) return { state: 'off', error: null };
    const { id, level, atMs } = message;
    const nowMs = clock.nowMs();
    const late = nowMs - atMs > lateAfterMs ? `Delayed message from ${timeWords(atMs, nowMs)}. ` : '';
    const words = isPrivate()
      ? { title: message.hidden, body: late }
      : { title: message.title, body: late + message.body };
    try {
      await channel.send({ id, level, ...words, link: linkOf(message) }, false);
      return { state: 'accepted', error: null };
    } catch (cause) {
      const failure = cause instanceof AppFailure ? cause.error : null;
      if (failure === null) log.error('alerts.send', cause);
      return {
        state: 'waiting',
        error: failure?.message ?? 'The message couldn’t be sent.',
        ...(failure !== null &&
          'retryAtMs' in failure && { waitMs: (failure.retryAtMs ?? 0) - clock.nowMs() }),
        ...(failure !== null && 'status' in failure && { status: failure.status }),
      };
    }
  }

  #tried(channel: string, { id }: AlertMessage, { state, error }: Outcome): void {
    const message = this.#waiting.get(id);
    if (message === undefined) return;
    const atMs = this.#deps.clock.nowMs();
    const sent = message.sent.map((each) =>
      each.channel === channel ? { ...each, state, atMs, error } : each,
    );
    const tried = { ...message, sent };
    if (sent.some((each) => each.state === 'waiting')) this.#waiting.set(id, tried);
    else this.#waiting.delete(id);
    this.#deps.onTried(tried);
  }

  #pause(lane: Lane, leastMs: number): void {
    lane.pauseMs = Math.min(longestPauseMs, lane.pauseMs === 0 ? firstPauseMs : 2 * lane.pauseMs);
    lane.cancelPause = this.#deps.timers.after(Math.max(lane.pauseMs, leastMs), () => {
      lane.cancelPause = null;
      this.#send(lane);
    });
  }
}
