import { describe, expect, it } from 'vitest';
import { createMemoryStores } from '../../../adapters/storage/testing/memory-stores.ts';
import { unwrap } from '../../../../shared/errors.ts';
import type { IncidentFilter } from '../../../../shared/ipc/contract.ts';
import {
  anything,
  atRun,
  createIncidentWorld,
  failTwice,
  green,
  otherNodeId,
  type IncidentWorld,
} from '../testing/incident-world.ts';
import { failing, passing, periodMs, startMs, type Answer } from '../testing/past-world.ts';
import { watchStore } from '../testing/watched-store.ts';

/** What is open now has gone on with the last poll. */
async function told(world: IncidentWorld): Promise<void> {
  const episodes = await world.store.currentEpisodes('node-1');
  world.service.pollRecorded({ nodeId: 'node-1', episodes });
}

describe('the list of incidents', () => {
  it('is newest first, with the worst values', async () => {
    const world = await createIncidentWorld();
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

  it('names the watched nodes that others miss, as long as these did not answer', async () => {
    const world = await createIncidentWorld();
    const missing = { networking: { disconnectedValidators: [otherNodeId, 'NodeID-stranger'] } };
    const alone = failing(`lost ${otherNodeId}`, missing);
    await world.node.poll({ C: alone });
    await world.node.repeat(2, () => ({ C: passing(missing) }));
    expect(await world.list({ nodeId: 'node-1' })).toMatchObject([{ gone: [] }]);
    await world.other.poll(green);
    await world.other.repeat(4, () => null);
    await world.node.repeat(2, () => ({ C: alone }));
    for (const { id } of [world.node, world.other]) {
      const episodes = await world.store.currentEpisodes(id);
      world.service.pollRecorded({ nodeId: id, episodes });
    }
    expect((await world.list({ nodeId: 'node-1' })).map(({ gone }) => gone)).toEqual([['Other'], []]);
    const [incident] = await world.list({ nodeId: 'node-1' });
    const page = { nodeId: 'node-1', id: incident?.id ?? '' };
    const titleIn = async (redact: boolean) => {
      const saved = unwrap(await world.service.postMortem({ ...page, redact }));
      const html = world.files.text(saved?.path ?? '');
      return { title: /<h1>(.*)<\/h1>/.exec(html)?.[1], namesId: html.includes(`Other (${otherNodeId})`) };
    };
    expect(await titleIn(false)).toEqual({
      title: 'C-Chain on My node: Other didn’t respond',
      namesId: true,
    });
    expect(await titleIn(true)).toEqual({
      title: 'C-Chain on [name 1]: [name 2] didn’t respond',
      namesId: false,
    });
  });

  it('keeps up with an incident that goes on', async () => {
    const world = await createIncidentWorld();
    for (const peers of [4, 7, 2, 9]) {
      await world.node.poll({ network: failing('few', { connectedPeers: peers }) });
      await told(world);
    }
    expect(await world.list()).toMatchObject([{ endedAtMs: null, worst: [{ value: '2' }] }]);
    await world.node.poll({ network: failing('few', { connectedPeers: 1 }) });
    await told(world);
    expect(await world.list()).toMatchObject([{ endedAtMs: null, worst: [{ value: '1' }] }]);
    expect(world.changes).toEqual(Array.from({ length: 5 }, () => 'node-1'));
    world.service.pollRecorded({ nodeId: 'node-1', episodes: [] });
    expect(world.changes).toHaveLength(5);
  });

  it('ends an incident with the pass that the threshold asks for, and says so then', async () => {
    const world = await createIncidentWorld();
    world.thresholds.recoverAfter = 3;
    const pollOnce = async (answer: Answer): Promise<void> =>
      world.service.pollRecorded(await world.node.poll({ ...green, C: answer }));
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
    const world = await createIncidentWorld();
    await failTwice(world);
    await world.other.poll({ disk: failing('full') });
    await world.recording.poll({ disk: failing('full') });
    expect((await world.list()).map(({ nodeId }) => nodeId)).toEqual(['node-1', 'node-1', 'node-2']);
    expect((await world.list({ nodeId: 'rec-1' })).map(({ nodeId }) => nodeId)).toEqual(['rec-1']);
    expect(await world.list({ nodeId: 'none' })).toEqual([]);
    const page = unwrap(await world.service.list({ filter: anything, offset: 1, limit: 1 }));
    expect(page).toMatchObject({ incidents: [{ startedAtMs: atRun(2) }], totalCount: 3 });
  });

  it('has incidents that began at once in one order, whichever node was read first', async () => {
    const world = await createIncidentWorld();
    await world.node.poll({ disk: failing('full') });
    await world.other.poll({ disk: failing('full') });
    const nodes = async () => (await world.list()).map(({ nodeId }) => nodeId);
    expect(await nodes()).toEqual(['node-1', 'node-2']);
    world.live.reverse();
    expect(await nodes()).toEqual(['node-1', 'node-2']);
  });

  it('finds one by its id, in its own source only', async () => {
    const world = await createIncidentWorld();
    await failTwice(world);
    const [first] = await world.list({ nodeId: 'node-1' });
    if (first === undefined) throw new Error('no incident');
    expect(unwrap(await world.service.find('node-1', first.id))).toEqual(first);
    const missing = { ok: false, error: { code: 'not-found' } };
    expect(await world.service.find('node-2', first.id)).toMatchObject(missing);
    expect(await world.service.find('none', first.id)).toMatchObject(missing);
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
    const world = await createIncidentWorld();
    await failTwice(world);
    const [, older] = await world.list();
    unwrap(await world.service.note({ nodeId: 'node-1', id: older?.id ?? '', note: 'My note' }));
    expect((await world.list(filter)).map(({ startedAtMs }) => (startedAtMs - startMs) / periodMs)).toEqual(
      runs,
    );
  });

  it('follows the thresholds', async () => {
    const world = await createIncidentWorld();
    await failTwice(world);
    const set = (thresholds: Partial<typeof world.thresholds>) => {
      Object.assign(world.thresholds, thresholds);
      world.service.readAnew();
    };
    set({ failAfter: 2 });
    expect((await world.list()).map(({ startedAtMs }) => startedAtMs)).toEqual([atRun(2)]);
    // C passes 15 times between its failures, and 3 times after the second.
    set({ recoverAfter: 20 });
    expect(await world.list()).toMatchObject([
      { startedAtMs: atRun(2), endedAtMs: null, parts: [{ failures: 3 }, { failures: 3 }] },
    ]);
    set({ recoverAfter: 15 });
    expect(await world.list()).toMatchObject([
      { startedAtMs: atRun(2), endedAtMs: atRun(5), parts: [{ failures: 3 }, { failures: 2 }] },
    ]);
  });

  it('says that the disk could not be read, and reads again', async () => {
    const store = watchStore(createMemoryStores().health);
    const world = await createIncidentWorld(store.port);
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
  it('is a note that stays', async () => {
    const world = await createIncidentWorld();
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

  it('stays when another check comes to lead, and the id that led finds the incident', async () => {
    const world = await createIncidentWorld();
    await world.node.poll({ ...green, C: failing('behind', { engine: {} }) });
    await told(world);
    const [first] = await world.list();
    const id = first?.id ?? '';
    await world.service.note({ nodeId: 'node-1', id, note: 'known' });
    await world.node.poll({ network: failing('no peers'), C: failing('behind', { engine: {} }) });
    await told(world);
    const [now, ...others] = await world.list();
    expect(others).toEqual([]);
    expect(now).toMatchObject({ leadingCheck: 'network', note: 'known' });
    expect(now?.id).not.toBe(id);
    expect(unwrap(await world.service.note({ nodeId: 'node-1', id, note: 'still' }))).toMatchObject({
      id: now?.id,
      note: 'still',
    });
  });

  it('is refused for an incident that is not there', async () => {
    const world = await createIncidentWorld();
    await failTwice(world);
    await world.other.poll({ disk: failing('full') });
    const { service } = world;
    expect(await service.note({ nodeId: 'node-1', id: 'none', note: '' })).toMatchObject({
      error: { code: 'not-found' },
    });
    expect(world.changes).toEqual([]);
  });
});

describe('what ended an incident was decided when it happened', () => {
  const dayMs = 86_400_000;

  it('and stays so when the runs of that time are deleted', async () => {
    const world = await createIncidentWorld();
    world.thresholds.recoverAfter = 2;
    const outage = async (): Promise<void> => {
      await world.node.repeat(3, () => ({ ...green, C: failing('C is behind') }));
      await world.node.repeat(5, () => green);
    };
    await outage();
    const runsOfThreeDays = (3 * dayMs) / periodMs;
    world.node.skip(runsOfThreeDays);
    await outage();
    const spans = async () =>
      (await world.list()).map(({ startedAtMs, endedAtMs }) => [startedAtMs, endedAtMs]);
    const expected = [
      [atRun(8 + runsOfThreeDays), atRun(11 + runsOfThreeDays)],
      [atRun(0), atRun(3)],
    ];
    expect(await spans()).toEqual(expected);
    const limits = { nowMs: startMs + 10 * dayMs, keepDays: 365, keepBytesPerNode: 2_000, recoverAfter: 1 };
    while (await world.store.maintain(limits));
    world.service.readAnew();
    expect((await world.store.scanPolls('node-1', 0, 8.64e15, 1_000)).length).toBeLessThan(16);
    expect(await spans()).toEqual(expected);
  });

  it('also where it passed once and was then untracked by a healthy node', async () => {
    const world = await createIncidentWorld();
    world.thresholds.recoverAfter = 2;
    await world.node.poll({ ...green, C: failing('C is behind') });
    await world.node.poll(green);
    expect(await world.list()).toMatchObject([{ endedAtMs: null }]);
    const { network = passing() } = green;
    world.service.pollRecorded(await world.node.poll({ network }));
    expect(await world.list()).toMatchObject([{ endedAtMs: atRun(1) }]);
  });

  it('also over a restart of the app', async () => {
    const world = await createIncidentWorld();
    world.thresholds.recoverAfter = 3;
    await world.node.poll({ ...green, C: failing('C is behind') });
    await world.node.repeat(2, () => green);
    await world.node.restart();
    await world.node.poll(green);
    expect(await world.list()).toMatchObject([{ endedAtMs: atRun(1) }]);
  });
});

it('reads the polls of an incident that has ended once', async () => {
  const store = watchStore(createMemoryStores().health);
  const world = await createIncidentWorld(store.port);
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
  });
  expect(await world.list()).toEqual(before);
  expect(scans).toBe(scansOfAll);
});

it('a list does not wait for all that a long failure tells: it is told when it was read', async () => {
  const store = watchStore(createMemoryStores().health);
  const world = await createIncidentWorld(store.port);
  await world.node.repeat(700, (index) => ({ network: failing('few', { connectedPeers: 700 - index }) }));
  const real = store.port.scanPolls.bind(store.port);
  let polls = 0;
  store.replace({
    scanPolls: async (...args) => {
      const page = await real(...args);
      polls += page.length;
      // As if each page took so long.
      await world.time.advance(25);
      return page;
    },
  });
  const [first] = await world.list({ nodeId: 'node-1' });
  expect(first?.worst).toHaveLength(1);
  expect(first?.worst[0]?.value).not.toBe('1');
  // What goes on to be read delays no further list.
  expect((await world.list({ nodeId: 'node-1' }))[0]?.worst).toHaveLength(1);
  while (world.changes.length === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(await world.list({ nodeId: 'node-1' })).toMatchObject([{ worst: [{ value: '1' }] }]);
  expect(world.changes).toEqual(['node-1']);
});

it('reads few checks at once, so that the window does not wait', async () => {
  const store = watchStore(createMemoryStores().health);
  const world = await createIncidentWorld(store.port);
  const names = Array.from({ length: 50 }, (_, at) => `check ${at}`);
  await world.node.repeat(60, () => Object.fromEntries(names.map((name) => [name, failing('down')])));
  const real = store.port.scanPolls.bind(store.port);
  const sizes: number[] = [];
  store.replace({
    scanPolls: async (...args) => {
      const page = await real(...args);
      sizes.push(page.length);
      return page;
    },
  });
  const [incident] = await world.list({ nodeId: 'node-1' });
  expect(Math.max(...sizes)).toBe(20);
  sizes.length = 0;
  unwrap(await world.service.postMortem({ nodeId: 'node-1', id: incident?.id ?? '', redact: false }));
  expect(Math.max(...sizes)).toBe(20);
});
