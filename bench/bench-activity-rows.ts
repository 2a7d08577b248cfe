import type { RowFacets } from '../src/shared/activity/facets.ts';
import { directionValues, kindValues } from '../src/shared/activity/filter.ts';
import type {
  AddressTransaction,
  Erc20Transfer,
  TransactionDetail,
} from '../src/shared/endpoints/records.ts';
import type { StoredRow } from '../src/main/core/activity-ports.ts';

/** Rows of four addresses on five chains, the same in each run, with the size and fields of usual transactions. */

export const random = mulberry32(7);
export const below = (limit: number): number => Math.floor(random() * limit);
export const pick = <T>(values: readonly T[]): T => {
  const value = values[below(values.length)];
  if (value === undefined) throw new Error('There is nothing to pick from.');
  return value;
};
const hex = (digits: number): string =>
  Array.from({ length: digits / 8 }, () =>
    below(2 ** 32)
      .toString(16)
      .padStart(8, '0'),
  ).join('');

export const addresses = Array.from({ length: 4 }, () => `0x${hex(40)}`);
/** Each watched address has one of two tags, or none. */
export const tagsOf = (address: string): string[] =>
  [['own'], ['old'], ['own', 'old'], []][addresses.indexOf(address)] ?? [];
export const chains = ['1', '10', '43114', '8453', '42161'];
export const parties = Array.from({ length: 20_000 }, () => `0x${hex(40)}`);
export const methods = Array.from({ length: 200 }, (_value, place) => `method${place}`);
export const tokens = Array.from({ length: 500 }, (_value, place) => ({
  key: `erc20 0x${hex(40)}`,
  symbol: `TOK${place}`,
  name: `Token ${place}`,
  decimals: pick([6, 8, 18]),
}));
export const statuses = ['success', 'failed', 'unknown'] as const;
/** The input of a complete row, with which it is as long as details of the service are: 1.1 to 4.6 kB, mostly short. */
const inputOf = (): string => `0xa9059cbb${'0'.repeat(160 + Math.floor(3_500 * random() ** 3))}`;

/** As long as the request URL of a list page. */
const listUrl = `https://data-api.example/v1/chains/43114/addresses/0x${'0'.repeat(40)}/transactions?sortOrder=desc&pageSize=100`;

export const newestMs = 1_760_000_000_000;

/** The row at a place, counted from the newest. */
export function rowAt(place: number): StoredRow {
  const chainId = pick(chains);
  const token = pick(tokens);
  const amount = String(below(1_000_000)) + '0'.repeat(below(12));
  const facets: RowFacets = {
    kind: pick(kindValues),
    direction: pick(directionValues),
    status: random() < 0.95 ? 'success' : pick(statuses),
    counterparty: parties[Math.floor(parties.length * random() ** 3)] ?? null,
    otherSides: [],
    counterpartyName: null,
    method: pick(methods),
    tokens: [
      {
        token: `${chainId} ${token.key}`,
        symbol: token.symbol,
        name: token.name,
        decimals: token.decimals,
        amount,
      },
    ],
    rules: random() < 0.1 ? ['zero-value'] : [],
    isOwnDoing: random() < 0.3,
    hasUnreadParts: false,
    awaitsPrice: false,
    valueThen: random() < 0.5 ? `${below(10_000)}.${below(100)}` : null,
    valueCurrency: 'usd',
    fee: `${below(100_000)}${below(1_000_000_000)}`,
    messageId: null,
  };
  const txHash = `0x${hex(64)}`;
  const blockHash = `0x${hex(64)}`;
  const address = pick(addresses);
  const isPartial = random() < 0.5;
  const transfer: Erc20Transfer = {
    from: { address: facets.counterparty ?? address },
    to: { address },
    logIndex: below(300),
    value: amount,
    erc20Token: {
      address: token.key.slice('erc20 '.length),
      name: token.name,
      symbol: token.symbol,
      decimals: token.decimals,
      ercType: 'ERC-20',
    },
  };
  const transaction: AddressTransaction & TransactionDetail = {
    nativeTransaction: {
      blockNumber: String(200_000_000 - place),
      blockIndex: below(200),
      blockHash,
      txHash,
      txStatus: '1',
      txType: 2,
      gasLimit: '120000',
      gasUsed: String(50_000 + below(50_000)),
      gasPrice: '26500000000',
      nonce: String(place),
      blockTimestamp: Math.floor(newestMs / 1000) - place * 13,
      from: { address: facets.counterparty ?? address },
      to: { address: transfer.erc20Token.address },
      method: {
        callType: 'CONTRACT_CALL',
        methodHash: '0xa9059cbb',
        methodName: 'transfer(address,uint256)',
      },
      value: '0',
      ...(isPartial ? {} : { input: inputOf() }),
    },
    erc20Transfers: [transfer],
  };
  return {
    chainId,
    address,
    txHash,
    blockNumber: BigInt(200_000_000 - place),
    blockIndex: transaction.nativeTransaction.blockIndex ?? null,
    blockHash,
    timestampMs: newestMs - place * 13_000,
    completeness: isPartial ? 'partial' : 'complete',
    transactionJson: JSON.stringify(transaction),
    isReceived: true,
    requestUrl: isPartial ? `${listUrl}&pageToken=page-${Math.floor(place / 100)}` : null,
    fetchedAtMs: newestMs,
    facets,
  };
}

function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
