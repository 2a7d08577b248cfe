import type { Clock } from './clock.ts';
import type { Names } from './world/records.ts';

/** How a sample service is started; everything has a default. */
export interface SampleServiceOptions {
  /** Port of the data interface; metrics, control and nodes take the ports after it. 0 (default): any free ports. */
  readonly port?: number;
  /** Decides every address, hash, amount and the API key. Default 1. */
  readonly seed?: number;
  /** Size of the world, 0.01 to 10. Default 1: 20,000 transactions at the busiest address. */
  readonly scale?: number;
  /** Spelling of header, fields and enumerations (facts §1, §2). Default `specification`. */
  readonly names?: Names;
  /** Whether compute units are counted (facts §4). Default true. */
  readonly limits?: boolean;
  /** The present of the chains, in whole seconds since 1970. Default: the service's time, floored to the hour. */
  readonly nowSeconds?: number;
  /** Time of nodes, tokens and limits. Default: the real one. */
  readonly clock?: Clock;
  /** Life of a page token. Default a day. */
  readonly tokenTtlSeconds?: number;
  /** Period of the nodes' checks. Default 30,000. */
  readonly nodePeriodMs?: number;
  /** The nodes and their scenarios (names in `scenarios/`, or files). Default: `harbor-1`, healthy. */
  readonly nodes?: readonly NodeOptions[];
}

export interface NodeOptions {
  readonly name: string;
  readonly scenario: string;
}

export const defaultNodes: readonly NodeOptions[] = [{ name: 'harbor-1', scenario: 'healthy' }];

/** The one line that the service prints when it is ready. */
export interface ReadyLine {
  readonly dataUrl: string;
  readonly metricsUrl: string;
  readonly controlUrl: string;
  readonly apiKey: string;
  readonly nodes: readonly { readonly name: string; readonly url: string }[];
  readonly examples: Examples;
}

/** Parameters that return something; where nothing else is said, on the chain `chainId`. */
export interface Examples {
  readonly chainId: string;
  /** The demo account: several chains, every kind of record. */
  readonly address: string;
  readonly emptyAddress: string;
  /** A transaction with every part that a detail can have. */
  readonly txHash: string;
  /** An ERC-721 contract. */
  readonly contract: string;
  /** The block of `txHash`. */
  readonly blockId: string;
  /** All chains that can be asked. */
  readonly chainIds: readonly string[];
  readonly unavailableChainId: string;
  readonly unindexedChainId: string;
  /** Addresses with 1, 30 and, times the scale, 20,000 transactions. */
  readonly addresses: {
    readonly one: string;
    readonly thirty: string;
    readonly busy: string;
  };
  readonly contracts: {
    readonly erc20: string;
    readonly erc20WithoutDecimals: string;
    readonly erc721: string;
    readonly erc1155: string;
    /** A contract that is no token. */
    readonly other: string;
  };
  readonly deployer: string;
  /** A transaction that only moves the chain's own token. */
  readonly plainTxHash: string;
  /** Both halves of one message. */
  readonly message: {
    readonly sourceChainId: string;
    readonly sourceTxHash: string;
    readonly destinationChainId: string;
    readonly destinationTxHash: string;
  };
  /** A validator that pays fees. */
  readonly nodeId: string;
  readonly subnetIds: readonly string[];
  readonly blockchainIds: readonly string[];
  /** Complete parameters for each endpoint, by its number in the specification. */
  readonly endpoints: Readonly<Record<string, Readonly<Record<string, string>>>>;
}
