import type { NodeStatus } from '../src/shared/health/types.ts';
import type { Host } from './network.ts';
import type { NodeTruth } from './node-truth.ts';
import { minute, second } from './time.ts';
import type { World } from './world.ts';

/**
 * How soon it shows that a node is gone, hangs or is back, when nothing else is wrong (docs/adr/0011 and 0016): by the end
 * of its connection; by a question every 15.75 s at least, and the longest timeout; by a connection every 2 s.
 */
const soonMs = { dead: 2.5 * second, hung: 26.5 * second, alive: 5.5 * second };

/** Looks at each node for some seconds after it has changed. */
export function watchSoon(world: World) {
  const nodes = world.nodes.flatMap((truth) => {
    const host = world.network.hostOf(truth.url);
    return host === undefined ? [] : { truth, host };
  });
  /** When a write to the store of nodes last took seconds: the next request waits for it. */
  let slowMs = -Infinity;
  const known = new Map<NodeTruth, { being: NodeTruth['being']; door: Host['door']; sinceMs: number }>();

  /** After each step. */
  function look(): void {
    const { time, machine } = world;
    if (machine.storeTakesMs.nodes > second) slowMs = time.nowMs;
    for (const { truth, host } of nodes) {
      const was = known.get(truth);
      if (was?.being === truth.being && was.door === host.door) continue;
      known.set(truth, { being: truth.being, door: host.door, sinceMs: time.nowMs });
      if (was === undefined || was.door !== host.door || !isCalm(truth, host)) continue;
      const status = statusOf(truth);
      if (status !== undefined && isPromised(truth, host, status, time.nowMs - was.sinceMs))
        watch(truth, host, status);
    }
  }

  function statusOf(truth: NodeTruth): NodeStatus | undefined {
    const statuses = world.machine.app?.services().nodes.list() ?? [];
    return statuses.find(({ node }) => node.url === truth.url && !node.paused);
  }

  /** Nothing is wrong with the computer, its network or another node, and has not been for two minutes. */
  function isCalm(truth: NodeTruth, host: Host): boolean {
    const { time, network, machine, disturbedMs } = world;
    const quietMs = time.nowMs - Math.max(disturbedMs, slowMs, machine.startedMs);
    const areWell = nodes.every(
      (other) => other.truth === truth || (other.truth.being === 'alive' && other.host.door.kind === 'plain'),
    );
    return quietMs > 2 * minute && (network.isUp || host.isLocal) && areWell && !time.isAsleep;
  }

  function isPromised(truth: NodeTruth, host: Host, status: NodeStatus, forMs: number): boolean {
    const { time } = world;
    const { door } = host;
    if (door.kind !== 'plain' && !(door.kind === 'status' && door.status < 500)) return false;
    switch (truth.being) {
      case 'dead':
        // The app does not listen to the ends of connections where they ended twice at a node that was there.
        return host.cutMs === time.nowMs && status.keepsConnection === true && forMs > 5 * second;
      case 'hung':
        return (
          door.kind === 'plain' &&
          forMs > minute &&
          ['healthy', 'unhealthy'].includes(status.state) &&
          status.node.intervalMs === null &&
          truth.plan.periodMs === 30 * second
        );
      case 'alive': {
        const recent = host.requestsMs.filter((atMs) => atMs > time.nowMs - 2 * minute);
        // One that has started several times within two minutes waits for its budget.
        const isSpare = recent.length < 9;
        // Where its name was not found, nothing is tried before the next poll.
        const wasRefused = host.refusedMs > time.nowMs - forMs;
        return status.state === 'unreachable' && forMs > 3 * second && isSpare && wasRefused;
      }
      default:
        return false;
    }
  }

  function watch(truth: NodeTruth, host: Host, { node }: NodeStatus): void {
    const { time, machine } = world;
    const { being, door } = { being: truth.being, door: host.door };
    const [beganMs, { starts }] = [time.nowMs, machine];
    if (being === 'stalled') return;
    time.outside(soonMs[being], () => {
      const isSame = truth.being === being && host.door === door && known.get(truth)?.sinceMs === beganMs;
      const disturbedMs = Math.max(world.disturbedMs, slowMs);
      const isUndisturbed = machine.starts === starts && disturbedMs < beganMs && !time.isAsleep;
      const status = statusOf(truth);
      if (!isSame || !isUndisturbed || status?.node.id !== node.id) return;
      if (status.node.intervalMs !== node.intervalMs) return;
      if ((status.state === 'unreachable') === (being === 'alive'))
        world.broken(
          'shown-soon',
          `${truth.host} is ${being} for ${soonMs[being]} ms and called ${status.state}`,
        );
    });
  }

  return { look };
}
