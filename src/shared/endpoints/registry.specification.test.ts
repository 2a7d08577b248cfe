import { describe, expect, it } from 'vitest';
import { checkParams } from './check-params.ts';
import type { EndpointDefinition, ParamSpec } from './define.ts';
import { endpoints } from './registry.ts';

/** The endpoint tables of the specification, written once more: parameters as name(=default)(:range or values). */
const blocks = 'startBlock:0- endBlock:0-';
const page = 'pageSize=10:1-100 pageToken';
const times = 'startTimestamp:0- endTimestamp:0-';
const points = 'pageSize=100:1-2160 pageToken';
const currencies = 'usd|eur|aud|cad|chf|clp|cny|czk|dkk|gbp|hkd|huf|jpy|nzd';
const networks = 'mainnet|fuji|testnet';
const status = 'status:failed|success';

const specification: Readonly<Record<number, [path: string, query: string]>> = {
  1: ['/v1/chains/{chainId}/addresses/{address}/transactions', `${blocks} sortOrder:asc|desc ${page}`],
  2: ['/v1/chains/{chainId}/contracts/{address}/transactions:getDeployment', `currency=usd:${currencies}`],
  3: ['/v1/chains/{chainId}/addresses/{address}/transactions:listErc1155', `${blocks} ${page}`],
  4: ['/v1/chains/{chainId}/addresses/{address}/transactions:listErc20', `${blocks} ${page}`],
  5: ['/v1/chains/{chainId}/tokens/{address}/transfers', `${blocks} ${page}`],
  6: ['/v1/chains/{chainId}/addresses/{address}/transactions:listInternals', `${blocks} ${page}`],
  7: ['/v1/chains/{chainId}/addresses/{address}/transactions:listNative', `${blocks} ${page}`],
  8: ['/v1/chains/{chainId}/blocks/{blockId}/transactions', 'pageSize=0:0-100 pageToken'],
  9: ['/v1/chains/{chainId}/transactions', `${status} ${page}`],
  10: ['/v1/chains/{chainId}/contracts/{address}/deployments', page],
  11: ['/v1/chains/{chainId}/transactions/{txHash}', ''],
  12: ['/v1/transactions', `network:${networks} ${status} ${page}`],
  13: ['/v1/address/{address}/chains', ''],
  14: [
    '/v2/networks/{network}/metrics/{metric}',
    `subnetId=11111111111111111111111111111111LpoYY ${times} ${points}`,
  ],
  15: ['/v2/chains/{chainId}/rollingWindowMetrics/{metric}', ''],
  16: ['/v2/validator/{nodeId}/metrics/{metric}', times],
  17: [
    '/v2/icm/timeseries',
    `${times} srcBlockchainId destBlockchainId timeInterval:hour|day|week|month ${points} ` +
      `groupBy:srcBlockchainId|destBlockchainId|srcBlockchainId,destBlockchainId network:${networks}`,
  ],
};

/** Values of path parameters that are one of a list. */
const pathValues: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  14: { network: networks, metric: 'delegatorCount|delegatorWeight|validatorCount|validatorWeight' },
  15: {
    chainId: 'total|mainnet|testnet',
    metric:
      'gasUsed|txCount|avgGps|maxGps|avgTps|maxTps|avgGasPrice|maxGasPrice|feesPaid|contracts|deployers|' +
      'activeAddresses|activeSenders',
  },
  16: { metric: 'perNodeCumulativeFeesPaid|perNodeDailyFeesPaid' },
};

const all: EndpointDefinition[] = Object.values(endpoints);

it('the table above has a row for each endpoint, and no other', () => {
  expect(Object.keys(specification).map(Number)).toEqual(all.map(({ number }) => number));
});

describe.each(all)('endpoint $number of the specification', (endpoint) => {
  const [path, query] = specification[endpoint.number] ?? [];

  it('has its path and its query parameters, with range, default and values', () => {
    expect(endpoint.path).toBe(path);
    const written = Object.entries(endpoint.params)
      .filter(([, spec]) => spec.in === 'query')
      .map(([name, spec]) => writeParam(name, spec));
    expect(written.sort()).toEqual((query ?? '').split(' ').filter(Boolean).sort());
    expect(Object.values(endpoint.params).filter((spec) => spec.in === 'query' && spec.required)).toEqual([]);
  });

  it('offers the values of its path parameters', () => {
    const offered = Object.entries(endpoint.params).flatMap(([name, { in: place, values }]) =>
      place === 'path' && values !== undefined ? [[name, values.join('|')]] : [],
    );
    expect(Object.fromEntries(offered)).toEqual(pathValues[endpoint.number] ?? {});
  });
});

function writeParam(name: string, { default: assumed, min, max, values }: ParamSpec): string {
  const range = min === undefined ? '' : `:${min}-${max ?? ''}`;
  return `${name}${assumed === undefined ? '' : `=${assumed}`}${range}${values === undefined ? '' : `:${values.join('|')}`}`;
}

describe('rules', () => {
  const metric = { network: 'mainnet', metric: 'validatorCount' };
  const staking = endpoints['staking-metrics'];

  it.each<[Record<string, string>, boolean]>([
    [{ startTimestamp: '5', endTimestamp: '6' }, true],
    [{ startTimestamp: '5', endTimestamp: '5' }, false],
    [{ startTimestamp: '10', endTimestamp: '9' }, false],
    [{ startTimestamp: '0' }, true],
    [{ endTimestamp: '0' }, true],
    [{ startTimestamp: '-1' }, false],
    [{ endTimestamp: '1700000000000' }, false],
  ])('a time range %j: %s', (range, isAllowed) => {
    const checked = checkParams(staking, { ...metric, ...range });
    expect(checked.ok).toBe(isAllowed);
    if (!checked.ok) expect(checked.error.message).toMatch(/Timestamp/);
  });

  it('every endpoint with a range checks that it is not empty', () => {
    for (const endpoint of all) {
      for (const [from, to] of [
        ['startBlock', 'endBlock'],
        ['startTimestamp', 'endTimestamp'],
      ] as const) {
        if (endpoint.params[from] === undefined) continue;
        const problems = (endpoint.rules ?? []).map((rule) => rule({ [from]: '7', [to]: '7' }));
        expect(problems.filter((problem) => problem !== null)).toHaveLength(1);
        expect((endpoint.rules ?? []).map((rule) => rule({ [from]: '9', [to]: '10' }))).toEqual([null]);
      }
    }
  });
});
