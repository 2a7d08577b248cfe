import { knownDecimals, transactionFee } from '../amounts.ts';
import type { AddressTransaction, NativeTransaction, TransactionDetail } from '../endpoints/records.ts';
import {
  legsOf,
  nativeAssetOf,
  sameAddress,
  statusOf,
  type Asset,
  type Leg,
  type NativeToken,
  type Party,
} from './legs.ts';

/** What of a row its meaning depends on. */
export type DescribedRow = {
  /** The watched address. */
  address: string;
} & (
  | { completeness: 'partial'; transaction: AddressTransaction }
  | { completeness: 'complete'; transaction: TransactionDetail }
);

/** `in` and `out` as seen from the row's address; `self` within it; `none` where it has no part in it. */
export type Direction = 'in' | 'out' | 'self' | 'none';

export interface DescribedLeg extends Leg {
  direction: Direction;
}

export interface RowDescription {
  kind:
    | 'transfer'
    | 'token-transfer'
    | 'nft-transfer'
    /** Something went out and something else came in. */
    | 'exchange'
    | 'contract-call'
    | 'contract-creation';
  /** What the legs did to the row's address, all in all; `both` when value went in and out. */
  direction: Direction | 'both';
  /** The other side, as far as there is one. */
  counterparty: Party | null;
  legs: DescribedLeg[];
  fee: Fee;
  status: 'success' | 'failed' | 'unknown';
  method: { name: string; signature: string | null; hash: string | null } | null;
  /** What the transaction changed in what I hold, fee included; assets without a change are left out. */
  netEffect: NetEffect[];
  /** Whose holdings `netEffect` is about: a partial row knows everything of its own address only. */
  netEffectScope: 'my-addresses' | 'this-address';
}

export interface Fee {
  /** Base units of the native token: gas used times gas price; null when either is not known. */
  amount: string | null;
  payer: Party | null;
  /** The row's address paid it. */
  isPaidByAddress: boolean;
}

export interface NetEffect {
  asset: Asset;
  /** Base units, negative for a loss; null when a part of it is not known. */
  amount: string | null;
  /** Some record does not say for sure that it moved value. */
  isUncertain: boolean;
}

/**
 * What a stored transaction means for the row's address and for all watched ones. Exact: a failed transaction moves
 * nothing but its fee, the fee is paid by the sender alone, reverted internal calls and calls that only lend code count
 * for nothing. `native` is what is known of the chain's own token; a complete row may know better.
 */
export function describeRow(
  row: DescribedRow,
  watchedAddresses: readonly string[],
  native: NativeToken = { symbol: null, decimals: null },
): RowDescription {
  const movement = describeMovement(row, native);
  const isComplete = row.completeness === 'complete';
  const scope = isComplete ? [...watchedAddresses, row.address] : [row.address];
  return {
    ...movement,
    netEffect: netEffectOf(movement.legs, movement.fee, scope, nativeTokenOf(row, native)),
    netEffectScope: isComplete ? 'my-addresses' : 'this-address',
  };
}

/** As `describeRow`, without what the transaction changed in what I hold. */
export type MovementDescription = Omit<RowDescription, 'netEffect' | 'netEffectScope'>;

/** What a stored transaction means for the row's address alone; for very many rows at a time. */
export function describeMovement(
  row: DescribedRow,
  native: NativeToken = { symbol: null, decimals: null },
): MovementDescription {
  const { transaction, address } = row;
  const { nativeTransaction } = transaction;
  const legs = legsOf(transaction, nativeTokenOf(row, native)).map((leg) => ({
    ...leg,
    direction: directionOf(leg, [address]),
  }));
  return {
    kind: kindOf(nativeTransaction, legs),
    direction: overallDirection(legs),
    counterparty: counterpartyOf(nativeTransaction, legs, address),
    legs,
    fee: feeOf(nativeTransaction, address),
    status: statusOf(nativeTransaction),
    method: methodOf(nativeTransaction.method),
  };
}

function nativeTokenOf(row: DescribedRow, native: NativeToken): NativeToken {
  const token =
    row.completeness === 'complete' ? row.transaction.networkTokenDetails?.networkToken : undefined;
  return {
    symbol: token?.symbol ?? native.symbol,
    decimals: knownDecimals(token?.decimals) ?? native.decimals,
  };
}

function directionOf(leg: Leg, addresses: readonly string[]): Direction {
  const isFrom = addresses.some((address) => sameAddress(leg.from?.address, address));
  const isTo = addresses.some((address) => sameAddress(leg.to?.address, address));
  if (isFrom) return isTo ? 'self' : 'out';
  return isTo ? 'in' : 'none';
}

