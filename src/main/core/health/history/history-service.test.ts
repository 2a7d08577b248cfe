import { describe, expect, it } from 'vitest';
import { forecastSample, forecastsOf } from '../../../../shared/health/forecast.ts';
import { createMemoryStores } from '../../../adapters/storage/testing/memory-stores.ts';
import { asResults } from '../../testing/as-results.ts';
import { unwrap } from '../../../../shared/errors.ts';
import { HistoryService, type Forecaster } from './history-service.ts';
import { failing, passing, periodMs, recordNode, startMs } from '../testing/past-world.ts';
import { createFakeNode, createServiceWorld } from '../testing/service-world.ts';
import { watchStore } from '../testing/watched-store.ts';

const url = 'http://127.0.0.1:9650';
const minuteMs = 60_000;

/** Forecasts at once, unless they cannot be had. */
async function createWorld() {
  const store = createMemoryStores().health;
  const node = await recordNode(store);
  const watched = watchStore(store);
  const world = { reads: 0, isBroken: false };
  watched.replace({
    readPollAt: (...args) => {
      world.reads += 1;
      return store.readPollAt(...args);
    },
  });
  const source = { id: node.id, name: '', store: watched.port, chainChecks: null, sinceMs: 0 };
  const forecaster: Forecaster = {
    sample: async (...args) => (world.isBroken ? null : forecastSample(...args)),
    forecasts: async (samples) => (world.isBroken ? null : forecastsOf(samples)),
  };
  const find = (id: string) => (id === node.id ? source : null);
  return { node, world, store, service: asResults(new HistoryService({ find }, forecaster)) };
}

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

  it('has a strip for the node alone, for which the last report is not read', async () => {
    const { past, store, id } = await tenMinutes();
    const span = { id, fromMs: startMs, toMs: startMs + 10 * minuteMs, cellCount: 10 };
    const [ofNode] = unwrap(await past.strips({ ...span, limit: 2 }));
    store.replace({ latest: () => Promise.reject(new Error('It is read.')) });
    expect(unwrap(await past.strips({ ...span, limit: 1 }))).toEqual([ofNode]);
  });

  it('has cells that begin when they are to, as days of 23 or 25 hours do', async () => {
    const { past, id } = await tenMinutes();
    const starts = [0, 1, 5, 6, 8].map((minutes) => startMs + minutes * minuteMs);
    const span = { id, fromMs: startMs, toMs: startMs + 10 * minuteMs, cellCount: 5, limit: 1_000 };
    const [, ofC] = unwrap(await past.strips({ ...span, starts }));
    expect(ofC?.cells.map(({ fromMs }) => fromMs)).toEqual(starts);
    expect(ofC?.cells.map(({ state }) => state)).toEqual(['pass', 'fail', 'fail', 'pass', 'pass']);
    expect(await past.strips({ ...span, starts: starts.toReversed() })).toMatchObject({
      ok: false,
      error: { code: 'invalid-params' },
    });
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

  it('has the failures that the full disk does not keep', async () => {
    const world = await createServiceWorld(createMemoryStores().health);
    const node = createFakeNode(world.time, ['network', 'C']);
    world.http.serve(url, node.server);
    const { id } = await world.add(url);
    node.failing.add('network');
    await world.time.advance(2 * minuteMs);
    node.failing.delete('network');
    node.failing.add('C');
    world.store.replace({ recordPoll: () => Promise.reject(new Error('full')) });
    await world.time.advance(2 * minuteMs);
    const failures = async (check: string | null) =>
      unwrap(await world.past.episodes({ id, check, limit: 100 })).map((one) => [
        one.check,
        one.endedAtMs !== null,
      ]);
    expect(await failures(null)).toEqual([
      ['C', false],
      ['network', true],
    ]);
    expect(await failures('C')).toEqual([['C', false]]);
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

/** When the poll of a run arrived. */
const atRun = (run: number): number => startMs + run * periodMs + 1_000;

describe('reports of the past', () => {
  it('tell what is new in each, and where the one before is', async () => {
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
    });
    const second = unwrap(await service.reportAt({ id: node.id, atMs: 8e15 }));
    expect(second).toMatchObject({
      atMs: atRun(121),
      state: 'unhealthy',
      differences: [
        { check: '', field: 'healthy', label: 'healthy', before: 'true', after: 'false' },
        { check: 'network', field: 'state', label: 'state', before: 'Passing', after: 'Failing' },
        { check: 'network', field: 'error', label: 'error', before: null, after: 'too few' },
        {
          check: 'network',
          field: 'message.connectedPeers',
          label: 'connected peers',
          before: '48',
          after: '3',
        },
      ],
      previousAtMs: atRun(0),
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

/** Runs each 30 s, so 120 an hour. */
const hour = 120;

describe('forecasts of a node', () => {
  it('come from few of its reports, each of which is read once', async () => {
    const { node, service, world } = await createWorld();
    await node.repeat(40 * hour, (run) => ({
      network: passing({ connectedPeers: 100 - Math.floor(run / hour) }),
    }));
    const [forecast] = unwrap(await service.forecasts({ id: node.id }));
    expect(forecast).toMatchObject({ check: 'network', label: 'connected peers', now: '61', threshold: '0' });
    expect(world.reads).toBe(168);
    await node.repeat(hour, () => ({ network: passing({ connectedPeers: 60 }) }));
    expect(unwrap(await service.forecasts({ id: node.id }))).toHaveLength(1);
    expect(world.reads).toBe(169);
  });

  it('are of the node that answers now, not of the one before it at this address', async () => {
    const { node, service, store } = await createWorld();
    await node.repeat(40 * hour, (run) => ({
      network: passing({ connectedPeers: 100 - Math.floor(run / hour) }),
    }));
    const last = await node.poll({ network: passing({ connectedPeers: 60 }) });
    expect(unwrap(await service.forecasts({ id: node.id }))).toHaveLength(1);
    const next = { ...last, polledAtMs: last.polledAtMs + periodMs, runs: [] };
    await store.recordPoll({ ...next, reportedNodeId: 'NodeID-2' });
    expect(unwrap(await service.forecasts({ id: node.id }))).toEqual([]);
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

  it('are an error where they cannot be made, and are made the next time', async () => {
    const { node, service, world } = await createWorld();
    await node.repeat(2 * hour, () => ({ network: passing() }));
    world.isBroken = true;
    expect(await service.forecasts({ id: node.id })).toMatchObject({ error: { code: 'bad-response' } });
    world.isBroken = false;
    expect(unwrap(await service.forecasts({ id: node.id }))).toEqual([]);
    expect(world.reads).toBe(169);
  });
});
