import { describe, expect, it } from 'vitest';
import { createMemoryStores } from '../../../adapters/storage/testing/memory-stores.ts';
import type { NodeConfig } from '../../../../shared/health/types.ts';
import type { FakeServer } from '../testing/fake-ports.ts';
import { createFakeNode, createServiceWorld } from '../testing/service-world.ts';

const createWorld = () => createServiceWorld(createMemoryStores().health);
const down: FakeServer = () => ({ kind: 'failure', reason: 'network', detail: '' });

describe('our own network', () => {
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
});
