import * as z from 'zod/mini';
import { defineEndpoint } from '../define.ts';
import { idText, optional, optionalSet } from '../fields.ts';
import { walletAddress } from '../params.ts';
import { chainRecords, onlyUnindexed } from '../records.ts';

/** Endpoint 13. The service refreshes this data every 15 minutes, so asking sooner tells nothing new. */
export const addressChains = defineEndpoint({
  id: 'address-chains',
  number: 13,
  title: 'Chains of an address',
  api: 'data',
  path: '/v1/address/{address}/chains',
  params: { address: walletAddress },
  response: z.pipe(
    z.looseObject({
      indexedChains: optional(chainRecords),
      unindexedChains: optionalSet(idText),
    }),
    z.transform(({ unindexedChains, ...answer }) => ({
      ...answer,
      unindexedChains: unindexedChains && onlyUnindexed(answer.indexedChains ?? [], unindexedChains),
    })),
  ),
  paging: null,
  freshForMs: 15 * 60_000,
  view: 'table',
});
