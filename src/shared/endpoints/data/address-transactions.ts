import * as z from 'zod/mini';
import { defineEndpoint } from '../define.ts';
import { list } from '../fields.ts';
import { blockRange, blockRangeIsNotEmpty, chainId, pageSize, pageToken, walletAddress } from '../params.ts';
import { addressTransaction, pageEnvelope } from '../records.ts';

/** Endpoint 1. Each element shows only the sub-transactions that touch the address. */
export const addressTransactions = defineEndpoint({
  id: 'address-transactions',
  number: 1,
  title: 'Transactions of an address',
  api: 'data',
  path: '/v1/chains/{chainId}/addresses/{address}/transactions',
  params: {
    chainId,
    address: walletAddress,
    ...blockRange,
    sortOrder: {
      in: 'query',
      kind: 'choice',
      required: false,
      description: 'Order by time; the default is not specified, so it is best always given.',
      values: ['asc', 'desc'],
    },
    pageSize,
    pageToken,
  },
  rules: [blockRangeIsNotEmpty],
  response: z.looseObject({ ...pageEnvelope, transactions: list(addressTransaction) }),
  paging: { itemsKey: 'transactions' },
  freshForMs: 15_000,
  view: 'table',
});
