import { isId } from '../base58.ts';
import { isObject, type Json } from '../json.ts';
import type { HealthReport } from './types.ts';

/** Aliases of the chains that every node runs: `P`, `X`, `C`. */
const shortAlias = /^[A-Z]$/;
/** Keys that only messages of chains' checks have; old nodes lack the level of `engine` and `networking`. */
const chainKeys = ['engine', 'networking', 'consensus', 'percentConnected'];

/**
 * The chain (alias or blockchain id) that a check belongs to; null for a check of the whole node. Works without a list
 * of names: a chain's check is named like the chain and, if the alias was chosen by the operator, is recognised by the
 * form of its message.
 */
export function chainOf(check: string, message: Json | null): string | null {
  if (isId(check) || shortAlias.test(check)) return check;
  return isObject(message) && chainKeys.some((key) => Object.hasOwn(message, key)) ? check : null;
}

/** The checks in a report that belong to a chain. */
export function chainChecksOf(report: HealthReport | null): string[] {
  return (report?.checks ?? [])
    .filter(({ name, message }) => chainOf(name, message) !== null)
    .map(({ name }) => name);
}
