import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSampleService, type SampleService } from '../../../../sample-service/service.ts';
import { err, unwrap } from '../../../shared/errors.ts';
import { createMemoryStores } from '../../adapters/storage/testing/memory-stores.ts';
import { silentLog } from '../activity/testing/harness.ts';
import type { RunStore } from '../ports.ts';
import { moveRuns } from './move-runs.ts';
import { buildHarness, everyRun, list, nodeTarget, type Harness } from './testing/explore-harness.ts';

let sample: SampleService;
beforeAll(async () => {
  sample = await startSampleService({ scale: 0.02, limits: false, nodePeriodMs: 20 });
});
afterAll(async () => {
  await sample.close();
});

const thirty = () => list(sample.ready.examples.addresses.thirty, sample.ready.examples.chainId);

describe('a query', () => {
  it('to the last page stops after as many pages as are fetched at once, and goes on when told to', async () => {
    const harness = buildHarness(sample);
    harness.current.pagesAtOnce = 2;
    const { id } = await harness.start(thirty(), 'all');
    expect(await harness.ended(id)).toMatchObject({ state: 'partial', pageCount: 2, hasMore: true });
    await harness.continue(id, 'all');
    expect(await harness.ended(id)).toMatchObject({ state: 'complete', rowCount: 30 });
  });

  it('stops after 50 pages in the app', async () => {
    const harness = buildHarness(sample);
    harness.current.pagesAtOnce = undefined;
    const { addresses, chainId } = sample.ready.examples;
    const { id } = await harness.start(list(addresses.busy, chainId, { pageSize: '5' }), 'all');
    expect(await harness.ended(id)).toMatchObject({ state: 'partial', pageCount: 50, hasMore: true });
  });

  it('has the times of its oldest and its newest page, however far they are apart', async () => {
    const harness = buildHarness(sample);
    const { id } = await harness.start(thirty());
    harness.current.passedMs = 3 * 86_400_000;
    const run = await harness.continue(id);
    const times = [];
    for (const index of [0, 1]) times.push(unwrap(await harness.runs.page({ runId: id, index })).fetchedAtMs);
    expect(run.fetched).toEqual({ fromMs: times[0], toMs: times[1] });
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(2 * 86_400_000);
    expect(unwrap(await harness.runs.summary(id)).fetched).toEqual(run.fetched);
  });

  it('that is removed while it is told to go on asks for no further page', async () => {
    const harness = buildHarness(sample);
    const { id } = await harness.start(thirty());
    const disk = Promise.withResolvers<void>();
    const { read } = harness.store;
    harness.store.read = async (runId) => {
      const run = await read(runId);
      await disk.promise;
      return run;
    };
    const goingOn = harness.runs.continue({ runId: id, pages: 'all' });
    await harness.runs.remove(id);
    disk.resolve();
    expect(await goingOn).toMatchObject({ error: { code: 'not-found' } });
    expect(harness.requests).toHaveLength(1);
  });

  it('of which a page cannot be read again, as while much else is read, says why, and not that the app has changed', async () => {
    const error = { code: 'bad-response', message: 'There was no time to read it.', issues: [] } as const;
    const harness = buildHarness(sample, { decode: async () => err(error) });
    const { id } = await harness.start(thirty());
    const read = async () => unwrap(await harness.runs.page({ runId: id, index: 0 }));
    expect((await read()).notes).toEqual([]);
    const again = await read();
    expect(again.notes).toEqual(['There was no time to read it. The response is shown as received.']);
    expect(again.data).toHaveProperty('transactions');
  });

  it('of a node that has another address by now says so, and does not speak of a service', async () => {
    const harness = buildHarness(sample);
    harness.node.url = 'http://127.0.0.1:9';
    const { id, state } = await harness.start(nodeTarget('get-ext-health'));
    expect(state).toBe('failed');
    harness.node.url = 'http://127.0.0.1:10';
    expect(await harness.runs.continue({ runId: id, pages: 'one' })).toMatchObject({
      error: {
        message:
          'This query was sent to http://127.0.0.1:9, but the node has a different address now. Run the query again.',
      },
    });
  });

  it('records which headers with secrets were sent, by name alone', async () => {
    const harness = buildHarness(sample);
    expect(await harness.start(thirty())).toMatchObject({
      baseUrl: sample.ready.dataUrl,
      headerNames: ['x-service-api-key'],
    });
    harness.current.key = '';
    expect((await harness.start(thirty())).headerNames).toEqual([]);
    harness.ofNode.headers = async () => ({ authorization: 'Bearer hidden' });
    const run = await harness.start(nodeTarget('get-ext-health'));
    expect(run).toMatchObject({ baseUrl: harness.node.url, headerNames: ['authorization'] });
    expect(JSON.stringify(await harness.store.read(run.id))).not.toContain('hidden');
  });
});

