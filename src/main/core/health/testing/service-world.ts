import type { NodeConfig, NodeStatus } from '../../../../shared/health/types.ts';
import type { NodeFields } from '../../../../shared/ipc/contract.ts';
import { unwrap } from '../../../../shared/errors.ts';
import type { HealthStore } from '../../health-ports.ts';
import { createNodeService, type NodeService } from '../node/node-service.ts';
import { HistoryService } from '../history/history-service.ts';
import {
  createFakeHttp,
  createFakeKeychain,
  createFakeLog,
  createFakeRandom,
  createFakeTime,
  jsonAnswer,
  type FakeHttp,
  type FakeKeychain,
  type FakeLog,
  type FakeServer,
  type FakeTime,
} from './fake-ports.ts';
import { asResults, type AsResults } from '../../testing/as-results.ts';
import { watchStore, type WatchedStore } from './watched-store.ts';
import { createFakeEvents } from '../../testing/fake-events.ts';

/** A node service with a fake clock, and a network and a store that survive its restarts. */
export interface ServiceWorld {
  time: FakeTime;
  http: FakeHttp;
  store: WatchedStore;
  keychain: FakeKeychain;
  log: FakeLog;
  /** What the service, and each after it, has emitted. */
  events: ReturnType<typeof createFakeEvents>;
  service: AsResults<NodeService>;
  /** Of the nodes that the service watches. */
  past: AsResults<HistoryService>;
  /** The system's view of the network. */
  online: { isOnline: boolean; serviceUrl: string | null };
  limits: { keepDays: number; keepMegabytesPerNode: number; recoverAfter: number };
  /** Stops the service and starts a new one on the same store, as a restart of the app does. */
  restart(): Promise<void>;
  add(url: string, intervalMs?: number | null, fields?: Partial<NodeFields>): Promise<NodeConfig>;
  status(id: string): NodeStatus;
}

export async function createServiceWorld(healthStore: HealthStore): Promise<ServiceWorld> {
  const time = createFakeTime();
  const http = createFakeHttp(time, 200);
  const store = watchStore(healthStore);
  const log = createFakeLog();
  const events = createFakeEvents();
  const keychain = createFakeKeychain();
  const online: ServiceWorld['online'] = { isOnline: true, serviceUrl: null };
  const random = createFakeRandom();
  const limits = { keepDays: 365, keepMegabytesPerNode: 150, recoverAfter: 1 };
  const create = () =>
    asResults(
      createNodeService({
        emit: events.emit,
        http: http.client,
        openLine: http.openLine,
        keychain,
        isOnline: () => online.isOnline,
        remoteServiceUrl: () => online.serviceUrl,
        limits: () => limits,
        clock: time.clock,
        timers: time.timers,
        random,
        log,
        store: store.port,
      }),
    );
  const world: ServiceWorld = {
    time,
    http,
    store,
    keychain,
    log,
    online,
    limits,
    events,
    service: create(),
    past: asResults(
      new HistoryService(
        { find: (id) => world.service.historySources().find((source) => source.id === id) ?? null },
        { sample: async () => null, forecasts: async () => null },
      ),
    ),
    async restart() {
      await world.service.stop();
      world.service = create();
      unwrap(await world.service.start());
    },
    add: async (url, intervalMs = 30_000, fields = {}) =>
      unwrap(await world.service.add({ ...nodeFields(url, intervalMs), ...fields })),
    status(id) {
      const found = world.service.list().find(({ node }) => node.id === id);
      if (found === undefined) throw new Error(`no node ${id}`);
      return found;
    },
  };
  unwrap(await world.service.start());
  return world;
}

/** The user's input for a node, with default options. */
export function nodeFields(url: string, intervalMs: number | null = 30_000): NodeFields {
  return { name: '', url, intervalMs, tags: [], headers: [], certificate: null, paused: false };
}

/** A node that runs its checks every 30 s of the fake time; `failing` names those that fail now. */
export interface FakeNode {
  failing: Set<string>;
  server: FakeServer;
}

const periodMs = 30_000;

export function createFakeNode(time: FakeTime, checks: readonly string[], nodeId = 'NodeID-1'): FakeNode {
  const since = new Map<string, number>();
  const node: FakeNode = {
    failing: new Set(),
    server: () => {
      const ranAtMs = Math.floor(time.clock.nowMs() / periodMs) * periodMs;
      const results: Record<string, unknown> = {};
      for (const check of checks) {
        if (!node.failing.has(check)) since.delete(check);
        else if (!since.has(check)) since.set(check, ranAtMs);
        const firstMs = since.get(check);
        const failure =
          firstMs === undefined
            ? {}
            : {
                error: `${check} is down`,
                contiguousFailures: 1 + (ranAtMs - firstMs) / periodMs,
                timeOfFirstFailure: new Date(firstMs).toISOString(),
              };
        results[check] = {
          timestamp: new Date(ranAtMs).toISOString(),
          duration: 1_000 + (ranAtMs % 1_009),
          ...failure,
        };
      }
      const healthy = since.size === 0;
      return jsonAnswer(healthy ? 200 : 503, { checks: results, healthy }, { 'node-id': nodeId });
    },
  };
  return node;
}

/** A node all checks of which fail with every other run. */
export function flippingChecks(time: FakeTime, count: number): FakeServer {
  return () => {
    const round = Math.floor(time.clock.nowMs() / periodMs);
    const failure = round % 2 === 0 ? { error: 'it fails', contiguousFailures: 1 } : {};
    const run = { timestamp: new Date(round * periodMs).toISOString(), duration: 1 + round, ...failure };
    const checks = Object.fromEntries(Array.from({ length: count }, (_, index) => [`c${index}`, run]));
    return jsonAnswer(503, { checks, healthy: false });
  };
}
