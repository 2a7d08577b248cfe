import { timeWords } from '../../../shared/alerts/words.ts';
import { linkOf, type AlertMessage } from '../../../shared/alerts/types.ts';
import { AppFailure } from '../../../shared/errors.ts';
import { Turns } from '../../../shared/turns.ts';
import type { AlertChannel, Ports } from '../ports.ts';

export interface OutboxDeps extends Pick<Ports, 'clock' | 'timers' | 'log'> {
  channels: readonly AlertChannel[];
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
export function createOutbox(deps: OutboxDeps) {
  const { channels, clock, timers, log, isOn, isHeldBack, isPrivate, onTried } = deps;
  const lanes = new Map(
    channels.map((channel): [string, Lane] => [
      channel.name,
      { channel, turns: new Turns(), sets: 0, pauseMs: 0, cancelPause: null, refused: new Set() },
    ]),
  );
  /** Messages that a channel waits for, each with how far all channels are. */
  const waiting = new Map<string, AlertMessage>();
  let isStopped = false;

  /** Takes messages whose `sent` says which channels they wait for; sends also those that were held back until now. */
  function add(messages: readonly AlertMessage[]): void {
    for (const message of messages)
      if (message.sent.some(({ state }) => state === 'waiting')) waiting.set(message.id, message);
    for (const lane of lanes.values()) send(lane);
  }

  /** Sends now, without waiting for others; throws why it was not accepted. */
  async function test(channel: string, message: AlertMessage): Promise<void> {
    await lanes.get(channel)?.channel.send({ ...message, link: linkOf(message) }, true);
    tryAgain(channel);
  }

  /** Sends what waits for a channel now, whatever it has asked for. */
  function tryAgain(channel: string): void {
    const lane = lanes.get(channel);
    if (lane === undefined) return;
    lane.cancelPause?.();
    lane.cancelPause = null;
    lane.sets += 1;
    send(lane);
  }

  /** Resolves when nothing is being sent any more, or it takes too long. */
  async function stop(): Promise<void> {
    isStopped = true;
    const all = [...lanes.values()];
    for (const lane of all) lane.cancelPause?.();
    await Promise.race([
      Promise.all(all.map(({ turns }) => turns.settled())),
      new Promise<void>((late) => timers.after(endsWithinMs, late)),
    ]);
  }

  function send(lane: Lane): void {
    void lane.turns.take(() => sendAll(lane));
  }

  async function sendAll(lane: Lane): Promise<void> {
    if (lane.cancelPause !== null) return;
    for (let message = next(lane); message !== undefined; message = next(lane)) {
      const { sets } = lane;
      const { waitMs = 0, status = 0, ...outcome } = await attempt(lane.channel, message);
      tried(lane.channel.name, message, outcome);
      if (refusals.includes(status)) lane.refused.add(message.id);
      if (outcome.state === 'waiting') {
        if (lane.sets !== sets) continue;
        pause(lane, waitMs);
        break;
      }
      lane.refused.delete(message.id);
      lane.pauseMs = 0;
    }
  }

  function next({ channel: { name }, refused }: Lane): AlertMessage | undefined {
    if (isStopped) return undefined;
    const isNext = (message: AlertMessage) =>
      message.sent.some(({ channel, state }) => channel === name && state === 'waiting') &&
      !isHeldBack(message);
    const ready = [...waiting.values()].filter(isNext);
    return ready.find(({ id }) => !refused.has(id)) ?? ready[0];
  }

  async function attempt(channel: AlertChannel, message: AlertMessage): Promise<Outcome> {
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

  function tried(channel: string, { id }: AlertMessage, { state, error }: Outcome): void {
    const message = waiting.get(id);
    if (message === undefined) return;
    const atMs = clock.nowMs();
    const sent = message.sent.map((each) =>
      each.channel === channel ? { ...each, state, atMs, error } : each,
    );
    if (sent.some((each) => each.state === 'waiting')) waiting.set(id, { ...message, sent });
    else waiting.delete(id);
    onTried({ ...message, sent });
  }

  function pause(lane: Lane, leastMs: number): void {
    lane.pauseMs = Math.min(longestPauseMs, lane.pauseMs === 0 ? firstPauseMs : 2 * lane.pauseMs);
    lane.cancelPause = timers.after(Math.max(lane.pauseMs, leastMs), () => {
      lane.cancelPause = null;
      send(lane);
    });
  }

  return { add, test, tryAgain, stop };
}
