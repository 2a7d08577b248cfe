import type { Chain } from './chains.ts';
import type { Contract } from './contracts.ts';
import {
  entityChain,
  entityIndex,
  entityKind,
  entityKinds,
  type AddressBook,
  type Entity,
} from './entities.ts';
import { feesOf } from './fees.ts';
import { decodeIdentifier, encodeIdentifier } from './identifiers.ts';
import { nftMetadata, tokenUri } from './nft.ts';
import type { InternalCall, Move, TransactionPlan } from './plan.ts';
import { priceAt } from './prices.ts';
import { below } from './random.ts';
import type { Reorgs } from './reorgs.ts';
import type { Timeline } from './timeline.ts';
import type {
  AddressInfo,
  AddressTransaction,
  BlockFields,
  Erc1155Transfer,
  Erc20Token,
  Erc20Transfer,
  Erc721Transfer,
  InternalTransaction,
  Names,
  NativeTransaction,
  NftToken,
  Price,
  TokenTransfer,
  TransactionDetail,
} from './wire.ts';
import type { Catalogue } from './contracts.ts';

/** Log indexes that one transaction has for itself within its block. */
const logsPerTransaction = 32;
const daySeconds = 86_400;
const hashSalt = { transaction: 0x7a54, block: 0xb10c, message: 0x3e55 } as const;

export interface Records {
  txHash(chain: Chain, n: number): string;
  /** Chain index and number of the transaction with this hash, or null for a hash that this world never made. */
  transactionAt(hash: string): { chain: number; n: number } | null;
  blockHash(chain: Chain, block: number): string;
  /** The block with this hash and the generation of the chain that it belonged to; see `reorgs.ts`. */
  blockAt(hash: string): { chain: number; block: number; generation: number } | null;
  block(plan: TransactionPlan): BlockFields;
  native(plan: TransactionPlan): NativeTransaction;
  /** The token transfer at a place in `plan.moves`. */
  transfer(plan: TransactionPlan, place: number): TokenTransfer;
  internal(plan: TransactionPlan, place: number): InternalTransaction;
  /** What the address transactions list shows: only the parts that touch the address. */
  ofAddress(plan: TransactionPlan, who: Entity): AddressTransaction;
  detail(plan: TransactionPlan, currency: string): TransactionDetail;
}

