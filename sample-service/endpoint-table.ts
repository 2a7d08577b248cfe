import type { EndpointDefinition, ParamSpec } from '../src/shared/endpoints/define.ts';
import {
  blockRange,
  blockRangeIsNotEmpty,
  chainId,
  pageSize,
  pageToken,
  transactionStatus,
  walletAddress,
} from '../src/shared/endpoints/params.ts';
import { endpoints } from '../src/shared/endpoints/registry.ts';
import { unitsPerUsd } from './world/prices.ts';

/** What the service needs of an endpoint's definition. */
export type ServedEndpoint = Pick<
  EndpointDefinition,
  'id' | 'number' | 'api' | 'path' | 'params' | 'rules' | 'paging'
>;

const contractAddress = { ...walletAddress, description: 'A contract address.' };
const network = choice('query', ['mainnet', 'fuji', 'testnet']);
const addressList = { chainId, address: walletAddress, ...blockRange, pageSize, pageToken };
const metricPaging = { pageToken, pageSize: { ...pageSize, max: 2160, default: '100' } };
const timeRange = { startTimestamp: timestamp(), endTimestamp: timestamp() };

/** Endpoints of the specification that the registry does not define yet; one that it does define goes before. */
const ownDefinitions: readonly ServedEndpoint[] = [
  {
    id: 'contract-deployment',
    number: 2,
    api: 'data',
    path: '/v1/chains/{chainId}/contracts/{address}/transactions:getDeployment',
    params: { chainId, address: contractAddress, currency: choice('query', Object.keys(unitsPerUsd)) },
    paging: null,
  },
  {
    id: 'address-erc1155-transfers',
    number: 3,
    api: 'data',
    path: '/v1/chains/{chainId}/addresses/{address}/transactions:listErc1155',
    params: addressList,
    rules: [blockRangeIsNotEmpty],
    paging: { itemsKey: 'transactions' },
  },
  {
    id: 'token-transfers',
    number: 5,
    api: 'data',
    path: '/v1/chains/{chainId}/tokens/{address}/transfers',
    params: { ...addressList, address: contractAddress },
    rules: [blockRangeIsNotEmpty],
    paging: { itemsKey: 'transfers' },
  },
  {
    id: 'address-internal-transactions',
    number: 6,
    api: 'data',
    path: '/v1/chains/{chainId}/addresses/{address}/transactions:listInternals',
    params: addressList,
    rules: [blockRangeIsNotEmpty],
    paging: { itemsKey: 'transactions' },
  },
  {
    id: 'address-native-transactions',
    number: 7,
    api: 'data',
    path: '/v1/chains/{chainId}/addresses/{address}/transactions:listNative',
    params: addressList,
    rules: [blockRangeIsNotEmpty],
    paging: { itemsKey: 'transactions' },
  },
  {
    id: 'block-transactions',
    number: 8,
    api: 'data',
    path: '/v1/chains/{chainId}/blocks/{blockId}/transactions',
    params: {
      chainId,
      blockId: { in: 'path', kind: 'block', required: true, description: 'A block number or block hash.' },
      pageToken,
      pageSize: { ...pageSize, min: 0, default: '0' },
    },
    paging: { itemsKey: 'transactions' },
  },
  {
    id: 'contract-deployments',
    number: 10,
    api: 'data',
    path: '/v1/chains/{chainId}/contracts/{address}/deployments',
    params: { chainId, address: walletAddress, pageToken, pageSize },
    paging: { itemsKey: 'contracts' },
  },
  {
    id: 'latest-transactions',
    number: 12,
    api: 'data',
    path: '/v1/transactions',
    params: { network, status: transactionStatus, pageToken, pageSize },
    paging: { itemsKey: 'transactions' },
  },
  {
    id: 'staking-metrics',
    number: 14,
    api: 'metrics',
    path: '/v2/networks/{network}/metrics/{metric}',
    params: {
      network: choice('path', ['mainnet', 'fuji', 'testnet']),
      metric: choice('path', ['delegatorCount', 'delegatorWeight', 'validatorCount', 'validatorWeight']),
      ...timeRange,
      ...metricPaging,
      subnetId: { in: 'query', kind: 'subnet-id', required: false, description: 'Only this subnet.' },
    },
    paging: { itemsKey: 'results' },
  },
  {
    id: 'rolling-window-metrics',
    number: 15,
    api: 'metrics',
    path: '/v2/chains/{chainId}/rollingWindowMetrics/{metric}',
    params: {
      chainId: { ...chainId, values: ['total', 'mainnet', 'testnet'] },
      metric: choice('path', [
        'gasUsed',
        'txCount',
        'avgGps',
        'maxGps',
        'avgTps',
        'maxTps',
        'avgGasPrice',
        'maxGasPrice',
        'feesPaid',
        'contracts',
        'deployers',
        'activeAddresses',
        'activeSenders',
      ]),
    },
    paging: null,
  },
  {
    id: 'validator-metrics',
    number: 16,
    api: 'metrics',
    path: '/v2/validator/{nodeId}/metrics/{metric}',
    params: {
      nodeId: { in: 'path', kind: 'node-id', required: true, description: 'A Primary Network node id.' },
      metric: choice('path', ['perNodeCumulativeFeesPaid', 'perNodeDailyFeesPaid']),
      ...timeRange,
    },
    paging: { itemsKey: 'results' },
  },
  {
    id: 'icm-timeseries',
    number: 17,
    api: 'metrics',
    path: '/v2/icm/timeseries',
    params: {
      ...timeRange,
      srcBlockchainId: blockchain('Only messages from this chain.'),
      destBlockchainId: blockchain('Only messages to this chain.'),
      timeInterval: choice('query', ['hour', 'day', 'week', 'month']),
      ...metricPaging,
      groupBy: choice('query', ['srcBlockchainId', 'destBlockchainId', 'srcBlockchainId,destBlockchainId']),
      network,
    },
    paging: { itemsKey: 'results' },
  },
];

/** The definitions of all seventeen endpoints, by their number in the specification. */
export function servedEndpoints(): ReadonlyMap<number, ServedEndpoint> {
  const registered: readonly ServedEndpoint[] = Object.values(endpoints);
  return new Map([...ownDefinitions, ...registered].map((endpoint) => [endpoint.number, endpoint]));
}

function choice(place: 'path' | 'query', values: readonly string[]): ParamSpec {
  return {
    in: place,
    kind: 'choice',
    required: place === 'path',
    description: 'One of the listed values.',
    values,
  };
}

function timestamp(): ParamSpec {
  return { in: 'query', kind: 'timestamp', required: false, description: 'Seconds since 1970.', min: 0 };
}

function blockchain(description: string): ParamSpec {
  return { in: 'query', kind: 'blockchain-id', required: false, description };
}
