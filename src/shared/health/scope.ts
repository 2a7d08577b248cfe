import type { Json } from '../json.ts';
import type { HealthReport } from './types.ts';

/** A blockchain id: 32 bytes and a checksum in base 58. */
const blockchainId = /^[1-9A-HJ-NP-Za-km-z]{40,52}$/;
/** How the chains that every node runs are called: `P`, `X`, `C`. */
const shortAlias = /^[A-Z]$/;
/** Only the checks of chains tell of these; old nodes without the level of `engine` and `networking`. */
const chainKeys = ['engine', 'networking', 'consensus', 'percentConnected'];

/**
 * The chain (alias or blockchain id) whose check this is, or null for a check of the node as a whole. No list of names: a
 * chain's check is called like the chain, and where the alias is one of the operator's own, its message has the form of a
 * chain's. Everything else is global.
 */
export function chainOf(check: string, message: Json | null): string | null {
  if (blockchainId.test(check) || shortAlias.test(check)) return check;
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return null;
  return chainKeys.some((key) => Object.hasOwn(message, key)) ? check : null;
}

/** The checks in a report that are of a chain. */
export function chainChecksOf(report: HealthReport | null): string[] {
  return (report?.checks ?? [])
    .filter(({ name, message }) => chainOf(name, message) !== null)
    .map(({ name }) => name);
}
