import { knownDecimals, transactionFee } from '../amounts.ts';
import type { NativeTransaction } from '../endpoints/records.ts';
import {
  legsOf,
  nativeAssetOf,
  partyOf,
  sameAddress,
  statusOf,
  type Asset,
  type Leg,
  type NativeToken,
  type Party,
} from './legs.ts';
import type { ReadTransaction, UnreadableRow } from './types.ts';

/** The parts of a row that its description depends on. */
export type DescribedRow = {
  /** The watched address. */
  address: string;
} & ReadTransaction;

/** As seen from the row's address; `self` is a transfer to itself, `none` does not involve it. */
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
  /** Sum of the legs for the row's address; `both` if value went in and out. */
  direction: Direction | 'both';
  /** The other side, if there is a single one. */
  counterparty: Party | null;
  legs: DescribedLeg[];
  fee: Fee;
  status: 'success' | 'failed' | 'unknown';
  method: { name: string; signature: string | null; hash: string | null } | null;
  /** What the transaction changed in the user's holdings, fee included; unchanged assets are left out. */
  netEffect: NetEffect[];
  /** Whose holdings `netEffect` covers: a partial row has complete data of its own address only. */
  netEffectScope: 'my-addresses' | 'this-address';
}

export interface Fee {
  /** Base units of the native token: gas used times gas price; null if either is unknown. */
  amount: string | null;
  payer: Party | null;
  /** True if the row's address paid it. */
  isPaidByAddress: boolean;
}

export interface NetEffect {
  asset: Asset;
  /** Base units, negative for a loss; null if a part is unknown. */
  amount: string | null;
  /** True if it is not certain that all records moved value. */
  isUncertain: boolean;
}

/**
 * Describes a stored transaction for the row's address and all watched ones. Exact: a failed transaction moves nothing
 * but its fee, only the sender pays the fee, and reverted internal calls and calls that only run other code count for
 * nothing. `native` is what is known of the chain's native token; a complete row may know more.
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

/** Like `describeRow`, but without the changes in the user's holdings. */
export type MovementDescription = Omit<RowDescription, 'netEffect' | 'netEffectScope'>;

/** Describes a stored transaction for the row's address only; fast enough for very many rows. */
export function describeMovement(
  row: DescribedRow,
  native: NativeToken = { symbol: null, decimals: null },
): MovementDescription {
  const { transaction, address } = row;
  const { nativeTransaction } = transaction;
  const legs = legsOf(transaction, nativeTokenOf(row, native)).map((leg) => ({
    ...leg,
    direction: directionOf(leg, (other) => sameAddress(other, address)),
  }));
  const own = ownLegs(legs);
  return {
    kind: kindOf(nativeTransaction, own),
    direction: overallDirection(own),
    counterparty: counterpartyOf(nativeTransaction, own, address),
    legs,
    fee: feeOf(nativeTransaction, address),
    status: statusOf(nativeTransaction),
    method: methodOf(nativeTransaction.method),
  };
}

/** What is known of the native token of a row's chain: a complete row may know more than the chain. */
export function nativeTokenOf(row: ReadTransaction | UnreadableRow, native: NativeToken): NativeToken {
  const token =
    row.completeness === 'complete' ? row.transaction.networkTokenDetails?.networkToken : undefined;
  return {
    symbol: token?.symbol ?? native.symbol,
    decimals: knownDecimals(token?.decimals) ?? native.decimals,
  };
}

function directionOf(leg: Leg, isMine: (address: string | undefined) => boolean): Direction {
  const isFrom = isMine(leg.from?.address);
  const isTo = isMine(leg.to?.address);
  if (isFrom) return isTo ? 'self' : 'out';
  return isTo ? 'in' : 'none';
}

/** Legs that involve the address. Zero amounts count only if there are no others. */
function ownLegs(legs: readonly DescribedLeg[]): DescribedLeg[] {
  const own = legs.filter(({ direction }) => direction !== 'none');
  const moving = own.filter(({ amount }) => amount !== '0');
  return moving.length > 0 ? moving : own;
}

function overallDirection(own: readonly DescribedLeg[]): Direction | 'both' {
  const directions = new Set(own.map(({ direction }) => direction));
  if (directions.has('in')) return directions.has('out') ? 'both' : 'in';
  if (directions.has('out')) return 'out';
  return directions.has('self') ? 'self' : 'none';
}

function kindOf(native: NativeTransaction, own: readonly DescribedLeg[]): RowDescription['kind'] {
  const callType = native.method?.callType;
  // Only a creation has no receiver.
  if (callType === 'CONTRACT_CREATION' || (callType === undefined && native.to === undefined)) {
    return 'contract-creation';
  }
  const assets = (direction: Direction) =>
    own.filter((leg) => leg.direction === direction && leg.amount !== '0').map(({ asset }) => asset.key);
  const outgoing = assets('out');
  if (assets('in').some((key) => outgoing.some((other) => other !== key))) return 'exchange';
  if (own.some(({ asset }) => asset.kind === 'erc721' || asset.kind === 'erc1155')) return 'nft-transfer';
  if (own.some(({ asset }) => asset.kind === 'erc20')) return 'token-transfer';
  if (callType === 'NATIVE_TRANSFER' || callType === undefined) return 'transfer';
  // Value received from within somebody else's call is a transfer for the receiver.
  return own.some(({ direction }) => direction === 'in') ? 'transfer' : 'contract-call';
}

function counterpartyOf(
  native: NativeTransaction,
  own: readonly DescribedLeg[],
  address: string,
): Party | null {
  const others = own.map((leg) => (leg.direction === 'in' ? leg.from : leg.to));
  const [first] = others;
  if (first !== undefined && others.every((other) => sameAddress(other?.address, first?.address))) {
    return first;
  }
  return partyOf(sameAddress(native.from?.address, address) ? native.to : native.from);
}

const feeOf = (native: NativeTransaction, address: string): Fee => ({
  amount: transactionFee(native.gasUsed, native.gasPrice)?.toString() ?? null,
  payer: partyOf(native.from),
  isPaidByAddress: sameAddress(native.from?.address, address),
});

function methodOf(method: NativeTransaction['method']): RowDescription['method'] {
  const signature = method?.methodName ?? null;
  const hash = method?.methodHash ?? null;
  // For transfers and creations the service sends a description as the signature (service-and-node.md §2).
  if (method?.callType === 'NATIVE_TRANSFER' || method?.callType === 'CONTRACT_CREATION') return null;
  const end = signature?.indexOf('(') ?? -1;
  const name = (end === -1 ? signature : signature?.slice(0, end))?.trim();
  if (name === undefined || name === '') return hash === null ? null : { name: hash, signature: null, hash };
  return { name, signature, hash };
}

/** Net change per asset, including the fee if one of `mine` paid it. */
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
  // A transaction may have thousands of legs, and the user as many addresses.
  const known = new Set(mine.map((address) => address.toLowerCase()));
  const isMine = (address: string | undefined) => address !== undefined && known.has(address.toLowerCase());
  if (isMine(fee.payer?.address)) {
    add(nativeAssetOf(native), fee.amount, -1n, false);
  }
  for (const leg of legs) {
    const direction = directionOf(leg, isMine);
    if (direction === 'in') add(leg.asset, leg.amount, 1n, leg.isUncertain);
    if (direction === 'out') add(leg.asset, leg.amount, -1n, leg.isUncertain);
  }
  return [...sums.values()]
    .filter(({ sum }) => sum !== 0n)
    .map(({ asset, sum, isUncertain }) => ({ asset, amount: sum?.toString() ?? null, isUncertain }));
}
