import * as z from 'zod/mini';
import {
  decimal,
  distinct,
  each,
  identity,
  idText,
  integerText,
  list,
  optional,
  optionalList,
  optionalSet,
  pageTokenText,
  smallInteger,
  text,
} from './fields.ts';

/** The records of the specification, "Resources and their fields"; lenient as described in service-and-node.md §2. */

const optionalText = optional(text);
const optionalInteger = optional(integerText);

const addressInfo = z.looseObject({
  address: z.union([z.literal(''), identity]),
  ...each(optionalText, 'name', 'symbol'),
  decimals: optional(smallInteger),
  logoUri: optionalText,
});

/** A side of a transaction or transfer; without an address, as in a creation, there is none. */
const party = optional(
  z.pipe(
    z.nullish(addressInfo),
    z.transform((info) => (info?.address === '' ? undefined : info)),
  ),
);

const price = z.looseObject({ currencyCode: optionalText, value: optional(decimal) });

const method = z.looseObject(each(optionalText, 'callType', 'methodHash', 'methodName'));

const blockFields = {
  blockNumber: optionalInteger,
  blockTimestamp: optional(smallInteger),
  blockHash: optionalText,
};

/** NativeTransaction in lists; the detailed form has more fields. */
export const nativeTransaction = z.looseObject({
  ...blockFields,
  txHash: identity,
  blockNumber: integerText,
  blockTimestamp: smallInteger,
  chainId: optional(idText),
  blockIndex: optional(smallInteger),
  txStatus: optional(idText),
  txType: optional(smallInteger),
  ...each(optionalInteger, 'gasLimit', 'gasUsed', 'gasPrice', 'nonce'),
  from: party,
  to: party,
  method: optional(method),
  value: optionalInteger,
  input: optionalText,
  ...each(optionalInteger, 'baseFeePerGas', 'maxFeePerGas', 'maxPriorityFeePerGas'),
});

const nftMetadata = z.looseObject({
  indexStatus: optionalText,
  metadataLastUpdatedTimestamp: optional(smallInteger),
  ...each(optionalText, 'name', 'symbol', 'imageUri', 'description', 'animationUri', 'externalUrl'),
  ...each(optionalText, 'background', 'attributes'),
  decimals: optional(smallInteger),
  properties: optionalText,
});

const erc20Token = z.looseObject({
  address: identity,
  ...each(optionalText, 'name', 'symbol'),
  decimals: optional(smallInteger),
  ...each(optionalText, 'logoUri', 'ercType'),
  price: optional(price),
});

const erc721Token = z.looseObject({
  address: identity,
  ...each(optionalText, 'name', 'symbol', 'ercType'),
  tokenId: optionalInteger,
  tokenUri: optionalText,
  metadata: optional(nftMetadata),
  ownerAddress: optionalText,
});

const erc1155Token = z.looseObject({
  address: identity,
  ercType: optionalText,
  tokenId: optionalInteger,
  tokenUri: optionalText,
  metadata: optional(nftMetadata),
});

/** Block fields are present in lists and absent within a transaction detail. */
const transferFields = {
  ...blockFields,
  txHash: optionalText,
  from: party,
  to: party,
  logIndex: optional(smallInteger),
};

export const erc20Transfer = z.looseObject({ ...transferFields, value: optionalInteger, erc20Token });

export const erc721Transfer = z.looseObject({ ...transferFields, erc721Token });

export const erc1155Transfer = z.looseObject({ ...transferFields, value: optionalInteger, erc1155Token });

/**
 * A transfer of any kind; the token that is present tells which (service-and-node.md §2; the specification does not
 * show this shape). One schema and no union, so that an invalid part does not invalidate the whole transfer.
 */
export const tokenTransfer = z
  .looseObject({
    ...transferFields,
    value: optionalInteger,
    erc20Token: optional(erc20Token),
    erc721Token: optional(erc721Token),
    erc1155Token: optional(erc1155Token),
  })
  .check(
    z.refine(
      ({ erc20Token: erc20, erc721Token: erc721, erc1155Token: erc1155 }) =>
        (erc20 ?? erc721 ?? erc1155) !== undefined,
      'has no token',
    ),
  );

export const internalTransaction = z.looseObject({
  ...blockFields,
  txHash: optionalText,
  from: party,
  to: party,
  internalTxType: optionalText,
  value: optionalInteger,
  isReverted: optional(z.boolean()),
  ...each(optionalInteger, 'gasUsed', 'gasLimit'),
});

