import { describe, expect, it } from 'vitest';
import { createMemoryStores } from '../../../adapters/storage/testing/memory-stores.ts';
import { unwrap } from '../../../../shared/errors.ts';
import type { FakeServer } from '../testing/fake-ports.ts';
import { createFakeNode, createServiceWorld, nodeFields } from '../testing/service-world.ts';
import { severalNodesReason } from './node-identity.ts';

const url = 'http://10.0.0.1:9650';
const minuteMs = 60_000;

/** One address with the nodes A, whose check C fails when wanted, and B. */
async function createMixture(intervalMs: number | null = null) {
  const world = await createServiceWorld(createMemoryStores().health);
  const { time, http, store } = world;
  const [a, b] = [createFakeNode(time, ['C'], 'NodeID-A'), createFakeNode(time, ['C'], 'NodeID-B')];
  http.serve(url, a.server);
  const { id } = await world.add(url, intervalMs);
  await time.advance(10 * minuteMs);
  /** The nodes answer in the order of these letters, over and over. */
  const inTurn = (turns: string): void => {
    let count = 0;
    const server: FakeServer = (request) => {
      count += 1;
      return (turns[(count - 1) % turns.length] === 'A' ? a : b).server(request);
    };
    http.serve(url, server);
  };
  const knownMs = async (fromMs: number, toMs: number) =>
    unwrap(await world.past.uptime({ id, fromMs, toMs })).map(({ unknownMs }) => toMs - fromMs - unknownMs);
  const episodes = () => store.port.readEpisodes(id, null, 100);
  return { ...world, id, a, b, inTurn, knownMs, episodes };
}

describe('several nodes behind one address', () => {
  it.each(['BA', 'BBA', 'ABABBABAAB'])('%s: nothing is judged, and the facts say so', async (turns) => {
    const { time, a, id, inTurn, status, store, episodes, knownMs } = await createMixture();
    await time.advance(1_000);
    a.failing.add('C');
    inTurn(turns);
    await time.advance(minuteMs);
    const fromMs = time.clock.nowMs();
    const before = await episodes();
    await time.advance(30 * minuteMs);
    expect(status(id)).toMatchObject({
      state: 'unknown',
      reason: severalNodesReason,
      nodeId: 'NodeID-A',
      nodeIds: ['NodeID-A', 'NodeID-B'],
      previousNodeId: null,
      periodMs: null,
    });
    expect(await episodes()).toEqual(before);
    expect(before.length).toBeLessThan(2);
    expect(await knownMs(fromMs, fromMs + 30 * minuteMs)).toEqual([0]);
    expect((await knownMs(fromMs - 10 * minuteMs, fromMs))[1]).toBeGreaterThan(7 * minuteMs);
    expect(new Set(store.recorded.slice(-40).map(({ state }) => state))).toEqual(new Set(['unknown']));
  });

  it('are noticed where one has all polls and the other what is asked in between', async () => {
    const { time, http, a, b, id, status, episodes } = await createMixture();
    http.serve(url, (request) => (request.url.endsWith('liveness') ? b : a).server(request));
    await time.advance(2 * minuteMs);
    a.failing.add('C');
    await time.advance(10 * minuteMs);
    expect(status(id)).toMatchObject({ state: 'unknown', nodeIds: ['NodeID-A', 'NodeID-B'] });
    expect(await episodes()).toEqual([]);
  });

  it('are one again five minutes after the others are gone', async () => {
    const { time, http, a, id, inTurn, status } = await createMixture();
    inTurn('BA');
    await time.advance(5 * minuteMs);
    http.serve(url, a.server);
    await time.advance(4 * minuteMs);
    expect(status(id).state).toBe('unknown');
    await time.advance(1.6 * minuteMs);
    expect(status(id)).toMatchObject({ state: 'healthy', nodeIds: [], previousNodeId: null });
  });

  it('are not judged after a start of the app or a long sleep, whoever answers first', async () => {
    const world = await createMixture();
    const { time, a, id, inTurn, store } = world;
    a.failing.add('C');
    await time.advance(minuteMs);
    const before = await world.episodes();
    expect(before).toMatchObject([{ check: 'C', endedAtMs: null }]);
    inTurn('BA');
    await world.restart();
    await time.advance(2 * minuteMs);
    world.service.suspend();
    await time.advance(8 * 60 * minuteMs);
    inTurn('BA');
    world.service.resume();
    await time.advance(2 * minuteMs);
    expect(await world.episodes()).toEqual(before);
    expect(store.recorded.at(-1)).toMatchObject({ state: 'unknown' });
    expect(world.status(id).nodeId).toBe('NodeID-A');
  });
});

