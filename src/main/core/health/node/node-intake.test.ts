import { describe, expect, it } from 'vitest';
import { createMemoryStores } from '../../../adapters/storage/testing/memory-stores.ts';
import { unwrap } from '../../../../shared/errors.ts';
import { noAnswer } from '../../../../shared/health/no-answer.ts';
import type { NodeConfig } from '../../../../shared/health/types.ts';
import { jsonAnswer, type FakeServer } from '../testing/fake-ports.ts';
import {
  createFakeNode,
  createServiceWorld,
  nodeFields,
  type ServiceWorld,
} from '../testing/service-world.ts';

const url = 'http://127.0.0.1:9650';
const startMs = 1_700_000_000_000;

const createWorld = (): Promise<ServiceWorld> => createServiceWorld(createMemoryStores().health);

/** Two checks that pass, with the time of the last run and how long it took. */
const report = (ranAtMs: number, fields: Record<string, unknown> = {}): ReturnType<FakeServer> =>
  jsonAnswer(200, {
    healthy: true,
    checks: Object.fromEntries(
      ['C', 'P'].map((name) => [
        name,
        { timestamp: new Date(ranAtMs).toISOString(), duration: 1_000_000, ...fields },
      ]),
    ),
  });

describe('a node that answers but does not run its checks', () => {
  it('is stalled after three periods, once in the history, and healthy with its next run', async () => {
    const world = await createWorld();
    const { time, http, store } = world;
    let runsUntilMs = Infinity;
    http.serve(url, () => {
      const ranAtMs = Math.floor(Math.min(time.clock.nowMs(), runsUntilMs) / 30_000) * 30_000;
      return report(ranAtMs);
    });
    const { id } = await world.add(url, null);
    await time.advance(600_000);
    expect(world.status(id)).toMatchObject({
      state: 'healthy',
      periodMs: expect.closeTo(30_000, 0) as number,
    });
    runsUntilMs = time.clock.nowMs();
    await time.advance(55_000);
    expect(world.status(id).state).toBe('healthy');
    await time.advance(300_000);
    expect(world.status(id)).toMatchObject({
      state: 'stalled',
      reason: 'The node reports that it’s healthy, but none of its 2 checks is running.',
      report: { checks: [{ state: 'stalled' }, { state: 'stalled' }] },
    });
    const stalledPolls = store.recorded.filter(({ state }) => state === 'stalled');
    expect(stalledPolls.length).toBeGreaterThan(5);
    const stalledRuns = store.recorded.flatMap(({ runs }) => runs).filter(({ state }) => state === 'stalled');
    expect(stalledRuns.map(({ check }) => check)).toEqual(['C', 'P']);
    expect(stalledRuns[0]?.ranAtMs).toBe(stalledPolls[0]?.polledAtMs);
    runsUntilMs = Infinity;
    await time.advance(61_000);
    expect(world.status(id)).toMatchObject({ state: 'healthy', report: { checks: [{ state: 'pass' }, {}] } });
    // It is nobody's failure.
    expect(store.recorded.flatMap(({ episodes }) => episodes)).toEqual([]);
  });

  it('is named by the checks that do not run, when others do', async () => {
    const world = await createWorld();
    const { time, http } = world;
    http.serve(url, () =>
      jsonAnswer(200, {
        healthy: true,
        checks: {
          C: { timestamp: new Date(startMs).toISOString() },
          P: { timestamp: new Date(time.clock.nowMs()).toISOString() },
        },
      }),
    );
    const { id } = await world.add(url);
    await time.advance(200_000);
    expect(world.status(id)).toMatchObject({
      state: 'stalled',
      reason: 'The node reports that it’s healthy, but 1 of 2 checks is not running: C-Chain.',
    });
  });

  it('does not count the sleep of this computer, with which the node may have slept', async () => {
    const world = await createWorld();
    const { time, http, service } = world;
    let ranAtMs = startMs;
    http.serve(url, () => report(ranAtMs));
    const { id } = await world.add(url);
    await time.advance(61_000);
    service.suspend();
    await time.advance(8 * 3_600_000);
    service.resume();
    await time.advance(1_000);
    expect(world.status(id).state).toBe('healthy');
    ranAtMs += 30_000;
    await time.advance(60_000);
    expect(world.status(id).state).toBe('healthy');
  });

  it('is unhealthy all the same while one of its checks fails', async () => {
    const world = await createWorld();
    const { time, http } = world;
    http.serve(url, () =>
      jsonAnswer(503, {
        healthy: false,
        checks: {
          C: { timestamp: new Date(startMs).toISOString(), error: 'down', contiguousFailures: 1 },
          P: { timestamp: new Date(startMs).toISOString() },
        },
      }),
    );
    const { id } = await world.add(url);
    await time.advance(66 * 60_000);
    expect(world.status(id)).toMatchObject({
      state: 'unhealthy',
      report: { checks: [{ state: 'fail' }, { state: 'stalled' }] },
    });
  });
});

