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

/**
 * The facets of a row as it came from the service. `native` is what is known of the chain's own token. Amounts are in
 * base units; all that moved in or out counts, transfers of nothing included.
 */
export function facetsOf(row: DescribedRow & { chainId: string }, native?: NativeToken): RowFacets {
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
    hasUnreadParts: false,
    awaitsPrice: false,
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

interface Price {
  value: string;
  currency: string;
}

/** Null unless every leg that moved value has a price of its time, all in one currency. */
function valueThen(
  row: DescribedRow,
  legs: readonly DescribedLeg[],
): { amount: string; currency: string } | null {
  const prices = pricesOf(row);
  let sum: Decimal = { digits: 0n, scale: 0 };
  let currency: string | null = null;
  for (const leg of legs) {
    if (leg.direction === 'self' || leg.amount === '0') continue;
    const price = prices.get(leg.asset.key);
    if (price === undefined || leg.amount === null || leg.isUncertain) return null;
    if (currency !== null && price.currency !== currency) return null;
    currency = price.currency;
    const value = amountValue(leg.amount, leg.asset.decimals, price.value);
    if (value === null) return null;
    sum = addDecimals(sum, leg.direction === 'in' ? value : { ...value, digits: -value.digits });
  }
  return currency === null ? null : { amount: formatDecimal(sum, { groupSeparator: '' }), currency };
}

/** Prices by `Asset.key`. A native price is of the time of the transaction only where the service says so. */
function pricesOf(row: DescribedRow): Map<string, Price> {
  const prices = new Map<string, Price>();
  const add = (
    key: string,
    price: { value?: string | undefined; currencyCode?: string | undefined } | undefined,
  ) => {
    if (price?.value === undefined || price.currencyCode === undefined) return;
    prices.set(key, { value: price.value, currency: price.currencyCode.toLowerCase() });
  };
  if (row.completeness === 'complete') {
    add('native', row.transaction.networkTokenDetails?.historicalPrice);
  }
  for (const { erc20Token } of row.transaction.erc20Transfers ?? []) {
    add(`erc20 ${erc20Token.address.toLowerCase()}`, erc20Token.price);
  }
  return prices;
}

function addDecimals(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  const scaled = ({ digits, scale: own }: Decimal) => digits * 10n ** BigInt(scale - own);
  return { digits: scaled(a) + scaled(b), scale };
}

function messageIdOf(row: DescribedRow): string | null {
  if (row.completeness !== 'complete') return null;
  const { crosschainMessageInfo, teleporterMessageInfo } = row.transaction;
  const info = crosschainMessageInfo ?? teleporterMessageInfo;
  return info?.crosschainMessageId ?? info?.teleporterMessageId ?? null;
}
