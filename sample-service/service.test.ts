import { afterEach, describe, expect, it } from 'vitest';
import { call, field, items } from './testing.ts';
import type { SampleServiceOptions } from './options.ts';
import { startSampleService, type SampleService } from './service.ts';

const nowSeconds = 1_780_000_000;
const running: SampleService[] = [];

/** A small world at a fixed time; `clock.ms` can be moved. */
async function start(options: SampleServiceOptions = {}) {
  const clock = { ms: nowSeconds * 1000, nowMs: () => clock.ms };
  const service = await startSampleService({ scale: 0.05, nowSeconds, clock, ...options });
  running.push(service);
  const { dataUrl, apiKey, examples } = service.ready;
  const get = (path: string, headers: Record<string, string> = { 'x-service-api-key': apiKey }) =>
    call(dataUrl + path, { headers });
  const transactions = `/v1/chains/${examples.chainId}/addresses/${examples.address}/transactions`;
  return { service, clock, get, transactions, ...service.ready };
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.close()));
});

function hashes(body: unknown): unknown[] {
  return items(body, 'transactions').map(
    (item) =>
      field(item, 'nativeTransaction.txHash') ??
      `${String(field(item, 'txHash'))} ${String(field(item, 'logIndex'))}`,
  );
}

/** Follows the page tokens of a list to its end. */
async function walk(get: (path: string) => ReturnType<typeof call>, path: string, pageSize: number) {
  const all: unknown[] = [];
  const sizes: number[] = [];
  let token: unknown;
  do {
    const separator = path.includes('?') ? '&' : '?';
    const next = typeof token === 'string' ? `&pageToken=${token}` : '';
    const page = await get(`${path}${separator}pageSize=${pageSize}${next}`);
    expect(page.status).toBe(200);
    all.push(...hashes(page.json));
    sizes.push(items(page.json, 'transactions').length);
    token = field(page.json, 'nextPageToken');
  } while (token !== undefined);
  return { all, sizes };
}

describe('the ready line', () => {
  it('has the agreed fields, all addresses on 127.0.0.1, and is decided by seed and time', async () => {
    const [first, second] = await Promise.all([start(), start()]);
    expect(Object.keys(first.service.ready)).toEqual([
      'dataUrl',
      'metricsUrl',
      'controlUrl',
      'apiKey',
      'nodes',
      'examples',
    ]);
    expect(Object.keys(first.examples)).toEqual(
      expect.arrayContaining(['chainId', 'address', 'emptyAddress', 'txHash', 'blockId']),
    );
    const urls = [first.dataUrl, first.metricsUrl, first.controlUrl, ...first.nodes.map((node) => node.url)];
    for (const url of urls) expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(second.examples).toEqual(first.examples);
    expect(second.apiKey).toBe(first.apiKey);
    const other = await start({ seed: 2 });
    expect(other.apiKey).not.toBe(first.apiKey);
    expect(other.examples.address).not.toBe(first.examples.address);
  });
});

describe('paging', () => {
  it('reaches every transaction once, whatever the page size, and both orders are mirror images', async () => {
    const { get, transactions } = await start({ limits: false });
    const newest = await walk(get, `${transactions}?sortOrder=desc`, 7);
    const oldest = await walk(get, `${transactions}?sortOrder=asc`, 100);
    expect(newest.all.length).toBeGreaterThan(900);
    expect(new Set(newest.all).size).toBe(newest.all.length);
    expect(oldest.all).toEqual(newest.all.toReversed());
    expect(new Set(newest.sizes.slice(0, -1))).toEqual(new Set([7]));
  });

  it('cuts a list of transfers within a transaction without losing or repeating one', async () => {
    const { get, examples } = await start({ limits: false });
    const path = `/v1/chains/${examples.chainId}/addresses/${examples.address}/transactions:listErc20`;
    const one = await walk(get, path, 1);
    const many = await walk(get, path, 100);
    expect(one.all.length).toBeGreaterThan(300);
    expect(new Set(one.all).size).toBe(one.all.length);
    expect(many.all).toEqual(one.all);
  });

  it('refuses a token of another query, a made-up one and an expired one', async () => {
    const { get, transactions, clock, examples } = await start({ tokenTtlSeconds: 3600 });
    const first = await get(`${transactions}?sortOrder=desc`);
    const token = String(field(first.json, 'nextPageToken'));
    expect(token).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const refused = [
      `${transactions}?sortOrder=asc&pageToken=${token}`,
      `/v1/chains/${examples.chainId}/transactions?pageToken=${token}`,
      `${transactions}?sortOrder=desc&pageToken=00000000-0000-4000-8000-000000000000`,
      `${transactions}?sortOrder=desc&pageToken=nonsense`,
    ];
    for (const path of refused) {
      const { status, json } = await get(path);
      expect([status, field(json, 'statusCode'), field(json, 'error')]).toEqual([400, 400, 'Bad Request']);
    }
    const again = `${transactions}?sortOrder=desc&pageSize=3&pageToken=${token}`;
    clock.ms += 3_599_000;
    expect((await get(again)).status).toBe(200);
    clock.ms += 1000;
    expect((await get(again)).status).toBe(400);
  });

  it('gives the default of ten, and an empty list without a token where there is nothing', async () => {
    const { get, transactions, examples } = await start();
    expect(hashes((await get(transactions)).json)).toHaveLength(10);
    const empty = await get(transactions.replace(examples.address, examples.emptyAddress));
    expect(empty.json).toEqual({ transactions: [] });
    const nobody = await get(
      transactions.replace(examples.address, '0x52908400098527886E0F7030069857D2E4169EE7'),
    );
    expect(nobody.json).toEqual({ transactions: [] });
  });
});

