import { describe, expect, it } from 'vitest';
import { createMemoryStores } from '../../adapters/storage/memory.ts';
import { unwrap } from '../../../shared/errors.ts';
import type { Incident, IncidentFilter } from '../../../shared/health/types.ts';
import type { HealthStore } from '../health-ports.ts';
import { IncidentService } from './incident-service.ts';
import type { PastSource } from './past-source.ts';
import { createFakeLog, createFakeTime } from './testing/fake-ports.ts';
import { watchStore } from './testing/watched-store.ts';
import {
  createFakeFiles,
  failing,
  passing,
  periodMs,
  recordNode,
  startMs,
  type Answer,
} from './testing/past-world.ts';

const anything: IncidentFilter = {
  nodeId: null,
  check: null,
  state: 'all',
  fromMs: null,
  toMs: null,
  text: '',
};

async function createWorld(store: HealthStore = createMemoryStores().health) {
  const time = createFakeTime(startMs + 10 * 3_600_000);
  const files = createFakeFiles();
  const log = createFakeLog();
  const node = await recordNode(store);
  const other = await recordNode(store, 'node-2', 'Other');
  const recording = await recordNode(store, 'rec-1', 'A recording');
  const source = (id: string, name: string): PastSource => ({ id, name, store, chainChecks: null });
  const live = [source('node-1', 'My node'), source('node-2', 'Other')];
  const every = [...live, source('rec-1', 'A recording')];
  const thresholds = { failAfter: 1, recoverAfter: 1 };
  const service = new IncidentService({
    sources: {
      all: () => live,
      every: () => every,
      find: (id) => every.find((each) => each.id === id) ?? null,
    },
    thresholds: () => thresholds,
    saver: files.saver,
    clock: time.clock,
    log,
  });
  const changes: string[] = [];
  service.onChange(({ nodeId }) => changes.push(nodeId));
  const list = async (filter: Partial<IncidentFilter> = {}): Promise<Incident[]> =>
    unwrap(await service.list({ filter: { ...anything, ...filter }, offset: 0, limit: 500 })).incidents;
  return { store, node, other, recording, every, service, files, log, thresholds, changes, list, time };
}

const atRun = (run: number): number => startMs + run * periodMs;
const green: Record<string, Answer> = {
  network: passing({ connectedPeers: 40 }),
  C: passing({ engine: {} }),
};

/** Two incidents: network with C (runs 2 to 5), and C alone (runs 20 to 21). */
async function failTwice({ node }: Awaited<ReturnType<typeof createWorld>>): Promise<void> {
  await node.repeat(2, () => green);
  await node.repeat(3, (index) => ({
    network: failing('no peers', { connectedPeers: 5 - index }),
    C: index === 0 ? passing({ engine: {} }) : failing('C is behind', { engine: {} }),
  }));
  await node.repeat(15, () => green);
  await node.poll({ ...green, C: failing('C again', { engine: { longestProcessingBlock: '9s' } }) });
  await node.repeat(3, () => green);
}

/** What is open now has gone on with the last poll. */
async function told(world: Awaited<ReturnType<typeof createWorld>>): Promise<void> {
  const episodes = await world.store.openEpisodes('node-1');
  world.service.pollRecorded({ nodeId: 'node-1', episodes, runs: [] });
}

