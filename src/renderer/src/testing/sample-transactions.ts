import type { ReadableRow, RowMarks } from '../../../shared/activity/types.ts';
import type {
  AddressInfo,
  Erc1155Transfer,
  Erc20Transfer,
  Erc721Transfer,
  InternalTransaction,
  NativeTransaction,
  TransactionDetail,
} from '../../../shared/endpoints/records.ts';
import { Random } from './random.ts';

const sampleTokens = {
  usdc: {
    address: '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E',
    name: 'USD Coin',
    symbol: 'USDC',
    decimals: 6,
  },
  wavax: {
    address: '0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7',
    name: 'Wrapped AVAX',
    symbol: 'WAVAX',
    decimals: 18,
  },
  odd: { address: '0x5947BB275c521040051D82396192181b413227A3', name: 'Undeclared', symbol: 'ODD' },
} as const;

const methods = [
  { callType: 'NATIVE_TRANSFER', methodName: 'Native Transfer' },
  { callType: 'CONTRACT_CALL', methodHash: '0xa9059cbb', methodName: 'transfer(address,uint256)' },
  {
    callType: 'CONTRACT_CALL',
    methodHash: '0x18cbafe5',
    methodName: 'swapExactTokensForETH(uint256,uint256,address[],address,uint256)',
  },
  {
    callType: 'CONTRACT_CALL',
    methodHash: '0x42842e0e',
    methodName: 'safeTransferFrom(address,address,uint256)',
  },
  { callType: 'CONTRACT_CREATION', methodName: 'Contract Created' },
];

export interface SampleChain {
  chainId: string;
  name: string;
  symbol: string;
}

/** One transaction of `address` with every part that the specification knows. */
export function sampleDetail(
  random: Random,
  chain: SampleChain,
  address: string,
  timestampMs: number,
  shape: number,
): TransactionDetail {
  const other: AddressInfo = {
    address: random.address(),
    ...(shape === 2 ? { name: 'Trader Joe: Router' } : {}),
  };
  const me: AddressInfo = { address };
  const isOutgoing = random.fraction() < 0.55;
  const [from, to] = isOutgoing ? [me, other] : [other, me];
  const method = methods[Math.min(shape, methods.length - 1)] ?? methods[0];
  const gasUsed = 21_000 + random.integer(260_000);
  const native: NativeTransaction = {
    chainId: chain.chainId,
    blockNumber: String(51_000_000 - shape + Math.floor((timestampMs % 1e10) / 2_000)),
    blockTimestamp: Math.floor(timestampMs / 1_000),
    blockHash: random.hex(64),
    blockIndex: random.integer(40),
    txHash: random.hex(64),
    txStatus: random.fraction() < 0.06 ? '0' : '1',
    txType: 2,
    gasLimit: String(Math.ceil(gasUsed * 1.4)),
    gasUsed: String(gasUsed),
    gasPrice: random.digits(11),
    nonce: String(random.integer(900)),
    from,
    ...(shape === 4 ? {} : { to }),
    ...(method === undefined ? {} : { method }),
    value: shape === 0 ? random.digits(15 + random.integer(6)) : '0',
    input: shape === 0 ? '0x' : `${method?.methodHash ?? '0x60806040'}${random.hex(512).slice(2)}`,
    baseFeePerGas: '25000000000',
    maxFeePerGas: '60000000000',
    maxPriorityFeePerGas: '1500000000',
  };
  const erc20 = (
    token: Erc20Transfer['erc20Token'],
    value: string,
    logIndex: number,
    a: AddressInfo,
    b: AddressInfo,
  ): Erc20Transfer => ({ from: a, to: b, logIndex, value, erc20Token: { ...token, ercType: 'ERC-20' } });
  const erc20Transfers: Erc20Transfer[] = [];
  const erc721Transfers: Erc721Transfer[] = [];
  const erc1155Transfers: Erc1155Transfer[] = [];
  const internalTransactions: InternalTransaction[] = [];
  if (shape === 1) {
    const token = random.pick([sampleTokens.usdc, sampleTokens.wavax, sampleTokens.odd]);
    erc20Transfers.push(erc20(token, random.digits(8), 3, from, to));
  }
  if (shape === 2) {
    const pool = { address: random.address(), name: 'Joe LP' };
    erc20Transfers.push(
      erc20(
        { ...sampleTokens.usdc, price: { currencyCode: 'usd', value: '0.9998' } },
        '1250500000',
        12,
        me,
        pool,
      ),
      erc20(sampleTokens.wavax, '41223918273645910023', 14, pool, me),
    );
    internalTransactions.push(
      {
        from: other,
        to: pool,
        internalTxType: 'CALL',
        value: '41223918273645910023',
        isReverted: false,
        gasUsed: '71044',
        gasLimit: '120000',
      },
      {
        from: pool,
        to: me,
        internalTxType: 'DELEGATECALL',
        value: '0',
        isReverted: true,
        gasUsed: '2300',
        gasLimit: '2300',
      },
    );
  }
  if (shape === 3) {
    erc721Transfers.push({
      from,
      to,
      logIndex: 4,
      erc721Token: {
        address: random.address(),
        name: 'Night Watch',
        symbol: 'WATCH',
        ercType: 'ERC-721',
        tokenId: '4711',
        tokenUri: 'ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi/4711',
        metadata: {
          indexStatus: 'INDEXED',
          name: 'Watch #4711',
          description: 'A keeper of the night.',
          metadataLastUpdatedTimestamp: Math.floor(timestampMs / 1_000) - 86_400,
          attributes: '[{"trait_type":"Lamp","value":"lit"}]',
        },
      },
    });
    erc1155Transfers.push({
      from,
      to,
      logIndex: 6,
      value: '25',
      erc1155Token: {
        address: random.address(),
        ercType: 'ERC-1155',
        tokenId: '340282366920938463463374607431768211455',
        metadata: { indexStatus: 'UNREACHABLE_TOKEN_URI' },
      },
    });
  }
  return {
    nativeTransaction: native,
    erc20Transfers,
    erc721Transfers,
    erc1155Transfers,
    internalTransactions,
    networkTokenDetails: {
      networkToken: {
        name: chain.name,
        symbol: chain.symbol,
        decimals: 18,
        description: `The token that fees of ${chain.name} are paid in.`,
      },
      currentPrice: { currencyCode: 'usd', value: '31.42' },
      historicalPrice: { currencyCode: 'usd', value: '27.9081' },
    },
    ...(shape === 2
      ? {
          teleporterMessageInfo: {
            teleporterMessageId: random.hex(64),
            direction: 'SOURCE_TRANSACTION',
            destinationChainId: '53935',
          },
        }
      : {}),
  };
}

