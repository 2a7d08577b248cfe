import { knownDecimals, parseInteger } from '../amounts.ts';
import type {
  AddressInfo,
  AddressTransaction,
  Erc1155Transfer,
  Erc20Transfer,
  Erc721Transfer,
  InternalTransaction,
  NativeTransaction,
  TransactionDetail,
} from '../endpoints/records.ts';

/** The unit of an amount: a token or the native currency. */
export interface Asset {
  kind: 'native' | 'erc20' | 'erc721' | 'erc1155';
  /** Identifies the asset within its chain. */
  key: string;
  /** Address of the token's contract; null for the native token. */
  contract: string | null;
  tokenId: string | null;
  symbol: string | null;
  name: string | null;
  /** Null when the service does not tell; amounts can then only be shown in base units. */
  decimals: number | null;
}

/** One movement of value within an executed transaction. */
export interface Leg {
  asset: Asset;
  from: Party | null;
  to: Party | null;
  /** Base units, never negative; null when the service does not tell. */
  amount: string | null;
  /** Index in the transaction's logs; null for native value. */
  logIndex: number | null;
  /** The service does not tell whether the transaction succeeded, or the type of the call; maybe nothing moved. */
  isUncertain: boolean;
}

export interface Party {
  address: string;
  name: string | null;
}

/** What is known of the chain's native token. */
export interface NativeToken {
  symbol: string | null;
  decimals: number | null;
}

/**
 * All movements of a transaction: the native value, then internal calls, then token transfers in log order. A failed
 * transaction has none. The fee is not a leg.
 */
export function legsOf(transaction: AddressTransaction | TransactionDetail, native: NativeToken): Leg[] {
  if (statusOf(transaction.nativeTransaction) === 'failed') return [];
  const nativeAsset = nativeAssetOf(native);
  const tokens = [
    ...(transaction.erc20Transfers ?? []).map(erc20Leg),
    ...(transaction.erc721Transfers ?? []).map(erc721Leg),
    ...(transaction.erc1155Transfers ?? []).map(erc1155Leg),
  ].sort((a, b) => (a.logIndex ?? noLogIndex) - (b.logIndex ?? noLogIndex));
  const legs = [
    ...nativeLeg(transaction.nativeTransaction, nativeAsset),
    ...internalLegs(transaction, nativeAsset),
    ...tokens,
  ];
  return statusOf(transaction.nativeTransaction) === 'success'
    ? legs
    : legs.map((leg) => ({ ...leg, isUncertain: true }));
}

export function nativeAssetOf({ symbol, decimals }: NativeToken): Asset {
  return { kind: 'native', key: 'native', contract: null, tokenId: null, name: null, symbol, decimals };
}

/** Sorts after every log index. */
const noLogIndex = Number.MAX_SAFE_INTEGER;

/** `txStatus` is "0" or "1" (service-and-node.md §2); anything else is unknown. */
export function statusOf(native: NativeTransaction): 'success' | 'failed' | 'unknown' {
  if (native.txStatus === '1') return 'success';
  return native.txStatus === '0' ? 'failed' : 'unknown';
}

function nativeLeg(native: NativeTransaction, asset: Asset): Leg[] {
  const amount = amountOf(native.value);
  // Most calls have no value. An unknown value gives a leg with an unknown amount.
  if (amount === '0') return [];
  return [
    { asset, from: partyOf(native.from), to: partyOf(native.to), amount, logIndex: null, isUncertain: false },
  ];
}

/** Types of calls that move their value to another account; other types only run or read code. */
const movingCalls: ReadonlySet<string> = new Set(['CALL', 'CREATE', 'CREATE2', 'CREATE3']);

const lendingCalls: ReadonlySet<string> = new Set(['CALLCODE', 'DELEGATECALL', 'STATICCALL']);