describe('the list of incidents', () => {
  it('is newest first, with the worst values', async () => {
    const world = await createWorld();
    await failTwice(world);
    expect(await world.list()).toMatchObject([
      {
        leadingCheck: 'C',
        nodeId: 'node-1',
        startedAtMs: atRun(20),
        endedAtMs: atRun(21),
        worst: [{ check: 'C', label: 'longest processing block', value: '9 s' }],
      },
      {
        leadingCheck: 'network',
        startedAtMs: atRun(2),
        endedAtMs: atRun(5),
        firstError: 'no peers',
        parts: [{ check: 'network' }, { check: 'C' }],
        worst: [{ check: 'network', label: 'connected peers', value: '3' }],
      },
    ]);
  });

  it('keeps up with an incident that goes on', async () => {
    const world = await createWorld();
    for (const peers of [4, 7, 2, 9]) {
      await world.node.poll({ network: failing('few', { connectedPeers: peers }) });
      await told(world);
    }
    expect(await world.list()).toMatchObject([{ endedAtMs: null, worst: [{ value: '2' }] }]);
    await world.node.poll({ network: failing('few', { connectedPeers: 1 }) });
    await told(world);
    expect(await world.list()).toMatchObject([{ endedAtMs: null, worst: [{ value: '1' }] }]);
    expect(world.changes).toEqual(Array.from({ length: 5 }, () => 'node-1'));
    world.service.pollRecorded({ nodeId: 'node-1', episodes: [], runs: [] });
    expect(world.changes).toHaveLength(5);
  });

  it('ends an incident with the pass that the threshold asks for, and says so then', async () => {
    const world = await createWorld();
    world.thresholds.recoverAfter = 3;
    const pollOnce = async (answer: Answer): Promise<void> => {
      await world.node.poll({ ...green, C: answer });
      const poll = (await world.store.scanPolls('node-1', 0, Infinity, 1_000)).at(-1);
      const episodes = await world.store.readEpisodes('node-1', 'C', 1);
      const changed = episodes.filter(
        ({ endedAtMs }) => endedAtMs === null || endedAtMs === atRun(world.node.run() - 1),
      );
      world.service.pollRecorded({ nodeId: 'node-1', episodes: changed, runs: poll?.runs ?? [] });
    };
    await pollOnce(failing('C is behind'));
    const ends: (number | null | undefined)[] = [];
    for (let pass = 1; pass <= 5; pass += 1) {
      await pollOnce(passing({ engine: {} }));
      ends.push((await world.list())[0]?.endedAtMs);
    }
    expect(ends).toEqual([null, null, atRun(1), atRun(1), atRun(1)]);
    // The failure, and each pass as far as the one that ended it; nothing after that.
    expect(world.changes).toHaveLength(4);
  });

  it('pages, and has all nodes but no recordings unless one is named', async () => {
    const world = await createWorld();
    await failTwice(world);
    await world.other.poll({ disk: failing('full') });
    await world.recording.poll({ disk: failing('full') });
    expect((await world.list()).map(({ nodeId }) => nodeId)).toEqual(['node-1', 'node-1', 'node-2']);
    expect((await world.list({ nodeId: 'rec-1' })).map(({ nodeId }) => nodeId)).toEqual(['rec-1']);
    expect(await world.list({ nodeId: 'none' })).toEqual([]);
    const page = unwrap(await world.service.list({ filter: anything, offset: 1, limit: 1 }));
    expect(page).toMatchObject({ incidents: [{ startedAtMs: atRun(2) }], totalCount: 3 });
  });

  it.each<[Partial<IncidentFilter>, number[]]>([
    [{}, [20, 2]],
    [{ check: 'network' }, [2]],
    [{ check: 'C' }, [20, 2]],
    [{ check: 'disk' }, []],
    [{ state: 'open' }, []],
    [{ state: 'ended' }, [20, 2]],
    [{ fromMs: atRun(6) }, [20]],
    [{ fromMs: atRun(5) }, [20, 2]],
    [{ toMs: atRun(19) }, [2]],
    [{ toMs: atRun(1) }, []],
    [{ text: 'NO PEERS ' }, [2]],
    [{ text: 'again' }, [20]],
    [{ text: 'my note' }, [2]],
    [{ text: 'nothing of it' }, []],
  ])('filtered by %j', async (filter, runs) => {
    const world = await createWorld();
    await failTwice(world);
    const [, older] = await world.list();
    unwrap(await world.service.note({ nodeId: 'node-1', id: older?.id ?? '', note: 'My note' }));
    expect((await world.list(filter)).map(({ startedAtMs }) => (startedAtMs - startMs) / periodMs)).toEqual(
      runs,
    );
  });

  it('follows the thresholds', async () => {
    const world = await createWorld();
    await failTwice(world);
    world.thresholds.failAfter = 2;
    expect((await world.list()).map(({ startedAtMs }) => startedAtMs)).toEqual([atRun(2)]);
    // C passes 15 times between its failures, and 3 times after the second.
    world.thresholds.recoverAfter = 20;
    expect(await world.list()).toMatchObject([
      { startedAtMs: atRun(2), endedAtMs: null, parts: [{ failures: 3 }, { failures: 3 }] },
    ]);
    world.thresholds.recoverAfter = 15;
    expect(await world.list()).toMatchObject([
      { startedAtMs: atRun(2), endedAtMs: atRun(5), parts: [{ failures: 3 }, { failures: 2 }] },
    ]);
  });

  it('says that the disk could not be read, and reads again', async () => {
    const store = watchStore(createMemoryStores().health);
    const world = await createWorld(store.port);
    await failTwice(world);
    store.fail(true);
    const query = { filter: anything, offset: 0, limit: 5 };
    expect(await world.service.list(query)).toEqual({
      ok: false,
      error: { code: 'storage', message: 'the disk is full' },
    });
    store.fail(false);
    expect(await world.list()).toHaveLength(2);
  });
});

