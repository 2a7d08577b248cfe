import * as z from 'zod/mini';
import { defineEndpoint } from '../define.ts';
import { list } from '../fields.ts';
import { addressListParams, blockRangeIsNotEmpty } from '../params.ts';
import { nativeTransaction, pageEnvelope } from '../records.ts';

/** Endpoint 7. */
export const addressNativeTransactions = defineEndpoint({
  id: 'address-native-transactions',
  number: 7,
  title: 'Native transactions of an address',
  api: 'data',
  path: '/v1/chains/{chainId}/addresses/{address}/transactions:listNative',
  params: addressListParams,
  rules: [blockRangeIsNotEmpty],
  response: z.looseObject({ ...pageEnvelope, transactions: list(nativeTransaction) }),
  paging: { itemsKey: 'transactions' },
  freshForMs: 15_000,
  view: 'table',
});