/** A row without any marks. */
export const plainMarks: RowMarks = {
  spam: { rules: [], decision: null, decidedFor: null, hiddenReason: null },
  integrityNote: null,
  reorg: null,
  versionCount: 0,
  valueThen: null,
  valueCurrency: null,
};

/** Most rows have none; some are hidden by a rule, one was reorganised, one has an integrity note. */
function sampleMarks(index: number): RowMarks {
  if (index % 29 === 11) {
    const rule = index % 2 === 0 ? 'lure-text' : 'zero-value';
    return { ...plainMarks, spam: { ...plainMarks.spam, rules: [rule], hiddenReason: rule } };
  }
  if (index === 6) return { ...plainMarks, reorg: 'reorganised', versionCount: 1 };
  if (index === 9) {
    const integrityNote = 'A transfer of the list is not in the transaction.';
    return { ...plainMarks, integrityNote, versionCount: 1 };
  }
  return index % 3 === 0
    ? { ...plainMarks, valueThen: String(index * 7 + 1), valueCurrency: 'usd' }
    : plainMarks;
}

/** The history of one address on one chain, newest first; every third row is complete. */
export function sampleRows(
  seed: number,
  chain: SampleChain,
  address: string,
  newestMs: number,
  count: number,
): ReadableRow[] {
  const random = new Random(seed);
  const rows: ReadableRow[] = [];
  let timestampMs = newestMs;
  for (let index = 0; index < count; index += 1) {
    const detail = sampleDetail(
      random,
      chain,
      address,
      timestampMs,
      random.integer(index % 17 === 5 ? 5 : 4),
    );
    const { nativeTransaction: native, erc20Transfers, erc721Transfers, erc1155Transfers } = detail;
    const common = {
      id: seed * 1_000_000 + index,
      marks: sampleMarks(index),
      unread: [],
      chainId: chain.chainId,
      address,
      txHash: native.txHash,
      blockNumber: native.blockNumber,
      timestampMs,
      fetchedAtMs: newestMs + 60_000,
      firstSeenMs: newestMs + 60_000,
    };
    rows.push(
      index % 3 === 0
        ? { ...common, completeness: 'complete', transaction: detail }
        : {
            ...common,
            completeness: 'partial',
            transaction: { nativeTransaction: native, erc20Transfers, erc721Transfers, erc1155Transfers },
          },
    );
    timestampMs -= Math.floor((0.2 + random.fraction()) * 9_000_000);
  }
  return rows;
}
