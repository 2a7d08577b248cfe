import * as z from 'zod/mini';
import { defineEndpoint } from './define.ts';
import { idText, list, optional, optionalSet } from './fields.ts';
import {
  addressListParams,
  blockRange,
  blockRangeIsNotEmpty,
  chainId,
  contractAddress,
  inPath,
  inQuery,
  networkFilter,
  pageSize,
  pageToken,
  transactionStatus,
  walletAddress,
} from './params.ts';
import {
  addressTransaction,
  chainRecords,
  deployedContract,
  erc1155Transfer,
  erc20Transfer,
  internalTransaction,
  nativeTransaction,
  onlyUnindexed,
  pageEnvelope,
  tokenTransfer,
  transactionDetail,
} from './records.ts';

/** The endpoints of the data interface (specification, "Data endpoints"), in the order of the specification. */

const transactionsOf = <Element extends z.core.SomeType>(element: Element) => ({
  api: 'data' as const,
  response: z.looseObject({ ...pageEnvelope, transactions: list(element) }),
  paging: { itemsKey: 'transactions' },
  view: 'table' as const,
});

/** Lists for one address, newest first. */
const transfersOf = <Element extends z.core.SomeType>(element: Element) => ({
  ...transactionsOf(element),
  params: addressListParams,
  rules: [blockRangeIsNotEmpty],
  freshForMs: 15_000,
});

/** Each element has only the sub-transactions that involve the address. */
export const addressTransactions = defineEndpoint({
  id: 'address-transactions',
  number: 1,
  title: 'Transactions for an address',
  path: '/v1/chains/{chainId}/addresses/{address}/transactions',
  params: {
    chainId,
    address: walletAddress,
    ...blockRange,
    sortOrder: inQuery(
      'choice',
      'Oldest (ascending) or newest (descending) first. The service doesn’t document its default, so choose an order.',
      { values: ['asc', 'desc'] },
    ),
    pageSize,
    pageToken,
  },
  rules: [blockRangeIsNotEmpty],
  ...transactionsOf(addressTransaction),
  freshForMs: 15_000,
});

/** In the specification's order. */
const currencies = [
  'usd',
  'eur',
  'aud',
  'cad',
  'chf',
  'clp',
  'cny',
  'czk',
  'dkk',
  'gbp',
  'hkd',
  'huf',
  'jpy',
  'nzd',
] as const;

/** The complete transaction that deployed a contract. Only the current price in it changes. */
export const contractDeployment = defineEndpoint({
  id: 'contract-deployment',
  number: 2,
  title: 'Contract deployment',
  api: 'data',
  path: '/v1/chains/{chainId}/contracts/{address}/transactions:getDeployment',
  params: {
    chainId,
    address: contractAddress,
    currency: inQuery('choice', 'The currency to show prices in.', { values: currencies, default: 'usd' }),
  },
  response: transactionDetail,
  paging: null,
  freshForMs: 3_600_000,
  view: 'record',
});

export const addressErc1155Transfers = defineEndpoint({
  id: 'address-erc1155-transfers',
  number: 3,
  title: 'ERC-1155 transfers for an address',
  path: '/v1/chains/{chainId}/addresses/{address}/transactions:listErc1155',
  ...transfersOf(erc1155Transfer),
});

export const addressErc20Transfers = defineEndpoint({
  id: 'address-erc20-transfers',
  number: 4,
  title: 'ERC-20 transfers for an address',
  path: '/v1/chains/{chainId}/addresses/{address}/transactions:listErc20',
  ...transfersOf(erc20Transfer),
});

/** For an ERC-20, ERC-721 or ERC-1155 contract. */
export const tokenTransfers = defineEndpoint({
  id: 'token-transfers',
  number: 5,
  title: 'Token transfers for a contract',
  api: 'data',
  path: '/v1/chains/{chainId}/tokens/{address}/transfers',
  params: { ...addressListParams, address: contractAddress },
  rules: [blockRangeIsNotEmpty],
  response: z.looseObject({ ...pageEnvelope, transfers: list(tokenTransfer) }),
  paging: { itemsKey: 'transfers' },
  freshForMs: 15_000,
  view: 'table',
});

