import * as z from 'zod/mini';
import { defineEndpoint } from '../define.ts';
import { list } from '../fields.ts';
import { blockRange, blockRangeIsNotEmpty, chainId, pageSize, pageToken, walletAddress } from '../params.ts';
import { erc20Transfer, pageEnvelope } from '../records.ts';

/** Endpoint 4. */
export const addressErc20Transfers = defineEndpoint({
  id: 'address-erc20-transfers',
  number: 4,
  title: 'ERC-20 transfers of an address',
  api: 'data',
  path: '/v1/chains/{chainId}/addresses/{address}/transactions:listErc20',
  params: { chainId, address: walletAddress, ...blockRange, pageSize, pageToken },
  rules: [blockRangeIsNotEmpty],
  response: z.looseObject({ ...pageEnvelope, transactions: list(erc20Transfer) }),
  paging: { itemsKey: 'transactions' },
  freshForMs: 15_000,
  view: 'table',
});
