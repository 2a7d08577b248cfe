import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EndpointDefinition } from '../src/shared/endpoints/define.ts';
import { endpoints } from '../src/shared/endpoints/registry.ts';
import { startSampleService, type SampleService } from './service.ts';
import { call, field, items } from './testing.ts';

const nowSeconds = 1_780_000_000;
let service: SampleService;

beforeAll(async () => {
  service = await startSampleService({ scale: 0.05, nowSeconds, limits: false });
});

afterAll(async () => {
  await service.close();
});

function urlOf(endpoint: EndpointDefinition, params: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams();
  let path = endpoint.path;
  for (const [name, value] of Object.entries(params)) {
    if (endpoint.params[name]?.in === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
    else query.set(name, value);
  }
  const base = endpoint.api === 'data' ? service.ready.dataUrl : service.ready.metricsUrl;
  return `${base}${path}?${query.toString()}`;
}

function endpointOf(number: number): EndpointDefinition {
  const endpoint = Object.values(endpoints).find((each) => each.number === number);
  if (endpoint === undefined) throw new Error(`endpoint ${number} is not served`);
  return endpoint;
}

function get(number: number, params: Readonly<Record<string, string>>) {
  return call(urlOf(endpointOf(number), params));
}

/** Follows the tokens of a list to its end. */
async function all(number: number, params: Readonly<Record<string, string>>): Promise<unknown[]> {
  const found: unknown[] = [];
  let token: unknown;
  do {
    const page = await get(number, { ...params, ...(typeof token === 'string' ? { pageToken: token } : {}) });
    expect(page.status).toBe(200);
    found.push(...items(page.json, endpointOf(number).paging?.itemsKey ?? ''));
    token = field(page.json, 'nextPageToken');
  } while (typeof token === 'string' && token !== '');
  return found;
}

const numbers = Object.values(endpoints).map(({ number }) => number);

describe('every endpoint of the specification', () => {
  it.each(numbers)('%i returns something for the parameters of the ready line', async (number) => {
    const params = service.ready.examples.endpoints[number];
    expect(params).toBeDefined();
    const { status, json } = await get(number, params ?? {});
    expect(status).toBe(200);
    const key = endpointOf(number).paging?.itemsKey;
    if (key !== undefined) expect(items(json, key).length).toBeGreaterThan(0);
    if (number === 13) expect(items(json, 'indexedChains').length).toBeGreaterThan(0);
  });

  it.each(numbers)('%i reads the same after paging by one as by many', async (number) => {
    const { params, paging } = endpointOf(number);
    if (paging === null || params['pageSize'] === undefined) return;
    const example = service.ready.examples.endpoints[number] ?? {};
    const range = 'startTimestamp' in params ? { startTimestamp: String(nowSeconds - 6 * 86_400) } : {};
    const many = await get(number, { ...example, ...range, pageSize: '12' });
    const expected = items(many.json, paging.itemsKey);
    const single: unknown[] = [];
    let token: unknown;
    while (single.length < expected.length) {
      const next = typeof token === 'string' ? { pageToken: token } : {};
      const page = await get(number, { ...example, ...range, pageSize: '1', ...next });
      single.push(...items(page.json, paging.itemsKey));
      token = field(page.json, 'nextPageToken');
    }
    expect(single).toEqual(expected);
  });

  it('belongs to one of the two interfaces, which have addresses of their own', async () => {
    const { dataUrl, metricsUrl } = service.ready;
    expect(new URL(dataUrl).origin).not.toBe(new URL(metricsUrl).origin);
    const series = '/v2/networks/mainnet/metrics/validatorCount';
    expect((await call(metricsUrl + series)).status).toBe(200);
    expect((await call(dataUrl + series)).status).toBe(404);
    expect((await call(`${dataUrl}/v1/transactions`)).status).toBe(200);
    expect((await call(`${metricsUrl}/v1/transactions`)).status).toBe(404);
  });

  it('says 404 and 400 as the service does', async () => {
    const { chainId, address, contracts, nodeId } = service.ready.examples;
    const cases: [number, Record<string, string>, number][] = [
      [2, { chainId, address }, 404],
      [2, { chainId, address: contracts.erc20, currency: 'xxx' }, 400],
      [5, { chainId, address: contracts.other }, 404],
      [5, { chainId: '802117', address: contracts.erc20 }, 404],
      [8, { chainId, blockId: '99999999999' }, 404],
      [8, { chainId, blockId: `0x${'1'.repeat(64)}` }, 404],
      [8, { chainId, blockId: 'latest' }, 400],
      [8, { chainId, blockId: '1', pageSize: '101' }, 400],
      [12, { network: 'moon' }, 400],
      [14, { network: 'mainnet', metric: 'nothing' }, 400],
      [14, { network: 'mainnet', metric: 'validatorCount', pageSize: '2161' }, 400],
      [14, { network: 'mainnet', metric: 'validatorCount', startTimestamp: '-1' }, 400],
      [15, { chainId: '1', metric: 'txCount' }, 404],
      [15, { chainId: '606060', metric: 'txCount' }, 503],
      [16, { nodeId: 'NodeID-111111111111111111111111111111111', metric: 'perNodeDailyFeesPaid' }, 404],
      [16, { nodeId: `${nodeId}!`, metric: 'perNodeDailyFeesPaid' }, 400],
      [17, { timeInterval: 'year' }, 400],
    ];
    for (const [number, params, status] of cases) {
      const answer = await get(number, params);
      expect([number, params, answer.status, field(answer.json, 'statusCode')]).toEqual([
        number,
        params,
        status,
        status,
      ]);
    }
  });
});

/** Where a record lies: enough to tell it from every other one of its list. */
function place(record: unknown): string {
  const names = ['txHash', 'logIndex', 'internalTxType', 'value', 'from.address', 'to.address'];
  return names.map((name) => String(field(record, name))).join(' ');
}

describe('the lists', () => {
  it('show of an address what its transactions show', async () => {
    const { chainId, address } = service.ready.examples;
    const transactions = await all(1, { chainId, address, sortOrder: 'desc', pageSize: '100' });
    const inTransactions = (part: string) =>
      transactions.flatMap((transaction) =>
        items(transaction, part).map((record) =>
          place({ ...Object(record), txHash: field(transaction, 'nativeTransaction.txHash') }),
        ),
      );
    const listed = async (number: number) =>
      (await all(number, { chainId, address, pageSize: '100' })).map(place);
    expect(await listed(3)).toEqual(inTransactions('erc1155Transfers'));
    expect(await listed(4)).toEqual(inTransactions('erc20Transfers'));
    const listedTypes = /\b(CALL|CALLCODE) [1-9]|\bCREATE/;
    expect(await listed(6)).toEqual(
      inTransactions('internalTransactions').filter((text) => listedTypes.test(text)),
    );
    const native = await all(7, { chainId, address, pageSize: '100' });
    expect(native).toEqual(
      transactions
        .map((transaction) => field(transaction, 'nativeTransaction'))
        .filter((record) => [field(record, 'from.address'), field(record, 'to.address')].includes(address)),
    );
  });

  it('of a token hold its transfers, newest first, from its deployment on', async () => {
    const { chainId, contracts } = service.ready.examples;
    for (const [name, key] of [
      ['erc20', 'erc20Token'],
      ['erc721', 'erc721Token'],
      ['erc1155', 'erc1155Token'],
    ] as const) {
      const transfers = await all(5, { chainId, address: contracts[name], pageSize: '100' });
      expect(transfers.length).toBeGreaterThan(50);
      expect(new Set(transfers.map((transfer) => field(transfer, `${key}.address`)))).toEqual(
        new Set([contracts[name]]),
      );
      const times = transfers.map((transfer) => Number(field(transfer, 'blockTimestamp')));
      expect(times).toEqual(times.toSorted((a, b) => b - a));
      const deployment = await get(2, { chainId, address: contracts[name] });
      expect(Number(field(deployment.json, 'nativeTransaction.blockTimestamp'))).toBeLessThanOrEqual(
        times.at(-1) ?? 0,
      );
    }
  });

  it('of a block hold its transactions by number and by hash', async () => {
    const { chainId, txHash, blockId } = service.ready.examples;
    const detail = await get(11, { chainId, txHash });
    const byNumber = await all(8, { chainId, blockId });
    const byHash = await all(8, {
      chainId,
      blockId: String(field(detail.json, 'nativeTransaction.blockHash')),
    });
    expect(byHash).toEqual(byNumber);
    expect(byNumber.map((transaction) => field(transaction, 'txHash'))).toContain(txHash);
    const empty = await get(8, { chainId, blockId: String(Number(blockId) + 1) });
    expect(empty.json).toEqual({ transactions: [] });
  });

  it('of all chains are those of each chain, merged by time', async () => {
    const { chainIds } = service.ready.examples;
    const merged: unknown[] = [];
    let token: unknown;
    for (let pages = 0; pages < 6; pages += 1) {
      const page = await get(12, {
        pageSize: '50',
        ...(typeof token === 'string' ? { pageToken: token } : {}),
      });
      merged.push(...items(page.json, 'transactions'));
      token = field(page.json, 'nextPageToken');
    }
    const times = merged.map((transaction) => Number(field(transaction, 'blockTimestamp')));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    for (const chainId of chainIds) {
      const own = merged.filter((transaction) => field(transaction, 'chainId') === chainId);
      expect(own.length).toBeGreaterThan(10);
      const alone = await get(9, { chainId, pageSize: '100' });
      expect(items(alone.json, 'transactions').slice(0, own.length)).toEqual(own.slice(0, 100));
    }
    const fuji = await get(12, { network: 'fuji', status: 'failed', pageSize: '20' });
    const kinds = items(fuji.json, 'transactions').map(
      (t) => `${String(field(t, 'chainId'))} ${String(field(t, 'txStatus'))}`,
    );
    expect(new Set(kinds)).toEqual(new Set(['43113 0', '714001 0']));
  });

  it('of deployments lead to the transactions that made the contracts', async () => {
    const { chainId, deployer } = service.ready.examples;
    const contracts = await all(10, { chainId, address: deployer, pageSize: '5' });
    expect(new Set(contracts.map((contract) => field(contract, 'ercType')))).toEqual(
      new Set(['ERC-20', 'ERC-721', 'ERC-1155', 'UNKNOWN']),
    );
    for (const contract of contracts) {
      const deployment = await get(2, { chainId, address: String(field(contract, 'address')) });
      expect(field(deployment.json, 'nativeTransaction.txHash')).toBe(
        field(contract, 'deploymentDetails.txHash'),
      );
      expect(field(deployment.json, 'nativeTransaction.from.address')).toBe(deployer);
      expect(field(deployment.json, 'nativeTransaction.to.address')).toBe(
        field(contract, 'deploymentDetails.deployerContractAddress'),
      );
    }
  });

  it('show both halves of a message with the same id', async () => {
    const { message } = service.ready.examples;
    const source = await get(11, { chainId: message.sourceChainId, txHash: message.sourceTxHash });
    const destination = await get(11, {
      chainId: message.destinationChainId,
      txHash: message.destinationTxHash,
    });
    expect(field(source.json, 'crosschainMessageInfo')).toEqual({
      crosschainMessageId: field(destination.json, 'crosschainMessageInfo.crosschainMessageId'),
      direction: 'SOURCE_TRANSACTION',
      destinationChainId: message.destinationChainId,
    });
    expect(field(destination.json, 'crosschainMessageInfo.sourceChainId')).toBe(message.sourceChainId);
    expect(field(source.json, 'erc20Transfers.0.value')).toBe(
      field(destination.json, 'erc20Transfers.0.value'),
    );
  });
});

describe('reorganised blocks', () => {
  it('have new hashes, lose some transactions everywhere, and come back with a reset', async () => {
    const { chainId } = service.ready.examples;
    const read = () => get(9, { chainId, pageSize: '40' });
    const before = (await read()).json;
    const [oldest] = items(before, 'transactions').slice(-1);
    const head = service.control.describe().chains.find((chain) => chain.chainId === chainId)?.headBlock ?? 0;
    service.control.reorganise(chainId, head - Number(field(oldest, 'blockNumber')) + 1);

    const after = items((await read()).json, 'transactions');
    const standing = new Map(after.map((transaction) => [field(transaction, 'txHash'), transaction]));
    const gone = items(before, 'transactions').filter(
      (transaction) => !standing.has(field(transaction, 'txHash')),
    );
    expect(gone.length).toBeGreaterThan(2);
    for (const transaction of gone) {
      expect((await get(11, { chainId, txHash: String(field(transaction, 'txHash')) })).status).toBe(404);
      const own = await all(1, {
        chainId,
        address: String(field(transaction, 'from.address')),
        pageSize: '100',
      });
      expect(own.map((item) => field(item, 'nativeTransaction.txHash'))).not.toContain(
        field(transaction, 'txHash'),
      );
    }
    for (const transaction of items(before, 'transactions')) {
      const now = standing.get(field(transaction, 'txHash'));
      if (now === undefined) continue;
      expect(field(now, 'blockHash')).not.toBe(field(transaction, 'blockHash'));
      expect((await get(8, { chainId, blockId: String(field(transaction, 'blockHash')) })).status).toBe(404);
      expect((await get(8, { chainId, blockId: String(field(now, 'blockHash')) })).status).toBe(200);
    }
    service.control.reset();
    expect(items((await read()).json, 'transactions')).toEqual(items(before, 'transactions'));
  });
});
