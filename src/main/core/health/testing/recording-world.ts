import {
  createMemoryStores,
  openMemoryDatabase,
  portsInProcess,
  storesOver,
} from '../../../adapters/storage/testing/memory-stores.ts';
import { readRecording } from '../../../adapters/storage/recordings/recording-reader.ts';
import type { HealthStore, OpenRecording } from '../../health-ports.ts';
import type { HistorySource } from '../history/history-source.ts';
import { RecordingService } from '../recordings/recording-service.ts';
import { asResults } from '../../testing/as-results.ts';
import { createFakeRandom } from './fake-ports.ts';
import { createFakeFiles, recordNode, type FakeFiles } from './past-world.ts';
import { createFakeEvents } from '../../testing/fake-events.ts';

const createStore = (): HealthStore => createMemoryStores().health;

/** Opens recordings like the app, but from files in memory and on this thread. */
export function recordingsOf(files: FakeFiles, closed: string[] = []): OpenRecording {
  return async ({ path, id, signal, onStep }) => {
    const database = openMemoryDatabase();
    async function* lines() {
      const texts = files.text(path).split('\n');
      if (texts.at(-1) === '') texts.pop();
      let textBytes = 0;
      for (const text of texts) {
        signal.throwIfAborted();
        textBytes += text.length + 1;
        yield { text, textBytes };
      }
    }
    const facts = await readRecording(database, { lines: lines(), id, onStep });
    const store = portsInProcess(storesOver(database)).health;
    return { ...facts, store, close: () => void closed.push(id) };
  };
}

/** A node with history, and recordings of it as files in memory. */
export async function createRecordingWorld(store = createStore()) {
  const node = await recordNode(store);
  const files = createFakeFiles();
  /** Ids of recordings whose store was closed. */
  const closed: string[] = [];
  const source: HistorySource = { id: node.id, name: 'My node', store, chainChecks: null, sinceMs: 0 };
  const events = createFakeEvents();
  const thresholds = { failAfter: 1, recoverAfter: 1 };
  const service: RecordingService = new RecordingService({
    emit: events.emit,
    findSource: (id) => [source, ...service.sources()].find((each) => each.id === id) ?? null,
    openRecording: recordingsOf(files, closed),
    saver: files.saver,
    opener: files.opener,
    random: createFakeRandom(),
    thresholds: () => thresholds,
  });
  return { store, node, files, source, service: asResults(service), closed, events, thresholds };
}
