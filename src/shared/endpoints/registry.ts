import { addressChains } from './data/address-chains.ts';
import { addressErc20Transfers } from './data/address-erc20-transfers.ts';
import { addressTransactions } from './data/address-transactions.ts';
import { chainTransactions } from './data/chain-transactions.ts';
import { transaction } from './data/transaction.ts';
import type { EndpointDefinition, ParamsOf, ResponseOf } from './define.ts';

/** Every endpoint that the app knows, by id. A test fails when a file beside this one is missing here. */
export const endpoints = {
  [addressTransactions.id]: addressTransactions,
  [addressErc20Transfers.id]: addressErc20Transfers,
  [chainTransactions.id]: chainTransactions,
  [transaction.id]: transaction,
  [addressChains.id]: addressChains,
} as const;

export type EndpointId = keyof typeof endpoints;

export type ParamsById = { [Id in EndpointId]: ParamsOf<(typeof endpoints)[Id]> };

export type ResponseById = { [Id in EndpointId]: ResponseOf<(typeof endpoints)[Id]> };

/** The definition with this id, or undefined: ids arrive as unknown strings from the window. */
export function findEndpoint(id: string): EndpointDefinition | undefined {
  // It is a key, as was just asked.
  return Object.hasOwn(endpoints, id) ? endpoints[id as EndpointId] : undefined;
}
