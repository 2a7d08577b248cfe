import type { Chain } from './chains.ts';
import type { Contract } from './contracts.ts';
import { below } from './random.ts';

/** Whoever stands in a `from` or `to` is named by the address in lower case; `records.ts` writes its checksum. */
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
  /** Contracts that came into being. */
  readonly created: readonly string[];
}

/** What is known of a transaction from the beginning. */
export interface Event {
  readonly chain: Chain;
  /** Decides, with the chain, all that is drawn for it. */
  readonly id: number;
  readonly seconds: number;
  readonly sender: string;
  /** Who else may take part, apart from contracts and from addresses that are in no other transaction. */
  readonly others: readonly string[];
  readonly message?: MessageHalf;
  readonly act: () => Deed;
}

/** One transaction, in the sample world's own terms; `records.ts` writes it down. */
export class Transaction {
  readonly chain: Chain;
  readonly id: number;
  readonly seconds: number;
  readonly sender: string;
  readonly others: readonly string[];
  readonly message: MessageHalf | null;
  readonly #act: () => Deed;
  #deed: Deed | null = null;
  indexInBlock = 0;
  nonce = 0;
  /** Its place among the transactions of all chains, in the order of time. */
  place = 0;
  /** How often its block was replaced, and whether it got lost then. */
  replacements = 0;
  isLost = false;

  constructor({ chain, id, seconds, sender, others, message, act }: Event) {
    this.chain = chain;
    this.id = id;
    this.seconds = seconds;
    this.sender = sender;
    this.others = others;
    this.message = message ?? null;
    this.#act = act;
  }

  /** Worked out when it is first asked for: most transactions are never looked at. */
  get deed(): Deed {
    this.#deed ??= this.#act();
    return this.#deed;
  }
}

/** What a unit of gas costs, in base units of the chain's token: the fee of the time and the sender's tip. */
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

/** Whether somebody is sender or receiver of a transaction or of any part of it. */
export function involves({ sender, deed }: Transaction, who: string): boolean {
  const isParty = ({ from, to }: Passage) => from === who || to === who;
  return sender === who || deed.to === who || deed.moves.some(isParty) || deed.internals.some(isParty);
}
