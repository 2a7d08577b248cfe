import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startSampleService, type SampleService } from '../../../../sample-service/service.ts';
import { AppFailure, unwrap } from '../../../shared/errors.ts';
import { nodeCalls } from '../../../shared/health/node-calls.ts';
import { buildHarness, everyRun, list, nodeId, nodeTarget } from './testing/explore-harness.ts';

const tokenTtlSeconds = 60;

let sample: SampleService;
beforeAll(async () => {
  sample = await startSampleService({ scale: 0.02, limits: false, tokenTtlSeconds, nodePeriodMs: 20 });
});
afterAll(async () => {
  await sample.close();
});
afterEach(() => {
  sample.control.reset();
  sample.control.setLimits(false);
});

const thirty = () => list(sample.ready.examples.addresses.thirty, sample.ready.examples.chainId);
const busy = (more: Record<string, string> = {}) =>
  list(sample.ready.examples.addresses.busy, sample.ready.examples.chainId, { pageSize: '50', ...more });
const latest = () => ({
  kind: 'endpoint' as const,
  endpointId: 'chain-transactions' as const,
  params: { chainId: sample.ready.examples.chainId, pageSize: '5' },
});

function hashes(rows: readonly unknown[]): string[] {
  return rows.map((row) => (row as { nativeTransaction: { txHash: string } }).nativeTransaction.txHash);
}

describe('a query', () => {
  it('brings one page, exactly as it came, and says that there is more', async () => {
    const harness = buildHarness(sample);
    const run = await harness.start(thirty());
    expect(run).toMatchObject({
      state: 'partial',
      pageCount: 1,
      rowCount: 10,
      hasMore: true,
      error: null,
      baseUrl: sample.ready.dataUrl,
    });
    const page = unwrap(await harness.runs.page({ runId: run.id, index: 0 }));
    expect(page).toMatchObject({ runId: run.id, index: 0, httpStatus: 200, notes: [] });
    const rawText = unwrap(await harness.runs.text({ runId: run.id, index: 0 }));
    expect(page.byteLength).toBe(Buffer.byteLength(rawText));
    expect(run.byteLength).toBe(page.byteLength);
    expect(JSON.parse(rawText)).toMatchObject({ transactions: { length: 10 } });
    for (const name of ['rows', 'rawText']) expect(page).not.toHaveProperty(name);
  });

  it('goes on page by page, and to the end', async () => {
    const harness = buildHarness(sample);
    const { id } = await harness.start(thirty());
    expect(await harness.continue(id)).toMatchObject({ state: 'partial', pageCount: 2, rowCount: 20 });
    await harness.continue(id, 'all');
    const run = await harness.ended(id);
    expect(run).toMatchObject({ state: 'complete', rowCount: 30, hasMore: false });
    expect(new Set(hashes(await harness.rows(id))).size).toBe(30);
    expect(await harness.runs.continue({ runId: id, pages: 'one' })).toMatchObject({
      error: { code: 'invalid-params' },
    });
  });

  it('walks a list to its end with progress, an attempt for each page', async () => {
    const harness = buildHarness(sample);
    const { id } = await harness.start(thirty(), 'all');
    const run = await harness.ended(id);
    expect(run.state).toBe('complete');
    const counts = harness.changes.map(({ pageCount }) => pageCount);
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
    const attempts = unwrap(await harness.runs.attempts(id));
    expect(attempts).toHaveLength(run.pageCount);
    expect(attempts.map(({ outcome, rowCount }) => [outcome, rowCount])).toEqual([
      ['ok', 10],
      ['ok', 10],
      ['ok', 10],
    ]);
    expect(attempts.map(({ pageToken }) => pageToken)).toEqual([
      null,
      ...attempts.slice(0, -1).map(({ nextPageToken }) => nextPageToken),
    ]);
    expect(JSON.stringify(attempts)).not.toContain(sample.ready.apiKey);
  });

  it('is checked before anything is sent', async () => {
    const harness = buildHarness(sample);
    sample.control.clearRequests();
    const target = { ...latest(), params: { chainId: '43114', pageSize: '1000' } };
    const refusals = [
      await harness.runs.start({ target, pages: 'one' }),
      await harness.runs.start({ target: nodeTarget('no-such-call'), pages: 'one' }),
      await harness.runs.start({ target: nodeTarget('rpc-health-liveness', ['x']), pages: 'one' }),
    ];
    for (const refusal of refusals) expect(refusal).toMatchObject({ error: { code: 'invalid-params' } });
    expect(sample.control.requests().filter(({ server }) => server === 'data')).toEqual([]);
    expect(unwrap(await harness.runs.list(everyRun)).totalCount).toBe(0);
  });

  it('stops when it is told to, and goes on without gaps or repetition', async () => {
    const harness = buildHarness(sample);
    const stopping = harness
      .when(({ pageCount }) => pageCount === 2)
      .then(({ id }) => harness.runs.cancel(id));
    const { id } = await harness.start(busy(), 'all');
    await stopping;
    const stopped = await harness.ended(id);
    expect(stopped).toMatchObject({ state: 'partial', error: null, hasMore: true });
    const attempts = unwrap(await harness.runs.attempts(id));
    expect(attempts.filter(({ outcome }) => outcome === 'ok')).toHaveLength(stopped.pageCount);
    await harness.continue(id, 'all');
    expect(await harness.ended(id)).toMatchObject({ state: 'complete' });
    const all = buildHarness(sample);
    const whole = await all.start(busy(), 'all');
    await all.ended(whole.id);
    expect(hashes(await harness.rows(id))).toEqual(hashes(await all.rows(whole.id)));
  });

  it('keeps its pages when a further one fails, and asks for that one again', async () => {
    const harness = buildHarness(sample);
    const { id } = await harness.start(thirty());
    sample.control.addFault({ server: 'data', action: { kind: 'garbage', variant: 'html' } });
    expect(await harness.continue(id)).toMatchObject({
      state: 'failed',
      pageCount: 1,
      hasMore: true,
      error: { code: 'bad-response' },
    });
    expect(unwrap(await harness.runs.attempts(id)).at(-1)).toMatchObject({
      outcome: 'bad-response',
      httpStatus: 200,
      rowCount: null,
    });
    sample.control.clearFaults();
    await harness.continue(id, 'all');
    expect(await harness.ended(id)).toMatchObject({ state: 'complete', rowCount: 30 });
  });

  it('records each retry as an attempt', async () => {
    const harness = buildHarness(sample);
    const { id } = await harness.start(thirty());
    sample.control.addFault({ server: 'data', skip: 1, count: 2, action: { kind: 'status', status: 503 } });
    await harness.continue(id, 'all');
    expect(await harness.ended(id)).toMatchObject({ state: 'complete' });
    const outcomes = unwrap(await harness.runs.attempts(id)).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(['ok', 'ok', 'upstream', 'upstream', 'ok']);
  });
});

