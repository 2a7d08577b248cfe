import { describe, expect, it } from 'vitest';
import { createMemoryStores } from '../adapters/storage/testing/memory-stores.ts';
import { RecordingService } from '../core/health/recordings/recording-service.ts';
import { createFakeRandom } from '../core/health/testing/fake-ports.ts';
import { createFakeFiles, passing, recordNode, startMs } from '../core/health/testing/past-world.ts';
import type { NodeService } from '../core/health/node/node-service.ts';
import { Removals } from '../core/removals.ts';
import { createHandlers, type Services, type ShellServices } from './handlers.ts';

it('a node stays while a recording of it is being saved, which would end where its past is deleted', async () => {
  const { health: store } = createMemoryStores();
  const node = await recordNode(store);
  await node.repeat(40, () => ({ network: passing() }));
  const files = createFakeFiles();
  const held = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const random = createFakeRandom();
  const recordings = new RecordingService({
    emit: () => undefined,
    findSource: (id) => ({ id, name: 'My node', store, chainChecks: null, sinceMs: 0 }),
    openRecording: () => Promise.reject(new Error('none is opened')),
    saver: {
      ...files.saver,
      async write(path, pieces, compression) {
        begun.resolve();
        await held.promise;
        await files.saver.write(path, pieces, compression);
      },
    },
    opener: files.opener,
    random,
    thresholds: () => ({ failAfter: 1, recoverAfter: 1 }),
  });
  // Its calls use nothing else of these.
  const nodes: Pick<NodeService, 'remove'> = {
    remove: async (id) => ({ putBack: () => undefined, finish: () => store.removeNode(id) }),
  };
  const log = { info: () => undefined, warn: () => undefined, error: () => '' };
  const removals = new Removals({ random, log });
  const settings = { current: () => ({ alerts: { addresses: [], ofNodes: [], planned: [] } }) };
  const services = { nodes, recordings, removals, settings } as unknown as Services;
  const handlers = createHandlers(() => Promise.resolve(services), {} as ShellServices);
  const saving = handlers['recordings.save']({ id: node.id, fromMs: startMs, toMs: startMs + 86_400_000 });
  await begun.promise;
  const remove = async () => await handlers['nodes.remove']({ id: node.id });
  await expect(remove()).rejects.toThrow(/is being saved/);
  held.resolve();
  expect(await saving).toMatchObject({ reportCount: 40 });
  await removals.settle((await remove()).undoId, false);
  expect(await store.listNodes()).toEqual([]);
});

/** Handlers whose services never start, over a shell of which only what is given is called. */
const handlersOver = (shell: Partial<ShellServices>) =>
  createHandlers(() => new Promise(() => undefined), shell as ShellServices);

describe('a text to copy', () => {
  it('counts as copied when the system has taken it', async () => {
    const { promise: taken, resolve } = Promise.withResolvers<void>();
    let isCopied = false;
    const handlers = handlersOver({ copyText: () => taken });
    const copying = Promise.resolve(handlers['app.copyText']({ text: '0x1' })).then(() => (isCopied = true));
    await Promise.resolve();
    await Promise.resolve();
    expect(isCopied).toBe(false);
    resolve();
    await copying;
  });

  it('fails where the system does not take it', async () => {
    const handlers = handlersOver({ copyText: () => Promise.reject(new Error('No clipboard.')) });
    await expect(handlers['app.copyText']({ text: '0x1' })).rejects.toThrow('No clipboard.');
  });
});
