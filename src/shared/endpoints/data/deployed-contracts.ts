import * as z from 'zod/mini';
import { defineEndpoint } from '../define.ts';
import { list } from '../fields.ts';
import { chainId, pageSize, pageToken, walletAddress } from '../params.ts';
import { deployedContract, pageEnvelope } from '../records.ts';

/** Endpoint 10. */
export const deployedContracts = defineEndpoint({
  id: 'deployed-contracts',
  number: 10,
  title: 'Contracts deployed by an address',
  api: 'data',
  path: '/v1/chains/{chainId}/contracts/{address}/deployments',
  params: {
    chainId,
    address: { ...walletAddress, description: 'The address of the deployer.' },
    pageSize,
    pageToken,
  },
  response: z.looseObject({ ...pageEnvelope, contracts: list(deployedContract) }),
  paging: { itemsKey: 'contracts' },
  freshForMs: 60_000,
  view: 'table',
});
