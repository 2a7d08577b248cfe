import { describe, expect, it } from 'vitest';
import { createMemoryStores } from '../../adapters/storage/testing/memory-stores.ts';
import { unwrap } from '../../../shared/errors.ts';
import { ForecastService } from './forecast-service.ts';
import type { PastSource } from './past-source.ts';
import { watchStore } from './testing/watched-store.ts';
import { createFakeLog } from './testing/fake-ports.ts';
import { failing, passing, recordNode } from './testing/past-world.ts';

async function createWorld() {
  const store = createMemoryStores().health;
  const node = await recordNode(store);
  let reads = 0;
  const watched = watchStore(store);
  watched.replace({
    readPollAt: (...args) => {
      reads += 1;
      return store.readPollAt(...args);
    },
  });
  const source: PastSource = { id: node.id, name: '', store: watched.port, chainChecks: null };
  const find = (id: string) => (id === node.id ? source : null);
  return { node, reads: () => reads, service: new ForecastService({ find }, createFakeLog()) };
}

/** Runs each 30 s, so 120 an hour. */
const hour = 120;

describe('forecasts of a node', () => {
  it('come from few of its reports, each of which is read once', async () => {
    const { node, service, reads } = await createWorld();
    await node.repeat(40 * hour, (run) => ({
      network: passing({ connectedPeers: 100 - Math.floor(run / hour) }),
    }));
    const [forecast] = unwrap(await service.forecasts({ id: node.id }));
    expect(forecast).toMatchObject({ check: 'network', label: 'connected peers', now: '61', threshold: '0' });
    expect(reads()).toBe(168);
    await node.repeat(hour, () => ({ network: passing({ connectedPeers: 60 }) }));
    expect(unwrap(await service.forecasts({ id: node.id }))).toHaveLength(1);
    expect(reads()).toBe(169);
  });

  it('are none while a check fails, without reports, and of what is no node', async () => {
    const { node, service } = await createWorld();
    expect(unwrap(await service.forecasts({ id: node.id }))).toEqual([]);
    await node.repeat(40 * hour, (run) => ({
      network: passing({ connectedPeers: 100 - Math.floor(run / hour) }),
    }));
    await node.poll({ network: failing('x') });
    expect(unwrap(await service.forecasts({ id: node.id }))).toEqual([]);
    expect(await service.forecasts({ id: 'other' })).toMatchObject({ error: { code: 'not-found' } });
  });
});
