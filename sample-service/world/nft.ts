import type { Contract } from './contracts.ts';
import { mix } from './random.ts';

/** Every status of service-and-node.md §2; the specification shows `indexed`. */
export const indexStatuses = [
  'INDEXED',
  'UNINDEXED',
  'UNKNOWN',
  'MISSING_TOKEN',
  'INVALID_TOKEN_URI',
  'INVALID_TOKEN_URI_SCHEME',
  'UNREACHABLE_TOKEN_URI',
  'THROTTLED_TOKEN_URI',
  'METADATA_CONTENT_TOO_LARGE',
  'INVALID_METADATA',
  'INVALID_METADATA_JSON',
] as const;

export function tokenUri(token: Contract, tokenId: bigint): string {
  return `ipfs://sample/${token.chain.index}/${token.index}/${tokenId}.json`;
}

/** The metadata of one NFT: complete for most, only a status for the rest. */
export function nftMetadata(
  seed: number,
  names: 'specification' | 'upstream',
  token: Contract,
  tokenId: bigint,
  nowSeconds: number,
) {
  const draw = mix(seed, Number(tokenId), 0x0f7, token.index);
  const status = draw % 3 === 0 ? (indexStatuses[draw % indexStatuses.length] ?? 'UNKNOWN') : 'INDEXED';
  const indexStatus = names === 'upstream' ? status : status.toLowerCase();
  if (status !== 'INDEXED') return { indexStatus };
  const title = token.name ?? 'Item';
  const common = {
    indexStatus,
    metadataLastUpdatedTimestamp: nowSeconds - (draw % 5_000_000),
    name: `${title} #${tokenId}`,
    symbol: token.symbol ?? 'ITEM',
    imageUri: `https://assets.sample.example/nft/${token.index}/${tokenId}.png`,
    description: `Number ${tokenId} of ${title}.`,
    externalUrl: `https://collection.sample.example/${tokenId}`,
    background: (draw & 0xffffff).toString(16).padStart(6, '0'),
  };
  if (token.ercType === 'ERC-1155') {
    return { ...common, decimals: 0, properties: JSON.stringify({ rarity: draw % 5, stackable: true }) };
  }
  return {
    ...common,
    animationUri: `https://assets.sample.example/nft/${token.index}/${tokenId}.mp4`,
    attributes: JSON.stringify([{ trait_type: 'Tide', value: draw % 12 }]),
  };
}
