import type { Clock } from './clock.ts';
import type { Examples } from './examples.ts';
import type { Names } from './world/records.ts';

/** How a sample service is started; everything has a default. */
export interface SampleServiceOptions {
  /** Port of the data interface; metrics, control and nodes take the ports after it. 0 (default): any free ports. */
  readonly port?: number;
  /** Decides every address, hash, amount and the API key. Default 1. */
  readonly seed?: number;
  /** Size of the world, 0.01 to 10. Default 1: 20,000 transactions at the busiest address. */
  readonly scale?: number;
  /** Spelling of header, fields and enumerations (service-and-node.md §1, §2). Default `specification`. */
  readonly names?: Names;
  /** Whether compute units are counted (service-and-node.md §4). Default true. */
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
  /** Whether faults and the like can be ordered over the network, too. Default true. */
  readonly controlServer?: boolean;
}

export interface NodeOptions {
  readonly name: string;
  readonly scenario: string;
}

/** The one line that the service prints when it is ready. */
export interface ReadyLine {
  readonly dataUrl: string;
  readonly metricsUrl: string;
  /** Empty without the control server. */
  readonly controlUrl: string;
  readonly apiKey: string;
  readonly nodes: readonly { readonly name: string; readonly url: string }[];
  readonly examples: Examples;
}
