import { describe, expect, it } from 'vitest';
import { unwrap } from '../../../../shared/errors.ts';
import type { NodeStatus } from '../../../../shared/health/types.ts';
import type { HttpRequest } from '../../ports.ts';
import { jsonAnswer } from '../testing/fake-ports.ts';
import { createMemoryStores } from '../../../adapters/storage/testing/memory-stores.ts';
import {
  createFakeNode,
  createServiceWorld,
  nodeFields,
  type ServiceWorld,
} from '../testing/service-world.ts';

const url = 'http://127.0.0.1:9650';

const createWorld = (): Promise<ServiceWorld> => createServiceWorld(createMemoryStores().health);

const isPoll = ({ method, url: asked }: HttpRequest): boolean =>
  method === 'GET' && asked.endsWith('/ext/health');

describe('the list of nodes', () => {
  it('takes a node, polls it at once and tells both', async () => {
    const { time, http, service, store, events } = await createWorld();
    http.serve(url, createFakeNode(time, ['C']).server);
    const lists: NodeStatus[][] = [];
    const changes: NodeStatus[] = [];
    events.on('nodes.changed', (list) => lists.push(list));
    events.on('node.changed', (status) => changes.push(status));

    const added = await service.add({ ...nodeFields(`${url}/ext/health`), name: ' Mine ' });
    const node = {
      id: 'id-1',
      name: 'Mine',
      url,
      intervalMs: 30_000,
      tags: [],
      headerNames: [],
      paused: false,
      certificate: null,
      addedAtMs: 1_700_000_000_000,
    };
    expect(added).toEqual({ ok: true, value: node });
    expect(await store.port.listNodes()).toEqual([{ ...node, previousNodeId: null, tagChecks: [] }]);
    const waiting = {
      node,
      state: 'unknown',
      reason: 'The app hasn’t polled this node yet.',
      report: null,
      reportAtMs: null,
      lastPollAtMs: null,
      nextPollAtMs: null,
      polling: true,
      error: null,
      nodeId: null,
      nodeIds: [],
      previousNodeId: null,
      readiness: null,
      liveness: null,
      tagView: null,
      tagChecks: [],
      periodMs: null,
      keepsConnection: null,
      heldBackCount: 0,
      slowChecks: [],
      heights: [],
      silentAtMs: null,
    };
    expect(lists).toEqual([[waiting]]);
    expect(changes).toEqual([]);

    await time.advance(1_000);
    // The report, and then what was asked beside it.
    expect(changes).toHaveLength(2);
    expect(changes[0]).toMatchObject({ state: 'healthy', polling: true });
    expect(changes[1]).toMatchObject({
      state: 'healthy',
      reason: 'The only check passes.',
      report: { healthy: true, checks: [{ name: 'C', state: 'pass' }] },
      reportAtMs: 1_700_000_000_200,
      lastPollAtMs: 1_700_000_000_200,
      nextPollAtMs: 1_700_000_030_000,
      polling: false,
      nodeId: 'NodeID-1',
      previousNodeId: null,
    });
    expect(service.list()).toEqual([changes.at(-1)]);
  });

  it('names a node without a name after its address', async () => {
    const world = await createWorld();
    expect(await world.add('https://proxy.example/nodes/7')).toMatchObject({ name: 'proxy.example/nodes/7' });
  });

  it('refuses a bad address', async () => {
    const { service, store } = await createWorld();
    const refused = await service.add(nodeFields('localhost:9650'));
    expect(refused).toMatchObject({ ok: false, error: { code: 'invalid-params' } });
    if (!refused.ok) expect(refused.error.message).toMatch(/http:\/\//);
    expect(await store.port.listNodes()).toEqual([]);
    expect(service.list()).toEqual([]);
  });

  it('refuses the same address twice, also at the same moment, also by a change', async () => {
    const world = await createWorld();
    const { service } = world;
    const fields = { ...nodeFields(url), name: 'One' };
    const both = await Promise.all([service.add(fields), service.add({ ...fields, url: `${url}/` })]);
    expect(both.map(({ ok }) => ok)).toEqual([true, false]);
    expect(both[1]).toMatchObject({
      error: {
        code: 'invalid-params',
        message: 'You’re already watching this address as “One”.',
        issues: ['url'],
      },
    });
    const other = await world.add('http://other');
    const moved = await service.update({ ...fields, id: other.id });
    expect(moved).toMatchObject({ ok: false, error: { code: 'invalid-params' } });
    expect(world.status(other.id).node.url).toBe('http://other');
    // Its own address is no other node's.
    expect(await service.update({ ...fields, id: 'id-1', name: 'Eins' })).toMatchObject({ ok: true });
  });

  it('moves a node to another address and asks there at once', async () => {
    const world = await createWorld();
    const { time, http, service, store } = world;
    http.serve('http://old/', () => 'hang');
    http.serve('http://new/', createFakeNode(time, ['C']).server);
    const { id } = await world.add('http://old');
    await time.advance(20_000);
    expect(world.status(id).state).toBe('unreachable');
    const lists: NodeStatus[][] = [];
    world.events.on('nodes.changed', (list) => lists.push(list));
    const updated = await service.update({ ...nodeFields('http://new', 60_000), id, name: 'New' });
    expect(updated).toMatchObject({
      ok: true,
      value: { id, name: 'New', url: 'http://new', intervalMs: 60_000 },
    });
    expect(await store.port.listNodes()).toMatchObject(updated.ok ? [updated.value] : []);
    expect(lists).toMatchObject([[{ state: 'unknown', error: null, polling: true, node: { name: 'New' } }]]);
    await time.advance(1_000);
    expect(world.status(id)).toMatchObject({ state: 'healthy', lastPollAtMs: 1_700_000_020_200 });
  });

  it('changes a name without asking the node or forgetting its state', async () => {
    const world = await createWorld();
    const { time, http, service } = world;
    http.serve(url, createFakeNode(time, ['C']).server);
    const { id } = await world.add(url);
    await time.advance(1_000);
    await service.update({ ...nodeFields(url), id, name: 'Other' });
    await time.advance(1_000);
    expect(world.status(id)).toMatchObject({ node: { name: 'Other' }, state: 'healthy', polling: false });
    expect(http.requests.filter(isPoll)).toHaveLength(1);
  });

  it('removes a node with its history, and what arrives afterwards is dropped', async () => {
    const world = await createWorld();
    const { time, http, service, store } = world;
    http.serve(url, createFakeNode(time, ['C']).server);
    const { id } = await world.add(url);
    await time.advance(30_100);
    expect(world.status(id).polling).toBe(true);
    const lists: NodeStatus[][] = [];
    world.events.on('nodes.changed', (list) => lists.push(list));
    const removal = unwrap(await service.remove(id));
    await time.advance(100_000);
    expect(lists).toEqual([[]]);
    expect(store.recorded).toHaveLength(1);
    expect(unwrap(await service.historyUse())).toEqual([]);
    await removal.finish();
    expect(await store.port.listNodes()).toEqual([]);
    expect(await store.port.latest(id)).toEqual({ poll: null, lastReport: null });
    expect(http.requests.filter(isPoll)).toHaveLength(2);
  });

  it('puts a node back at its place, with its history and its polls, unless its address is watched again', async () => {
    const world = await createWorld();
    const { time, http, service, store } = world;
    http.serve(url, createFakeNode(time, ['C']).server);
    http.serve('http://other', createFakeNode(time, ['C']).server);
    const { id } = await world.add(url);
    await time.advance(1_000);
    await world.add('http://other');
    const urls = () => service.list().map(({ node }) => node.url);
    const removal = unwrap(await service.remove(id));
    await time.advance(10_000);
    await removal.putBack();
    expect(urls()).toEqual([url, 'http://other']);
    expect(world.status(id)).toMatchObject({ state: 'healthy' });
    const before = store.recorded.length;
    await time.advance(60_000);
    expect(store.recorded.slice(before).map(({ nodeId }) => nodeId)).toContain(id);

    const later = unwrap(await service.remove(id));
    await world.add(url);
    await expect(later.putBack()).rejects.toThrow(/already watching/);
    expect(urls()).toEqual(['http://other', url]);
  });

  it('keeps the node that was given the address of one whose removal was not final when the app ended', async () => {
    const { add, service, store, time, restart } = await createWorld();
    const kept = await add('http://kept');
    await time.advance(1_000);
    const removed = await add('http://removed');
    await time.advance(60_000);
    unwrap(await service.remove(removed.id));
    await time.advance(60_000);
    unwrap(await service.update({ ...nodeFields('http://removed'), id: kept.id }));
    await restart();
    expect((await store.port.listNodes()).map(({ id }) => id)).toEqual([kept.id]);
  });

  it('has a node once that was added again when the app ended before its removal was final', async () => {
    const world = await createWorld();
    world.http.serve(url, createFakeNode(world.time, ['C']).server);
    const { id } = await world.add(url);
    await world.time.advance(1_000);
    await world.service.remove(id);
    const again = await world.add(url);
    await world.restart();
    expect(world.service.list().map(({ node }) => node.id)).toEqual([again.id]);
    expect((await world.store.port.listNodes()).map((node) => node.id)).toEqual([again.id]);
  });

  it('knows no node that is not there', async () => {
    const { service, past } = await createWorld();
    const fields = { ...nodeFields(url), id: 'nobody' };
    const answers = [
      await service.update(fields),
      await service.remove('nobody'),
      await service.poll('nobody'),
      await past.strips({ id: 'nobody', fromMs: 0, toMs: 1, cellCount: 1, limit: 1_000 }),
      await past.episodes({ id: 'nobody', check: null, limit: 1 }),
      await past.uptime({ id: 'nobody', fromMs: 0, toMs: 1 }),
    ];
    for (const answer of answers) expect(answer).toMatchObject({ ok: false, error: { code: 'not-found' } });
  });

  it('tells that the past of a node has changed once its poll is stored', async () => {
    const { time, http, store, add, events } = await createWorld();
    http.serve(url, createFakeNode(time, ['C']).server);
    const told: [nodeId: string, storedPolls: number][] = [];
    events.on('past.changed', ({ nodeId }) => told.push([nodeId, store.recorded.length]));
    const { id } = await add(url);
    await time.advance(60_000);
    expect(told.length).toBeGreaterThan(1);
    expect(told).toEqual(store.recorded.map((_poll, index) => [id, index + 1]));
    store.fail(true);
    await time.advance(60_000);
    expect(told).toHaveLength(store.recorded.length);
  });
});

describe('the status of a node', () => {
  it('keeps the last report while the node cannot be reached, and says why', async () => {
    const world = await createWorld();
    const { time, http } = world;
    http.serve(url, createFakeNode(time, ['C']).server);
    const { id } = await world.add(url);
    await time.advance(1_000);
    http.serve(url, () => ({ kind: 'failure', reason: 'refused', detail: 'ECONNREFUSED' }));
    await time.advance(30_000);
    expect(world.status(id)).toMatchObject({
      state: 'unreachable',
      reason: 'The node refused the connection.',
      error: { code: 'unreachable', message: 'The node refused the connection. (ECONNREFUSED)' },
      report: { healthy: true },
      reportAtMs: 1_700_000_000_200,
      // Its liveness was refused after 15 s, which a poll has confirmed 5 s later.
      lastPollAtMs: 1_700_000_020_500,
      nodeId: 'NodeID-1',
    });
  });

  it('tells in words that the node does not answer to its host name', async () => {
    const world = await createWorld();
    world.http.serve('http://my-node/', () => jsonAnswer(403, 'invalid host specified'));
    const { id } = await world.add('http://my-node');
    await world.time.advance(1_000);
    expect(world.status(id)).toMatchObject({ state: 'unknown', error: { code: 'forbidden' } });
    expect(world.status(id).reason).toContain('--http-allowed-hosts');
  });

  it('notices when the address answers for another node, also across a restart', async () => {
    const world = await createWorld();
    const { time, http } = world;
    http.serve(url, createFakeNode(time, ['C'], 'NodeID-1').server);
    const { id } = await world.add(url);
    await time.advance(1_000);
    expect(world.status(id)).toMatchObject({ nodeId: 'NodeID-1', previousNodeId: null });
    http.serve(url, () => jsonAnswer(502, ''));
    await time.advance(30_000);
    await world.restart();
    expect(world.status(id)).toMatchObject({ nodeId: 'NodeID-1', previousNodeId: null });
    http.serve(url, createFakeNode(time, ['C'], 'NodeID-2').server);
    await time.advance(360_000);
    expect(world.status(id)).toMatchObject({ nodeId: 'NodeID-2', previousNodeId: 'NodeID-1' });
  });

  it('knows the checks of its chains from the last report, also while it does not answer', async () => {
    const world = await createWorld();
    const { time, http } = world;
    const chainChecks = () => world.service.historySources().map((source) => source.chainChecks);
    http.serve(url, createFakeNode(time, ['C', 'network']).server);
    await world.add(url);
    expect(chainChecks()).toEqual([null]);
    await time.advance(1_000);
    http.serve(url, () => jsonAnswer(502, ''));
    await time.advance(30_000);
    await world.restart();
    expect(chainChecks()).toEqual([['C']]);
  });

  it('answers a poll when its answer is stored', async () => {
    const world = await createWorld();
    const { time, http, service, store } = world;
    const node = createFakeNode(time, ['C']);
    http.serve(url, node.server);
    const { id } = await world.add(url);
    await time.advance(1_000);
    node.failing.add('C');
    const answer = service.poll(id);
    await time.advance(1_000);
    expect(await answer).toMatchObject({ ok: true, value: { state: 'unhealthy', polling: false } });
    expect(store.recorded.at(-1)).toMatchObject({ state: 'unhealthy', polledAtMs: 1_700_000_001_200 });
  });

  it('is not touched by sleep', async () => {
    const world = await createWorld();
    const { time, http, service, store } = world;
    http.serve(url, createFakeNode(time, ['C']).server);
    const { id } = await world.add(url);
    await time.advance(1_000);
    http.serve(url, () => 'hang');
    // Its liveness was asked for a moment ago.
    await time.advance(16_000);
    service.suspend();
    await time.advance(8 * 3_600_000);
    http.serve(url, createFakeNode(time, ['C']).server);
    service.resume();
    await time.advance(1_000);
    expect(store.recorded.map(({ state }) => state)).toEqual(['healthy', 'healthy']);
    expect(world.status(id).state).toBe('healthy');
  });
});

it('an interval from before the budget becomes the shortest one, which stays within it', async () => {
  const world = await createWorld();
  const { time, http, store } = world;
  http.serve(url, createFakeNode(time, ['C']).server);
  const { id } = await world.add(url);
  await time.advance(10_000);
  const [stored] = await store.port.listNodes();
  if (stored !== undefined) await store.port.putNode({ ...stored, intervalMs: 1_000 });
  await world.restart();
  expect(world.status(id).node.intervalMs).toBe(15_000);
  const before = http.requests.length;
  await time.advance(3_600_000);
  expect((http.requests.length - before) / 60).toBeLessThanOrEqual(5);
  expect((http.requests.length - before) / 60).toBeGreaterThan(4);
});

it('a state is shown although the store has not come to it, also the first one', async () => {
  const world = await createWorld();
  const { time, http, store } = world;
  const node = createFakeNode(time, ['C']);
  http.serve(url, node.server);
  store.replace({
    latest: () => new Promise(() => undefined),
    recordPoll: () => new Promise(() => undefined),
  });
  const shown: string[] = [];
  world.events.on('node.changed', ({ state }) => shown.push(state));
  const { id } = await world.add(url);
  await time.advance(1_000);
  expect(shown).toEqual(['healthy']);
  expect(world.status(id)).toMatchObject({ state: 'healthy', report: { healthy: true } });
});
