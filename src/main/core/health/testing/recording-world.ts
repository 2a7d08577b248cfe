import { createMemoryStores } from '../../../adapters/storage/memory.ts';
import type { HealthStore } from '../../health-ports.ts';
import type { PastSource } from '../past-source.ts';
import { RecordingService } from '../recording-service.ts';
import { createFakeLog, createFakeRandom } from './fake-ports.ts';
import { createFakeFiles, recordNode } from './past-world.ts';

const createStore = (): HealthStore => createMemoryStores().health;

/** One node that is recorded, and recordings of it in files in memory. */
export async function createRecordingWorld(store = createStore()) {
  const node = await recordNode(store);
  const files = createFakeFiles();
  const log = createFakeLog();
  // Each look at the clock is a while later.
  let tickMs = 0;
  const source: PastSource = { id: node.id, name: 'My node', store, chainChecks: null };
  const service: RecordingService = new RecordingService({
    findSource: (id) => (id === node.id ? source : service.source(id)),
    createStore,
    saver: files.saver,
    opener: files.opener,
    clock: { monotonicMs: () => (tickMs += 150) },
    random: createFakeRandom(),
    log,
  });
  return { store, node, files, log, source, service };
}
