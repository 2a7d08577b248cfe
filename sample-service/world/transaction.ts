import type { Chain } from './chains.ts';
import type { Contract } from './contracts.ts';
import { below } from './random.ts';

/** `from` and `to` are addresses in lower case; `records.ts` adds the checksum. */
interface Passage {
  readonly from: string;
  readonly to: string;
}

/** A token transfer; its log index is its place in the transaction's list plus the transaction's first log index. */
export type Move = Passage & { readonly token: Contract } & (
    | { readonly kind: 'erc20'; readonly value: bigint }
    | { readonly kind: 'erc721'; readonly tokenId: bigint }
    | { readonly kind: 'erc1155'; readonly tokenId: bigint; readonly value: bigint }
  );

/** The types of service-and-node.md §2; the specification shows only `UNKNOWN`. */
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

export interface InternalCall extends Passage {
  readonly type: (typeof internalTypes)[number];
  readonly value: bigint;
  readonly isReverted?: boolean;
}

/** One half of a message between chains. Both halves carry the same id. */
export interface MessageHalf {
  readonly direction: 'SOURCE_TRANSACTION' | 'DESTINATION_TRANSACTION';
  readonly source: Chain;
  readonly destination: Chain;
  readonly id: string;
}

export interface Method {
  readonly callType: 'NATIVE_TRANSFER' | 'CONTRACT_CALL' | 'CONTRACT_CREATION';
  readonly hash?: string;
  readonly name?: string;
}

/** What is done in a transaction. */
export interface Deed {
  /** Null for the creation of a contract. */
  readonly to: string | null;
  readonly success: boolean;
  readonly value: bigint;
  readonly method: Method;
  readonly gasUsed: number;
  readonly gasLimit: number;
  readonly moves: readonly Move[];
  readonly internals: readonly InternalCall[];
  /** Created contracts. */
  readonly created: readonly string[];
}

/** The part of a transaction that is fixed at the start. */
export interface Event {
  readonly chain: Chain;
  /** With the chain, the seed of all its random draws. */
  readonly id: number;
  readonly seconds: number;
  readonly sender: string;
  /** Other accounts that may take part, except contracts and addresses that are in no other transaction. */
  readonly others: readonly string[];
  readonly message?: MessageHalf;
}

/** One transaction, in the sample world's own terms; `records.ts` writes it down. A class, as there are tens of thousands. */
export class Transaction {
  readonly chain: Chain;
  readonly id: number;
  readonly seconds: number;
  readonly sender: string;
  readonly others: readonly string[];
  readonly message: MessageHalf | undefined;
  indexInBlock = 0;
  nonce = 0;
  /** Its place among the transactions of all chains, in order of time. */
  place = 0;
  /** How often its block was replaced; `isLost`: it disappeared then. */
  replacements = 0;
  isLost = false;
  readonly #act: () => Deed;
  #deed: Deed | null = null;

  constructor({ chain, id, seconds, sender, others, message }: Event, act: () => Deed) {
    this.chain = chain;
    this.id = id;
    this.seconds = seconds;
    this.sender = sender;
    this.others = others;
    this.message = message;
    this.#act = act;
  }

  /** Computed on first use, because most transactions are never requested. */
  get deed(): Deed {
    return (this.#deed ??= this.#act());
  }
}

/** The price of a unit of gas in base units of the chain's token: the current base fee and the sender's tip. */
export function gasPriceOf(
  seed: number,
  { chain, id, seconds }: Transaction,
): { baseFee: number; tip: number } {
  const hours = seconds / 3600;
  const wave = 1 + 0.8 * Math.sin(hours / 300) + 0.1 * Math.sin(hours / 3);
  return {
    baseFee: Math.round(wave * 6e9) + 1_000_000_000,
    tip: below(2_000_000_000, seed, id, 0xfee, chain.index),
  };
}

/** Whether an address is sender or receiver of a transaction or of any part of it. */
export function involves({ sender, deed }: Transaction, who: string): boolean {
  const isParty = ({ from, to }: Passage) => from === who || to === who;
  return sender === who || deed.to === who || deed.moves.some(isParty) || deed.internals.some(isParty);
}