describe('ranges and filters', () => {
  it('takes startBlock as inclusive and endBlock as exclusive', async () => {
    const { get, transactions } = await start();
    const blocks = items((await get(`${transactions}?sortOrder=asc&pageSize=20`)).json, 'transactions').map(
      (item) => Number(field(item, 'nativeTransaction.blockNumber')),
    );
    const [from, to] = [blocks[4], blocks[9]];
    const ranged = await get(`${transactions}?sortOrder=asc&pageSize=100&startBlock=${from}&endBlock=${to}`);
    expect(
      items(ranged.json, 'transactions').map((item) => Number(field(item, 'nativeTransaction.blockNumber'))),
    ).toEqual(blocks.slice(4, 9));
  });

  it('filters the latest transactions of a chain by status', async () => {
    const { get, examples } = await start();
    for (const [status, code] of [
      ['failed', '0'],
      ['success', '1'],
    ]) {
      const page = await get(`/v1/chains/${examples.chainId}/transactions?status=${status}&pageSize=30`);
      expect(new Set(items(page.json, 'transactions').map((item) => field(item, 'txStatus')))).toEqual(
        new Set([code]),
      );
    }
  });

  it('finds a chain by its EVM chain id and by its blockchain id', async () => {
    const { get, transactions, examples, service } = await start();
    const chain = service.control.describe().chains.find(({ chainId }) => chainId === examples.chainId);
    const byName = await get(transactions.replace(examples.chainId, chain?.blockchainId ?? ''));
    expect(hashes(byName.json)).toEqual(hashes((await get(transactions)).json));
  });
});

describe('the example transaction', () => {
  it('has every part that a detail can have, and its address list shows less', async () => {
    const { get, transactions, examples } = await start();
    const detail = await get(`/v1/chains/${examples.chainId}/transactions/${examples.txHash}`);
    expect(detail.status).toBe(200);
    for (const part of ['erc20Transfers', 'erc721Transfers', 'erc1155Transfers', 'internalTransactions']) {
      expect(items(detail.json, part).length).toBeGreaterThan(0);
    }
    expect(field(detail.json, 'crosschainMessageInfo.direction')).toBe('SOURCE_TRANSACTION');
    expect(field(detail.json, 'networkTokenDetails.currentPrice.value')).toMatch(/^\d+\.\d+$/);
    expect(field(detail.json, 'nativeTransaction.input')).toMatch(/^0x[0-9a-f]+$/);
    const block = Number(field(detail.json, 'nativeTransaction.blockNumber'));
    expect(String(block)).toBe(examples.blockId);
    const element = items(
      (await get(`${transactions}?startBlock=${block}&endBlock=${block + 1}`)).json,
      'transactions',
    )[0];
    expect(items(element, 'internalTransactions').length).toBeLessThan(
      items(detail.json, 'internalTransactions').length,
    );
  });

  it('has an address that is known on three chains and one that nobody indexed', async () => {
    const { get, examples } = await start();
    const { json } = await get(`/v1/address/${examples.address}/chains`);
    expect(items(json, 'indexedChains').map((chain) => field(chain, 'status'))).toEqual(['OK', 'OK', 'OK']);
    expect(items(json, 'unindexedChains')).toHaveLength(1);
    const empty = await get(`/v1/address/${examples.emptyAddress}/chains`);
    expect(empty.json).toEqual({ indexedChains: [], unindexedChains: [] });
  });
});

