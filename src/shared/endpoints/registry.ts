import { addressChains } from './data/address-chains.ts';
import { addressErc1155Transfers } from './data/address-erc1155-transfers.ts';
import { addressErc20Transfers } from './data/address-erc20-transfers.ts';
import { addressInternalTransactions } from './data/address-internal-transactions.ts';
import { addressNativeTransactions } from './data/address-native-transactions.ts';
import { addressTransactions } from './data/address-transactions.ts';
import { blockTransactions } from './data/block-transactions.ts';
import { chainTransactions } from './data/chain-transactions.ts';
import { contractDeployment } from './data/contract-deployment.ts';
import { deployedContracts } from './data/deployed-contracts.ts';
import { latestTransactions } from './data/latest-transactions.ts';
import { tokenTransfers } from './data/token-transfers.ts';
import { transaction } from './data/transaction.ts';
import type { EndpointDefinition, ParamsOf, ResponseOf } from './define.ts';
import { icmTimeseries } from './metrics/icm-timeseries.ts';
import { rollingWindowMetrics } from './metrics/rolling-window-metrics.ts';
import { stakingMetrics } from './metrics/staking-metrics.ts';
import { validatorMetrics } from './metrics/validator-metrics.ts';

/** Every endpoint that the app knows, by id, in the order of the specification. A test fails when a file beside this one is missing here. */
export const endpoints = {
  [addressTransactions.id]: addressTransactions,
  [contractDeployment.id]: contractDeployment,
  [addressErc1155Transfers.id]: addressErc1155Transfers,
  [addressErc20Transfers.id]: addressErc20Transfers,
  [tokenTransfers.id]: tokenTransfers,
  [addressInternalTransactions.id]: addressInternalTransactions,
  [addressNativeTransactions.id]: addressNativeTransactions,
  [blockTransactions.id]: blockTransactions,
  [chainTransactions.id]: chainTransactions,
  [deployedContracts.id]: deployedContracts,
  [transaction.id]: transaction,
  [latestTransactions.id]: latestTransactions,
  [addressChains.id]: addressChains,
  [stakingMetrics.id]: stakingMetrics,
  [rollingWindowMetrics.id]: rollingWindowMetrics,
  [validatorMetrics.id]: validatorMetrics,
  [icmTimeseries.id]: icmTimeseries,
} as const;

export type EndpointId = keyof typeof endpoints;

export type ParamsById = { [Id in EndpointId]: ParamsOf<(typeof endpoints)[Id]> };

export type ResponseById = { [Id in EndpointId]: ResponseOf<(typeof endpoints)[Id]> };

/** The definition with this id, or undefined: ids arrive as unknown strings from the window. */
export function findEndpoint(id: string): EndpointDefinition | undefined {
  // It is a key, as was just asked.
  return Object.hasOwn(endpoints, id) ? endpoints[id as EndpointId] : undefined;
}
