import { createMemoryStores } from '../../../adapters/storage/testing/memory-stores.ts';
import { unwrap } from '../../../../shared/errors.ts';
import type { Incident } from '../../../../shared/health/types.ts';
import type { IncidentFilter } from '../../../../shared/ipc/contract.ts';
import type { HealthStore } from '../../health-ports.ts';
import { IncidentService } from '../incidents/incident-service.ts';
import type { HistorySource } from '../history/history-source.ts';
import { asResults } from '../../testing/as-results.ts';
import { createFakeTime } from './fake-ports.ts';
import {
  createFakeFiles,
  failing,
  passing,
  periodMs,
  recordNode,
  startMs,
  type Answer,
} from './past-world.ts';
import { createFakeEvents } from '../../testing/fake-events.ts';

export const anything: IncidentFilter = {
  nodeId: null,
  check: null,
  state: 'all',
  fromMs: null,
  toMs: null,
  text: '',
};

/** The id in the second node's header. */
export const otherNodeId = 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ';

/** Histories of two nodes and a recording, and the incidents of all three. */
export async function createIncidentWorld(store: HealthStore = createMemoryStores().health) {
  const time = createFakeTime(startMs + 10 * 3_600_000);
  const files = createFakeFiles();
  const node = await recordNode(store);
  const other = await recordNode(store, 'node-2', 'Other');
  const recording = await recordNode(store, 'rec-1', 'A recording');
  const source = (id: string, name: string): HistorySource => ({
    id,
    name,
    store,
    chainChecks: null,
    sinceMs: 0,
  });
  const live = [
    { ...source('node-1', 'My node'), nodeId: null },
    { ...source('node-2', 'Other'), nodeId: otherNodeId },
  ];
  const every = [...live, source('rec-1', 'A recording')];
  const thresholds = { failAfter: 1, recoverAfter: 1 };
  const events = createFakeEvents();
  const incidents = new IncidentService({
    sources: {
      all: () => live,
      every: () => every,
      find: (id) => every.find((each) => each.id === id) ?? null,
    },
    thresholds: () => thresholds,
    saver: files.saver,
    clock: time.clock,
    emit: events.emit,
  });
  const service = asResults(incidents);
  const changes: string[] = [];
  events.on('incidents.changed', ({ nodeId }) => changes.push(nodeId));
  const list = async (filter: Partial<IncidentFilter> = {}): Promise<Incident[]> =>
    unwrap(await service.list({ filter: { ...anything, ...filter }, offset: 0, limit: 500 })).incidents;
  return { store, node, other, recording, live, every, service, files, thresholds, changes, list, time };
}

export type IncidentWorld = Awaited<ReturnType<typeof createIncidentWorld>>;

export const atRun = (run: number): number => startMs + run * periodMs;
export const green: Record<string, Answer> = {
  network: passing({ connectedPeers: 40 }),
  C: passing({ engine: {} }),
};

/** Two incidents: network with C (runs 2 to 5), and C alone (runs 20 to 21). */
export async function failTwice({ node }: IncidentWorld): Promise<void> {
  await node.repeat(2, () => green);
  await node.repeat(3, (index) => ({
    network: failing('no peers', { connectedPeers: 5 - index }),
    C: index === 0 ? passing({ engine: {} }) : failing('C is behind', { engine: {} }),
  }));
  await node.repeat(15, () => green);
  await node.poll({ ...green, C: failing('C again', { engine: { longestProcessingBlock: '9s' } }) });
  await node.repeat(3, () => green);
}
