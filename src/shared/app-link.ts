import { checkAddress } from './activity/address.ts';

/** The scheme of links that other programs open in the app, such as `watchkeeper://nodes`. */
export const appLinkScheme = 'watchkeeper';

/** Where such a link leads. An address is checksummed, a hash has lower-case digits. */
export type AppLink =
  | { view: 'overview' | 'activity' | 'nodes' }
  | { view: 'address'; address: string }
  | { view: 'transaction'; chainId: string; txHash: string };

/** Every letter that a link may have: nothing in it is decoded, so nothing in it can be two things. */
const shape =
  /^watchkeeper:\/\/(?:(?<plain>overview|activity|nodes)|activity\/(?<address>0x[\dA-Fa-f]{40})|transaction\/(?<chainId>[\dA-Za-z]{1,100})\/(?<txHash>0x[\dA-Fa-f]{64}))\/?$/;

/** Reads a link that anybody may have written; null for what leads nowhere. A browser may have put a slash at its end. */
export function parseAppLink(text: string): AppLink | null {
  const parts = shape.exec(text)?.groups;
  if (parts === undefined) return null;
  const { plain, address, chainId, txHash } = parts;
  if (plain === 'overview' || plain === 'activity' || plain === 'nodes') return { view: plain };
  if (chainId !== undefined && txHash !== undefined) {
    return { view: 'transaction', chainId, txHash: txHash.toLowerCase() };
  }
  const check = checkAddress(address ?? '');
  return check.ok ? { view: 'address', address: check.address } : null;
}
