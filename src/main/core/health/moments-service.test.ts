import { describe, expect, it } from 'vitest';
import { createMemoryStores } from '../../adapters/storage/testing/memory-stores.ts';
import { unwrap } from '../../../shared/errors.ts';
import { MomentsService } from './moments-service.ts';
import type { PastSource } from './past-source.ts';
import { createFakeLog } from './testing/fake-ports.ts';
import { failing, passing, periodMs, recordNode, startMs } from './testing/past-world.ts';

async function createWorld() {
  const store = createMemoryStores().health;
  const node = await recordNode(store);
  const source: PastSource = { id: node.id, name: 'My node', store, chainChecks: null };
  const sources = {
    all: () => [source],
    every: () => [source],
    find: (id: string) => (id === node.id ? source : null),
  };
  return { node, service: new MomentsService(sources, createFakeLog()) };
}

/** When the poll of a run arrived. */
const atRun = (run: number): number => startMs + run * periodMs + 1_000;

describe('reports of the past', () => {
  it('tell what is new in each, and where the neighbours are', async () => {
    const { node, service } = await createWorld();
    await node.poll({ network: passing({ connectedPeers: 48 }) });
    await node.repeat(120, () => null);
    await node.poll({ network: failing('too few', { connectedPeers: 3 }) });
    expect(unwrap(await service.reportAt({ id: node.id, atMs: atRun(0) - 1 }))).toBeNull();
    const first = unwrap(await service.reportAt({ id: node.id, atMs: atRun(60) + 0.5 }));
    expect(first).toMatchObject({
      atMs: atRun(0),
      state: 'healthy',
      report: { healthy: true },
      differences: [],
      previousAtMs: null,
      nextAtMs: atRun(121),
    });
    const second = unwrap(await service.reportAt({ id: node.id, atMs: 8e15 }));
    expect(second).toMatchObject({
      atMs: atRun(121),
      state: 'unhealthy',
      differences: [
        { check: '', field: 'healthy', before: 'true', after: 'false' },
        { check: 'network', field: 'state', before: 'Passing', after: 'Failing' },
        { check: 'network', field: 'error', before: null, after: 'too few' },
        { check: 'network', field: 'message.connectedPeers', before: '48', after: '3' },
      ],
      previousAtMs: atRun(0),
      nextAtMs: null,
    });
  });

  it('list where they change, as many as asked for', async () => {
    const { node, service } = await createWorld();
    await node.repeat(4, (index) => ({ C: index === 2 ? failing('x') : passing() }));
    const query = { id: node.id, fromMs: startMs, toMs: atRun(9), limit: 2 };
    expect(unwrap(await service.moments(query))).toMatchObject({
      moments: [{ state: 'healthy' }, {}],
      isCut: true,
    });
  });

  it('are not there for what is no node, or for a span that ends before it begins', async () => {
    const { node, service } = await createWorld();
    expect(await service.reportAt({ id: 'other', atMs: 1 })).toMatchObject({ error: { code: 'not-found' } });
    const query = { id: node.id, fromMs: 2, toMs: 1, limit: 5 };
    expect(await service.moments(query)).toMatchObject({ error: { code: 'invalid-params' } });
  });
});
