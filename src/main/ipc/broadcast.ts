import type { EventChannel } from '../../shared/ipc/channels.ts';
import type { EventContract } from '../../shared/ipc/contract.ts';

/** The page that events go to. */
export interface BroadcastTarget {
  isVisible(): boolean;
  send(channel: string, payload: unknown): void;
}

/** Identifies what an event is about; a later event with the same channel and subject replaces an earlier one. */
const subjects: { [C in EventChannel]: (payload: EventContract[C]) => string } = {
  'settings.changed': () => '',
  'secret.changed': () => '',
  'storage.changed': () => '',
  'connection.changed': () => '',
  'budget.changed': () => '',
  'run.changed': ({ id }) => id,
  'watchlist.changed': () => '',
  'book.changed': () => '',
  'activity.changed': ({ address, chainId, list }) => `${chainId} ${address} ${list}`,
  'completion.changed': () => '',
  'activityExport.changed': () => '',
  'nodes.changed': () => '',
  'node.changed': ({ node }) => node.id,
  'incidents.changed': ({ nodeId }) => nodeId,
  'recordingTask.changed': () => '',
};

/**
 * Sends change events to the window. While it is hidden they are kept, the last one a subject, and sent when it is
 * shown again: a window left hidden for a week costs nothing and catches up at once.
 */
export class Broadcaster {
  #target: BroadcastTarget | null = null;
  readonly #waiting = new Map<string, () => void>();

  attach(target: BroadcastTarget): void {
    this.#target = target;
    this.#waiting.clear();
  }

  detach(): void {
    this.#target = null;
    this.#waiting.clear();
  }

  send<C extends EventChannel>(channel: C, payload: EventContract[C]): void {
    const target = this.#target;
    // Without a page nothing is lost: a new one starts with a snapshot.
    if (target === null) return;
    if (target.isVisible()) {
      target.send(channel, payload);
      return;
    }
    const subject = `${channel} ${subjects[channel](payload)}`;
    this.#waiting.delete(subject);
    this.#waiting.set(subject, () => target.send(channel, payload));
  }

  /** The window is visible again. */
  catchUp(): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const deliver of waiting) deliver();
  }
}
