/**
 * The one spelling of a hash for comparing, storing and asking: services spell it in capitals, without `0x` or with
 * blanks around it, and not in the same way everywhere. Other texts are returned unchanged.
 */
export function canonicalHash(hash: string): string {
  const [, digits] = /^\s*(?:0x)?([0-9a-f]{64})\s*$/i.exec(hash) ?? [];
  return digits === undefined ? hash : `0x${digits.toLowerCase()}`;
}

/** The same; null if it is empty or has characters that no hash has, some of which cannot be stored. */
export function knownHash(hash: string | null): string | null {
  const known = hash === null ? '' : canonicalHash(hash);
  return /^[\x20-\x7e]+$/.test(known) ? known : null;
}

interface BlockOfRow {
  blockNumber: bigint;
  blockHash: string | null;
}

/** True for another height, or if both hashes are known and different. */
export function isOtherBlock(a: BlockOfRow, b: BlockOfRow): boolean {
  const [left, right] = [knownHash(a.blockHash), knownHash(b.blockHash)];
  return a.blockNumber !== b.blockNumber || (left !== null && right !== null && left !== right);
}
