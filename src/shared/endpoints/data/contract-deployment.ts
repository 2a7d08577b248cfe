import { currencies } from '../../currencies.ts';
import { defineEndpoint } from '../define.ts';
import { chainId, contractAddress } from '../params.ts';
import { transactionDetail } from '../records.ts';

/** Endpoint 2: the transaction that deployed a contract, complete. Only the current price in it changes. */
export const contractDeployment = defineEndpoint({
  id: 'contract-deployment',
  number: 2,
  title: 'Deployment of a contract',
  api: 'data',
  path: '/v1/chains/{chainId}/contracts/{address}/transactions:getDeployment',
  params: {
    chainId,
    address: contractAddress,
    currency: {
      in: 'query',
      kind: 'choice',
      required: false,
      description: 'The currency of prices.',
      values: currencies,
      default: 'usd',
    },
  },
  response: transactionDetail,
  paging: null,
  freshForMs: 3_600_000,
  view: 'record',
});
