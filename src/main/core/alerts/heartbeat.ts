import type { NodeStatus } from '../../../shared/health/types.ts';
import type { ArgsOf } from '../../../shared/ipc/contract.ts';
import type { AlertChannel, Clock, Log, Timers } from '../ports.ts';
import { longestAutomaticMs } from '../health/poll/schedule.ts';
import type { SettingsService } from '../settings/settings-service.ts';
import type { SecretUrls } from './secret-urls.ts';

export interface HeartbeatDeps {
  urls: SecretUrls;
  settings: SettingsService;
  nodes: () => readonly NodeStatus[];
  clock: Clock;
  timers: Timers;
  log: Log;
}

const everyMs = 60_000;
/** A poll without an answer takes so long, and the disk may be slow. */
const patienceMs = 60_000;

/**
 * Asks an address of the user's each minute while polling really works: timers run, and for every node that is not paused,
 * at least one, a poll was stored lately, or as long ago as the node asks to wait. Who expects that notices when the
 * watcher itself has stopped.
 */
export class Heartbeat implements AlertChannel {
  readonly name = 'heartbeat';
  readonly #deps: HeartbeatDeps;
  /** When the last poll of a node was stored, by the monotonic clock. */
  readonly #storedMs = new Map<string, number>();
  #cancel: () => void = () => undefined;

  constructor(deps: HeartbeatDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#cancel = this.#deps.timers.after(everyMs, () => {
      this.start();
      if (this.#deps.settings.current().alerts.heartbeat === null || !this.#isWatching()) return;
      this.send(null, false).catch((cause: unknown) => this.#deps.log.error('alerts.heartbeat', cause));
    });
  }

  stop(): void {
    this.#cancel();
  }

  /** Must be called for every poll once it is stored. */
  pollRecorded(nodeId: string): void {
    this.#storedMs.set(nodeId, this.#deps.clock.monotonicMs());
  }

  /** An empty address takes it away. */
  async set({ url }: ArgsOf<'alerts.setHeartbeat'>): Promise<null> {
    const { urls, settings } = this.#deps;
    await urls.keep(this.name, url, (heartbeat) =>
      settings.update({ alerts: { ...settings.current().alerts, heartbeat } }),
    );
    return null;
  }

  /** Resolves when it has answered; what a message says is not sent. */
  async send(_message: unknown, isAskedFor: boolean): Promise<void> {
    await this.#deps.urls.send(this.name, { method: 'GET' }, isAskedFor);
  }

  #isWatching(): boolean {
    const polled = this.#deps.nodes().filter(({ node }) => !node.paused);
    const nowMs = this.#deps.clock.monotonicMs();
    const isPolled = ({ node: { id, intervalMs }, error, lastPollAtMs }: NodeStatus): boolean => {
      const askedMs = error?.code === 'rate-limited' ? error.retryAtMs - (lastPollAtMs ?? Infinity) : 0;
      const waitsMs = Math.max(intervalMs ?? longestAutomaticMs, askedMs) + patienceMs;
      return nowMs - (this.#storedMs.get(id) ?? -Infinity) <= waitsMs;
    };
    return polled.length > 0 && polled.every(isPolled);
  }
}
