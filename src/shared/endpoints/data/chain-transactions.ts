import * as z from 'zod/mini';
import { defineEndpoint } from '../define.ts';
import { list } from '../fields.ts';
import { chainId, pageSize, pageToken, transactionStatus } from '../params.ts';
import { nativeTransaction, pageEnvelope } from '../records.ts';

/** Endpoint 9. */
export const chainTransactions = defineEndpoint({
  id: 'chain-transactions',
  number: 9,
  title: 'Latest transactions of a chain',
  api: 'data',
  path: '/v1/chains/{chainId}/transactions',
  params: { chainId, status: transactionStatus, pageSize, pageToken },
  response: z.looseObject({ ...pageEnvelope, transactions: list(nativeTransaction) }),
  paging: { itemsKey: 'transactions' },
  freshForMs: 10_000,
  view: 'table',
});
