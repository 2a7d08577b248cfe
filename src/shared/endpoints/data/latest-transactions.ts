import * as z from 'zod/mini';
import { defineEndpoint } from '../define.ts';
import { list } from '../fields.ts';
import { networkFilter, pageSize, pageToken, transactionStatus } from '../params.ts';
import { nativeTransaction, pageEnvelope } from '../records.ts';

/** Endpoint 12. */
export const latestTransactions = defineEndpoint({
  id: 'latest-transactions',
  number: 12,
  title: 'Latest transactions of all chains',
  api: 'data',
  path: '/v1/transactions',
  params: { network: networkFilter, status: transactionStatus, pageSize, pageToken },
  response: z.looseObject({ ...pageEnvelope, transactions: list(nativeTransaction) }),
  paging: { itemsKey: 'transactions' },
  freshForMs: 10_000,
  view: 'table',
});
