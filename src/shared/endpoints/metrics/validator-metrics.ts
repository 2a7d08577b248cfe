import * as z from 'zod/mini';
import { defineEndpoint } from '../define.ts';
import { list } from '../fields.ts';
import { timeRange, timeRangeIsNotEmpty } from '../params.ts';
import { pageEnvelope, seriesPoint } from '../records.ts';

/** Endpoint 16. */
export const validatorMetrics = defineEndpoint({
  id: 'validator-metrics',
  number: 16,
  title: 'Fees of a validator over time',
  api: 'metrics',
  path: '/v2/validator/{nodeId}/metrics/{metric}',
  params: {
    nodeId: {
      in: 'path',
      kind: 'node-id',
      required: true,
      description: 'The id of a node of the Primary Network.',
    },
    metric: {
      in: 'path',
      kind: 'choice',
      required: true,
      description: 'Fees since the beginning, or of each day.',
      values: ['perNodeCumulativeFeesPaid', 'perNodeDailyFeesPaid'],
    },
    ...timeRange,
  },
  rules: [timeRangeIsNotEmpty],
  response: z.looseObject({ ...pageEnvelope, results: list(seriesPoint) }),
  // The specification gives the answer a token and the request no place for it; further points need a time range.
  paging: { itemsKey: 'results', isSinglePage: true },
  freshForMs: 10 * 60_000,
  view: 'series',
});
