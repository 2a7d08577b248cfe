import { crosschainMessageOf } from './crosschain.ts';
import { timestampToMs } from '../time.ts';
import { amountValue, formatDecimal, type Decimal } from '../amounts.ts';
import {
  describeMovement,
  type DescribedLeg,
  type DescribedRow,
  type Direction,
  type MovementDescription,
} from './describe.ts';
import type { NativeToken } from './legs.ts';
import { isOwnDoing, spamRulesOf } from './spam.ts';
import type { SpamRule } from './spam-types.ts';

/** What of a row filters, values and text search look at. */
export interface RowFacets {
  kind: MovementDescription['kind'];
  direction: Direction | 'both';
  status: MovementDescription['status'];
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
  /** No rule hides it (`isOwnDoing`). */
  isOwnDoing: boolean;
  /** A part of what came could not be read: what is known of the row may not be all of it. */
  hasUnreadParts: boolean;
  /** It was complete before the service had the price of its time, which it has by and by. */
  awaitsPrice: boolean;
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

/** A row with what its facets depend on. */
export type FacetedRow = DescribedRow & { chainId: string; fetchedAtMs: number };

/**
 * The facets of a row as it came from the service; `hasUnreadParts`: something of it is not in its transaction. `native` is
 * what is known of the chain's own token. Amounts are in base units; all that moved in or out counts, transfers of nothing
 * included.
 */
export function facetsOf(row: FacetedRow, hasUnreadParts: boolean, native?: NativeToken): RowFacets {
  const described = describeMovement(row, native);
  const own = described.legs.filter(({ direction }) => direction !== 'none');
  const value = valueThen(row, own);
  return {
    kind: described.kind,
    direction: described.direction,
    status: described.status,
    counterparty: described.counterparty?.address.toLowerCase() ?? null,
    counterpartyName: described.counterparty?.name ?? null,
    method: described.method?.name ?? null,
    tokens: tokensOf(row.chainId, own),
    rules: spamRulesOf(row, described),
    isOwnDoing: isOwnDoing(row, described),
    hasUnreadParts,
    awaitsPrice: awaitsPrice(row, own),
    valueThen: value?.amount ?? null,
    valueCurrency: value?.currency ?? null,
    messageId: messageIdOf(row),
  };
}

function tokensOf(chainId: string, legs: readonly DescribedLeg[]): FacetToken[] {
  const tokens = new Map<string, FacetToken>();
  for (const { asset, amount } of legs) {
    const token = `${chainId} ${asset.key}`;
    const known = tokens.get(token);
    if (known === undefined) {
      const { symbol, name, decimals } = asset;
      tokens.set(token, { token, symbol, name, decimals, amount });
    } else if (amount !== null && (known.amount === null || BigInt(amount) > BigInt(known.amount))) {
      known.amount = amount;
    }
  }
  return [...tokens.values()];
}

/**
 * The service has the price of the time of a transaction only when that is a day old (service-and-node.md §2). An hour more, because its
 * day may begin at another moment than ours.
 */
export const priceExistsAfterMs = 25 * 3_600_000;

/** Native value moved, the service knows prices of it, and when it was asked it could not yet have the one of the time. */
function awaitsPrice(row: FacetedRow, legs: readonly DescribedLeg[]): boolean {
  if (row.completeness !== 'complete') return false;
  const { networkTokenDetails: details, nativeTransaction } = row.transaction;
  if (details?.currentPrice?.value === undefined || details.historicalPrice?.value !== undefined)
    return false;
  const timestampMs = timestampToMs(nativeTransaction.blockTimestamp);
  return (
    timestampMs !== null &&
    row.fetchedAtMs < timestampMs + priceExistsAfterMs &&
    legs.some(({ asset, amount }) => asset.kind === 'native' && amount !== '0')
  );
}

/**
 * Null unless every leg that moved value has a price of its time. Only the native token has one: the price of a token has no
 * date, and is that of the day when it was asked for.
 */
function valueThen(
  row: DescribedRow,
  legs: readonly DescribedLeg[],
): { amount: string; currency: string } | null {
  const price =
    row.completeness === 'complete' ? row.transaction.networkTokenDetails?.historicalPrice : undefined;
  if (price?.value === undefined || price.currencyCode === undefined) return null;
  let sum: Decimal = { digits: 0n, scale: 0 };
  let hasMoved = false;
  for (const { asset, amount, direction, isUncertain } of legs) {
    if (direction === 'self' || amount === '0') continue;
    if (asset.kind !== 'native' || amount === null || isUncertain) return null;
    const value = amountValue(amount, asset.decimals, price.value);
    if (value === null) return null;
    hasMoved = true;
    sum = addDecimals(sum, direction === 'in' ? value : { ...value, digits: -value.digits });
  }
  return hasMoved
    ? { amount: formatDecimal(sum, { groupSeparator: '' }), currency: price.currencyCode.toLowerCase() }
    : null;
}

function addDecimals(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  const scaled = ({ digits, scale: own }: Decimal) => digits * 10n ** BigInt(scale - own);
  return { digits: scaled(a) + scaled(b), scale };
}

function messageIdOf(row: DescribedRow): string | null {
  if (row.completeness !== 'complete') return null;
  return crosschainMessageOf(row.transaction)?.messageId ?? null;
}