function internalLegs(transaction: AddressTransaction | TransactionDetail, asset: Asset): Leg[] {
  const native = transaction.nativeTransaction;
  let isTopSeen = false;
  return (transaction.internalTransactions ?? []).flatMap((call): Leg[] => {
    const type = call.internalTxType?.toUpperCase() ?? 'UNKNOWN';
    // Some services include the transaction's own call, whose value is the native value.
    if (!isTopSeen && isTopCall(call, native)) {
      isTopSeen = true;
      return [];
    }
    const amount = amountOf(call.value);
    if (call.isReverted === true || lendingCalls.has(type) || amount === '0') return [];
    const isUncertain = !movingCalls.has(type) || call.isReverted === undefined;
    return [{ asset, from: partyOf(call.from), to: partyOf(call.to), amount, logIndex: null, isUncertain }];
  });
}

/** Whether an internal transaction is the transaction's own call. */
export function isTopCall(call: InternalTransaction, native: NativeTransaction): boolean {
  if (!sameAddress(call.from?.address, native.from?.address)) return false;
  if (amountOf(call.value) !== amountOf(native.value)) return false;
  // A creation has no receiver, while its call names the new contract.
  return native.to === undefined
    ? (call.internalTxType ?? '').toUpperCase().startsWith('CREATE')
    : sameAddress(call.to?.address, native.to.address);
}

function erc20Leg(transfer: Erc20Transfer): Leg {
  const { address, symbol, name, decimals } = transfer.erc20Token;
  return tokenLeg(transfer, amountOf(transfer.value), {
    kind: 'erc20',
    key: `erc20 ${address.toLowerCase()}`,
    contract: address,
    tokenId: null,
    symbol: symbol ?? null,
    name: name ?? null,
    decimals: knownDecimals(decimals),
  });
}

function erc721Leg(transfer: Erc721Transfer): Leg {
  const { address, symbol, name, tokenId } = transfer.erc721Token;
  return tokenLeg(transfer, '1', {
    kind: 'erc721',
    key: nftKey('erc721', transfer.erc721Token),
    contract: address,
    tokenId: tokenId ?? null,
    symbol: symbol ?? null,
    name: name ?? null,
    decimals: 0,
  });
}

function erc1155Leg(transfer: Erc1155Transfer): Leg {
  const { address, tokenId, metadata } = transfer.erc1155Token;
  return tokenLeg(transfer, amountOf(transfer.value), {
    kind: 'erc1155',
    key: nftKey('erc1155', transfer.erc1155Token),
    contract: address,
    tokenId: tokenId ?? null,
    symbol: metadata?.symbol ?? null,
    name: metadata?.name ?? null,
    // By the standard, a token without decimals in its metadata has none.
    decimals: metadata?.decimals === undefined ? 0 : knownDecimals(metadata.decimals),
  });
}

/** `Asset.key` of an NFT. */
export function nftKey(
  kind: 'erc721' | 'erc1155',
  { address, tokenId = '?' }: { address: string; tokenId?: string | undefined },
): string {
  return `${kind} ${address.toLowerCase()} ${tokenId}`;
}

function tokenLeg(
  transfer: Erc20Transfer | Erc721Transfer | Erc1155Transfer,
  amount: string | null,
  asset: Asset,
): Leg {
  return {
    asset,
    from: partyOf(transfer.from),
    to: partyOf(transfer.to),
    amount,
    logIndex: transfer.logIndex ?? null,
    isUncertain: false,
  };
}

export function partyOf(info: AddressInfo | undefined): Party | null {
  return info === undefined ? null : { address: info.address, name: info.name ?? null };
}

/** Digits without leading zeros; null if it is not an amount. */
function amountOf(value: string | undefined): string | null {
  // Fast path: nearly all amounts are in this form.
  if (value !== undefined && /^(?:0|[1-9]\d*)$/.test(value)) return value;
  const amount = value === undefined ? null : parseInteger(value);
  return amount === null || amount < 0n ? null : amount.toString();
}

/** Ignores case, since not every service uses the checksum spelling. */
export function sameAddress(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return a === b || a.toLowerCase() === b.toLowerCase();
}
