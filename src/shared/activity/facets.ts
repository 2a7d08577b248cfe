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
import { sidesOf } from './look-alike.ts';
import { isOwnDoing, spamRulesOf } from './spam.ts';
import type { SpamRule } from './spam-types.ts';

/** The data of a row that filters, lists of values and text search use. */
export interface RowFacets {
  kind: MovementDescription['kind'];
  direction: Direction | 'both';
  status: MovementDescription['status'];
  /** Lower case; null if there is no single counterparty. */
  counterparty: string | null;
  /** Sides of the row besides it (`sidesOf`), in lower case; empty if no rule may hide the row. */
  otherSides: string[];
  /** The name that the service has for the counterparty. */
  counterpartyName: string | null;
  /** Name of the method, or its hash. */
  method: string | null;
  /** What moved for the row's address: an entry for each amount of an asset, those of one asset together. */
  tokens: FacetToken[];
  /** The rules of `spam.ts` that apply, of those that depend on the row alone. */
  rules: SpamRule[];
  /** True if no rule may hide it (`isOwnDoing`). */
  isOwnDoing: boolean;
  /** A part of the record could not be decoded, so the facets may be incomplete. */
  hasUnreadParts: boolean;
  /** Completed before the service had the historic price, which will be available later. */
  awaitsPrice: boolean;
  /** Value that came in minus value that went out, at historic prices, as a decimal; null if a price is unknown. */
  valueThen: string | null;
  valueCurrency: string | null;
  /** What the row's address paid for the transaction, in base units; null if another paid, or if it is unknown. */
  fee: string | null;
  /** Id of the transaction's cross-chain message. */
  messageId: string | null;
}

export interface FacetToken {
  /** `CHAINID KEY`, where KEY is the asset's `key`. */
  token: string;
  symbol: string | null;
  name: string | null;
  decimals: number | null;
  /** Of a single leg, in base units; null if no leg's amount is known. */
  amount: string | null;
}

/** A row with the data that its facets depend on. */
export type FacetedRow = DescribedRow & { chainId: string; fetchedAtMs: number };

/**
 * Computes the facets of a row. `hasUnreadParts`: a part of the record could not be decoded. `native` is what is known
 * of the chain's native token. Amounts are in base units; everything that moved in or out counts, including transfers
 * of zero.
 */
export function facetsOf(row: FacetedRow, hasUnreadParts: boolean, native?: NativeToken): RowFacets {
  const described = describeMovement(row, native);
  const own = described.legs.filter(({ direction }) => direction !== 'none');
  const value = valueThen(row, own);
  const counterparty = described.counterparty?.address.toLowerCase() ?? null;
  const isOwn = isOwnDoing(row, described);
  const sides = isOwn ? [] : sidesOf(described).map((side) => side.toLowerCase());
  return {
    kind: described.kind,
    direction: described.direction,
    status: described.status,
    counterparty,
    otherSides: [...new Set(sides)].filter((side) => side !== counterparty),
    counterpartyName: described.counterparty?.name ?? null,
    method: described.method?.name ?? null,
    tokens: tokensOf(row.chainId, own),
    rules: spamRulesOf(row, described),
    isOwnDoing: isOwn,
    hasUnreadParts,
    awaitsPrice: awaitsPrice(row, own),
    valueThen: value?.amount ?? null,
    valueCurrency: value?.currency ?? null,
    fee: described.fee.isPaidByAddress ? described.fee.amount : null,
    messageId: messageIdOf(row),
  };
}

function tokensOf(chainId: string, legs: readonly DescribedLeg[]): FacetToken[] {
  return [...Map.groupBy(legs, ({ asset }) => asset.key)].flatMap(([key, ofToken]) => {
    const [first] = ofToken;
    if (first === undefined) return [];
    const { symbol, name, decimals } = first.asset;
    const known = new Set(ofToken.map(({ amount }) => amount).filter((amount) => amount !== null));
    const amounts = known.size === 0 ? [null] : [...known];
    return amounts.map((amount) => ({ token: `${chainId} ${key}`, symbol, name, decimals, amount }));
  });
}

/**
 * The service has a transaction's historic price only once the transaction is a day old (service-and-node.md §2). An
 * hour is added, because the service's day may begin at another time.
 */
export const priceExistsAfterMs = 25 * 3_600_000;

/** True if native value moved whose historic price was not available yet. Whether it ever is, only asking again shows. */
function awaitsPrice(row: FacetedRow, legs: readonly DescribedLeg[]): boolean {
  if (row.completeness !== 'complete') return false;
  const { networkTokenDetails: details, nativeTransaction } = row.transaction;
  if (details?.historicalPrice?.value !== undefined) return false;
  const timestampMs = timestampToMs(nativeTransaction.blockTimestamp);
  return (
    timestampMs !== null &&
    row.fetchedAtMs < timestampMs + priceExistsAfterMs &&
    legs.some(({ asset, amount }) => asset.kind === 'native' && amount !== '0')
  );
}

/**
 * Null unless all legs that moved value have a historic price. Only the native token has one; the price of other tokens
 * has no date and is that of the day of the request.
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
