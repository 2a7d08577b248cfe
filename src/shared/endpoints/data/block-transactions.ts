import * as z from 'zod/mini';
import { defineEndpoint } from '../define.ts';
import { list } from '../fields.ts';
import { chainId, pageSize, pageToken } from '../params.ts';
import { nativeTransaction, pageEnvelope } from '../records.ts';

/** Endpoint 8. What a page size of 0, its default, means is not specified; the public service takes it for all. */
export const blockTransactions = defineEndpoint({
  id: 'block-transactions',
  number: 8,
  title: 'Transactions of a block',
  api: 'data',
  path: '/v1/chains/{chainId}/blocks/{blockId}/transactions',
  params: {
    chainId,
    blockId: {
      in: 'path',
      kind: 'block',
      required: true,
      description: 'A block number or a block hash.',
    },
    pageSize: { ...pageSize, min: 0, default: '0' },
    pageToken,
  },
  response: z.looseObject({ ...pageEnvelope, transactions: list(nativeTransaction) }),
  paging: { itemsKey: 'transactions' },
  freshForMs: 60_000,
  view: 'table',
});