describe('our own network', () => {
  const down: FakeServer = () => ({ kind: 'failure', reason: 'network', detail: '' });

  it('that is down is not the fault of the nodes on other computers', async () => {
    const world = await createWorld();
    const { time, http, store } = world;
    const hosts = ['http://a.example', 'http://b.example', url];
    const nodes: NodeConfig[] = [];
    for (const host of hosts) {
      http.serve(host, createFakeNode(time, ['C']).server);
      nodes.push(await world.add(host));
    }
    await time.advance(61_000);
    for (const host of hosts.slice(0, 2)) http.serve(host, down);
    await time.advance(40_000);
    const states = () => nodes.map(({ id }) => world.status(id).state);
    expect(states()).toEqual(['unknown', 'unknown', 'healthy']);
    expect(world.status(nodes[0]?.id ?? '')).toMatchObject({
      reason: 'This computer’s network seems to be down: the app can’t reach any node on another computer.',
      error: { code: 'unreachable' },
    });
    // It is stored as what it is, from when it is known.
    expect(store.recorded.at(-1)?.state === 'unreachable').toBe(false);
    http.serve('http://a.example', createFakeNode(time, ['C']).server);
    await time.advance(120_000);
    expect(states()).toEqual(['healthy', 'unreachable', 'healthy']);
  });

  it('that is back is used at once for every node', async () => {
    const world = await createWorld();
    const { time, http } = world;
    const hosts = ['http://a.example', 'http://b.example', 'http://c.example'];
    const nodes: NodeConfig[] = [];
    for (const host of hosts) {
      http.serve(host, down);
      nodes.push(await world.add(host));
      await time.advance(4_000);
    }
    await time.advance(600_000);
    const states = () => nodes.map(({ id }) => world.status(id).state);
    expect(states()).toEqual(['unknown', 'unknown', 'unknown']);
    for (const host of hosts) http.serve(host, createFakeNode(time, ['C']).server);
    const polled = world.service.poll(nodes[1]?.id ?? '');
    await time.advance(1_000);
    await polled;
    expect(states()).toEqual(['healthy', 'healthy', 'healthy']);
  });

  it.each<[string, (world: ServiceWorld) => void]>([
    ['a service answers in the same seconds', ({ service }) => service.remoteAnswered()],
    [
      'a service can be connected to',
      ({ http, online }) => {
        http.serve('https://service.example', () => jsonAnswer(200, '{}'));
        online.serviceUrl = 'https://service.example';
      },
    ],
  ])('is not down when two hosts are dead and %s', async (_how, prove) => {
    const world = await createWorld();
    const { time, http } = world;
    const hosts = ['http://a.example', 'http://b.example'];
    const nodes: NodeConfig[] = [];
    for (const host of hosts) {
      http.serve(host, createFakeNode(time, ['C']).server);
      nodes.push(await world.add(host));
    }
    await time.advance(61_000);
    for (const host of hosts) http.serve(host, down);
    for (let second = 0; second < 60; second += 1) {
      prove(world);
      await time.advance(1_000);
    }
    expect(nodes.map(({ id }) => world.status(id).state)).toEqual(['unreachable', 'unreachable']);
    for (const { id } of nodes)
      expect(unwrap(await world.past.episodes({ id, check: null, limit: 9 }))).toMatchObject([
        { check: noAnswer, endedAtMs: null },
      ]);
  });

  it('is known to be down by the system, also with one node', async () => {
    const world = await createWorld();
    const { time, http, online } = world;
    http.serve('http://a.example', down);
    http.serve(url, () => ({ kind: 'failure', reason: 'timeout', detail: '' }));
    const remote = await world.add('http://a.example');
    const local = await world.add(url);
    await time.advance(1_000);
    expect(world.status(remote.id).state).toBe('unreachable');
    online.isOnline = false;
    await time.advance(61_000);
    expect(world.status(remote.id).state).toBe('unknown');
    // The way to this computer itself is never down.
    expect(world.status(local.id).state).toBe('unreachable');
  });

  it('is not down because the only node is dead, nor because a proxy says no for two', async () => {
    const world = await createWorld();
    const { time, http } = world;
    http.serve('http://a.example', down);
    const alone = await world.add('http://a.example');
    await time.advance(61_000);
    expect(world.status(alone.id).state).toBe('unreachable');
    http.serve('http://b.example', () => jsonAnswer(502, ''));
    const proxied = await world.add('http://b.example');
    await time.advance(61_000);
    expect([world.status(alone.id).state, world.status(proxied.id).state]).toEqual([
      'unreachable',
      'unreachable',
    ]);
  });
});

