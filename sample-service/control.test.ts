import { afterEach, describe, expect, it } from 'vitest';
import type { FaultInput } from './faults.ts';
import { keyHash } from './request-log.ts';
import { startSampleService, type SampleService } from './service.ts';
import { call, field, items, post } from './testing.ts';

const nowSeconds = 1_780_000_000;
const running: SampleService[] = [];

async function start() {
  const clock = { ms: nowSeconds * 1000, nowMs: () => clock.ms };
  const service = await startSampleService({ scale: 0.05, nowSeconds, clock });
  running.push(service);
  const { dataUrl, controlUrl, apiKey, examples } = service.ready;
  const listUrl = `${dataUrl}/v1/chains/${examples.chainId}/transactions`;
  const get = (url: string, init: RequestInit = {}) =>
    call(url, { headers: { 'x-service-api-key': apiKey }, ...init });
  const addFault = async (fault: FaultInput) => {
    const added = await post(`${controlUrl}/addFault`, [fault]);
    expect(added.status).toBe(200);
    return Number(field(added.json, 'id'));
  };
  return { service, clock, listUrl, get, addFault, ...service.ready };
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.close()));
});

describe('faults that answer instead of the service', () => {
  it('give any status with headers and body, as often as asked, on the matching route only', async () => {
    const { get, addFault, listUrl, dataUrl, examples } = await start();
    await addFault({
      server: 'data',
      route: '/v1/chains/*/transactions',
      skip: 1,
      count: 2,
      action: { kind: 'status', status: 429, headers: { 'retry-after': '7' } },
    });
    const chains = `${dataUrl}/v1/address/${examples.emptyAddress}/chains`;
    const answers = [];
    for (let i = 0; i < 4; i += 1) answers.push(await get(listUrl));
    expect(answers.map((answer) => answer.status)).toEqual([200, 429, 429, 200]);
    expect(answers[1]?.headers.get('retry-after')).toBe('7');
    expect(answers[1]?.json).toEqual({ message: 'Fault: 429', statusCode: 429, error: 'Too Many Requests' });
    expect((await get(chains)).status).toBe(200);

    await addFault({ action: { kind: 'status', status: 502, body: '<h1>Bad gateway</h1>' } });
    const gateway = await get(listUrl);
    expect([gateway.status, gateway.text]).toEqual([502, '<h1>Bad gateway</h1>']);
  });

  it('storm, send garbage, and lead to another origin', async () => {
    const { service, get, addFault, listUrl, controlUrl } = await start();
    await addFault({ count: 1, action: { kind: 'storm', retryAfterSeconds: 3 } });
    const storm = await get(listUrl);
    expect([storm.status, storm.headers.get('retry-after')]).toEqual([429, '3']);

    await addFault({ count: 1, action: { kind: 'garbage' } });
    const html = await get(listUrl);
    expect([html.status, html.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    await addFault({ count: 1, action: { kind: 'garbage', variant: 'noise' } });
    expect((await get(listUrl)).json).toBeNull();
    await addFault({ count: 1, action: { kind: 'garbage', variant: 'empty' } });
    expect((await get(listUrl)).text).toBe('');

    await addFault({ count: 1, action: { kind: 'redirect' } });
    const redirect = await get(listUrl);
    expect(redirect.status).toBe(302);
    const target = new URL(redirect.headers.get('location') ?? '');
    const description = await post(`${controlUrl}/describe`, []);
    expect(target.origin).toBe(field(description.json, 'elsewhereUrl'));
    expect(target.origin).not.toBe(new URL(listUrl).origin);
    await call(target.href);
    expect(service.control.requests().at(-1)?.server).toBe('elsewhere');
  });

  it('reset the connection', async () => {
    const { get, addFault, listUrl } = await start();
    await addFault({ count: 1, action: { kind: 'drop' } });
    await expect(get(listUrl)).rejects.toThrow();
    expect((await get(listUrl)).status).toBe(200);
  });

  it('never answer, until the client or the service gives up', async () => {
    const { service, get, addFault, listUrl } = await start();
    await addFault({ action: { kind: 'hang' } });
    const abort = new AbortController();
    const hung = get(listUrl, { signal: abort.signal });
    const alsoHung = get(listUrl);
    const seen = () => service.control.requests().filter((request) => request.fault === 'hang').length;
    await expect.poll(seen).toBe(2);
    abort.abort();
    await expect(hung).rejects.toThrow('aborted');
    const closed = service.close();
    await expect(alsoHung).rejects.toThrow();
    await closed;
    expect(service.control.requests().map((request) => request.status)).toEqual([null, null]);
  });

  it('answer late, and not at all when the client has left meanwhile', async () => {
    const { service, get, addFault, listUrl } = await start();
    await addFault({ count: 1, delayMs: 30, action: { kind: 'delay' } });
    const before = performance.now();
    expect((await get(listUrl)).status).toBe(200);
    expect(performance.now() - before).toBeGreaterThanOrEqual(29);
    expect(service.control.requests()[0]?.durationMs).toBeGreaterThanOrEqual(29);

    await addFault({ delayMs: 3_600_000, action: { kind: 'delay' } });
    const abort = new AbortController();
    const late = get(listUrl, { signal: abort.signal });
    await expect.poll(() => service.control.requests().length).toBe(2);
    abort.abort();
    await expect(late).rejects.toThrow('aborted');
    await service.close();
    expect(service.control.requests()[1]?.status).toBeNull();
  });
});

describe('faults that spoil the answer', () => {
  it('cut the body in half, with and without breaking the connection', async () => {
    const { get, addFault, listUrl } = await start();
    const whole = (await get(listUrl)).text;
    await addFault({ count: 1, action: { kind: 'cut' } });
    const cut = await get(listUrl);
    expect([cut.status, cut.text.length]).toEqual([200, Math.ceil(whole.length / 2)]);
    expect(whole.startsWith(cut.text.slice(0, 20))).toBe(true);
    await addFault({ count: 1, action: { kind: 'cut', connection: true } });
    await expect(get(listUrl)).rejects.toThrow();
  });

  it('spoil an answer once, also when its page was asked for before', async () => {
    const { get, addFault, listUrl } = await start();
    const before = await get(listUrl);
    await addFault({ count: 1, action: { kind: 'replace', path: 'transactions.*.txHash', value: 'odd' } });
    expect(field((await get(listUrl)).json, 'transactions.0.txHash')).toBe('odd');
    expect((await get(listUrl)).json).toEqual(before.json);
  });

  it('make every type wrong, or change or remove one field', async () => {
    const { get, addFault, listUrl } = await start();
    await addFault({ count: 1, action: { kind: 'wrong-types' } });
    expect(field((await get(listUrl)).json, 'transactions')).toEqual({ items: 10 });
    await addFault({
      count: 1,
      action: { kind: 'replace', path: 'transactions.*.blockNumber', value: '-1' },
    });
    const changed = items((await get(listUrl)).json, 'transactions');
    expect(changed.map((item) => field(item, 'blockNumber'))).toEqual(Array(10).fill('-1'));
    await addFault({ count: 1, action: { kind: 'replace', path: 'transactions' } });
    expect(field((await get(listUrl)).json, 'transactions')).toBeUndefined();
  });

  it('make the body huge, plain or compressed, and still JSON', async () => {
    const { get, addFault, listUrl } = await start();
    await addFault({ count: 1, action: { kind: 'huge', bytes: 3_000_000 } });
    const plain = await get(listUrl);
    expect(plain.text.length).toBeGreaterThan(3_000_000);
    expect(items(plain.json, 'transactions')).toHaveLength(10);
    await addFault({ count: 1, action: { kind: 'huge', bytes: 3_000_000, gzip: true } });
    const packed = await get(listUrl);
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(items(packed.json, 'transactions')).toHaveLength(10);
  });

  it('let the body drip', async () => {
    const { get, addFault, listUrl } = await start();
    const whole = (await get(`${listUrl}?pageSize=1&status=failed`)).text;
    await addFault({ action: { kind: 'drip', chunkBytes: 100, intervalMs: 1 } });
    const before = performance.now();
    expect((await get(`${listUrl}?pageSize=1&status=failed`)).text.length).toBe(whole.length);
    expect(performance.now() - before).toBeGreaterThan(whole.length / 100);
  });
});

describe('the control API', () => {
  it('clears faults, and refuses what it does not understand', async () => {
    const { addFault, controlUrl, get, listUrl } = await start();
    const control = (method: string, ...args: unknown[]) => post(`${controlUrl}/${method}`, args);
    await addFault({ action: { kind: 'status', status: 503 } });
    expect((await get(listUrl)).status).toBe(503);
    expect((await call(`${controlUrl}/clearFaults`, { method: 'POST' })).status).toBe(200);
    expect((await get(listUrl)).status).toBe(200);
    expect((await control('addFault', { action: { kind: 'nonsense' } })).status).toBe(400);
    expect((await control('addFault', { action: { kind: 'hang' }, rout: '/' })).status).toBe(400);
    expect((await post(`${controlUrl}/addFault`, '[{"cut')).status).toBe(400);
    expect((await control('reset', 'everything')).status).toBe(400);
    expect((await control('changeNode', 'nobody', { restart: true })).status).toBe(400);
    expect((await control('nothing')).status).toBe(404);
  });

  it('logs requests with the hash of the key, not the key', async () => {
    const { get, listUrl, controlUrl, apiKey, nodes } = await start();
    await get(`${listUrl}?pageSize=1`);
    await call(`${nodes[0]?.url}/ext/health`);
    const log = await post(`${controlUrl}/requests`, []);
    expect(log.text).not.toContain(apiKey);
    const [first, second] = items({ log: log.json }, 'log');
    expect(first).toMatchObject({
      server: 'data',
      method: 'GET',
      url: `${new URL(listUrl).pathname}?pageSize=1`,
      keyHeaders: { 'x-service-api-key': keyHash(apiKey) },
      status: 200,
      receivedAtMs: nowSeconds * 1000,
      fault: null,
    });
    expect(second).toMatchObject({ server: 'node:harbor-1', keyHeaders: {} });
    const later = await post(`${controlUrl}/requests`, [field(first, 'id')]);
    expect(items({ log: later.json }, 'log')).toHaveLength(1);
    await post(`${controlUrl}/clearRequests`, []);
    expect((await post(`${controlUrl}/requests`, [])).json).toEqual([]);
  });

  it('steps the clock: new transactions appear and tokens expire', async () => {
    const { get, listUrl, controlUrl } = await start();
    const before = (await get(listUrl)).json;
    const token = String(field(before, 'nextPageToken'));
    await post(`${controlUrl}/advanceClock`, [3 * 86_400_000]);
    const newest = (json: unknown) => Number(field(items(json, 'transactions')[0], 'blockNumber'));
    expect(newest((await get(listUrl)).json)).toBeGreaterThan(newest(before));
    expect((await get(`${listUrl}?pageToken=${token}`)).status).toBe(400);
    await post(`${controlUrl}/reset`, []);
    expect(newest((await get(listUrl)).json)).toBe(newest(before));
  });

  it('switches the limits off and on', async () => {
    const { get, listUrl, controlUrl } = await start();
    expect((await get(listUrl)).headers.get('ratelimit-limit')).toBe('8000');
    await post(`${controlUrl}/setLimits`, [false]);
    expect((await get(listUrl)).headers.get('ratelimit-limit')).toBeNull();
  });
});