describe('a change of the service', () => {
  it('stops queries to it, with all their pages kept, but not those to nodes', async () => {
    const harness = buildHarness(sample);
    const changing = harness
      .when(({ pageCount }) => pageCount === 1)
      .then(async ({ id }) => {
        harness.current.asking = null;
        await harness.runService.stop('of-service');
        return id;
      });
    await harness.start(thirty(), 'all');
    const id = await changing;
    const run = unwrap(await harness.runs.summary(id));
    expect(run).toMatchObject({ state: 'partial', error: null, hasMore: true });
    const stored = await harness.store.read(id);
    expect(stored?.pageCount).toBe(run.pageCount);
    expect(await harness.runs.start({ target: thirty(), pages: 'one' })).toMatchObject({
      error: { message: expect.stringMatching(/switching services/) as unknown },
    });
    expect((await harness.start(nodeTarget('get-ext-health'))).state).toBe('complete');
  });

  it('leaves all queries in the list, each with where it was asked, and none goes on elsewhere', async () => {
    const harness = buildHarness(sample);
    const { id } = await harness.start(thirty());
    const before = unwrap(await harness.runs.page({ runId: id, index: 0 }));
    harness.current.profile = { ...harness.current.profile, dataUrl: 'http://127.0.0.1:1/other' };
    const { runs } = unwrap(await harness.runs.list(everyRun));
    expect(runs).toMatchObject([{ id, baseUrl: sample.ready.dataUrl }]);
    expect(unwrap(await harness.runs.page({ runId: id, index: 0 }))).toEqual(before);
    expect(await harness.runs.continue({ runId: id, pages: 'one' })).toMatchObject({
      error: { message: expect.stringContaining(`sent to ${sample.ready.dataUrl}`) as unknown },
    });
  });

  it('between two steps of a start ends that start', async () => {
    const harness = buildHarness(sample);
    const { create } = harness.store;
    harness.store.create = async (run) => {
      await create(run);
      harness.current.asking = null;
    };
    expect(await harness.runs.start({ target: thirty(), pages: 'one' })).toMatchObject({
      error: { message: expect.stringMatching(/switched services/) as unknown },
    });
    expect(harness.requests).toEqual([]);
  });
});

describe('queries in the store of a service', () => {
  /** Everything that a store has of its queries. */
  async function contentOf(store: RunStore) {
    const { runs } = await store.list({ ...everyRun, ...everyRun.filter, words: [], without: [] });
    return await Promise.all(
      runs.map(async (run) => ({
        run,
        attempts: await store.readAttempts(run.id),
        pages: await Promise.all(
          Array.from({ length: run.pageCount }, (_, index) => store.readPage(run.id, index)),
        ),
      })),
    );
  }

  const ready = { state: 'ready' } as const;

  async function filled(): Promise<Harness> {
    const harness = buildHarness(sample);
    const { id } = await harness.start(thirty(), 'all');
    await harness.ended(id);
    await harness.start(nodeTarget('get-ext-health'));
    return harness;
  }

  it('move to that of all queries, byte by byte', async () => {
    const { store: from } = await filled();
    const before = await contentOf(from);
    const { runs: to } = createMemoryStores();
    await moveRuns(from, { runs: to, status: ready }, silentLog);
    expect(await contentOf(to)).toEqual(before);
    expect(before.map(({ pages }) => pages.length)).toEqual([1, 3]);
    expect(await contentOf(from)).toEqual([]);
  });

  it('stay where they are while the other store is kept in memory only', async () => {
    const { store: from } = await filled();
    const before = await contentOf(from);
    const { runs: to } = createMemoryStores();
    await moveRuns(from, { runs: to, status: { state: 'memory' } }, silentLog);
    expect(await contentOf(from)).toEqual(before);
    expect(await contentOf(to)).toEqual([]);
  });

  it('that had moved, and went on there before they could be removed, stay as they are', async () => {
    const harness = buildHarness(sample);
    const { id } = await harness.start(thirty());
    const { store: from } = harness;
    const { runs: to } = createMemoryStores();
    const failing: RunStore = Object.assign(Object.create(from) as RunStore, {
      remove: () => Promise.reject(new Error('the disk is full')),
    });
    await moveRuns(failing, { runs: to, status: ready }, silentLog);
    const run = await to.read(id);
    const page = await to.readPage(id, 0);
    if (run === null || page === null) throw new Error('it is in both');
    await to.save({ ...run, pageCount: 2 }, [{ ...page, index: 1 }], []);
    await moveRuns(from, { runs: to, status: ready }, silentLog);
    expect(await contentOf(to)).toMatchObject([{ run: { pageCount: 2 }, pages: [{}, { index: 1 }] }]);
    expect(await contentOf(from)).toEqual([]);
  });

  it('move whole when that was interrupted before', async () => {
    const { store: from } = await filled();
    const before = await contentOf(from);
    const { runs: to } = createMemoryStores();
    let saves = 0;
    const failing: RunStore = Object.assign(Object.create(to) as RunStore, {
      save: async (...args: Parameters<RunStore['save']>) => {
        saves += 1;
        if (saves >= 2) throw new Error('killed');
        await to.save(...args);
      },
    });
    await moveRuns(from, { runs: failing, status: ready }, silentLog);
    expect((await contentOf(from)).length).toBeGreaterThan(0);
    await moveRuns(from, { runs: to, status: ready }, silentLog);
    expect(await contentOf(to)).toEqual(before);
    expect(await contentOf(from)).toEqual([]);
  });
});
