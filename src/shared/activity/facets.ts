import type { Direction, RowDescription } from './describe.ts';
import type { SpamRule } from './spam-types.ts';

/** What of a row filters, values and text search look at. */
export interface RowFacets {
  kind: RowDescription['kind'];
  direction: Direction | 'both';
  status: RowDescription['status'];
  /** Lower case; null where there is no single other side. */
  counterparty: string | null;
  /** The name that the service gives to it. */
  counterpartyName: string | null;
  /** Name of the method, or its hash. */
  method: string | null;
  /** What moved for the row's address, one entry an asset. */
  tokens: FacetToken[];
  /** Rules of `spam.ts` that need nothing but the row itself. */
  rules: SpamRule[];
  /** Sum of what came in minus what went out at the prices of the time, as a decimal; null where a price is unknown. */
  valueThen: string | null;
  valueCurrency: string | null;
  /** Id of the cross-chain message that the transaction carries. */
  messageId: string | null;
}

export interface FacetToken {
  /** `CHAINID KEY` with the asset's key. */
  token: string;
  symbol: string | null;
  name: string | null;
  decimals: number | null;
  /** Largest amount of one leg, in base units; null when it is not known. */
  amount: string | null;
}