describe('a token that has expired', () => {
  /** Walks with a token that expires after the second page. */
  async function walkWithExpiry(target: ReturnType<typeof list>) {
    const harness = buildHarness(sample);
    const { id } = await harness.start(target);
    await harness.continue(id);
    sample.control.advanceClock((tokenTtlSeconds + 1) * 1000);
    await harness.continue(id, 'all');
    return { harness, run: await harness.ended(id) };
  }

  it.each(['desc', 'asc'])(
    'costs nothing where the list can be entered at a block (%s)',
    async (sortOrder) => {
      // A range that has an end: else the clock adds new transactions.
      const endBlock = sample.ready.examples.blockId;
      const target = busy({ sortOrder, endBlock, pageSize: '20' });
      const { harness, run } = await walkWithExpiry(target);
      expect(run).toMatchObject({ state: 'complete', error: null });
      const all = buildHarness(sample);
      const whole = await all.start(target, 'all');
      await all.ended(whole.id);
      const rows = hashes(await harness.rows(run.id));
      expect(rows).toEqual(hashes(await all.rows(whole.id)));
      expect(run.rowCount).toBe(rows.length);
      const refused = unwrap(await harness.runs.attempts(run.id)).filter(({ outcome }) => outcome !== 'ok');
      expect(refused).toHaveLength(1);
    },
  );

  it('keeps equal rows of one block apart from repeated ones', async () => {
    const { chainId } = sample.ready.examples;
    const target = {
      kind: 'endpoint' as const,
      endpointId: 'address-internal-transactions' as const,
      params: {
        chainId,
        address: sample.ready.examples.address,
        pageSize: '3',
        endBlock: sample.ready.examples.blockId,
      },
    };
    const { harness, run } = await walkWithExpiry(target);
    const all = buildHarness(sample);
    const whole = await all.start(target, 'all');
    await all.ended(whole.id);
    expect(run).toMatchObject({ state: 'complete', error: null });
    expect(await harness.rows(run.id)).toEqual(await all.rows(whole.id));
  });

  it.each([403, 410, 422])('whatever status says so: %i', async (status) => {
    const harness = buildHarness(sample);
    const { id } = await harness.start(busy());
    sample.control.addFault({ server: 'data', count: 1, action: { kind: 'status', status } });
    await harness.continue(id, 'one');
    expect(await harness.ended(id)).toMatchObject({ pageCount: 2, error: null });
  });

  it('ends a list that cannot be entered at a block, and says why', async () => {
    const { harness, run } = await walkWithExpiry(latest());
    expect(run.state).toBe('failed');
    expect(run.pageCount).toBe(2);
    expect(run.error?.message).toContain('can’t start at a block');
    expect(unwrap(await harness.runs.page({ runId: run.id, index: 1 })).index).toBe(1);
  });

  it('ends a list whose tokens are always refused at the same place', async () => {
    const harness = buildHarness(sample);
    const { id } = await harness.start(busy());
    sample.control.addFault({ server: 'data', action: { kind: 'status', status: 400 } });
    await harness.continue(id, 'all');
    // The list that was begun again has no token, so its refusal is the query's own.
    expect(await harness.ended(id)).toMatchObject({ state: 'failed', pageCount: 1 });
  });
});

