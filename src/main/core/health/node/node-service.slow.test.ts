import { describe, expect, it } from 'vitest';
import { createMemoryStores } from '../../../adapters/storage/testing/memory-stores.ts';
import { jsonAnswer } from '../testing/fake-ports.ts';
import { createServiceWorld, nodeFields, type ServiceWorld } from '../testing/service-world.ts';

const url = 'http://127.0.0.1:9650';

const createWorld = (): Promise<ServiceWorld> => createServiceWorld(createMemoryStores().health);

/** Two checks that pass, with the time of the last run and how long it took. */
const report = (ranAtMs: number, duration: number) => {
  const check = { timestamp: new Date(ranAtMs).toISOString(), duration };
  const body = JSON.stringify({ healthy: true, checks: { C: check, P: check } });
  return { kind: 'response' as const, status: 200, headers: {}, body, byteLength: body.length };
};

describe('a check that takes far longer than it used to', () => {
  it('is told of early, and is no state', async () => {
    const world = await createWorld();
    const { time, http } = world;
    let durationNs = 20_000_000;
    http.serve(url, () => report(time.clock.nowMs(), durationNs));
    const { id } = await world.add(url);
    await time.advance(40 * 30_000);
    expect(world.status(id).slowChecks).toEqual([]);
    durationNs = 4_000_000_000;
    await time.advance(4 * 30_000);
    expect(world.status(id)).toMatchObject({
      state: 'healthy',
      slowChecks: [
        { check: 'C', nowMs: 4_000, usualMs: 20 },
        { check: 'P', nowMs: 4_000, usualMs: 20 },
      ],
    });
  });
});

describe('what is usual of a check', () => {
  /** Forty usual runs, an interruption, three reports of 4 s each. */
  async function afterAnInterruption(
    interrupt: (world: ServiceWorld, id: string) => Promise<void>,
    nodeIdAfter = 'NodeID-1',
  ) {
    const world = await createWorld();
    const { time, http, log } = world;
    let durationNs = 20_000_000;
    let nodeId = 'NodeID-1';
    http.serve(url, () => {
      const answer = report(time.clock.nowMs(), durationNs);
      return { ...answer, headers: { 'node-id': nodeId } };
    });
    const { id } = await world.add(url);
    await time.advance(40 * 30_000);
    nodeId = nodeIdAfter;
    durationNs = 4_000_000_000;
    await interrupt(world, id);
    await time.advance(65_000);
    return { slow: world.status(id).slowChecks, log };
  }
  const restart = async (world: ServiceWorld): Promise<void> => {
    await world.service.stop();
    await world.time.advance(7 * 86_400_000);
    await world.restart();
  };

  it('is known again after a restart, however long the app was closed', async () => {
    const { slow, log } = await afterAnInterruption(restart);
    expect(slow.map(({ check, usualMs }) => [check, usualMs])).toEqual([
      ['C', 20],
      ['P', 20],
    ]);
    expect(log.entries).toEqual([]);
  });

  it('is read from the past a little at a time where there are many checks', async () => {
    const store = createMemoryStores().health;
    const limits: number[] = [];
    const world = await createServiceWorld(store);
    world.store.replace({
      scanPolls: (nodeId, afterMs, toMs, limit) => {
        limits.push(limit);
        return store.scanPolls(nodeId, afterMs, toMs, limit);
      },
    });
    const { time, http, service, status } = world;
    let duration = 20_000_000;
    http.serve(url, () => {
      const check = { timestamp: new Date(time.clock.nowMs()).toISOString(), duration };
      const checks = Object.fromEntries(Array.from({ length: 200 }, (_none, index) => [`c${index}`, check]));
      return jsonAnswer(200, { healthy: true, checks });
    });
    const { id } = await world.add(url);
    await time.advance(40 * 30_000);
    limits.length = 0;
    await service.update({ ...nodeFields(url), id, paused: true });
    await time.advance(60_000);
    duration = 4_000_000_000;
    await service.update({ ...nodeFields(url), id });
    await time.advance(65_000);
    expect(status(id).slowChecks).toHaveLength(200);
    expect(limits.length).toBeGreaterThan(5);
    expect(Math.max(...limits) * 200).toBeLessThanOrEqual(1_000);
  });

  it('is known again after a pause', async () => {
    const { slow } = await afterAnInterruption(async ({ service, time }, id) => {
      const fields = { ...nodeFields(url), id };
      await service.update({ ...fields, paused: true });
      await time.advance(86_400_000);
      await service.update(fields);
    });
    expect(slow).toMatchObject([{ usualMs: 20 }, { usualMs: 20 }]);
  });

  it('is not what another node at the address used to take', async () => {
    const { slow } = await afterAnInterruption(restart, 'NodeID-2');
    expect(slow).toEqual([]);
  });

  it('is learned anew when the store cannot tell it', async () => {
    const { slow, log } = await afterAnInterruption(async (world) => {
      world.store.replace({ scanPolls: () => Promise.reject(new Error('damaged')) });
      await restart(world);
    });
    expect(slow).toEqual([]);
    expect(log.entries).toMatchObject([{ level: 'error', event: 'node.durations' }]);
  });
});
