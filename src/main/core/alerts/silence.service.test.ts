import { describe, expect, it } from 'vitest';
import type { FakeNode } from '../health/testing/service-world.ts';
import { createAlertWorld } from './testing/alert-world.ts';

const minuteMs = 60_000;

type World = Awaited<ReturnType<typeof createAlertWorld>>;

/** A node that has not answered for 80 s. */
async function goSilent(world: World): Promise<FakeNode> {
  const node = await world.addNode('node-1.example');
  await world.time.advance(2 * minuteMs);
  world.down('node-1.example');
  while (world.status('id-1').state !== 'unreachable') await world.time.advance(1_000);
  await world.time.advance(80_000);
  return node;
}

describe('an incident', () => {
  it('of a node that does not answer is told after 90 s, with a link to it', async () => {
    const world = await createAlertWorld();
    await world.addNode('127.0.0.1:9650');
    await world.time.advance(2 * minuteMs);
    world.down('127.0.0.1:9650');
    while (world.service.list()[0]?.state !== 'unreachable') await world.time.advance(1_000);
    await world.time.advance(88_000);
    expect(world.sent).toEqual([]);
    // Whenever the next poll is.
    await world.time.advance(2_000);
    expect(world.titles()).toEqual(['127 isn’t responding']);
    const { link } = world.sent[0] ?? {};
    expect(link).toMatchObject({ view: 'incident', nodeId: 'id-1' });
    const [episode] = await world.stores.health.readEpisodes('id-1', '', 1);
    expect(link).toMatchObject({ id: episode?.id });
  });

  it('of a node that is asked every ten minutes is told when it has not answered again', async () => {
    const world = await createAlertWorld();
    await world.addNode('node-1.example');
    await world.service.update({ ...world.status('id-1').node, headers: [], intervalMs: 10 * minuteMs });
    await world.time.advance(20 * minuteMs);
    world.down('node-1.example');
    while (world.status('id-1').state !== 'unreachable') await world.time.advance(1_000);
    await world.time.advance(11 * minuteMs);
    expect(world.titles()).toEqual(['node-1 isn’t responding']);
  });

  it('of a node whose answer is there, and not stored yet, is not told', async () => {
    const world = await createAlertWorld();
    const node = await goSilent(world);
    // A slow disk.
    world.store.replace({ recordPoll: () => new Promise(() => undefined) });
    world.up('node-1.example', node);
    await world.time.advance(minuteMs);
    expect(world.service.list()[0]?.state).not.toBe('unreachable');
    expect(world.sent).toEqual([]);
  });

  it.each<[string, (world: World) => Promise<unknown>]>([
    [
      'the node is paused',
      ({ service, status }) => service.update({ ...status('id-1').node, headers: [], paused: true }),
    ],
    ['the node is removed', ({ service }) => service.remove('id-1')],
    [
      'the app has ended',
      async ({ service, alerts }) => {
        await service.stop();
        await alerts.stop();
      },
    ],
  ])('of a silent node is not looked for any more once %s', async (_what, ends) => {
    const world = await createAlertWorld();
    await goSilent(world);
    await ends(world);
    const { looks } = world;
    await world.time.advance(25_000);
    expect([world.looks - looks, world.sent]).toEqual([0, []]);
  });

  it('of a silent node begins anew once it is not paused any more', async () => {
    const world = await createAlertWorld();
    await goSilent(world);
    const node = { ...world.status('id-1').node, headers: [] };
    await world.service.update({ ...node, paused: true });
    await world.service.update({ ...node, paused: false });
    await world.time.advance(minuteMs);
    expect(world.status('id-1').state).toBe('unreachable');
    expect(world.sent).toEqual([]);
    await world.time.advance(minuteMs);
    expect(world.titles()).toEqual(['node-1 isn’t responding']);
  });
});
