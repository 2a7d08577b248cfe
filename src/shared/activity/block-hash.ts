/** Normalises a hash for comparing and storing; null if it is empty or has characters that no hash has. */
export function knownHash(hash: string | null): string | null {
  return hash !== null && /^[\x20-\x7e]+$/.test(hash) ? hash : null;
}

/** True if both hashes are known and different, which means a different block. */
export function isOtherBlock(a: string | null, b: string | null): boolean {
  const [left, right] = [knownHash(a), knownHash(b)];
  return left !== null && right !== null && left !== right;
}
