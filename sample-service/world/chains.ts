import { sampleId } from './identifiers.ts';

/** The subnet id that stands for the Primary Network: 32 zero bytes (specification, endpoint 14). */
export const primarySubnetId = '11111111111111111111111111111111LpoYY';

export type Network = 'mainnet' | 'fuji';

export interface NetworkToken {
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly logoUri: string;
  readonly description: string;
}

/** One EVM chain of the sample world. */
export interface Chain {
  readonly index: number;
  readonly chainId: string;
  readonly blockchainId: string;
  readonly subnetId: string;
  readonly vmId: string;
  readonly name: string;
  readonly description: string;
  readonly network: Network;
  readonly status: 'OK' | 'UNAVAILABLE';
  readonly token: NetworkToken;
  /** The average price of the chain's native token, in US dollars. */
  readonly tokenPriceUsd: number;
  readonly features: readonly string[];
  readonly firstBlock: number;
  readonly blockSeconds: number;
  /** The chains, by index, with which messages are exchanged. */
  readonly partners: readonly number[];
}

/** Only what differs from most chains. */
const usual = { status: 'OK', features: [], firstBlock: 0 } as const;

type ChainSettings = Omit<
  Chain,
  'index' | 'blockchainId' | 'subnetId' | 'vmId' | 'token' | keyof typeof usual
> &
  Partial<Pick<Chain, 'status' | 'features' | 'firstBlock'>> & {
    readonly primary?: boolean;
    readonly symbol: string;
    readonly tokenName: string;
  };

const settings: readonly ChainSettings[] = [
  {
    chainId: '43114',
    name: 'C-Chain (sample)',
    description: 'Sample data in the shape of the main EVM chain.',
    network: 'mainnet',
    primary: true,
    symbol: 'AVAX',
    tokenName: 'Avalanche',
    tokenPriceUsd: 27,
    features: ['nftIndexing', 'webhooks', 'teleporter'],
    firstBlock: 41_208_611,
    blockSeconds: 2,
    partners: [2, 3],
  },
  {
    chainId: '43113',
    name: 'Fuji C-Chain (sample)',
    description: 'Sample data in the shape of the test network.',
    network: 'fuji',
    primary: true,
    symbol: 'AVAX',
    tokenName: 'Avalanche (test)',
    tokenPriceUsd: 0,
    features: ['nftIndexing'],
    firstBlock: 30_114_020,
    blockSeconds: 3,
    partners: [4],
  },
  {
    chainId: '802117',
    name: 'Harbor L1',
    description: 'A sample chain for trade, with its own token.',
    network: 'mainnet',
    symbol: 'HBR',
    tokenName: 'Harbor',
    tokenPriceUsd: 0.83,
    features: ['nftIndexing', 'teleporter'],
    blockSeconds: 4,
    partners: [0, 3],
  },
  {
    chainId: '907731',
    name: 'Meridian Games',
    description: 'A sample chain for games: many collectibles, small fees.',
    network: 'mainnet',
    symbol: 'MRD',
    tokenName: 'Meridian',
    tokenPriceUsd: 0.041,
    features: ['nftIndexing', 'teleporter'],
    blockSeconds: 2,
    partners: [0, 2],
  },
  {
    chainId: '714001',
    name: 'Lantern Testnet',
    description: 'A sample test chain.',
    network: 'fuji',
    symbol: 'LNT',
    tokenName: 'Lantern',
    tokenPriceUsd: 0,
    blockSeconds: 5,
    partners: [1],
  },
  {
    chainId: '606060',
    name: 'Quarry L1',
    description: 'A sample chain that the service knows but cannot serve right now.',
    network: 'mainnet',
    status: 'UNAVAILABLE',
    symbol: 'QRY',
    tokenName: 'Quarry',
    tokenPriceUsd: 1.2,
    blockSeconds: 4,
    partners: [],
  },
];

/** A chain that exists but is not indexed: it appears only in `unindexedChains`. */
export const unindexedChainId = '515515';

/** All indexed chains; ids other than the EVM chain id are made from the seed. */
export function createChains(seed: number): readonly Chain[] {
  return settings.map(({ primary = false, symbol, tokenName, ...chain }, index) => ({
    ...usual,
    ...chain,
    index,
    blockchainId: sampleId(seed, 0xb10c, index),
    subnetId: primary ? primarySubnetId : sampleId(seed, 0x5b4e, index),
    vmId: sampleId(seed, 0x0e40, primary ? 0 : index),
    token: {
      name: tokenName,
      symbol,
      decimals: 18,
      logoUri: `https://assets.sample.example/tokens/${symbol.toLowerCase()}.png`,
      description: `${tokenName} pays for transactions on ${chain.name}.`,
    },
  }));
}
