import * as z from 'zod/mini';
import { defineEndpoint } from '../define.ts';
import { decimal, optional } from '../fields.ts';
import { chainId } from '../params.ts';

/** The metrics that count addresses, and the windows that they have not (specification, rules for endpoint 15). */
const addressCounts: readonly string[] = ['activeAddresses', 'activeSenders'];
const longWindows = ['result.lastMonth', 'result.last90Days', 'result.lastYear', 'result.allTime'];

/** Endpoint 15. */
export const rollingWindowMetrics = defineEndpoint({
  id: 'rolling-window-metrics',
  number: 15,
  title: 'Rolling windows of a chain',
  api: 'metrics',
  path: '/v2/chains/{chainId}/rollingWindowMetrics/{metric}',
  params: {
    chainId: {
      ...chainId,
      description: 'An EVM chain id; or all chains, or those of one network.',
      values: ['total', 'mainnet', 'testnet'],
    },
    metric: {
      in: 'path',
      kind: 'choice',
      required: true,
      description:
        'What is counted or measured; active addresses and senders only by the hour, the day and the week.',
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
