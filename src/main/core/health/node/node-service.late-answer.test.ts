import { expect, it } from 'vitest';
import { createMemoryStores } from '../../../adapters/storage/testing/memory-stores.ts';
import { unwrap } from '../../../../shared/errors.ts';
import { createFakeNode, createServiceWorld, nodeFields } from '../testing/service-world.ts';

/** A node whose poll is under way while the store takes its time with what the user changes of it. */
async function buildPolling() {
  const world = await createServiceWorld(createMemoryStores().health);
  const { time, http, service, store } = world;
  const [before, after] = [createFakeNode(time, ['C'], 'NodeID-A'), createFakeNode(time, ['C'], 'NodeID-B')];
  http.serve('http://old/', before.server);
  http.serve('http://new/', after.server);
  const { id } = await world.add('http://old');
  await time.advance(30_100);
  expect(world.status(id).polling).toBe(true);
  const disk = Promise.withResolvers<void>();
  const { putNode } = store.port;
  store.replace({
    putNode: async (node) => {
      await disk.promise;
      await putNode(node);
    },
  });
  const update = async (fields: Parameters<typeof service.update>[0]) => {
    const saving = service.update(fields);
    await time.advance(150);
    disk.resolve();
    unwrap(await saving);
  };
  return { ...world, id, before, update };
}

it('an answer of the address before says nothing of the new one', async () => {
  const { time, store, id, status, update } = await buildPolling();
  await update({ ...nodeFields('http://new'), id });
  const recorded = store.recorded.length;
  await time.advance(5_000);
  expect(status(id)).toMatchObject({ state: 'healthy', nodeId: 'NodeID-B', nodeIds: [] });
  expect(store.recorded.slice(recorded).map(({ reportedNodeId }) => reportedNodeId)).toEqual(['NodeID-B']);
});

it('an answer that was under way does not end a pause', async () => {
  const { time, id, before, status, update } = await buildPolling();
  before.failing.add('C');
  await update({ ...nodeFields('http://old'), id, paused: true });
  await time.advance(60_000);
  expect(status(id)).toMatchObject({ state: 'unknown', reason: 'Polling is paused for this node.' });
});
