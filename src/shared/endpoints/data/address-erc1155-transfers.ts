import * as z from 'zod/mini';
import { defineEndpoint } from '../define.ts';
import { list } from '../fields.ts';
import { addressListParams, blockRangeIsNotEmpty } from '../params.ts';
import { erc1155Transfer, pageEnvelope } from '../records.ts';

/** Endpoint 3. */
export const addressErc1155Transfers = defineEndpoint({
  id: 'address-erc1155-transfers',
  number: 3,
  title: 'ERC-1155 transfers of an address',
  api: 'data',
  path: '/v1/chains/{chainId}/addresses/{address}/transactions:listErc1155',
  params: addressListParams,
  rules: [blockRangeIsNotEmpty],
  response: z.looseObject({ ...pageEnvelope, transactions: list(erc1155Transfer) }),
  paging: { itemsKey: 'transactions' },
  freshForMs: 15_000,
  view: 'table',
});
