import { amountValue, formatDecimal, parseDecimal } from '../../../../../shared/amounts.ts';
import { sameAddress, type Asset, type Leg } from '../../../../../shared/activity/legs.ts';
import type {
  Erc1155Transfer,
  Erc20Transfer,
  Erc721Transfer,
  TransactionDetail,
} from '../../../../../shared/endpoints/records.ts';
import { localNumbers } from '../../../ui/text/format.ts';

/** What the service says about the token of a leg, beyond what the leg itself carries. */
export interface TokenRecord {
  standard: 'ERC-20' | 'ERC-721' | 'ERC-1155';
  price: Erc20Transfer['erc20Token']['price'];
  nft: Erc721Transfer['erc721Token'] | Erc1155Transfer['erc1155Token'] | null;
}

/** The transfer record behind a leg; null for native value. */
export function tokenRecordOf(leg: Leg, transaction: TransactionDetail): TokenRecord | null {
  const { kind, contract, tokenId } = leg.asset;
  const isSame = (logIndex: number | undefined, token: { address: string; tokenId?: string | undefined }) =>
    (logIndex ?? null) === leg.logIndex &&
    sameAddress(token.address, contract ?? undefined) &&
    (token.tokenId ?? null) === tokenId;
  if (kind === 'erc20') {
    const found = transaction.erc20Transfers?.find(({ logIndex, erc20Token: { address } }) =>
      isSame(logIndex, { address }),
    );
    return { standard: 'ERC-20', price: found?.erc20Token.price, nft: null };
  }
  if (kind === 'erc721') {
    const found = transaction.erc721Transfers?.find((one) => isSame(one.logIndex, one.erc721Token));
    return { standard: 'ERC-721', price: undefined, nft: found?.erc721Token ?? null };
  }
  if (kind === 'erc1155') {
    const found = transaction.erc1155Transfers?.find((one) => isSame(one.logIndex, one.erc1155Token));
    return { standard: 'ERC-1155', price: undefined, nft: found?.erc1155Token ?? null };
  }
  return null;
}

/** A price as the service gave it. */
export interface Price {
  value: string;
  /** Upper case; null when the service does not say. */
  currency: string | null;
}

/** Prices of one unit of an asset; null where the service gave none. */
export interface AssetPrices {
  /** At the time of the transaction. */
  then: Price | null;
  /** At the time when it was fetched. */
  now: Price | null;
  /** For an unknown time: prices of tokens have no date. */
  undated: Price | null;
}

type GivenPrice = { value?: string | undefined; currencyCode?: string | undefined } | undefined;

export function priceOf(price: GivenPrice): Price | null {
  if (price?.value === undefined) return null;
  return { value: price.value, currency: price.currencyCode?.toUpperCase() ?? null };
}

/** The prices that a transaction carries for one of its assets. */
export function pricesOf(asset: Asset, transaction: TransactionDetail): AssetPrices {
  const none = { then: null, now: null, undated: null };
  if (asset.kind === 'native') {
    const { networkTokenDetails: details } = transaction;
    return { ...none, then: priceOf(details?.historicalPrice), now: priceOf(details?.currentPrice) };
  }
  if (asset.kind !== 'erc20') return none;
  const transfer = transaction.erc20Transfers?.find(({ erc20Token }) =>
    sameAddress(erc20Token.address, asset.contract ?? undefined),
  );
  return { ...none, undated: priceOf(transfer?.erc20Token.price) };
}

const currencyOf = ({ currency }: Price): string => currency ?? '(currency not provided)';

export function priceText(price: Price): string {
  const parsed = parseDecimal(price.value);
  const text = parsed === null ? price.value : localNumbers(formatDecimal(parsed, { minFractionDigits: 2 }));
  return `${text} ${currencyOf(price)}`;
}

/** Amount times price: `text` to the cent, `exact` with every digit. Null where a factor is unknown. */
export function valueAt(
  amount: string | null,
  decimals: number | null,
  price: Price | null,
): { text: string; exact: string } | null {
  const value = amount === null || price === null ? null : amountValue(amount, decimals, price.value);
  if (value === null || price === null) return null;
  const unit = currencyOf(price);
  const rounded = formatDecimal(value, { maxFractionDigits: 2, minFractionDigits: 2 });
  const isTiny = value.digits !== 0n && /^-?0\.00$/.test(rounded);
  const written = (words: string) => `${localNumbers(words.replace('-', '−'))} ${unit}`;
  return { text: written(isTiny ? 'less than 0.01' : rounded), exact: written(formatDecimal(value)) };
}
