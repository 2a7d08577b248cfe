import { describe, expect, it } from 'vitest';
import { unwrap } from '../../../shared/errors.ts';
import { createMemoryStores } from '../../adapters/storage/testing/memory-stores.ts';
import { createFakeNode, createServiceWorld } from './testing/service-world.ts';

const url = 'http://127.0.0.1:9650';
const startMs = 1_700_000_000_000;
const minuteMs = 60_000;

describe('the past of a node', () => {
  async function tenMinutes() {
    const world = await createServiceWorld(createMemoryStores().health);
    const node = createFakeNode(world.time, ['network', 'P', 'C']);
    world.http.serve(url, node.server);
    const { id } = await world.add(url);
    await world.time.advance(4 * minuteMs);
    node.failing.add('C');
    await world.time.advance(2 * minuteMs);
    node.failing.delete('C');
    await world.time.advance(4 * minuteMs);
    return { ...world, id };
  }

  it('has a strip for the node, its chains and its other checks, in that order', async () => {
    const { past, id } = await tenMinutes();
    const span = { fromMs: startMs, toMs: startMs + 10 * minuteMs, cellCount: 10, limit: 1_000 };
    const strips = unwrap(await past.strips({ id, ...span }));
    expect(strips.map(({ check }) => check)).toEqual([null, 'C', 'P', 'network']);
    expect(strips[1]?.cells.some(({ state }) => state === 'fail')).toBe(true);
    expect(strips[2]?.cells.some(({ state }) => state === 'fail')).toBe(false);
  });

  it('has an uptime for each, whose parts add up to the span', async () => {
    const { past, id } = await tenMinutes();
    const [fromMs, toMs] = [startMs - minuteMs, startMs + 10 * minuteMs];
    const uptime = unwrap(await past.uptime({ id, fromMs, toMs }));
    expect(uptime.map(({ scope, name }) => `${scope} ${name}`)).toEqual([
      'node ',
      'chain C',
      'chain P',
      'check network',
    ]);
    for (const { upMs, downMs, unknownMs } of uptime) expect(upMs + downMs + unknownMs).toBe(toMs - fromMs);
    const [node, c, p] = uptime;
    expect(c?.downMs).toBeGreaterThan(minuteMs);
    expect(c?.uptimePpm).toBe(Math.floor(((c?.upMs ?? 0) * 1e6) / ((c?.upMs ?? 0) + (c?.downMs ?? 0))));
    expect(node?.downMs).toBeGreaterThan(minuteMs);
    expect(p).toMatchObject({ downMs: 0, uptimePpm: 1_000_000 });
    // A minute before the node was added.
    expect(p?.unknownMs).toBeGreaterThan(0);
  });

  it('has no uptime where nothing is known, and none of a span without an end', async () => {
    const { past, id } = await tenMinutes();
    const before = unwrap(await past.uptime({ id, fromMs: 0, toMs: 1_000 }));
    expect(before[0]).toMatchObject({ scope: 'node', unknownMs: 1_000, uptimePpm: null });
    for (const [fromMs, toMs] of [
      [5, 5],
      [6, 5],
      [0, Number.NaN],
    ] as const) {
      expect(await past.uptime({ id, fromMs, toMs })).toMatchObject({ error: { code: 'invalid-params' } });
    }
  });
});
