import { describe, expect, it } from 'vitest';
import { createMemoryStores } from '../../../adapters/storage/testing/memory-stores.ts';
import type { HttpRequest } from '../../ports.ts';
import { followUpsDue } from './node-follow-up.ts';
import { jsonAnswer } from '../testing/fake-ports.ts';
import {
  createFakeNode,
  createServiceWorld,
  nodeFields,
  type ServiceWorld,
} from '../testing/service-world.ts';

const url = 'http://127.0.0.1:9650';

/** Global and chain checks by subnet; what the node answers follows from the tags, as on a real one. */
const checksBySubnet: Record<string, string[]> = { '': ['network'], subnetC: ['C'], subnetD: ['D', 'E'] };

async function createWorld(): Promise<ServiceWorld & { failing: Set<string> }> {
  const world = await createServiceWorld(createMemoryStores().health);
  const failing = new Set<string>();
  const reportFor = (tags: readonly string[]) => {
    const subnets = tags.length === 0 ? Object.keys(checksBySubnet) : ['', ...tags];
    const names = subnets.flatMap((subnet) => checksBySubnet[subnet] ?? []);
    const timestamp = new Date(Math.floor(world.time.clock.nowMs() / 30_000) * 30_000).toISOString();
    const checks = Object.fromEntries(
      names.map((name) => [name, failing.has(name) ? { timestamp, error: 'down' } : { timestamp }]),
    );
    return { healthy: !names.some((name) => failing.has(name)), checks };
  };
  world.http.serve(url, ({ url: asked }) => {
    if (asked.endsWith('/readiness')) return jsonAnswer(200, { healthy: true, checks: {} });
    if (asked.endsWith('/liveness')) return jsonAnswer(200, { healthy: true, checks: {} });
    const tags = [...new URL(asked).searchParams.getAll('tag')];
    const report = reportFor(tags);
    return jsonAnswer(report.healthy ? 200 : 503, report);
  });
  return Object.assign(world, { failing });
}

const short = ({ method, url: asked }: HttpRequest): string =>
  `${method} ${asked.replace(`${url}/ext/health`, '')}`;

it.each([210, 300, 500, 700, 900])(
  'a node that dies %i ms after it was added, while it is asked more, is noticed within 2 s',
  async (afterMs) => {
    const world = await createServiceWorld(createMemoryStores().health);
    const { time, http } = world;
    http.serve('http://a', createFakeNode(time, ['C']).server);
    const { id } = await world.add('http://a', null);
    await time.advance(afterMs);
    expect(world.status(id).state).toBe('healthy');
    http.bar('http://a', 'refused');
    await time.advance(2_000);
    expect(world.status(id).state).toBe('unreachable');
  },
);

it.each(['redirect', 'too-large', 'proxy'] as const)(
  'a follow-up request that ends with %s says nothing of the connection, and causes no further poll',
  async (reason) => {
    const world = await createServiceWorld(createMemoryStores().health);
    const node = createFakeNode(world.time, ['C']);
    world.http.serve(url, (request) =>
      request.url.endsWith('/readiness') ? { kind: 'failure', reason, detail: '' } : node.server(request),
    );
    const { id } = await world.add(url, null);
    await world.time.advance(1_000);
    expect(world.status(id).state).toBe('healthy');
    expect(world.http.requests.map(short).filter((request) => request === 'GET ')).toHaveLength(1);
  },
);

describe('what is asked beside health', () => {
  it.each([
    [1, false, ['tags', 'readiness', 'liveness']],
    [2, false, []],
    [2, true, ['readiness', 'liveness']],
    [11, false, ['readiness', 'liveness']],
    [121, false, ['tags', 'readiness', 'liveness']],
  ])('report %i, changed %s', (count, changed, due) => {
    expect(followUpsDue(count, changed)).toEqual(due);
  });

  it('is little: readiness and liveness with the first report and every tenth', async () => {
    const world = await createWorld();
    await world.add(url);
    await world.time.advance(1_000);
    expect(world.http.requests.map(short)).toEqual(['GET ', 'GET /readiness', 'GET /liveness']);
    await world.time.advance(20 * 30_000);
    const asked = world.http.requests.map(short);
    // Falling in with the node's runs takes a little of the time.
    expect(asked.filter((request) => request === 'GET ')).toHaveLength(19);
    expect(asked.filter((request) => request === 'GET /readiness')).toHaveLength(2);
    expect(asked.filter((request) => request === 'GET /liveness').length).toBeLessThanOrEqual(24);
  });

  it('is at most 5 requests a minute in all, whatever is watched and however it goes, also after a start', async () => {
    const world = await createWorld();
    await world.add(url, null, { tags: ['subnetC', 'subnetD', 'subnetc'] });
    await world.time.advance(60_000);
    await world.restart();
    for (let minute = 0; minute < 40; minute += 1) {
      const before = world.http.requests.length;
      if (minute % 4 === 0) world.failing.add('C').add('D');
      if (minute % 4 === 2) world.failing.clear();
      await world.time.advance(60_000);
      // In its first minute the rhythm of the node is learned.
      expect(world.http.requests.length - before).toBeLessThanOrEqual(minute === 0 ? 6 : 5);
    }
  });

  it('says nothing where the budget let it through no further', async () => {
    const world = await createWorld();
    const node = createFakeNode(world.time, ['C']).server;
    world.http.serve('http://b', (request) =>
      request.url.endsWith('/readiness')
        ? { kind: 'failure', reason: 'not-allowed', detail: '' }
        : node(request),
    );
    const { id } = await world.add('http://b');
    await world.time.advance(10_000);
    expect(world.status(id).readiness).toBeNull();
    world.http.serve('http://b', node);
    await world.time.advance(600_000);
    expect(world.status(id).state).toBe('healthy');
  });

  it('shows readiness and liveness beside health', async () => {
    const world = await createWorld();
    const { id } = await world.add(url);
    await world.time.advance(1_000);
    expect(world.status(id)).toMatchObject({
      readiness: { says: 'yes', words: 'The node has finished initialising.' },
      liveness: { says: 'yes', words: 'The node responds.' },
    });
  });

  it('is told of before it is asked, so that nothing waits for it', async () => {
    const world = await createWorld();
    const seen: [string, boolean][] = [];
    world.events.on('node.changed', ({ state, polling }) => seen.push([state, polling]));
    await world.add(url);
    await world.time.advance(5_000);
    const first = [
      ['healthy', true],
      ['healthy', false],
    ];
    expect(seen).toEqual(first);
    await world.time.advance(30_000);
    expect(seen).toEqual([...first, ...first]);
  });
});