describe('a node that was replaced', () => {
  it('is judged five minutes after the one before was last heard, and its failures go on', async () => {
    const { time, http, store, a, b, id, status, episodes } = await createMixture();
    a.failing.add('C');
    await time.advance(10 * minuteMs);
    b.failing.add('C');
    http.serve(url, b.server);
    await time.advance(4 * minuteMs);
    expect(status(id)).toMatchObject({ state: 'unknown', nodeIds: ['NodeID-A', 'NodeID-B'] });
    // It was first heard within a quarter of a minute, and is judged by its next poll.
    await time.advance(1.9 * minuteMs);
    expect(status(id)).toMatchObject({
      state: 'unhealthy',
      nodeId: 'NodeID-B',
      nodeIds: [],
      previousNodeId: 'NodeID-A',
    });
    await time.advance(5 * minuteMs);
    expect(await episodes()).toMatchObject([{ check: 'C', endedAtMs: null }]);
    expect(await store.port.listNodes()).toMatchObject([{ previousNodeId: 'NodeID-A' }]);
    expect(status(id).periodMs).toBeCloseTo(30_000, -2);
  });

  it('is polled when it may be judged, although its next poll is an hour away', async () => {
    const { time, http, b, id, status } = await createMixture(3_600_000);
    http.serve(url, b.server);
    await time.advance(8 * minuteMs);
    expect(status(id)).toMatchObject({ state: 'healthy', nodeId: 'NodeID-B' });
  });

  it('is judged at once where the user has changed the address', async () => {
    const { time, http, service, b, id, status } = await createMixture();
    http.serve('http://10.0.0.2:9650', b.server);
    await service.update({ ...nodeFields('http://10.0.0.2:9650'), id });
    await time.advance(2_000);
    expect(status(id)).toMatchObject({
      state: 'healthy',
      nodeId: 'NodeID-B',
      previousNodeId: 'NodeID-A',
    });
  });

  it('is news only until the user has accepted it, also after a start of the app', async () => {
    const { time, http, service, restart, b, id, status, store } = await createMixture();
    http.serve('http://10.0.0.2:9650', b.server);
    await service.update({ ...nodeFields('http://10.0.0.2:9650'), id });
    await time.advance(minuteMs);
    store.fail(true);
    expect(await service.accept(id)).toMatchObject({ ok: false });
    expect(status(id)).toMatchObject({ nodeId: 'NodeID-B', previousNodeId: 'NodeID-A' });
    store.fail(false);
    await service.accept(id);
    expect(status(id)).toMatchObject({ nodeId: 'NodeID-B', previousNodeId: null });
    await restart();
    await time.advance(minuteMs);
    expect(status(id)).toMatchObject({ nodeId: 'NodeID-B', previousNodeId: null });
  });

  it('is judged at once where that was done just before the app ended', async () => {
    const { time, http, service, restart, b, id, status } = await createMixture();
    await service.update({ ...nodeFields('http://10.0.0.2:9650'), id });
    await time.advance(minuteMs);
    http.serve('http://10.0.0.2:9650', b.server);
    await restart();
    await time.advance(minuteMs);
    expect(status(id)).toMatchObject({ state: 'healthy', nodeId: 'NodeID-B', previousNodeId: 'NodeID-A' });
  });
});
