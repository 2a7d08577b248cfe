import type { NodeStatus } from '../../../shared/health/types.ts';
import type { ArgsOf } from '../../../shared/ipc/contract.ts';
import type { Ports } from '../ports.ts';
import { longestAutomaticMs } from '../health/poll/schedule.ts';
import type { SettingsService } from '../settings/settings-service.ts';
import type { SecretUrls } from './secret-urls.ts';

export interface HeartbeatDeps extends Pick<Ports, 'clock' | 'timers' | 'log'> {
  urls: SecretUrls;
  settings: SettingsService;
  nodes: () => readonly NodeStatus[];
}

const everyMs = 60_000;
/** A poll without an answer takes so long, and the disk may be slow. */
const patienceMs = 60_000;

/**
 * Asks an address of the user's each minute while polling really works: timers run, and for every node that is not paused,
 * at least one, a poll was stored lately, or as long ago as the node asks to wait. Who expects that notices when the
 * watcher itself has stopped.
 */
export function createHeartbeat({ urls, settings, nodes, clock, timers, log }: HeartbeatDeps) {
  const name = 'heartbeat';
  /** When the last poll of a node was stored, by the monotonic clock. */
  const storedMs = new Map<string, number>();
  let cancel = (): void => undefined;

  function isWatching(): boolean {
    const polled = nodes().filter(({ node }) => !node.paused);
    const nowMs = clock.monotonicMs();
    const isPolled = ({ node: { id, intervalMs }, error, lastPollAtMs }: NodeStatus): boolean => {
      const askedMs = error?.code === 'rate-limited' ? error.retryAtMs - (lastPollAtMs ?? Infinity) : 0;
      const waitsMs = Math.max(intervalMs ?? longestAutomaticMs, askedMs) + patienceMs;
      return nowMs - (storedMs.get(id) ?? -Infinity) <= waitsMs;
    };
    return polled.length > 0 && polled.every(isPolled);
  }

  function start(): void {
    cancel = timers.after(everyMs, () => {
      start();
      if (settings.current().alerts.heartbeat === null || !isWatching()) return;
      send(null, false).catch((cause: unknown) => log.error('alerts.heartbeat', cause));
    });
  }

  /** Resolves when it has answered; what a message says is not sent. */
  async function send(_message: unknown, isAskedFor: boolean): Promise<void> {
    await urls.send(name, { method: 'GET' }, isAskedFor);
  }

  return {
    name,
    start,
    stop: () => cancel(),
    send,

    /** Must be called for every poll once it is stored. */
    pollRecorded: (nodeId: string) => void storedMs.set(nodeId, clock.monotonicMs()),

    /** An empty address takes it away. */
    async set({ url }: ArgsOf<'alerts.setHeartbeat'>): Promise<void> {
      await urls.keep(name, url, (heartbeat) =>
        settings.update({ alerts: { ...settings.current().alerts, heartbeat } }),
      );
    },
  };
}