describe("the user's word", () => {
  it('is a note that stays, also when another check comes to lead', async () => {
    const world = await createWorld();
    await failTwice(world);
    const [newer] = await world.list();
    const id = newer?.id ?? '';
    expect(unwrap(await world.service.note({ nodeId: 'node-1', id, note: ' known \n' }))).toMatchObject({
      id,
      note: 'known',
    });
    expect(await world.list({ text: 'known' })).toMatchObject([{ id, note: 'known' }]);
    expect(unwrap(await world.service.note({ nodeId: 'node-1', id, note: '' }))).toMatchObject({ note: '' });
    expect(world.changes).toEqual(['node-1', 'node-1']);
  });

  it('splits and merges, and finds an incident by the id of any part', async () => {
    const world = await createWorld();
    await failTwice(world);
    const [, older] = await world.list();
    const [network, chain] = older?.parts.map(({ id }) => id) ?? [];
    const split = unwrap(
      await world.service.split({ nodeId: 'node-1', id: older?.id ?? '', partIds: [chain ?? ''] }),
    );
    expect(split.map(({ id, foldedBy }) => [id, foldedBy])).toEqual([
      [chain, 'user'],
      [network, 'user'],
    ]);
    expect(await world.list()).toHaveLength(3);
    const ids = (await world.list()).map(({ id }) => id);
    const merged = unwrap(await world.service.merge({ nodeId: 'node-1', ids }));
    expect(merged).toMatchObject({ id: network, parts: [{}, {}, {}], foldedBy: 'user' });
    expect(
      unwrap(await world.service.note({ nodeId: 'node-1', id: chain ?? '', note: 'all one' })),
    ).toMatchObject({
      id: network,
    });
  });

  it('is refused where it makes no sense', async () => {
    const world = await createWorld();
    await failTwice(world);
    await world.other.poll({ disk: failing('full') });
    const [first, second, third] = (await world.list()).map(({ id }) => id);
    const { service } = world;
    expect(await service.note({ nodeId: 'node-1', id: 'none', note: '' })).toMatchObject({
      error: { code: 'not-found' },
    });
    expect(await service.split({ nodeId: 'node-1', id: 'none', partIds: ['x'] })).toMatchObject({
      error: { code: 'not-found' },
    });
    expect(await service.split({ nodeId: 'node-1', id: first ?? '', partIds: [first ?? ''] })).toMatchObject({
      error: { code: 'invalid-params' },
    });
    expect(await service.merge({ nodeId: 'node-1', ids: [first ?? ''] })).toMatchObject({
      error: { code: 'invalid-params' },
    });
    expect(await service.merge({ nodeId: 'node-1', ids: [first ?? '', first ?? ''] })).toMatchObject({
      error: { code: 'invalid-params' },
    });
    expect(await service.merge({ nodeId: 'node-1', ids: [second ?? '', third ?? ''] })).toMatchObject({
      error: { code: 'invalid-params', message: 'Incidents of different nodes cannot be one.' },
    });
    expect(await service.merge({ nodeId: 'node-1', ids: [first ?? '', 'none'] })).toMatchObject({
      error: { code: 'not-found' },
    });
    expect(world.changes).toEqual([]);
  });
});

