import { defineEndpoint } from '../define.ts';
import { chainId } from '../params.ts';
import { transactionDetail } from '../records.ts';

/** Endpoint 11. Only the current price in it changes, so an answer stays good for an hour. */
export const transaction = defineEndpoint({
  id: 'transaction',
  number: 11,
  title: 'Transaction',
  api: 'data',
  path: '/v1/chains/{chainId}/transactions/{txHash}',
  params: {
    chainId,
    txHash: {
      in: 'path',
      kind: 'tx-hash',
      required: true,
      description: 'The hash of a transaction.',
    },
  },
  response: transactionDetail,
  paging: null,
  freshForMs: 3_600_000,
  view: 'record',
});
