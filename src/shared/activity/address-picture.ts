import { keccak_256 } from '@noble/hashes/sha3.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';

/** A pattern of 5 by 5 squares, its left half as its right one, in two colours. */
export interface AddressPicture {
  /** Degrees of the two colours on the wheel. */
  hues: readonly [number, number];
  /** The squares of each colour as a path, in a box of 5 by 5. */
  paths: readonly [string, string];
}

/** As many as a window full of rows has, many times over. */
const mostKept = 2_000;
const kept = new Map<string, AddressPicture>();

/**
 * The picture of an address, whatever its spelling. It comes from a hash of all digits, so that addresses which begin and
 * end alike have nothing in common.
 */
export function addressPicture(address: string): AddressPicture {
  const known = kept.get(address);
  if (known !== undefined) return known;
  const picture = pictureOf(keccak_256(utf8ToBytes(address.toLowerCase())));
  if (kept.size >= mostKept) kept.clear();
  kept.set(address, picture);
  return picture;
}

function pictureOf(hash: Uint8Array): AddressPicture {
  const byte = (index: number): number => hash[index] ?? 0;
  const paths: [string, string] = ['', ''];
  for (let index = 0; index < 15; index += 1) {
    const [x, y] = [index % 3, Math.floor(index / 3)];
    // Of three squares one stays empty.
    const colour = byte(index) % 3;
    if (colour === 2) continue;
    for (const column of x === 2 ? [x] : [x, 4 - x]) paths[colour === 0 ? 0 : 1] += `M${column} ${y}h1v1h-1z`;
  }
  // Far enough from each other to be told apart.
  const hue = (byte(15) * 256 + byte(16)) % 360;
  return { hues: [hue, (hue + 90 + (byte(17) % 180)) % 360], paths };
}