const subTransactions = {
  erc20Transfers: optionalList(erc20Transfer),
  erc721Transfers: optionalList(erc721Transfer),
  erc1155Transfers: optionalList(erc1155Transfer),
  internalTransactions: optionalList(internalTransaction),
};

/** Element of an address's list of transactions: has only the sub-transactions that involve the address. */
export const addressTransaction = z.looseObject({ nativeTransaction, ...subTransactions });

const networkToken = z.looseObject({
  ...each(optionalText, 'name', 'symbol'),
  decimals: optional(smallInteger),
  ...each(optionalText, 'logoUri', 'description'),
});

/** Accepts both spellings of the message id, regardless of the service profile (service-and-node.md §1). */
const crosschainMessage = z.looseObject({
  ...each(optionalText, 'crosschainMessageId', 'teleporterMessageId', 'direction'),
  sourceChainId: optional(idText),
  destinationChainId: optional(idText),
});

/** A transaction with all its details. */
export const transactionDetail = z.looseObject({
  nativeTransaction,
  ...subTransactions,
  networkTokenDetails: optional(
    z.looseObject({
      networkToken: optional(networkToken),
      currentPrice: optional(price),
      historicalPrice: optional(price),
    }),
  ),
  crosschainMessageInfo: optional(crosschainMessage),
  teleporterMessageInfo: optional(crosschainMessage),
});

export const chainRecord = z.looseObject({
  chainId: z.pipe(idText, identity),
  ...each(optionalText, 'chainName', 'description', 'platformChainId', 'subnetId', 'vmId', 'vmName'),
  ...each(optionalText, 'status', 'explorerUrl', 'rpcUrl', 'wsUrl', 'chainLogoUri'),
  isTestnet: optional(z.boolean()),
  private: optional(z.boolean()),
  utilityAddresses: optional(z.looseObject({ multicall: optionalText })),
  networkToken: optional(networkToken),
  enabledFeatures: optionalSet(text),
});

/** A list of chains; duplicates are removed. */
export const chainRecords = z.pipe(
  list(chainRecord),
  z.transform((chains) => distinct(chains, ({ chainId }) => chainId)),
);

/** Ids of chains that are not indexed, without duplicates and without those that are. */
export function onlyUnindexed(indexed: readonly ChainRecord[], ids: readonly string[]): string[] {
  const known = new Set(indexed.map(({ chainId }) => chainId));
  return [...new Set(ids)].filter((chainId) => !known.has(chainId));
}

const asset = z.looseObject({ assetId: optionalText, imageUri: optionalText });

/**
 * A contract in endpoint 10. Only the address is always present; the other fields depend on `ercType`
 * (service-and-node.md §2).
 */
export const deployedContract = z.looseObject({
  address: identity,
  ...each(optionalText, 'ercType', 'name', 'symbol'),
  decimals: optional(smallInteger),
  ...each(optionalText, 'description', 'officialSite', 'email', 'color'),
  logoAsset: optional(asset),
  bannerAsset: optional(asset),
  resourceLinks: optionalList(z.looseObject({ type: optionalText, url: optionalText })),
  tags: optionalSet(text),
  deploymentDetails: optional(
    z.looseObject(each(optionalText, 'txHash', 'deployerAddress', 'deployerContractAddress')),
  ),
});

/** A point of a time series. Without a value or time it is left out and becomes a gap, not a zero. */
export const seriesPoint = z.looseObject({ timestamp: smallInteger, value: decimal });

/** A point of the message series, with the chains by which the series is split or filtered. */
export const messageSeriesPoint = z.looseObject({
  timestamp: smallInteger,
  value: decimal,
  ...each(optionalText, 'srcBlockchainId', 'destBlockchainId'),
});

/** Every list has the token next to its array; absent or empty on the last page (service-and-node.md §2). */
export const pageEnvelope = { nextPageToken: pageTokenText };

export type AddressInfo = z.infer<typeof addressInfo>;
export type NativeTransaction = z.infer<typeof nativeTransaction>;
export type Erc20Transfer = z.infer<typeof erc20Transfer>;
export type Erc721Transfer = z.infer<typeof erc721Transfer>;
export type Erc1155Transfer = z.infer<typeof erc1155Transfer>;
export type InternalTransaction = z.infer<typeof internalTransaction>;
export type AddressTransaction = z.infer<typeof addressTransaction>;
export type TransactionDetail = z.infer<typeof transactionDetail>;
export type ChainRecord = z.infer<typeof chainRecord>;
