import * as z from 'zod/mini';
import { defineEndpoint } from '../define.ts';
import { list } from '../fields.ts';
import { addressListParams, blockRangeIsNotEmpty } from '../params.ts';
import { internalTransaction, pageEnvelope } from '../records.ts';

/** Endpoint 6. Holds only calls with a value, and creations. */
export const addressInternalTransactions = defineEndpoint({
  id: 'address-internal-transactions',
  number: 6,
  title: 'Internal transactions of an address',
  api: 'data',
  path: '/v1/chains/{chainId}/addresses/{address}/transactions:listInternals',
  params: addressListParams,
  rules: [blockRangeIsNotEmpty],
  response: z.looseObject({ ...pageEnvelope, transactions: list(internalTransaction) }),
  paging: { itemsKey: 'transactions' },
  freshForMs: 15_000,
  view: 'table',
});