describe('single answers', () => {
  it('are told to those who listen for answers, and kept for offline', async () => {
    const harness = buildHarness(sample);
    const { chainId, txHash } = sample.ready.examples;
    const params = { chainId, txHash };
    const run = await harness.start({ kind: 'endpoint', endpointId: 'transaction', params });
    expect(run).toMatchObject({ state: 'complete', rowCount: null, hasMore: false });
    expect(harness.arrivals).toMatchObject([{ endpointId: 'transaction', params }]);
    sample.control.addFault({ server: 'data', action: { kind: 'drop' } });
    const cached = await harness.queries.query({
      endpointId: 'transaction',
      params,
      refresh: 'cached',
      includeRaw: false,
      requestId: 'r',
    });
    expect(cached).toMatchObject({ ok: true, value: { source: 'cache' } });
  });

  it.each(nodeCalls.map((call) => [call.id, call] as const))('of a node: %s', async (callId, call) => {
    const harness = buildHarness(sample);
    const tag = sample.ready.examples.subnetIds[0] ?? '';
    sample.control.clearRequests();
    const run = await harness.start(nodeTarget(callId, call.takesTags ? [tag, tag] : []));
    expect(run).toMatchObject({ state: 'complete', pageCount: 1, rowCount: null });
    const page = unwrap(await harness.runs.page({ runId: run.id, index: 0 }));
    const report = call.protocol === 'get' ? page.data : (page.data as { result: unknown }).result;
    expect(report).toMatchObject({ healthy: expect.any(Boolean) as boolean });
    const [request] = sample.control.requests().filter(({ server }) => server === 'node:harbor-1');
    expect(request).toMatchObject({ method: call.protocol === 'get' ? 'GET' : 'POST' });
    const asked = new URL(request?.url ?? '', 'http://x');
    expect(asked.pathname).toBe(call.path);
    if (call.protocol === 'get') expect(asked.searchParams.getAll('tag')).toEqual([tag]);
  });

  it('of a node have its extra headers, which replace none of ours; without the values nothing is sent', async () => {
    const harness = buildHarness(sample);
    harness.ofNode.headers = async () => ({ 'x-key': 'v', accept: 'no' });
    expect((await harness.start(nodeTarget('get-ext-health'))).state).toBe('complete');
    expect(harness.requests.map(({ headers }) => headers)).toEqual([
      { 'x-key': 'v', accept: 'application/json' },
    ]);
    harness.ofNode.headers = async () => {
      throw new AppFailure({ code: 'keychain', message: 'It is locked.' });
    };
    const run = await harness.start(nodeTarget('get-ext-health'));
    expect(run).toMatchObject({ state: 'failed', error: { message: 'It is locked.' } });
    expect(harness.requests).toHaveLength(1);
  });

  it('of a node that is not healthy are answers all the same', async () => {
    const harness = buildHarness(sample);
    sample.control.changeCheck('harbor-1', 'network', { error: 'no peers' });
    let status = 200;
    for (let tries = 0; tries < 200 && status === 200; tries += 1) {
      const run = await harness.start(nodeTarget('get-ext-health'));
      expect(run.state).toBe('complete');
      status = unwrap(await harness.runs.page({ runId: run.id, index: 0 })).httpStatus;
    }
    expect(status).toBe(503);
  });

  it('of a node that is not watched any more cannot be had', async () => {
    const target = { kind: 'node' as const, nodeId: `${nodeId}-gone`, callId: 'get-ext-health', tags: [] };
    expect(await buildHarness(sample).runs.start({ target, pages: 'one' })).toMatchObject({
      error: { code: 'not-found' },
    });
  });
});

