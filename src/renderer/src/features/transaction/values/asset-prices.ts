import { amountValue, formatDecimal } from '../../../../../shared/amounts.ts';
import { sameAddress, type Asset } from '../../../../../shared/activity/legs.ts';
import type { AddressTransaction, TransactionDetail } from '../../../../../shared/endpoints/records.ts';

/** A price as the service gave it. */
export interface Price {
  value: string;
  /** Upper case; null when the service does not say. */
  currency: string | null;
}

/** Prices of one unit of an asset; null where the service gave none. */
export interface AssetPrices {
  /** Of the time of the transaction. */
  then: Price | null;
  /** Of the time when it was fetched. */
  now: Price | null;
  /** Without a word about its time, as tokens have it. */
  undated: Price | null;
}

type GivenPrice = { value?: string | undefined; currencyCode?: string | undefined } | undefined;

/** The prices that a transaction carries for one of its assets. */
export function pricesOf(asset: Asset, transaction: AddressTransaction | TransactionDetail): AssetPrices {
  const none = { then: null, now: null, undated: null };
  if (asset.kind === 'native') {
    // Only a complete transaction has this part; a list's element has nothing under its name.
    const { networkTokenDetails: details }: TransactionDetail = transaction;
    return { ...none, then: priceOf(details?.historicalPrice), now: priceOf(details?.currentPrice) };
  }
  if (asset.kind !== 'erc20') return none;
  const transfer = transaction.erc20Transfers?.find(({ erc20Token }) =>
    sameAddress(erc20Token.address, asset.contract ?? undefined),
  );
  return { ...none, undated: priceOf(transfer?.erc20Token.price) };
}

export function priceOf(price: GivenPrice): Price | null {
  if (price?.value === undefined) return null;
  return { value: price.value, currency: price.currencyCode?.toUpperCase() ?? null };
}

/** Amount times price: `text` to the cent, `exact` with every digit. Null where a part is not known. */
export function valueAt(
  amount: string | null,
  decimals: number | null,
  price: Price | null,
): { text: string; exact: string } | null {
  const value = amount === null || price === null ? null : amountValue(amount, decimals, price.value);
  if (value === null || price === null) return null;
  const unit = price.currency ?? '(currency not given)';
  const rounded = formatDecimal(value, { maxFractionDigits: 2, minFractionDigits: 2 });
  const isTiny = value.digits !== 0n && /^-?0\.00$/.test(rounded);
  const words = isTiny ? 'less than 0.01' : rounded.replace('-', '−');
  return { text: `${words} ${unit}`, exact: `${formatDecimal(value)} ${unit}` };
}
