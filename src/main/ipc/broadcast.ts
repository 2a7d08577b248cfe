import type { EventChannel, EventContract } from '../../shared/ipc/contract.ts';

/** The page that events go to. */
export interface BroadcastTarget {
  isVisible(): boolean;
  /** `payloads` is the JSON text of a list, in the order in which they came. */
  send(channel: EventChannel, payloads: string): void;
}

/** What an event is about, where a channel tells of several; a later one about the same replaces an earlier one. */
const subjects: { [C in EventChannel]?: (payload: EventContract[C]) => string } = {
  'run.changed': ({ id }) => id,
  'activity.changed': ({ address, chainId, list }) => `${chainId} ${address} ${list}`,
  'node.changed': ({ node }) => node.id,
  'incidents.changed': ({ nodeId }) => nodeId,
};

/**
 * Sends change events to the window: those that come in one go together, as text, for an object that passes through the
 * bridge is copied property by property, and a thousand messages cost a thousand times as much as one. While the window is
 * hidden they are kept, the last one a subject, and sent when it is shown again: a window left hidden for a week costs
 * nothing and catches up at once.
 */
export class Broadcaster {
  #target: BroadcastTarget | null = null;
  readonly #waiting = new Map<string, { channel: EventChannel; payload: unknown }>();
  #isPlanned = false;

  attach(target: BroadcastTarget): void {
    this.#target = target;
    this.#waiting.clear();
  }

  detach(): void {
    this.#target = null;
    this.#waiting.clear();
  }

  send<C extends EventChannel>(channel: C, payload: EventContract[C]): void {
    // Without a page nothing is lost: a new one starts with a snapshot.
    if (this.#target === null) return;
    const subject = `${channel} ${subjects[channel]?.(payload) ?? ''}`;
    this.#waiting.delete(subject);
    this.#waiting.set(subject, { channel, payload });
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    // Still before the answer of the call that it comes from, which has further to go.
    queueMicrotask(() => {
      this.#isPlanned = false;
      this.catchUp();
    });
  }

  /** Sends what waits, if the window is visible. */
  catchUp(): void {
    if (this.#target?.isVisible() !== true) return;
    const batches: { channel: EventChannel; payloads: unknown[] }[] = [];
    for (const { channel, payload } of this.#waiting.values()) {
      const last = batches.at(-1);
      if (last?.channel === channel) last.payloads.push(payload);
      else batches.push({ channel, payloads: [payload] });
    }
    this.#waiting.clear();
    for (const { channel, payloads } of batches) this.#target.send(channel, JSON.stringify(payloads));
  }
}
