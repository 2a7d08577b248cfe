import { expect, it } from 'vitest';
import { createMemoryStores } from '../../../adapters/storage/testing/memory-stores.ts';
import { createFakeEvents } from '../../testing/fake-events.ts';
import { anything } from '../testing/incident-world.ts';
import { createFakeFiles } from '../testing/past-world.ts';
import { createFakeNode, createServiceWorld } from '../testing/service-world.ts';
import { IncidentService } from './incident-service.ts';

const dayMs = 86_400_000;

it('incidents whose days are over are not listed any more, without a restart', async () => {
  const world = await createServiceWorld(createMemoryStores().health);
  world.limits.keepDays = 1;
  const node = createFakeNode(world.time, ['C']);
  world.http.serve('http://10.0.0.1:9650', node.server);
  const sources = () => world.service.historySources();
  const { emit, on } = createFakeEvents();
  const incidents = new IncidentService({
    sources: {
      all: sources,
      every: sources,
      find: (id) => sources().find((source) => source.id === id) ?? null,
    },
    thresholds: () => ({ failAfter: 1, recoverAfter: 1 }),
    saver: createFakeFiles().saver,
    clock: world.time.clock,
    emit,
  });
  world.service.onPoll((poll) => incidents.pollRecorded(poll));
  world.service.onUpkeep(() => incidents.readAnew());
  const list = async () => await incidents.list({ filter: anything, offset: 0, limit: 10 });
  const { id } = await world.add('http://10.0.0.1:9650', 600_000);
  node.failing.add('C');
  await world.time.advance(1_200_000);
  node.failing.clear();
  await world.time.advance(1_200_000);
  expect((await list()).totalCount).toBe(1);
  const changed: string[] = [];
  on('incidents.changed', ({ nodeId }) => changed.push(nodeId));
  await world.time.advance(2.5 * dayMs);
  expect(await world.store.port.readEpisodes(id, null, 10)).toEqual([]);
  expect((await list()).totalCount).toBe(0);
  expect(changed).toContain(id);
});
