import { describe, expect, it } from 'vitest';
import { unwrap } from '../../../../shared/errors.ts';
import { createMemoryStores } from '../../../adapters/storage/testing/memory-stores.ts';
import type { NodeConfig } from '../../../../shared/health/types.ts';
import type { FakeServer } from '../testing/fake-ports.ts';
import { createFakeNode, createServiceWorld, nodeFields } from '../testing/service-world.ts';

const createWorld = () => createServiceWorld(createMemoryStores().health);
const down: FakeServer = () => ({ kind: 'failure', reason: 'network', detail: '' });

describe('our own network', () => {
  it('is looked for at the service, once for all nodes that are lost together', async () => {
    const world = await createWorld();
    const { time, http, online } = world;
    online.serviceUrl = 'https://service.example';
    const hosts = ['http://a.example', 'http://b.example', 'http://c.example'];
    for (const host of hosts) {
      http.serve(host, createFakeNode(time, ['C']).server);
      await world.add(host, 30_000);
    }
    await time.advance(61_000);
    for (const host of hosts) http.serve(host, down);
    await time.advance(300_000);
    const looks = http.connects.flatMap(({ url, atMs }) => (url === online.serviceUrl ? [atMs] : []));
    expect(looks.length).toBeGreaterThan(2);
    for (const [index, atMs] of looks.slice(1).entries())
      expect(atMs - (looks[index] ?? 0)).toBeGreaterThanOrEqual(2_000);
  });

  it.each([
    ['cannot be found', down],
    ['hangs', () => 'hang'],
  ] satisfies [string, FakeServer][])(
    'that the system called down as a node was asked, which then %s, and which is back since, is no fault of the node',
    async (_what, server) => {
      const world = await createWorld();
      const { time, http, online, store } = world;
      const node = createFakeNode(time, ['C']);
      http.serve('http://a.example', node.server);
      const { id } = await world.add('http://a.example', 30_000);
      await time.advance(61_000);
      http.serve('http://a.example', server);
      online.isOnline = false;
      while (!world.status(id).polling) await time.advance(10);
      online.isOnline = true;
      while (world.status(id).polling) await time.advance(10);
      expect(world.status(id)).toMatchObject({ state: 'unknown', error: expect.anything() as unknown });
      http.serve('http://a.example', node.server);
      await time.advance(61_000);
      expect(world.status(id).state).toBe('healthy');
      expect(await store.port.readEpisodes(id, null, 10)).toEqual([]);
    },
  );

  it('that goes down after a node: until when that was seen not to answer is known, also after a restart', async () => {
    const world = await createWorld();
    const { time, http } = world;
    http.serve('http://b.example', createFakeNode(time, ['C']).server);
    const { id } = await world.add('http://a.example', 30_000);
    await world.add('http://b.example', 30_000);
    await time.advance(600_000);
    const { state, silentAtMs } = world.status(id);
    expect([state, silentAtMs]).toEqual(['unreachable', world.status(id).lastPollAtMs]);
    await world.restart();
    expect(world.status(id).silentAtMs).toBe(silentAtMs);
    await time.advance(60_000);
    const lastMs = world.status(id).silentAtMs ?? 0;
    world.online.isOnline = false;
    http.serve('http://b.example', down);
    await time.advance(5 * 3_600_000);
    expect(world.status(id)).toMatchObject({ state: 'unknown', silentAtMs: lastMs });
  });

  it('that is down is not taken for up because a captive portal accepts the connection to the service', async () => {
    const world = await createWorld();
    const { time, http, online } = world;
    online.serviceUrl = 'https://service.example';
    http.serve(online.serviceUrl, () => ({ kind: 'failure', reason: 'tls', detail: '' }));
    const nodes: NodeConfig[] = [];
    for (const host of ['http://a.example', 'http://b.example']) {
      http.serve(host, createFakeNode(time, ['C']).server);
      nodes.push(await world.add(host, 30_000));
    }
    await time.advance(61_000);
    for (const { url } of nodes) http.serve(url, down);
    await time.advance(300_000);
    expect(nodes.map(({ id }) => world.status(id).state)).toEqual(['unknown', 'unknown']);
  });

  it('is looked for at a host that says nothing without a connection that stays open', async () => {
    const world = await createWorld();
    const { time, http, online } = world;
    online.serviceUrl = 'https://service.example';
    const { openLine } = http;
    let open = 0;
    http.openLine = (url, onLost) => ({
      ...openLine(url, onLost),
      ...(url === online.serviceUrl && {
        connect: (signal) => {
          open += 1;
          return new Promise((resolve) =>
            signal.addEventListener('abort', () => {
              open -= 1;
              resolve({ kind: 'failure', reason: 'cancelled', detail: '' });
            }),
          );
        },
      }),
    });
    await world.restart();
    for (const host of ['http://a.example', 'http://b.example']) {
      http.serve(host, down);
      await world.add(host, 30_000);
    }
    await time.advance(600_000);
    expect(open).toBeLessThanOrEqual(5);
    await time.advance(60_000);
    await world.service.stop();
    expect(open).toBe(0);
  });

  it.each([
    ['a node whose header the keychain does not give', 'locked'],
    ['a captive portal in the place of a node', 'tls'],
    ['a captive portal that leads elsewhere', 'redirect'],
    ['a proxy that lets nothing through', 'proxy'],
  ] as const)('that is down is not taken for up because of %s', async (_what, why) => {
    const world = await createWorld();
    const { time, http, keychain } = world;
    const hosts = ['http://a.example', 'http://b.example', 'https://c.example'];
    const nodes: NodeConfig[] = [];
    for (const host of hosts) {
      http.serve(host, createFakeNode(time, ['C']).server);
      const headers = host.startsWith('https') ? [{ name: 'x-token', value: 'secret' }] : [];
      nodes.push(await world.add(host, 30_000, { headers }));
    }
    await time.advance(61_000);
    for (const host of hosts) http.serve(host, down);
    if (why === 'locked') {
      keychain.fail('locked');
      await world.restart();
    } else http.serve('https://c.example', () => ({ kind: 'failure', reason: why, detail: '' }));
    await time.advance(300_000);
    expect(nodes.slice(0, 2).map(({ id }) => world.status(id).state)).toEqual(['unknown', 'unknown']);
  });

  it.each([
    ['stays down', 120_000],
    ['is back before the faster node is asked again', 0],
  ])('that %s is blamed for all failed polls of the faster node', async (_how, downMs) => {
    const world = await createWorld();
    const { time, http, store } = world;
    const hosts = ['http://fast.example', 'http://rare.example'] as const;
    const nodes: NodeConfig[] = [];
    for (const host of hosts) {
      http.serve(host, createFakeNode(time, ['C']).server);
      nodes.push(await world.add(host, host === hosts[0] ? 15_000 : 60_000));
    }
    const states = () => nodes.map(({ id }) => world.status(id).state);
    const poll = async (which: number) => {
      const polled = world.service.poll(nodes[which]?.id ?? '');
      await time.advance(1_000);
      unwrap(await polled);
    };
    await time.advance(61_000);
    for (const host of hosts) http.serve(host, down);
    for (const which of [0, 0]) await poll(which);
    for (let second = 0; second < 60 && states().includes('healthy'); second += 1) await time.advance(1_000);
    expect(states()).toEqual(['unknown', 'unknown']);
    const alone = store.recorded.filter(
      ({ nodeId, state }) => nodeId === nodes[0]?.id && state === 'unreachable',
    );
    expect(alone.length).toBeGreaterThan(1);
    await time.advance(downMs);
    for (const host of hosts) http.serve(host, createFakeNode(time, ['C']).server);
    await poll(1);
    await time.advance(61_000);
    expect(states()).toEqual(['healthy', 'healthy']);
    for (const { id } of nodes) {
      const episodes = unwrap(await world.past.episodes({ id, check: null, limit: 9 }));
      expect(episodes.filter(({ failuresSeen }) => failuresSeen > 0)).toEqual([]);
    }
  });

  it('that is back is blamed for a poll that began before that, and for no further one', async () => {
    const world = await createWorld();
    const { time, http, store } = world;
    const hosts = ['http://fast.example', 'http://rare.example'] as const;
    const nodes: NodeConfig[] = [];
    for (const host of hosts) {
      http.serve(host, createFakeNode(time, ['C']).server);
      nodes.push(await world.add(host, host === hosts[0] ? 15_000 : 60_000));
    }
    const [fast = '', rare = ''] = nodes.map(({ id }) => id);
    await time.advance(61_000);
    for (const host of hosts) http.serve(host, () => 'hang');
    await time.advance(300_000);
    expect([fast, rare].map((id) => world.status(id).state)).toEqual(['unknown', 'unknown']);
    const isAsked = () => world.status(fast).polling && !world.status(rare).polling;
    for (let second = 0; second < 60 && !isAsked(); second += 1) await time.advance(1_000);
    expect(isAsked()).toBe(true);
    const before = store.recorded.length;
    // The poll that hangs goes on; those after it fail at once.
    http.serve(hosts[0], down);
    http.serve(hosts[1], createFakeNode(time, ['C']).server);
    const polled = world.service.poll(rare);
    await time.advance(1_000);
    unwrap(await polled);
    const ofFast = () => store.recorded.slice(before).filter(({ nodeId }) => nodeId === fast);
    for (let second = 0; second < 60 && ofFast().length === 0; second += 1) await time.advance(1_000);
    expect(ofFast().map(({ state }) => state)).toEqual(['unknown']);
    for (let second = 0; second < 60 && ofFast().length === 1; second += 1) await time.advance(1_000);
    expect(ofFast().map(({ state }) => state)).toEqual(['unknown', 'unreachable']);
  });

  it('that is down stays so when a node is resumed long after, and does not answer either', async () => {
    const world = await createWorld();
    const { time, http } = world;
    const hosts = ['http://a.example', 'http://b.example', 'http://paused.example'];
    for (const host of hosts) http.serve(host, createFakeNode(time, ['C']).server);
    const nodes: NodeConfig[] = [];
    for (const host of hosts) nodes.push(await world.add(host, 30_000, { paused: host === hosts[2] }));
    const states = () => nodes.map(({ id }) => world.status(id).state);
    await time.advance(61_000);
    for (const host of hosts) http.serve(host, down);
    await time.advance(300_000);
    expect(states().slice(0, 2)).toEqual(['unknown', 'unknown']);
    unwrap(await world.service.update({ id: nodes[2]?.id ?? '', ...nodeFields(hosts[2] ?? '') }));
    await time.advance(120_000);
    expect(states()).toEqual(['unknown', 'unknown', 'unknown']);
  });
});
