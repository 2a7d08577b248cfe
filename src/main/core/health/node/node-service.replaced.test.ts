import { expect, it } from 'vitest';
import { createMemoryStores } from '../../../adapters/storage/testing/memory-stores.ts';
import { unwrap } from '../../../../shared/errors.ts';
import { createFakeNode, createServiceWorld, nodeFields } from '../testing/service-world.ts';

const minuteMs = 60_000;

/** A node that has failed for 20 minutes, and another that will answer after it. */
async function createFailing() {
  const world = await createServiceWorld(createMemoryStores().health);
  const [before, after] = ['NodeID-1', 'NodeID-2'].map((id) => createFakeNode(world.time, ['C'], id));
  if (before === undefined || after === undefined) throw new Error('two nodes');
  world.http.serve('http://a.example', before.server);
  const { id } = await world.add('http://a.example');
  await world.time.advance(2 * minuteMs);
  before.failing.add('C');
  await world.time.advance(20 * minuteMs);
  /** Of the other node by now, still open. */
  const expectOneFailure = async () => {
    expect(world.status(id).nodeId).toBe('NodeID-2');
    const episodes = await world.store.port.readEpisodes(id, 'C', 10);
    expect(episodes.map(({ endedAtMs }) => endedAtMs)).toEqual([null]);
  };
  return { world, id, after, expectOneFailure };
}

it.each([false, true])(
  'a failure goes on at the node that replaces another, disk full meanwhile: %s',
  async (isFull) => {
    const { world, after, expectOneFailure } = await createFailing();
    if (isFull) world.store.replace({ recordPoll: () => Promise.reject(new Error('full')) });
    await world.time.advance(minuteMs);
    after.failing.add('C');
    world.http.serve('http://a.example', after.server);
    await world.time.advance(7 * minuteMs);
    world.store.replace({});
    await world.time.advance(2 * minuteMs);
    await expectOneFailure();
  },
);

it.each([false, true])(
  'a failure goes on at the node of another address, whose counts are its own; restarted before it was asked: %s',
  async (isRestarted) => {
    const { world, id, after, expectOneFailure } = await createFailing();
    after.failing.add('C');
    world.http.serve('http://b.example', after.server);
    unwrap(await world.service.update({ ...nodeFields('http://b.example'), id }));
    if (isRestarted) await world.restart();
    await world.time.advance(2 * minuteMs);
    await expectOneFailure();
  },
);