describe('the name that a node tells', () => {
  it('is kept with the one before it across a restart', async () => {
    const world = await createWorld();
    const { time, http } = world;
    http.serve(url, createFakeNode(time, ['C'], 'NodeID-1').server);
    const { id } = await world.add(url);
    await time.advance(1_000);
    http.serve(url, createFakeNode(time, ['C'], 'NodeID-2').server);
    await time.advance(360_000);
    await world.restart();
    expect(world.status(id)).toMatchObject({ nodeId: 'NodeID-2', previousNodeId: 'NodeID-1' });
  });
});

/** JSON has no word for big integers. */
const inWords = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner));

describe('extra headers', () => {
  const secret = 'hunter2-value';
  const headers = [{ name: 'X-Key', value: secret }];

  it('go with every request of the node, and are nowhere else', async () => {
    const world = await createWorld();
    const { time, http, store, log, keychain } = world;
    http.serve(url, createFakeNode(time, ['C']).server);
    const told: unknown[] = [];
    world.events.on('node.changed', (status) => told.push(status));
    world.events.on('nodes.changed', (list) => told.push(list));
    const node = await world.add(url, null, { headers, tags: ['subnet'] });
    await time.advance(60_000);
    expect(http.requests.length).toBeGreaterThan(5);
    expect(http.requests.every((request) => request.headers['x-key'] === secret)).toBe(true);
    expect(node.headerNames).toEqual(['x-key']);
    const elsewhere = [
      told,
      node,
      world.service.list(),
      await store.port.listNodes(),
      store.recorded,
      log.entries,
    ];
    expect(inWords(elsewhere)).not.toContain(secret);
    expect([...keychain.entries.values()].join()).toContain(secret);
    await world.restart();
    await time.advance(1_000);
    expect(http.requests.at(-1)?.headers['x-key']).toBe(secret);
    const removal = unwrap(await world.service.remove(node.id));
    expect([...keychain.entries.values()].join()).toContain(secret);
    await removal.finish();
    expect(keychain.entries.size).toBe(0);
  });

  it('are kept by a change of other options, and given up by one of the address', async () => {
    const world = await createWorld();
    const { time, http } = world;
    http.serve(url, createFakeNode(time, ['C']).server);
    http.serve('http://evil.example', createFakeNode(time, ['C']).server);
    const { id } = await world.add(url, 30_000, { headers });
    await time.advance(1_000);
    const kept = [{ name: 'x-key', value: null }];
    expect(await world.service.update({ ...nodeFields(url), id, name: 'New', headers: kept })).toMatchObject({
      ok: true,
    });
    const moved = await world.service.update({ ...nodeFields('http://evil.example'), id, headers: kept });
    expect(moved).toMatchObject({ ok: false, error: { code: 'invalid-params', issues: ['headers'] } });
    const probed = await world.service.probe({
      id,
      url: 'http://evil.example',
      headers: kept,
      certificate: null,
    });
    expect(probed).toMatchObject({ ok: false, error: { code: 'invalid-params' } });
    await time.advance(61_000);
    expect(http.requests.some((request) => request.url.startsWith('http://evil.example'))).toBe(false);
    expect(http.requests.at(-1)?.headers['x-key']).toBe(secret);
    // Changed values are sent at once.
    await world.service.update({ ...nodeFields(url), id, headers: [{ name: 'x-key', value: 'other' }] });
    await time.advance(1_000);
    expect(http.requests.at(-1)?.headers['x-key']).toBe('other');
    await world.service.update({ ...nodeFields(url), id });
    await time.advance(1_000);
    expect(http.requests.at(-1)?.headers['x-key']).toBeUndefined();
    expect(world.keychain.entries.size).toBe(0);
  });

  it('whose keychain is locked leave the node unknown, and nothing is sent without them', async () => {
    const world = await createWorld();
    const { time, http, keychain } = world;
    http.serve(url, createFakeNode(time, ['C']).server);
    const { id } = await world.add(url, 30_000, { headers });
    await time.advance(1_000);
    const before = http.requests.length;
    keychain.fail('locked');
    await world.restart();
    await time.advance(61_000);
    expect(http.requests).toHaveLength(before);
    expect(world.status(id)).toMatchObject({
      state: 'unknown',
      reason: 'This computer’s keychain is locked. Unlock it and try again.',
      error: { code: 'keychain' },
    });
    // What leaves the values alone needs no keychain.
    const kept = [{ name: 'x-key', value: null }];
    expect(await world.service.update({ ...nodeFields(url), id, name: 'New', headers: kept })).toMatchObject({
      ok: true,
      value: { name: 'New', headerNames: ['x-key'] },
    });
    expect(await world.service.update({ ...nodeFields(`${url}/path`), id, headers: kept })).toMatchObject({
      ok: false,
      error: { code: 'keychain' },
    });
    expect(await world.service.add({ ...nodeFields('http://other'), headers })).toMatchObject({
      ok: false,
      error: { code: 'keychain' },
    });
    expect(world.service.list()).toHaveLength(1);
  });
});

describe('a paused node', () => {
  it('has no state, is not asked, and is asked at once when it goes on', async () => {
    const world = await createWorld();
    const { time, http } = world;
    http.serve(url, createFakeNode(time, ['C']).server);
    const { id } = await world.add(url);
    await time.advance(1_000);
    await world.service.update({ ...nodeFields(url), id, paused: true });
    const before = http.requests.length;
    await time.advance(600_000);
    expect(http.requests).toHaveLength(before);
    expect(world.status(id)).toMatchObject({
      state: 'unknown',
      reason: 'Polling is paused for this node.',
      nextPollAtMs: null,
      node: { paused: true },
    });
    await world.restart();
    await time.advance(60_000);
    expect(world.status(id).reason).toBe('Polling is paused for this node.');
    const polled = world.service.poll(id);
    await time.advance(5_000);
    expect(await polled).toMatchObject({ ok: true, value: { state: 'healthy', nextPollAtMs: null } });
    await world.service.update({ ...nodeFields(url), id });
    await time.advance(1_000);
    expect(world.status(id)).toMatchObject({ state: 'healthy', node: { paused: false } });
  });
});
