/** A hash as it is compared and stored; null for what is none: empty, or with characters that no hash has. */
export function knownHash(hash: string | null): string | null {
  return hash !== null && /^[\x20-\x7e]+$/.test(hash) ? hash : null;
}

/** Another hash, as far as both are known, means another block. */
export function isOtherBlock(a: string | null, b: string | null): boolean {
  const [left, right] = [knownHash(a), knownHash(b)];
  return left !== null && right !== null && left !== right;
}