describe('past queries', () => {
  it('are found by words of title, id and parameters', async () => {
    const harness = buildHarness(sample);
    await harness.start(thirty());
    await harness.start(latest());
    await harness.start(nodeTarget('get-ext-health'));
    const find = async (text: string) =>
      unwrap(await harness.runs.list({ ...everyRun, filter: { ...everyRun.filter, text } })).runs.map(
        ({ target }) => (target.kind === 'node' ? target.callId : target.endpointId),
      );
    expect(await find('')).toEqual(['get-ext-health', 'chain-transactions', 'address-transactions']);
    expect(await find('  LATEST Chain ')).toEqual(['chain-transactions']);
    expect(await find(sample.ready.examples.addresses.thirty)).toEqual(['address-transactions']);
    expect(await find('harbor')).toEqual(['get-ext-health']);
    expect(await find('harbor\0 latest')).toEqual([]);
  });

  it('open without a network', async () => {
    const harness = buildHarness(sample);
    const { id } = await harness.start(thirty());
    sample.control.addFault({ action: { kind: 'drop' } });
    expect(unwrap(await harness.runs.page({ runId: id, index: 0 })).data).toMatchObject({
      transactions: { length: 10 },
    });
    expect(await harness.runs.page({ runId: id, index: 1 })).toMatchObject({ error: { code: 'not-found' } });
  });

  it('that were being fetched when the app ended are partial', async () => {
    const harness = buildHarness(sample);
    const { id } = await harness.start(thirty());
    const stored = await harness.store.read(id);
    if (stored === null) throw new Error('it is stored');
    await harness.store.save({ ...stored, state: 'running' }, [], []);
    // Without a job it is not running, even before `load`.
    expect(unwrap(await harness.runs.summary(id)).state).toBe('partial');
    await harness.runs.load();
    expect((await harness.store.read(id))?.state).toBe('partial');
  });

  it('are removed once: what was put back is not deleted by a second removal', async () => {
    const harness = buildHarness(sample);
    const { id } = await harness.start(thirty());
    const [first, second] = await Promise.all([harness.runs.remove(id), harness.runs.remove(id)]);
    expect(second).toMatchObject({ error: { code: 'not-found' } });
    unwrap(first).putBack();
    expect(unwrap(await harness.runs.summary(id)).pageCount).toBe(1);
  });

  it('are removed with all of theirs, also while they are being fetched', async () => {
    const harness = buildHarness(sample);
    const { id } = await harness.start(busy(), 'all');
    const removal = unwrap(await harness.runs.remove(id));
    const find = async () => unwrap(await harness.runs.list(everyRun));
    expect(await find()).toEqual({ runs: [], totalCount: 0, unreadableCount: 0 });
    expect(await harness.runs.summary(id)).toMatchObject({ error: { code: 'not-found' } });
    await removal.putBack();
    expect(await find()).toMatchObject({ runs: [{ id, state: 'partial' }], totalCount: 1 });
    await unwrap(await harness.runs.remove(id)).finish();
    expect(await harness.runs.summary(id)).toMatchObject({ error: { code: 'not-found' } });
    expect(unwrap(await harness.runs.attempts(id))).toEqual([]);
  });

  it('of another service do not go on at this one', async () => {
    const harness = buildHarness(sample);
    const { id } = await harness.start(thirty());
    harness.current.profile = { ...harness.current.profile, dataUrl: 'https://elsewhere.example.com' };
    const refusal = await harness.runs.continue({ runId: id, pages: 'one' });
    expect(refusal).toMatchObject({ error: { code: 'invalid-params' } });
  });

  it('are not lost in a store that fails: the error is told and the query is not running', async () => {
    const harness = buildHarness(sample);
    const { id } = await harness.start(thirty());
    harness.store.save = () => Promise.reject(new Error('broken'));
    expect(await harness.runs.continue({ runId: id, pages: 'one' })).toMatchObject({
      error: { code: 'internal' },
    });
    expect(unwrap(await harness.runs.summary(id))).toMatchObject({ state: 'partial', pageCount: 1 });
  });
});
