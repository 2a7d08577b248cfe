import type { Chain } from './chains.ts';
import type { Contract } from './contracts.ts';
import type { Entity } from './entities.ts';

/** A token transfer; its log index is its place in the transaction's list plus the transaction's first log index. */
export type Move =
  | {
      readonly kind: 'erc20';
      readonly token: Contract;
      readonly from: Entity;
      readonly to: Entity;
      readonly value: bigint;
    }
  | {
      readonly kind: 'erc721';
      readonly token: Contract;
      readonly from: Entity;
      readonly to: Entity;
      readonly tokenId: bigint;
    }
  | {
      readonly kind: 'erc1155';
      readonly token: Contract;
      readonly from: Entity;
      readonly to: Entity;
      readonly tokenId: bigint;
      readonly value: bigint;
    };

/** The types of `facts.md` §2; the specification shows only `UNKNOWN`. */
export const internalTypes = [
  'UNKNOWN',
  'CALL',
  'CALLCODE',
  'DELEGATECALL',
  'STATICCALL',
  'CREATE',
  'CREATE2',
  'CREATE3',
] as const;
export type InternalType = (typeof internalTypes)[number];

export interface InternalCall {
  readonly type: InternalType;
  readonly from: Entity;
  readonly to: Entity;
  readonly value: bigint;
  readonly reverted: boolean;
}

/** One half of a message between chains. Both halves carry the same id. */
export interface MessageHalf {
  readonly direction: 'SOURCE_TRANSACTION' | 'DESTINATION_TRANSACTION';
  readonly source: Chain;
  readonly destination: Chain;
  /** The transaction on the source chain. */
  readonly sourceN: number;
}

export interface Method {
  readonly callType: 'NATIVE_TRANSFER' | 'CONTRACT_CALL' | 'CONTRACT_CREATION';
  readonly hash?: string;
  readonly name?: string;
}

/** Everything that one transaction does, in the sample world's own terms; `records.ts` writes it down. */
export interface TransactionPlan {
  readonly chain: Chain;
  readonly n: number;
  readonly success: boolean;
  readonly sender: Entity;
  /** Null for the creation of a contract. */
  readonly to: Entity | null;
  readonly value: bigint;
  readonly nonce: number;
  readonly method: Method;
  readonly gasUsed: number;
  readonly moves: readonly Move[];
  readonly internals: readonly InternalCall[];
  /** Contracts that came into being. */
  readonly created: readonly Entity[];
  readonly message: MessageHalf | null;
}

/** Whether somebody is sender or receiver of the transaction or of any part of it. */
export function involves(plan: TransactionPlan, who: Entity): boolean {
  return (
    plan.sender === who ||
    plan.to === who ||
    plan.moves.some((move) => move.from === who || move.to === who) ||
    plan.internals.some((call) => call.from === who || call.to === who)
  );
}
