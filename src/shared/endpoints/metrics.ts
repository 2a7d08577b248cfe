import * as z from 'zod/mini';
import { defineEndpoint } from './define.ts';
import { decimal, list, optional } from './fields.ts';
import {
  inPath,
  inQuery,
  networkFilter,
  networks,
  pageToken,
  pointsPageSize,
  timeRange,
  timeRangeIsNotEmpty,
} from './params.ts';
import { messageSeriesPoint, pageEnvelope, seriesPoint } from './records.ts';

/** The endpoints of the metrics interface (specification, "Metrics endpoints"), in the order of the specification. */

/** One point per day, and the service lags days behind (service-and-node.md §4). */
export const stakingMetrics = defineEndpoint({
  id: 'staking-metrics',
  number: 14,
  title: 'Staking over time',
  api: 'metrics',
  path: '/v2/networks/{network}/metrics/{metric}',
  params: {
    network: inPath('choice', 'The network.', { values: networks }),
    metric: inPath('choice', 'What to measure.', {
      values: ['delegatorCount', 'delegatorWeight', 'validatorCount', 'validatorWeight'],
    }),
    // The specification contradicts itself: it gives a default, but also says that without it all subnets count.
    subnetId: inQuery(
      'subnet-id',
      'Counts only this subnet. If you leave the field empty, the service may count all subnets.',
      { default: '11111111111111111111111111111111LpoYY' },
    ),
    ...timeRange,
    pageSize: pointsPageSize,
    pageToken,
  },
  rules: [timeRangeIsNotEmpty],
  response: z.looseObject({ ...pageEnvelope, results: list(seriesPoint) }),
  paging: { itemsKey: 'results' },
  freshForMs: 10 * 60_000,
  view: 'series',
});

/** Metrics that count addresses, and the windows they lack (specification, rules for endpoint 15). */
const addressCounts: readonly string[] = ['activeAddresses', 'activeSenders'];
const longWindows = ['result.lastMonth', 'result.last90Days', 'result.lastYear', 'result.allTime'];

export const rollingWindowMetrics = defineEndpoint({
  id: 'rolling-window-metrics',
  number: 15,
  title: 'Rolling window metrics for a chain',
  api: 'metrics',
  path: '/v2/chains/{chainId}/rollingWindowMetrics/{metric}',
  params: {
    chainId: inPath(
      'chain',
      'An EVM chain ID, “mainnet” or “testnet” for all chains of that network, or “total” for all chains.',
      { values: ['total', 'mainnet', 'testnet'] },
    ),
    metric: inPath(
      'choice',
      'What to measure. Active addresses and senders are available only by hour, day and week.',
      {
        values: [
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
        ],
      },
    ),
  },
  notOffered: ({ metric = '' }) => (addressCounts.includes(metric) ? longWindows : []),
  response: z.looseObject({
    result: z.looseObject({
      lastHour: optional(decimal),
      lastDay: optional(decimal),
      lastWeek: optional(decimal),
      lastMonth: optional(decimal),
      last90Days: optional(decimal),
      lastYear: optional(decimal),
      allTime: optional(decimal),
    }),
  }),
  paging: null,
  freshForMs: 5 * 60_000,
  view: 'table',
});

export const validatorMetrics = defineEndpoint({
  id: 'validator-metrics',
  number: 16,
  title: 'Validator fees over time',
  api: 'metrics',
  path: '/v2/validator/{nodeId}/metrics/{metric}',
  params: {
    nodeId: inPath('node-id', 'A Primary Network node ID.'),
    metric: inPath('choice', 'Total fees, or fees per day.', {
      values: ['perNodeCumulativeFeesPaid', 'perNodeDailyFeesPaid'],
    }),
    ...timeRange,
  },
  rules: [timeRangeIsNotEmpty],
  response: z.looseObject({ ...pageEnvelope, results: list(seriesPoint) }),
  // By the specification the answer has a token but the request cannot send it; more points need a time range.
  paging: { itemsKey: 'results', isSinglePage: true },
  freshForMs: 10 * 60_000,
  view: 'series',
});

/**
 * The filters select messages, `groupBy` the granularity of the counts; all combinations are valid. The specification
 * also limits metrics named `cumulative…`, `max…` and `avg…` to days, but no parameter here names a metric, so there is
 * nothing to check.
 */
export const icmTimeseries = defineEndpoint({
  id: 'icm-timeseries',
  number: 17,
  title: 'Cross-chain messages over time',
  api: 'metrics',
  path: '/v2/icm/timeseries',
  params: {
    network: networkFilter,
    srcBlockchainId: inQuery('blockchain-id', 'Only messages from this chain.'),
    destBlockchainId: inQuery('blockchain-id', 'Only messages to this chain.'),
    groupBy: inQuery(
      'choice',
      'One series per source, destination or pair. Leave empty for a single series.',
      { values: ['srcBlockchainId', 'destBlockchainId', 'srcBlockchainId,destBlockchainId'] },
    ),
    timeInterval: inQuery(
      'choice',
      'How much time each point covers. The service doesn’t document its default, so choose a period.',
      { values: ['hour', 'day', 'week', 'month'] },
    ),
    ...timeRange,
    pageSize: pointsPageSize,
    pageToken,
  },
  rules: [timeRangeIsNotEmpty],
  response: z.looseObject({ ...pageEnvelope, results: list(messageSeriesPoint) }),
  paging: { itemsKey: 'results' },
  freshForMs: 5 * 60_000,
  view: 'series',
});
