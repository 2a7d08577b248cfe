import { describe, expect, it } from 'vitest';
import { createMemoryStores } from '../../../adapters/storage/testing/memory-stores.ts';
import { glanceOf, worstErrors } from '../../../../shared/health/glance.ts';
import { jsonAnswer } from '../testing/fake-ports.ts';
import { playCluster, urlOfNode } from '../testing/real-cluster.ts';
import { createServiceWorld, nodeFields } from '../testing/service-world.ts';

const url = 'http://127.0.0.1:9650';
const minuteMs = 60_000;

/** A node whose chain is as high as told, in runs of every 30 s. */
async function createWorld() {
  const world = await createServiceWorld(createMemoryStores().health);
  const chain = { height: 7, runsUntilMs: Infinity };
  world.http.serve(url, () => {
    const ranAtMs = Math.floor(Math.min(world.time.clock.nowMs(), chain.runsUntilMs) / 30_000) * 30_000;
    const message = { engine: { consensus: { lastAcceptedHeight: chain.height } }, networking: {} };
    const C = { message, timestamp: new Date(ranAtMs).toISOString(), duration: 1_000 };
    return jsonAnswer(200, { healthy: true, checks: { C } });
  });
  const { id } = await world.add(url);
  const stoodMs = () => world.status(id).heights.map(({ ranAtMs, sinceMs }) => ranAtMs - sinceMs);
  return { ...world, world, id, chain, stoodMs };
}

describe('how long a chain stands still', () => {
  it('is counted from run to run, and anew with every block', async () => {
    const { time, chain, stoodMs, world, id } = await createWorld();
    await time.advance(1_000);
    expect(stoodMs()).toEqual([0]);
    await time.advance(5 * minuteMs);
    expect(stoodMs()).toEqual([5 * minuteMs]);
    expect(world.status(id).heights).toMatchObject([{ check: 'C', height: '7' }]);
    chain.height = 8;
    await time.advance(minuteMs);
    expect(stoodMs()[0]).toBeLessThanOrEqual(minuteMs);
    expect(world.status(id).heights).toMatchObject([{ height: '8' }]);
  });

  it('does not grow while the check does not run', async () => {
    const { time, chain, stoodMs } = await createWorld();
    await time.advance(2 * minuteMs);
    chain.runsUntilMs = time.clock.nowMs();
    await time.advance(10 * minuteMs);
    expect(stoodMs()).toEqual([2 * minuteMs]);
  });

  it('is known after a restart from the last report before it', async () => {
    const { time, world, stoodMs } = await createWorld();
    await time.advance(2 * minuteMs);
    await world.restart();
    await time.advance(minuteMs);
    expect(stoodMs()[0]).toBeGreaterThanOrEqual(minuteMs);
    expect(stoodMs()[0]).toBeLessThanOrEqual(3 * minuteMs);
  });

  it('is nothing of another address', async () => {
    const { time, world, http, id } = await createWorld();
    await time.advance(2 * minuteMs);
    http.serve('http://127.0.0.1:9999', () => ({ kind: 'failure', reason: 'refused', detail: '' }));
    await world.service.update({ id, ...nodeFields('http://127.0.0.1:9999') });
    await time.advance(minuteMs);
    expect(world.status(id)).toMatchObject({ heights: [], report: { healthy: true } });
  });
});

it('has of real nodes what an operator looks for', async () => {
  const world = await createServiceWorld(createMemoryStores().health);
  playCluster(world);
  const { id } = await world.add(urlOfNode(1), null);
  const look = () => {
    const { report, heights } = world.status(id);
    const checks = report?.checks ?? [];
    return { ...glanceOf(checks), errors: worstErrors(checks), heights: heights.map((one) => one.check) };
  };
  await world.time.advance(90_000);
  const all = { freeDisk: '75.2 GiB (29%)', heights: ['C', 'P', 'X'] };
  expect(look()).toEqual({ ...all, stake: '100%', peers: 4, errors: [] });
  // Two of five are gone.
  await world.time.advance(150_000);
  const error = 'not connected to enough stake: connected to 60.000000%; required at least 80.000000%';
  const errors = [{ error, checks: ['C', 'P', 'X'] }];
  expect(look()).toEqual({ ...all, stake: '60%', peers: 2, errors });
});