/** Writes plans down in the shapes of the specification's "Resources and their fields". */
export function createRecords(
  seed: number,
  names: Names,
  book: AddressBook,
  timeline: Timeline,
  catalogue: Catalogue,
  reorgs: Reorgs,
  nowSeconds: () => number,
): Records {
  const hash = (salt: number, chain: number, index: number, generation = 0) =>
    `0x${encodeIdentifier(seed, salt, [generation * 0x100 + chain, index], 8)}`;

  // The schema of the public service requires both, although there is nothing to tell (facts §2).
  const noReceiver = names === 'upstream' ? { to: { address: `0x${'0'.repeat(40)}` } } : {};
  const noMethodHash = names === 'upstream' ? { methodHash: '' } : {};

  function decode(salt: number, text: string) {
    const payload = decodeIdentifier(seed, salt, text.slice(2).toLowerCase());
    if (payload === null) return null;
    return { chain: payload[0] & 0xff, index: payload[1], generation: payload[0] >>> 8 };
  }

  function blockHash(chain: Chain, number: number): string {
    return hash(hashSalt.block, chain.index, number, reorgs.generation(chain, number));
  }

  function price(
    token: number,
    averageUsd: number | undefined,
    seconds: number,
    currency: string,
  ): Price | null {
    if (averageUsd === undefined || averageUsd === 0) return null;
    const value = priceAt(seed, token, averageUsd, seconds, currency);
    const digits = value < 0.01 ? value.toFixed(10) : value.toFixed(6);
    return { currencyCode: currency, value: names === 'upstream' ? Number(digits) : digits };
  }

  function contractOf(who: Entity): Contract | undefined {
    if (entityKind(who) !== entityKinds.contract) return undefined;
    return catalogue[entityChain(who)]?.[entityIndex(who)];
  }

  function logoUri(contract: Contract): string | undefined {
    if (!contract.logo) return undefined;
    return `https://assets.sample.example/contracts/${entityChain(contract.entity)}-${contract.index}.png`;
  }

  function info(who: Entity): AddressInfo {
    const contract = contractOf(who);
    if (contract === undefined) return { address: book.addressOf(who) };
    return { ...tokenNames(contract), address: book.addressOf(who) };
  }

  function tokenNames(contract: Contract) {
    const logo = logoUri(contract);
    return {
      ...(contract.name === undefined ? {} : { name: contract.name }),
      ...(contract.symbol === undefined ? {} : { symbol: contract.symbol }),
      ...(contract.decimals === undefined ? {} : { decimals: contract.decimals }),
      ...(logo === undefined ? {} : { logoUri: logo }),
    };
  }

  function erc20Token(contract: Contract, currency: string): Erc20Token {
    const current = price(contract.entity % 9973, contract.priceUsd, nowSeconds(), currency);
    return {
      address: book.addressOf(contract.entity),
      ...tokenNames(contract),
      ercType: 'ERC-20',
      ...(current === null ? {} : { price: current }),
    };
  }

  function nft(move: Extract<Move, { tokenId: bigint }>): NftToken {
    const { token } = move;
    const isUnique = token.ercType === 'ERC-721';
    return {
      address: book.addressOf(token.entity),
      ...(isUnique && token.name !== undefined ? { name: token.name } : {}),
      ...(isUnique && token.symbol !== undefined ? { symbol: token.symbol } : {}),
      ercType: token.ercType,
      tokenId: String(move.tokenId),
      tokenUri: tokenUri(token, move.tokenId),
      metadata: nftMetadata(seed, names, token, move.tokenId, nowSeconds()),
      ...(isUnique ? { ownerAddress: book.addressOf(move.to) } : {}),
    };
  }

  function written(plan: TransactionPlan, move: Move, place: number, currency: string): TokenTransfer {
    const { indexInBlock } = timeline.blockOf(plan.chain, plan.n);
    const transfer = {
      from: info(move.from),
      to: info(move.to),
      logIndex: indexInBlock * logsPerTransaction + place,
    };
    switch (move.kind) {
      case 'erc20':
        return { ...transfer, value: String(move.value), erc20Token: erc20Token(move.token, currency) };
      case 'erc721':
        return { ...transfer, erc721Token: nft(move) };
      case 'erc1155':
        return { ...transfer, value: String(move.value), erc1155Token: nft(move) };
    }
  }

  function writtenInternal(plan: TransactionPlan, call: InternalCall, place: number): InternalTransaction {
    const gasLimit = 30_000 + below(200_000, seed, plan.n, 0x6a0 + place, plan.chain.index);
    return {
      from: info(call.from),
      to: info(call.to),
      internalTxType: call.type,
      value: String(call.value),
      isReverted: call.reverted,
      gasUsed: String(Math.floor(gasLimit * 0.7)),
      gasLimit: String(gasLimit),
    };
  }

  function block(plan: TransactionPlan): BlockFields {
    const { block: number } = timeline.blockOf(plan.chain, plan.n);
    return {
      blockNumber: String(number),
      blockTimestamp: timeline.blockSeconds(plan.chain, number),
      blockHash: blockHash(plan.chain, number),
    };
  }

  function native(plan: TransactionPlan): NativeTransaction {
    const { txType, gasLimit, gasUsed, gasPrice } = feesOf(seed, plan);
    const { indexInBlock } = timeline.blockOf(plan.chain, plan.n);
    const { callType, hash: methodHash, name: methodName } = plan.method;
    return {
      ...block(plan),
      chainId: plan.chain.chainId,
      blockIndex: indexInBlock,
      txHash: hash(hashSalt.transaction, plan.chain.index, plan.n),
      txStatus: plan.success ? '1' : '0',
      txType,
      gasLimit: String(gasLimit),
      gasUsed: String(gasUsed),
      gasPrice: String(gasPrice),
      nonce: String(plan.nonce),
      from: info(plan.sender),
      ...(plan.to === null ? noReceiver : { to: info(plan.to) }),
      method: {
        callType,
        ...(methodHash === undefined ? noMethodHash : { methodHash }),
        ...(methodName === undefined ? {} : { methodName }),
      },
      value: String(plan.value),
    };
  }

  function detailed(plan: TransactionPlan): NativeTransaction {
    const { txType, baseFee, tip } = feesOf(seed, plan);
    return {
      ...native(plan),
      input: input(plan),
      baseFeePerGas: String(baseFee),
      ...(txType === 2 ? { maxFeePerGas: String(2 * baseFee + tip), maxPriorityFeePerGas: String(tip) } : {}),
    };
  }

  function input(plan: TransactionPlan): string {
    if (plan.method.callType === 'NATIVE_TRANSFER') return '0x';
    const words = Array.from({ length: plan.to === null ? 24 : 4 }, (_, i) =>
      encodeIdentifier(seed, 0x1a + i, [plan.chain.index, plan.n], 8),
    );
    return (plan.method.hash ?? '0x60806040') + words.join('');
  }

  function parts(
    plan: TransactionPlan,
    currency: string,
    isShown: (part: { from: Entity; to: Entity }) => boolean,
  ): Omit<AddressTransaction, 'nativeTransaction'> {
    const erc20Transfers: Erc20Transfer[] = [];
    const erc721Transfers: Erc721Transfer[] = [];
    const erc1155Transfers: Erc1155Transfer[] = [];
    plan.moves.forEach((move, place) => {
      if (!isShown(move)) return;
      const transfer = written(plan, move, place, currency);
      if ('erc20Token' in transfer) erc20Transfers.push(transfer);
      else if ('erc721Token' in transfer) erc721Transfers.push(transfer);
      else erc1155Transfers.push(transfer);
    });
    const internalTransactions = plan.internals.flatMap((call, place) =>
      isShown(call) ? [writtenInternal(plan, call, place)] : [],
    );
    return { erc20Transfers, erc721Transfers, erc1155Transfers, internalTransactions };
  }

  function message(
    plan: TransactionPlan,
  ): Pick<TransactionDetail, 'crosschainMessageInfo' | 'teleporterMessageInfo'> {
    if (plan.message === null) return {};
    const { direction, source, destination, sourceN } = plan.message;
    const id = hash(hashSalt.message, source.index, sourceN);
    // Each half names the other side only (facts §2).
    const other =
      direction === 'SOURCE_TRANSACTION'
        ? { destinationChainId: destination.chainId }
        : { sourceChainId: source.chainId };
    return names === 'upstream'
      ? { teleporterMessageInfo: { teleporterMessageId: id, direction, ...other } }
      : { crosschainMessageInfo: { crosschainMessageId: id, direction, ...other } };
  }

  return {
    txHash: (chain, n) => hash(hashSalt.transaction, chain.index, n),
    transactionAt(text) {
      const found = decode(hashSalt.transaction, text);
      return found === null ? null : { chain: found.chain, n: found.index };
    },
    blockHash,
    blockAt(text) {
      const found = decode(hashSalt.block, text);
      return found === null ? null : { chain: found.chain, block: found.index, generation: found.generation };
    },
    block,
    native,
    transfer(plan, place) {
      const move = plan.moves[place];
      if (move === undefined) throw new RangeError(`transaction ${plan.n} has no transfer ${place}`);
      return written(plan, move, place, 'usd');
    },
    internal(plan, place) {
      const call = plan.internals[place];
      if (call === undefined) throw new RangeError(`transaction ${plan.n} has no internal part ${place}`);
      return writtenInternal(plan, call, place);
    },
    ofAddress: (plan, who) => ({
      nativeTransaction: native(plan),
      ...parts(plan, 'usd', (part) => part.from === who || part.to === who),
    }),
    detail(plan, currency) {
      const { chain } = plan;
      const { blockTimestamp } = block(plan);
      const current = price(chain.index, chain.tokenPriceUsd, nowSeconds(), currency);
      const isOld = nowSeconds() - blockTimestamp > daySeconds;
      const historical = isOld ? price(chain.index, chain.tokenPriceUsd, blockTimestamp, currency) : null;
      return {
        ...parts(plan, currency, () => true),
        networkTokenDetails: {
          networkToken: chain.token,
          ...(current === null ? {} : { currentPrice: current }),
          ...(historical === null ? {} : { historicalPrice: historical }),
        },
        nativeTransaction: detailed(plan),
        ...message(plan),
      };
    },
  };
}