describe('tags', () => {
  const withTags = (world: ServiceWorld, tags: string[]) => world.add(url, 30_000, { tags });

  it('judge the selection beside all checks', async () => {
    const world = await createWorld();
    world.failing.add('D').add('E');
    const { id } = await withTags(world, ['subnetC']);
    await world.time.advance(2_000);
    expect(world.status(id)).toMatchObject({
      state: 'unhealthy',
      tagView: {
        selectedHealthy: true,
        words: 'the node is healthy for your subnets; 2 other checks fail: D-Chain and E-Chain',
      },
      tagChecks: [{ tag: 'subnetC', checks: ['network', 'C'] }],
    });
    world.failing.clear();
    world.failing.add('C');
    await world.time.advance(31_000);
    expect(world.status(id).tagView).toMatchObject({
      selectedHealthy: false,
      words: 'the node is unhealthy for your subnets: 1 check fails: C-Chain',
    });
  });

  it('are learned one by one, and then follow from the report itself', async () => {
    const world = await createWorld();
    const { id } = await withTags(world, ['subnetC', 'subnetD']);
    await world.time.advance(5_000);
    const asked = () => world.http.requests.map(short).filter((request) => request.includes('tag='));
    expect(asked()).toEqual(['GET ?tag=watchkeeper-no-subnet', 'GET ?tag=subnetC', 'GET ?tag=subnetD']);
    world.failing.add('E');
    await world.time.advance(60_000);
    expect(asked()).toHaveLength(3);
    expect(world.status(id)).toMatchObject({
      tagView: { words: 'the node is unhealthy for your subnets: 1 check fails: E-Chain' },
      tagChecks: [
        { tag: 'subnetC', checks: ['network', 'C'] },
        { tag: 'subnetD', checks: ['network', 'D', 'E'] },
      ],
    });
  });

  it('that select nothing but global checks are called out', async () => {
    const world = await createWorld();
    world.failing.add('C');
    const { id } = await withTags(world, ['subnetc']);
    await world.time.advance(5_000);
    expect(world.status(id).tagView).toMatchObject({
      selectedHealthy: true,
      unmatchedTags: ['subnetc'],
      words: expect.stringContaining('may be mistyped: subnetc') as string,
    });
  });

  it('are stored with what was learned, and asked for anew when they change', async () => {
    const world = await createWorld();
    const { id } = await withTags(world, ['subnetC']);
    await world.time.advance(5_000);
    await world.restart();
    expect(world.status(id).tagChecks).toEqual([{ tag: 'subnetC', checks: ['network', 'C'] }]);
    const before = world.http.requests.length;
    await world.service.update({ ...nodeFields(url), id, tags: ['subnetD'] });
    expect(world.status(id).tagChecks).toEqual([]);
    await world.time.advance(5_000);
    expect(world.http.requests.length).toBeGreaterThan(before);
    expect(world.status(id)).toMatchObject({
      tagView: { words: 'the node is healthy for your subnets' },
      tagChecks: [{ tag: 'subnetD', checks: ['network', 'D', 'E'] }],
    });
    await world.service.update({ ...nodeFields(url), id });
    await world.time.advance(1_000);
    expect(world.status(id)).toMatchObject({ tagView: null, tagChecks: [] });
  });

  it('are asked for by JSON-RPC where GET is not let through', async () => {
    const world = await createWorld();
    world.http.serve(url, ({ method, body }) => {
      if (method === 'GET') return jsonAnswer(405, '');
      const {
        id,
        method: called,
        params,
      } = JSON.parse(body ?? '{}') as {
        id: unknown;
        method: string;
        params?: { tags: string[] };
      };
      const names = params === undefined ? ['network', 'C', 'D'] : ['network', ...params.tags.map(() => 'C')];
      const checks = called === 'health.health' ? Object.fromEntries(names.map((name) => [name, {}])) : {};
      return jsonAnswer(200, { id, result: { healthy: true, checks } });
    });
    const { id } = await withTags(world, ['subnetC']);
    await world.time.advance(10 * 60_000);
    expect(world.status(id)).toMatchObject({
      state: 'healthy',
      tagView: { selectedHealthy: true },
      tagChecks: [{ tag: 'subnetC', checks: ['network', 'C'] }],
      readiness: { says: 'yes' },
      liveness: { says: 'yes' },
    });
  });

  it('say nothing while it is not known what they select', async () => {
    const world = await createWorld();
    world.http.serve(url, ({ url: asked }) =>
      asked.includes('?') ? jsonAnswer(404, '') : jsonAnswer(200, { healthy: true, checks: {} }),
    );
    const { id } = await withTags(world, ['subnetC']);
    await world.time.advance(61_000);
    expect(world.status(id)).toMatchObject({ state: 'healthy', tagView: null });
  });
});
