import { toChecksumAddress } from '../../src/shared/address.ts';
import type { Contract } from './contracts.ts';
import { sampleHash, zeroAddress } from './identifiers.ts';
import { nftMetadata, tokenUri } from './nft.ts';
import { priceAt } from './prices.ts';
import { below, mix, randomHex } from './random.ts';
import type { Timeline } from './timeline.ts';
import { gasPriceOf, type InternalCall, type Move, type Transaction } from './transaction.ts';

/** Whose spelling of names, types and enumerations the service uses (service-and-node.md §1 and §2). */
export type Names = 'specification' | 'upstream';

/** How many log indexes are reserved for each transaction of a block. */
const logsPerTransaction = 32;
const daySeconds = 86_400;

/** Makes records in the shapes of the specification's "Resources and their fields". */
export function createRecords(
  seed: number,
  names: Names,
  timeline: Timeline,
  contractAt: (address: string) => Contract | undefined,
  nowSeconds: () => number,
) {
  // The schema of the public service requires both, even if empty (service-and-node.md §2).
  const noReceiver = names === 'upstream' ? { to: { address: zeroAddress } } : {};
  const noMethodHash = names === 'upstream' ? { methodHash: '' } : {};

  function price(token: number, averageUsd: number | undefined, seconds: number, currency: string) {
    if (averageUsd === undefined || averageUsd === 0) return null;
    const value = priceAt(seed, token, averageUsd, seconds, currency);
    const digits = value < 0.01 ? value.toFixed(10) : value.toFixed(6);
    return { currencyCode: currency, value: names === 'upstream' ? Number(digits) : digits };
  }

  const spellings = new Map<string, string>();
  function spell(address: string): string {
    const known = spellings.get(address) ?? toChecksumAddress(address);
    spellings.set(address, known);
    return known;
  }

  function info(who: string) {
    const contract = contractAt(who);
    const address = spell(who);
    return contract === undefined ? { address } : { ...tokenNames(contract), address };
  }

  /** Unknown fields are undefined, and so left out of the JSON. */
  function tokenNames({ chain, index, name, symbol, decimals, logo }: Contract) {
    const logoUri = `https://assets.sample.example/contracts/${chain.index}-${index}.png`;
    return { name, symbol, decimals, ...(logo ? { logoUri } : {}) };
  }

  function erc20Token(contract: Contract, currency: string) {
    const { address, chain, index, priceUsd } = contract;
    const current = price(1000 + 100 * chain.index + index, priceUsd, nowSeconds(), currency);
    return {
      address: spell(address),
      ...tokenNames(contract),
      ercType: 'ERC-20',
      ...(current === null ? {} : { price: current }),
    };
  }

  function nft({ token, tokenId, to }: Extract<Move, { tokenId: bigint }>) {
    const { address, name, symbol, ercType } = token;
    const isUnique = ercType === 'ERC-721';
    return {
      address: spell(address),
      ...(isUnique ? { name, symbol } : {}),
      ercType,
      tokenId: String(tokenId),
      tokenUri: tokenUri(token, tokenId),
      metadata: nftMetadata(seed, names, token, tokenId, nowSeconds()),
      ...(isUnique ? { ownerAddress: spell(to) } : {}),
    };
  }

  function transfer({ indexInBlock }: Transaction, move: Move, place: number, currency: string) {
    const logIndex = indexInBlock * logsPerTransaction + place;
    const base = { from: info(move.from), to: info(move.to), logIndex };
    switch (move.kind) {
      case 'erc20':
        return { ...base, value: String(move.value), erc20Token: erc20Token(move.token, currency) };
      case 'erc721':
        return { ...base, erc721Token: nft(move) };
      case 'erc1155':
        return { ...base, value: String(move.value), erc1155Token: nft(move) };
    }
  }

  function internal({ chain, id }: Transaction, call: InternalCall, place: number) {
    const gasLimit = 30_000 + below(200_000, seed, id, 0x6a0 + place, chain.index);
    return {
      from: info(call.from),
      to: info(call.to),
      internalTxType: call.type,
      value: String(call.value),
      isReverted: call.isReverted ?? false,
      gasUsed: String(Math.floor(gasLimit * 0.7)),
      gasLimit: String(gasLimit),
    };
  }

  const hash = ({ chain, id }: Transaction) => sampleHash(seed, chain.index, id);

  const blockNumber = ({ chain, seconds }: Transaction) => timeline.blockAt(chain, seconds);

  const blockHash = (transaction: Transaction) =>
    sampleHash(
      seed,
      0xb10c00 + 0x100 * transaction.replacements + transaction.chain.index,
      blockNumber(transaction),
    );

  const block = (transaction: Transaction) => ({
    blockNumber: String(blockNumber(transaction)),
    blockTimestamp: transaction.seconds,
    blockHash: blockHash(transaction),
  });

  function txType({ chain, id }: Transaction): number {
    return [0, 2, 2, 2, 2, 1, 2, 2][mix(seed, id, 0x7e, chain.index) % 8] ?? 2;
  }

  function native(transaction: Transaction) {
    const { chain, deed } = transaction;
    const { to, method } = deed;
    const { baseFee, tip } = gasPriceOf(seed, transaction);
    return {
      ...block(transaction),
      chainId: chain.chainId,
      blockIndex: transaction.indexInBlock,
      txHash: hash(transaction),
      txStatus: deed.success ? '1' : '0',
      txType: txType(transaction),
      gasLimit: String(deed.gasLimit),
      gasUsed: String(deed.gasUsed),
      gasPrice: String(baseFee + tip),
      nonce: String(transaction.nonce),
      from: info(transaction.sender),
      ...(to === null ? noReceiver : { to: info(to) }),
      method: {
        callType: method.callType,
        ...(method.hash === undefined ? noMethodHash : { methodHash: method.hash }),
        ...(method.name === undefined ? {} : { methodName: method.name }),
      },
      value: String(deed.value),
    };
  }

  function detailed(transaction: Transaction) {
    const { baseFee, tip } = gasPriceOf(seed, transaction);
    return {
      ...native(transaction),
      input: input(transaction),
      baseFeePerGas: String(baseFee),
      ...(txType(transaction) === 2
        ? { maxFeePerGas: String(2 * baseFee + tip), maxPriorityFeePerGas: String(tip) }
        : {}),
    };
  }

  function input({ chain, id, deed: { to, method } }: Transaction): string {
    if (method.callType === 'NATIVE_TRANSFER') return '0x';
    return (method.hash ?? '0x60806040') + randomHex(to === null ? 192 : 32, seed ^ 0x1a, chain.index, id);
  }

  function parts(
    transaction: Transaction,
    currency: string,
    isShown: (part: { from: string; to: string }) => boolean,
  ) {
    const transfers = transaction.deed.moves.flatMap((move, place) =>
      isShown(move) ? [transfer(transaction, move, place, currency)] : [],
    );
    return {
      erc20Transfers: transfers.filter((part) => 'erc20Token' in part),
      erc721Transfers: transfers.filter((part) => 'erc721Token' in part),
      erc1155Transfers: transfers.filter((part) => 'erc1155Token' in part),
      internalTransactions: transaction.deed.internals.flatMap((call, place) =>
        isShown(call) ? [internal(transaction, call, place)] : [],
      ),
    };
  }

  function message({ message: half }: Transaction) {
    if (half === undefined) return {};
    const { direction, source, destination, id } = half;
    // Each half names only the other chain (service-and-node.md §2).
    const other =
      direction === 'SOURCE_TRANSACTION'
        ? { destinationChainId: destination.chainId }
        : { sourceChainId: source.chainId };
    return names === 'upstream'
      ? { teleporterMessageInfo: { teleporterMessageId: id, direction, ...other } }
      : { crosschainMessageInfo: { crosschainMessageId: id, direction, ...other } };
  }

  return {
    /** The written form of an address, with the EIP-55 checksum. */
    spell,
    hash,
    block,
    blockNumber,
    blockHash,
    native,
    /** The token transfer at a place in `moves`. */
    transfer(transaction: Transaction, place: number) {
      const move = transaction.deed.moves[place];
      if (move === undefined) throw new RangeError(`${hash(transaction)} has no transfer ${place}`);
      return transfer(transaction, move, place, 'usd');
    },
    internal(transaction: Transaction, place: number) {
      const call = transaction.deed.internals[place];
      if (call === undefined) throw new RangeError(`${hash(transaction)} has no internal part ${place}`);
      return internal(transaction, call, place);
    },
    /** What the address transactions list shows: only the parts that touch the address. */
    ofAddress: (transaction: Transaction, address: string) => ({
      nativeTransaction: native(transaction),
      ...parts(transaction, 'usd', ({ from, to }) => from === address || to === address),
    }),
    detail(transaction: Transaction, currency: string) {
      const { chain, seconds } = transaction;
      const current = price(chain.index, chain.tokenPriceUsd, nowSeconds(), currency);
      const isOld = nowSeconds() - seconds > daySeconds;
      const historical = isOld ? price(chain.index, chain.tokenPriceUsd, seconds, currency) : null;
      return {
        ...parts(transaction, currency, () => true),
        networkTokenDetails: {
          networkToken: chain.token,
          ...(current === null ? {} : { currentPrice: current }),
          ...(historical === null ? {} : { historicalPrice: historical }),
        },
        nativeTransaction: detailed(transaction),
        ...message(transaction),
      };
    },
  };
}