/** Contains only calls with a value, and creations. */
export const addressInternalTransactions = defineEndpoint({
  id: 'address-internal-transactions',
  number: 6,
  title: 'Internal transactions for an address',
  path: '/v1/chains/{chainId}/addresses/{address}/transactions:listInternals',
  ...transfersOf(internalTransaction),
});

export const addressNativeTransactions = defineEndpoint({
  id: 'address-native-transactions',
  number: 7,
  title: 'Native transactions for an address',
  path: '/v1/chains/{chainId}/addresses/{address}/transactions:listNative',
  ...transfersOf(nativeTransaction),
});

/** The specification does not say what the default page size of 0 means; for the public service it is all. */
export const blockTransactions = defineEndpoint({
  id: 'block-transactions',
  number: 8,
  title: 'Transactions in a block',
  path: '/v1/chains/{chainId}/blocks/{blockId}/transactions',
  params: {
    chainId,
    blockId: inPath('block', 'A block number or a block hash.'),
    pageSize: { ...pageSize, min: 0, default: '0' },
    pageToken,
  },
  ...transactionsOf(nativeTransaction),
  freshForMs: 60_000,
});

export const chainTransactions = defineEndpoint({
  id: 'chain-transactions',
  number: 9,
  title: 'Latest transactions on a chain',
  path: '/v1/chains/{chainId}/transactions',
  params: { chainId, status: transactionStatus, pageSize, pageToken },
  ...transactionsOf(nativeTransaction),
  freshForMs: 10_000,
});

export const deployedContracts = defineEndpoint({
  id: 'deployed-contracts',
  number: 10,
  title: 'Contracts deployed by an address',
  api: 'data',
  path: '/v1/chains/{chainId}/contracts/{address}/deployments',
  params: { chainId, address: inPath('address', 'The deployer’s address.'), pageSize, pageToken },
  response: z.looseObject({ ...pageEnvelope, contracts: list(deployedContract) }),
  paging: { itemsKey: 'contracts' },
  freshForMs: 60_000,
  view: 'table',
});

/** Only the current price in it changes, so it stays fresh for an hour. */
export const transaction = defineEndpoint({
  id: 'transaction',
  number: 11,
  title: 'Transaction',
  api: 'data',
  path: '/v1/chains/{chainId}/transactions/{txHash}',
  params: { chainId, txHash: inPath('tx-hash', 'A transaction hash.') },
  response: transactionDetail,
  paging: null,
  freshForMs: 3_600_000,
  view: 'record',
});

export const latestTransactions = defineEndpoint({
  id: 'latest-transactions',
  number: 12,
  title: 'Latest transactions on all chains',
  path: '/v1/transactions',
  params: { network: networkFilter, status: transactionStatus, pageSize, pageToken },
  ...transactionsOf(nativeTransaction),
  freshForMs: 10_000,
});

/** The service updates this data every 15 minutes, so asking earlier brings nothing new. */
export const addressChains = defineEndpoint({
  id: 'address-chains',
  number: 13,
  title: 'Chains for an address',
  api: 'data',
  path: '/v1/address/{address}/chains',
  params: { address: walletAddress },
  response: z.pipe(
    z.looseObject({ indexedChains: optional(chainRecords), unindexedChains: optionalSet(idText) }),
    z.transform(({ unindexedChains, ...answer }) => ({
      ...answer,
      unindexedChains: unindexedChains && onlyUnindexed(answer.indexedChains ?? [], unindexedChains),
    })),
  ),
  paging: null,
  lists: ['indexedChains', 'unindexedChains'],
  freshForMs: 15 * 60_000,
  view: 'table',
});