describe('files', () => {
  it('of all that is filtered, as CSV, with nothing that a spreadsheet would run', async () => {
    const world = await createWorld();
    await world.node.repeat(2, () => ({ '=cmd()': failing('=1+1, "quoted"\nline', { peers: 3 }) }));
    await world.node.poll({ '=cmd()': passing() });
    const path = 'incidents-2023-11-15.csv';
    expect(unwrap(await world.service.export({ filter: anything, format: 'csv' }))).toEqual({
      path,
      count: 1,
    });
    expect(world.files.text(path)).toBe(
      'node,started,start known from,ended,end known from,seconds,leading check,checks,failures,first error,worst values,folded by,note,id\r\n' +
        `My node,2023-11-14T22:13:20.000Z,seen,2023-11-14T22:14:20.000Z,seen,60,'=cmd(),'=cmd(),2,"'=1+1, ""quoted""\nline",'=cmd(): peers 3,rule,,node-1-e1\r\n`,
    );
  });

  it('of all that is filtered, as JSON', async () => {
    const world = await createWorld();
    await failTwice(world);
    const exported = unwrap(
      await world.service.export({ filter: { ...anything, check: 'C' }, format: 'json' }),
    );
    const rows = JSON.parse(world.files.text(exported?.path ?? '')) as unknown[];
    expect(rows).toEqual((await world.list()).map((incident) => ({ nodeName: 'My node', ...incident })));
    unwrap(await world.service.export({ filter: { ...anything, check: 'none' }, format: 'json' }));
    expect(JSON.parse(world.files.text('incidents-2023-11-15.json'))).toEqual([]);
  });

  it('of a recording are made of it, although its node has incidents with the same ids', async () => {
    const world = await createWorld();
    await failTwice(world);
    const [incident] = await world.list();
    const id = incident?.id ?? '';
    const episodes = (await world.store.readEpisodes('node-1', null, 10)).map((each) => ({
      ...each,
      firstError: 'as it was recorded',
    }));
    const recorded = createMemoryStores().health;
    const node = await recordNode(recorded, 'rec-1', 'A recording');
    await node.poll(green);
    const [poll] = await recorded.scanPolls('rec-1', 0, Infinity, 1);
    if (poll === undefined) throw new Error('no poll');
    await recorded.recordPoll({ ...poll, polledAtMs: poll.polledAtMs + 1, runs: [], episodes });
    world.every.splice(2, 1, { id: 'rec-1', name: 'A recording', store: recorded, chainChecks: null });
    const saved = unwrap(await world.service.postMortem({ nodeId: 'rec-1', id, redact: false }));
    expect(world.files.text(saved?.path ?? '')).toContain('as it was recorded');
    unwrap(await world.service.note({ nodeId: 'rec-1', id, note: 'of the recording' }));
    expect(await world.list({ text: 'of the recording' })).toEqual([]);
  });

  it('are not written when the user wants none', async () => {
    const world = await createWorld();
    await failTwice(world);
    world.files.refuse();
    const [incident] = await world.list();
    expect(await world.service.export({ filter: anything, format: 'csv' })).toEqual({
      ok: true,
      value: null,
    });
    expect(
      await world.service.postMortem({ nodeId: 'node-1', id: incident?.id ?? '', redact: true }),
    ).toEqual({
      ok: true,
      value: null,
    });
    expect(world.files.files.size).toBe(0);
  });

  it('of a post-mortem are named after the node, unless names are left out', async () => {
    const world = await createWorld();
    await failTwice(world);
    const [incident] = await world.list();
    const id = incident?.id ?? '';
    expect(unwrap(await world.service.postMortem({ nodeId: 'node-1', id, redact: false }))).toEqual({
      path: 'my-node-c-2023-11-14.html',
    });
    expect(unwrap(await world.service.postMortem({ nodeId: 'node-1', id, redact: true }))).toEqual({
      path: 'incident-2023-11-14.html',
    });
    expect(await world.service.postMortem({ nodeId: 'node-1', id: 'none', redact: true })).toMatchObject({
      error: { code: 'not-found' },
    });
    expect(world.log.entries).toEqual([]);
  });
});

it('reads the polls of an incident that has ended once', async () => {
  const store = watchStore(createMemoryStores().health);
  const world = await createWorld(store.port);
  await failTwice(world);
  let scans = 0;
  const real = store.port.scanPolls.bind(store.port);
  store.replace({
    scanPolls: (...args) => {
      scans += 1;
      return real(...args);
    },
  });
  const before = await world.list();
  const scansOfAll = scans;
  expect(scansOfAll).toBeGreaterThan(0);
  world.service.pollRecorded({
    nodeId: 'node-1',
    episodes: await world.store.readEpisodes('node-1', null, 1),
    runs: [],
  });
  expect(await world.list()).toEqual(before);
  expect(scans).toBe(scansOfAll);
});

it('loses no older incident when there are more than the store gives at once', async () => {
  const stores = createMemoryStores();
  const world = await createWorld(stores.health);
  const episodes = Array.from({ length: 20_500 }, (_, index) => ({
    id: `e${index}`,
    check: 'C',
    // Several begin in the same millisecond.
    startedAtMs: startMs + Math.floor(index / 3) * 600_000,
    startKnownFrom: 'seen' as const,
    endedAtMs: startMs + Math.floor(index / 3) * 600_000 + 30_000,
    endKnownFrom: 'seen' as const,
    failuresSeen: 1,
    failuresReported: null,
    firstError: 'down',
    lastError: 'down',
  }));
  await stores.health.recordPoll({
    nodeId: 'node-1',
    polledAtMs: startMs,
    state: 'healthy',
    reason: '',
    reportedNodeId: null,
    reportJson: null,
    runs: [],
    episodes,
  });
  const query = { filter: anything, offset: 20_499, limit: 1 };
  const { incidents, totalCount } = unwrap(await world.service.list(query));
  expect(totalCount).toBe(20_500);
  expect(incidents).toMatchObject([{ startedAtMs: startMs }]);
});
