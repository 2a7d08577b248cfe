import { describe, expect, it } from 'vitest';
import { createMemoryStores } from '../../../adapters/storage/testing/memory-stores.ts';
import { AppFailure, unwrap } from '../../../../shared/errors.ts';
import type { StoredEpisode, StoredPoll } from '../../health-ports.ts';
import { anything, atRun, createIncidentWorld, green } from '../testing/incident-world.ts';
import { failing, startMs } from '../testing/past-world.ts';
import { watchStore } from '../testing/watched-store.ts';

const failures = (length: number, startOf: (index: number) => number): StoredEpisode[] =>
  Array.from({ length }, (_, index) => ({
    id: `e${index}`,
    check: 'C',
    startedAtMs: startMs + startOf(index),
    startKnownFrom: 'seen',
    endedAtMs: startMs + startOf(index) + 30_000,
    endKnownFrom: 'seen',
    failuresSeen: 1,
    failuresReported: null,
    firstError: 'down',
    lastError: 'down',
    passes: 1,
  }));

const pollWith = (episodes: StoredEpisode[]): StoredPoll => ({
  nodeId: 'node-1',
  polledAtMs: startMs,
  state: 'healthy',
  reason: '',
  reportedNodeId: null,
  reportJson: null,
  runs: [],
  episodes,
});

it('loses no older incident when there are more than the store gives at once', async () => {
  const { health } = createMemoryStores();
  const world = await createIncidentWorld(health);
  // More than a page of them begin in the same millisecond.
  const episodes = failures(3_000, (index) => Math.floor(index / 1_300) * 600_000);
  await health.recordPoll(pollWith(episodes));
  const { incidents, totalCount } = unwrap(
    await world.service.list({ filter: anything, offset: 2_999, limit: 1 }),
  );
  expect(totalCount).toBe(3_000);
  expect(incidents).toMatchObject([{ startedAtMs: startMs }]);
});

describe('the failures of a node', () => {
  async function counted() {
    const { health } = createMemoryStores();
    const store = watchStore(health);
    let reads = 0;
    store.replace({
      readEpisodes: (...args) => {
        reads += 1;
        return health.readEpisodes(...args);
      },
    });
    const world = await createIncidentWorld(store.port);
    return { store, health, world, reads: () => reads };
  }

  it('are read once: what polls change is known without the store', async () => {
    const { world, reads } = await counted();
    await world.node.poll({ ...green, C: failing('behind') });
    expect(await world.list({ nodeId: 'node-1' })).toMatchObject([{ endedAtMs: null }]);
    const readsOfFirst = reads();
    world.service.pollRecorded(await world.node.poll(green));
    expect(await world.list({ nodeId: 'node-1' })).toMatchObject([{ endedAtMs: atRun(1) }]);
    world.node.skip(100);
    world.service.pollRecorded(await world.node.poll({ ...green, C: failing('again') }));
    expect(await world.list({ nodeId: 'node-1' })).toMatchObject([
      { endedAtMs: null },
      { endedAtMs: atRun(1) },
    ]);
    expect(reads()).toBe(readsOfFirst);
  });

  it('that change while they are read are listed as they are then', async () => {
    const { world, store, health } = await counted();
    await world.node.poll({ ...green, C: failing('behind') });
    const before = await health.readEpisodes('node-1', null, 500);
    const reading = Promise.withResolvers<StoredEpisode[]>();
    store.replace({ readEpisodes: () => reading.promise });
    const listed = world.list({ nodeId: 'node-1' });
    world.service.pollRecorded(await world.node.poll(green));
    reading.resolve(before);
    await listed;
    expect(await world.list({ nodeId: 'node-1' })).toMatchObject([{ endedAtMs: atRun(1) }]);
  });

  it('are forgotten with a recording that is closed', async () => {
    const { world, reads } = await counted();
    const readsOf = async (nodeId: string): Promise<number> => {
      const before = reads();
      await world.list({ nodeId });
      return reads() - before;
    };
    expect([await readsOf('rec-1'), await readsOf('rec-1')]).toEqual([1, 0]);
    const open = world.every.splice(0);
    world.every.push(...open.filter(({ id }) => id !== 'rec-1'));
    expect(await readsOf('node-1')).toBe(1);
    world.every.splice(0, Infinity, ...open);
    expect([await readsOf('node-1'), await readsOf('rec-1')]).toEqual([0, 1]);
  });

  it('that change while they cannot be read are read again with the next list', async () => {
    const { world, store } = await counted();
    const reading = Promise.withResolvers<StoredEpisode[]>();
    store.replace({ readEpisodes: () => reading.promise });
    const listed = world.service.list({ filter: anything, offset: 0, limit: 1 });
    world.service.pollRecorded(await world.node.poll({ ...green, C: failing('behind') }));
    reading.reject(new AppFailure({ code: 'storage', message: 'the disk is full' }));
    expect(await listed).toMatchObject({ ok: false, error: { code: 'storage' } });
    store.replace({});
    expect(await world.list()).toMatchObject([{ startedAtMs: atRun(0) }]);
  });

  it('are read again where the store may have let some go, and with other settings', async () => {
    const { world, reads } = await counted();
    const readsAfter = async (event: () => void): Promise<number> => {
      const before = reads();
      event();
      await world.list({ nodeId: 'node-1' });
      return reads() - before;
    };
    expect(await readsAfter(() => undefined)).toBe(1);
    const poll = pollWith(failures(200, (index) => index * 600_000));
    expect(await readsAfter(() => world.service.pollRecorded(poll))).toBe(0);
    expect(await world.list({ nodeId: 'node-1' })).toHaveLength(200);
    expect(await readsAfter(() => world.service.readAnew())).toBe(1);
    // None of them was stored.
    expect(await world.list({ nodeId: 'node-1' })).toEqual([]);
  });
});