describe('errors', () => {
  it('have the body of the specification, with an array of messages for parameters', async () => {
    const { get, transactions, examples } = await start();
    const cases: [string, number, unknown][] = [
      ['/v1/chains/1/transactions', 404, 'Chain 1 not found'],
      ['/v1/chains/515515/transactions', 404, 'Chain 515515 is not indexed'],
      ['/v1/chains/606060/transactions', 503, 'Chain 606060 is currently unavailable'],
      [`/v1/chains/${examples.chainId}/transactions/0x${'0'.repeat(64)}`, 404, 'Transaction not found'],
      [`/v1/chains/802117/transactions/${examples.txHash}`, 404, 'Transaction not found'],
      [`/v1/chains/${examples.chainId}/transactions/0x12`, 400, ['txHash must be a valid transaction hash']],
      [`${transactions}?pageSize=101`, 400, ['pageSize must not be greater than 100']],
      [`${transactions}?pageSize=0`, 400, ['pageSize must not be less than 1']],
      [`${transactions}?pageSize=1&pageSize=2`, 400, ['pageSize must be a string']],
      [`${transactions}?sortOrder=up`, 400, ['sortOrder must be one of the following values: asc, desc']],
      [
        `${transactions}?pageSize=x`,
        400,
        [
          'pageSize must not be greater than 100',
          'pageSize must not be less than 1',
          'pageSize must be an integer number',
        ],
      ],
      ['/v1/address/0x12/chains', 400, ['address must be a valid EVM address']],
      ['/v1/nothing', 404, 'Cannot GET /v1/nothing'],
    ];
    const reasons: Record<number, string> = {
      400: 'Bad Request',
      404: 'Not Found',
      503: 'Service Unavailable',
    };
    for (const [path, statusCode, message] of cases) {
      const answer = await get(path);
      expect(answer.json).toEqual({ message, statusCode, error: reasons[statusCode] });
      expect(answer.status).toBe(statusCode);
      expect(answer.headers.get('content-type')).toContain('application/json');
    }
  });
});

describe('keys and limits', () => {
  it('refuses a wrong key and serves without one', async () => {
    const { get, transactions } = await start();
    const wrong = await get(transactions, { 'x-service-api-key': 'wrong' });
    expect(wrong.json).toEqual({ message: 'Api key is invalid', statusCode: 401, error: 'Unauthorized' });
    expect((await get(transactions, {})).status).toBe(200);
  });

  it('takes the key from the other header with upstream names', async () => {
    const { get, transactions, apiKey } = await start({ names: 'upstream' });
    expect((await get(transactions, { 'x-glacier-api-key': 'wrong' })).status).toBe(401);
    expect((await get(transactions, { 'x-glacier-api-key': apiKey })).status).toBe(200);
    expect((await get(transactions, { 'x-service-api-key': 'wrong' })).status).toBe(200);
  });

  it('counts compute units, tells a client with a key, and answers 429 until the minute is over', async () => {
    const { get, clock, examples } = await start();
    const path = `/v1/address/${examples.emptyAddress}/chains`;
    for (let i = 0; i < 300; i += 1) expect((await get(path, {})).status).toBe(200);
    const refused = await get(path, {});
    expect([refused.status, field(refused.json, 'error')]).toEqual([429, 'Too Many Requests']);
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBe(60 - (nowSeconds % 60));
    const keyed = await get(path);
    expect(keyed.status).toBe(200);
    expect(keyed.headers.get('ratelimit-limit')).toBe('8000');
    expect(keyed.headers.get('ratelimit-remaining')).toBe('7980');
    clock.ms += seconds * 1000 - 1;
    expect((await get(path, {})).status).toBe(429);
    clock.ms += 1;
    expect((await get(path, {})).status).toBe(200);
  });
});

it('serves no control API where it is not wanted, and all else', async () => {
  const { controlUrl, nodes, get, transactions } = await start({ controlServer: false });
  expect(controlUrl).toBe('');
  expect((await get(transactions)).status).toBe(200);
  // The nodes have only just started.
  for (const { url } of nodes) expect((await call(`${url}/ext/health`)).status).toBe(503);
});
