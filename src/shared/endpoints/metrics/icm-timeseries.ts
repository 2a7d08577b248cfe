import * as z from 'zod/mini';
import { defineEndpoint } from '../define.ts';
import { list } from '../fields.ts';
import { networkFilter, pageToken, pointsPageSize, timeRange, timeRangeIsNotEmpty } from '../params.ts';
import { messageSeriesPoint, pageEnvelope } from '../records.ts';

/**
 * Endpoint 17. The filters choose messages, and `groupBy` how finely they are counted; all combinations are legal. The
 * specification also limits metrics named `cumulative…`, `max…` and `avg…` to days, but no parameter here names a metric,
 * so there is nothing to check.
 */
export const icmTimeseries = defineEndpoint({
  id: 'icm-timeseries',
  number: 17,
  title: 'Cross-chain messages over time',
  api: 'metrics',
  path: '/v2/icm/timeseries',
  params: {
    network: networkFilter,
    srcBlockchainId: {
      in: 'query',
      kind: 'blockchain-id',
      required: false,
      description: 'Only messages from this chain.',
    },
    destBlockchainId: {
      in: 'query',
      kind: 'blockchain-id',
      required: false,
      description: 'Only messages to this chain.',
    },
    groupBy: {
      in: 'query',
      kind: 'choice',
      required: false,
      description: 'One series for each source, each destination, or each pair; without it one in all.',
      values: ['srcBlockchainId', 'destBlockchainId', 'srcBlockchainId,destBlockchainId'],
    },
    timeInterval: {
      in: 'query',
      kind: 'choice',
      required: false,
      description:
        'The time that each point stands for; the default is not specified, so it is best always given.',
      values: ['hour', 'day', 'week', 'month'],
    },
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
