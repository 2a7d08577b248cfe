import type { EventChannel, EventContract } from '../../shared/ipc/contract.ts';
import type { Timers } from '../core/ports.ts';

/** The page that receives events. */
export interface BroadcastTarget {
  isVisible(): boolean;
  /** As `Bridge.listen` gets them. */
  send(events: string): void;
}

/** For channels with several subjects: identifies the subject. A later event replaces an earlier one about the same. */
const subjects: { [C in EventChannel]?: (payload: EventContract[C]) => string } = {
  'run.changed': ({ id }) => id,
  'activity.changed': ({ address, chainId, list }) => `${chainId} ${address} ${list}`,
  'node.changed': ({ node }) => node.id,
  'past.changed': ({ nodeId }) => nodeId,
  'incidents.changed': ({ nodeId }) => nodeId,
};

/** Figures that change with each request, or each page of a file: nobody could read them more often than that. */
const figures: ReadonlySet<EventChannel> = new Set([
  ...(['budget.changed', 'outbound.changed'] as const),
  ...(['activityExport.changed', 'recordingTask.changed'] as const),
]);
const figuresEveryMs = 500;

/** Too short to be seen; a poll, and nodes that run their checks at the same time, change several things within it. */
const togetherMs = 50;

/**
 * Sends change events to the window. Events within 50 ms are one message, as text: an object that crosses the bridge is
 * copied property by property, a thousand messages cost a thousand times as much as one, and the window draws after each.
 * While the window is hidden, only the last event per subject is kept and sent when it is shown again, so that a window
 * hidden for a week costs nothing and is up to date at once.
 */
export class Broadcaster {
  #target: BroadcastTarget | null = null;
  readonly #timers: Pick<Timers, 'after'>;
  #cancel: (() => void) | null = null;
  /** Figures were sent a moment ago: others wait. */
  #haveFigures = false;
  readonly #waiting = new Map<string, [channel: EventChannel, payload: unknown]>();

  constructor(timers: Pick<Timers, 'after'>) {
    this.#timers = timers;
  }

  /** A page begins: it knows all that has happened so far. */
  attach(target: BroadcastTarget): void {
    this.#target = target;
    this.#waiting.clear();
  }

  detach(): void {
    this.#target = null;
    this.#waiting.clear();
  }

  send<C extends EventChannel>(channel: C, payload: EventContract[C]): void {
    // Without a page nothing is lost: a new page starts with a snapshot.
    if (this.#target === null) return;
    const subject = `${channel} ${subjects[channel]?.(payload) ?? ''}`;
    this.#waiting.delete(subject);
    this.#waiting.set(subject, [channel, payload]);
    this.#cancel ??= this.#timers.after(togetherMs, () => this.catchUp());
  }

  /** Sends pending events if the window is visible. */
  catchUp(): void {
    this.#cancel?.();
    this.#cancel = null;
    if (this.#target?.isVisible() !== true) return;
    const due = [...this.#waiting].filter(([, [channel]]) => !this.#haveFigures || !figures.has(channel));
    if (due.length === 0) return;
    for (const [subject] of due) this.#waiting.delete(subject);
    if (due.some(([, [channel]]) => figures.has(channel))) this.#restFigures();
    this.#target.send(JSON.stringify(due.map(([, event]) => event)));
  }

  #restFigures(): void {
    this.#haveFigures = true;
    this.#timers.after(figuresEveryMs, () => {
      this.#haveFigures = false;
      this.catchUp();
    });
  }
}