/** Legs that concern the address. Those without an amount count only where there are no others. */
function ownLegs(legs: readonly DescribedLeg[]): DescribedLeg[] {
  const own = legs.filter(({ direction }) => direction !== 'none');
  const moving = own.filter(({ amount }) => amount !== '0');
  return moving.length > 0 ? moving : own;
}

function overallDirection(legs: readonly DescribedLeg[]): Direction | 'both' {
  const directions = new Set(ownLegs(legs).map(({ direction }) => direction));
  if (directions.has('in')) return directions.has('out') ? 'both' : 'in';
  if (directions.has('out')) return 'out';
  return directions.has('self') ? 'self' : 'none';
}

function kindOf(native: NativeTransaction, legs: readonly DescribedLeg[]): RowDescription['kind'] {
  const callType = native.method?.callType;
  // Only a creation has no receiver.
  if (callType === 'CONTRACT_CREATION' || (callType === undefined && native.to === undefined)) {
    return 'contract-creation';
  }
  const own = ownLegs(legs);
  const assets = (direction: Direction) =>
    own.filter((leg) => leg.direction === direction && leg.amount !== '0').map(({ asset }) => asset.key);
  const outgoing = assets('out');
  if (assets('in').some((key) => outgoing.some((other) => other !== key))) return 'exchange';
  if (own.some(({ asset }) => asset.kind === 'erc721' || asset.kind === 'erc1155')) return 'nft-transfer';
  if (own.some(({ asset }) => asset.kind === 'erc20')) return 'token-transfer';
  if (callType === 'NATIVE_TRANSFER' || callType === undefined) return 'transfer';
  // Value that arrives from inside of somebody's call is a transfer to whoever receives it.
  return own.some(({ direction }) => direction === 'in') ? 'transfer' : 'contract-call';
}

function counterpartyOf(
  native: NativeTransaction,
  legs: readonly DescribedLeg[],
  address: string,
): Party | null {
  const others = ownLegs(legs).map((leg) => (leg.direction === 'in' ? leg.from : leg.to));
  const [first] = others;
  if (first !== undefined && others.every((other) => sameAddress(other?.address, first?.address))) {
    return first;
  }
  const other = sameAddress(native.from?.address, address) ? native.to : native.from;
  return other === undefined ? null : { address: other.address, name: other.name ?? null };
}

function feeOf(native: NativeTransaction, address: string): Fee {
  return {
    amount: transactionFee(native.gasUsed, native.gasPrice)?.toString() ?? null,
    payer:
      native.from === undefined ? null : { address: native.from.address, name: native.from.name ?? null },
    isPaidByAddress: sameAddress(native.from?.address, address),
  };
}

function methodOf(method: NativeTransaction['method']): RowDescription['method'] {
  const signature = method?.methodName ?? null;
  const hash = method?.methodHash ?? null;
  // For plain transfers and creations the service puts a description where the signature belongs (service-and-node.md §2).
  if (method?.callType === 'NATIVE_TRANSFER' || method?.callType === 'CONTRACT_CREATION') return null;
  const name = signature?.split('(', 1)[0]?.trim();
  if (name === undefined || name === '') return hash === null ? null : { name: hash, signature: null, hash };
  return { name, signature, hash };
}

/** Sums what came in and went out, asset by asset, with the fee if one of `mine` paid it. */
function netEffectOf(
  legs: readonly DescribedLeg[],
  fee: Fee,
  mine: readonly string[],
  native: NativeToken,
): NetEffect[] {
  const sums = new Map<string, { asset: Asset; sum: bigint | null; isUncertain: boolean }>();
  const add = (asset: Asset, amount: string | null, sign: 1n | -1n, isUncertain: boolean): void => {
    const before = sums.get(asset.key) ?? { asset, sum: 0n, isUncertain: false };
    sums.set(asset.key, {
      asset,
      sum: before.sum === null || amount === null ? null : before.sum + sign * BigInt(amount),
      isUncertain: before.isUncertain || isUncertain,
    });
  };
  if (mine.some((address) => sameAddress(fee.payer?.address, address))) {
    add(nativeAssetOf(native), fee.amount, -1n, false);
  }
  for (const leg of legs) {
    const direction = directionOf(leg, mine);
    if (direction === 'in') add(leg.asset, leg.amount, 1n, leg.isUncertain);
    if (direction === 'out') add(leg.asset, leg.amount, -1n, leg.isUncertain);
  }
  return [...sums.values()]
    .filter(({ sum }) => sum !== 0n)
    .map(({ asset, sum, isUncertain }) => ({ asset, amount: sum?.toString() ?? null, isUncertain }));
}
