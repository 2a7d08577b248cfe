import * as z from 'zod/mini';
import { defineEndpoint } from '../define.ts';
import { list } from '../fields.ts';
import { addressListParams, blockRangeIsNotEmpty, contractAddress } from '../params.ts';
import { pageEnvelope, tokenTransfer } from '../records.ts';

/** Endpoint 5, of an ERC-20, ERC-721 or ERC-1155 contract. */
export const tokenTransfers = defineEndpoint({
  id: 'token-transfers',
  number: 5,
  title: 'Transfers of a token contract',
  api: 'data',
  path: '/v1/chains/{chainId}/tokens/{address}/transfers',
  params: { ...addressListParams, address: contractAddress },
  rules: [blockRangeIsNotEmpty],
  response: z.looseObject({ ...pageEnvelope, transfers: list(tokenTransfer) }),
  paging: { itemsKey: 'transfers' },
  freshForMs: 15_000,
  view: 'table',
});
