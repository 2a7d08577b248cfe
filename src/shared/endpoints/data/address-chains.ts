import * as z from 'zod/mini';
import { defineEndpoint } from '../define.ts';
import { optionalList, text } from '../fields.ts';
import { walletAddress } from '../params.ts';
import { chainRecord } from '../records.ts';

/** Endpoint 13. The service refreshes this data every 15 minutes, so asking sooner tells nothing new. */
export const addressChains = defineEndpoint({
  id: 'address-chains',
  number: 13,
  title: 'Chains of an address',
  api: 'data',
  path: '/v1/address/{address}/chains',
  params: { address: walletAddress },
  response: z.looseObject({
    indexedChains: optionalList(chainRecord),
    unindexedChains: optionalList(text),
  }),
  paging: null,
  freshForMs: 15 * 60_000,
  view: 'table',
});
