import { keccak_256 } from '@noble/hashes/sha3.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { orAdd } from '../or-add.ts';
import { Recent } from '../recent.ts';

/** A pattern of 5 by 5 squares in two colours, symmetric left to right. */
export interface AddressPicture {
  /** The hues of the two colours, in degrees. */
  hues: readonly [number, number];
  /** An SVG path for the squares of each colour, in a box of 5 by 5. */
  paths: readonly [string, string];
}

/** Many times the rows that fit into a window. */
const kept = new Recent<string, AddressPicture>(2_000);

/**
 * The picture of an address, in any spelling. It is derived from a hash, so that addresses with the same beginning and
 * end look different.
 */
export function addressPicture(address: string): AddressPicture {
  return orAdd(kept, address, () => pictureOf(keccak_256(utf8ToBytes(address.toLowerCase()))));
}

function pictureOf(hash: Uint8Array): AddressPicture {
  const byte = (index: number): number => hash[index] ?? 0;
  const paths: [string, string] = ['', ''];
  for (let index = 0; index < 15; index += 1) {
    const [x, y] = [index % 3, Math.floor(index / 3)];
    // A third of the squares stays empty.
    const colour = byte(index) % 3;
    if (colour === 2) continue;
    for (const column of x === 2 ? [x] : [x, 4 - x]) paths[colour === 0 ? 0 : 1] += `M${column} ${y}h1v1h-1z`;
  }
  // At least 90 degrees apart, so that the colours can be told apart.
  const hue = (byte(15) * 256 + byte(16)) % 360;
  return { hues: [hue, (hue + 90 + (byte(17) % 180)) % 360], paths };
}
