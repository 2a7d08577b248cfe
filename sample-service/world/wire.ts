import type { NetworkToken } from './chains.ts';
import type { NftMetadata } from './nft.ts';

/** Whose spelling of names, types and enumerations the service uses (facts §1 and §2). */
export type Names = 'specification' | 'upstream';

export interface AddressInfo {
  name?: string;
  symbol?: string;
  decimals?: number;
  logoUri?: string;
  address: string;
}

export interface Price {
  currencyCode: string;
  /** A decimal string; a number with upstream names. */
  value: string | number;
}

export interface BlockFields {
  blockNumber: string;
  blockTimestamp: number;
  blockHash: string;
}

export interface NativeTransaction extends BlockFields {
  chainId: string;
  blockIndex: number;
  txHash: string;
  txStatus: string;
  txType: number;
  gasLimit: string;
  gasUsed: string;
  gasPrice: string;
  nonce: string;
  from: AddressInfo;
  to?: AddressInfo;
  method: { callType: string; methodHash?: string; methodName?: string };
  value: string;
  input?: string;
  baseFeePerGas?: string;
  maxFeePerGas?: string;
  maxPriorityFeePerGas?: string;
}

export interface Transfer {
  from: AddressInfo;
  to: AddressInfo;
  logIndex: number;
}

export interface Erc20Token {
  address: string;
  name?: string;
  symbol?: string;
  decimals?: number;
  logoUri?: string;
  ercType: string;
  price?: Price;
}

export interface NftToken {
  address: string;
  name?: string;
  symbol?: string;
  ercType: string;
  tokenId: string;
  tokenUri: string;
  metadata: NftMetadata;
  ownerAddress?: string;
}

export type Erc20Transfer = Transfer & { value: string; erc20Token: Erc20Token };
export type Erc721Transfer = Transfer & { erc721Token: NftToken };
export type Erc1155Transfer = Transfer & { value: string; erc1155Token: NftToken };
export type TokenTransfer = Erc20Transfer | Erc721Transfer | Erc1155Transfer;

export interface InternalTransaction {
  from: AddressInfo;
  to: AddressInfo;
  internalTxType: string;
  value: string;
  isReverted: boolean;
  gasUsed: string;
  gasLimit: string;
}

export interface AddressTransaction {
  nativeTransaction: NativeTransaction;
  erc20Transfers: Erc20Transfer[];
  erc721Transfers: Erc721Transfer[];
  erc1155Transfers: Erc1155Transfer[];
  internalTransactions: InternalTransaction[];
}

export interface MessageInfo {
  crosschainMessageId?: string;
  teleporterMessageId?: string;
  direction: string;
  sourceChainId?: string;
  destinationChainId?: string;
}

export interface TransactionDetail extends AddressTransaction {
  networkTokenDetails: { networkToken: NetworkToken; currentPrice?: Price; historicalPrice?: Price };
  crosschainMessageInfo?: MessageInfo;
  teleporterMessageInfo?: MessageInfo;
}
