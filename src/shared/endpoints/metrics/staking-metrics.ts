import * as z from 'zod/mini';
import { defineEndpoint } from '../define.ts';
import { list } from '../fields.ts';
import { networkFilter, pageToken, pointsPageSize, timeRange, timeRangeIsNotEmpty } from '../params.ts';
import { pageEnvelope, seriesPoint } from '../records.ts';

/** Endpoint 14. The points are those of days, and the service is days behind (facts §4). */
export const stakingMetrics = defineEndpoint({
  id: 'staking-metrics',
  number: 14,
  title: 'Staking over time',
  api: 'metrics',
  path: '/v2/networks/{network}/metrics/{metric}',
  params: {
    network: { ...networkFilter, in: 'path', required: true, description: 'The network.' },
    metric: {
      in: 'path',
      kind: 'choice',
      required: true,
      description: 'What is counted or weighed.',
      values: ['delegatorCount', 'delegatorWeight', 'validatorCount', 'validatorWeight'],
    },
    // The specification gives a default and says that without the parameter all subnets count: it cannot be both.
    subnetId: {
      in: 'query',
      kind: 'subnet-id',
      required: false,
      description: 'Only this subnet; what is counted without it is not clear, so it is best always given.',
      default: '11111111111111111111111111111111LpoYY',
    },
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
