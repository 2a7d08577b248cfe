import { isAddress } from '../address.ts';
import type { MovementDescription } from './describe.ts';

/**
 * Detects addresses that can be mistaken for known ones when only their ends are compared: the first and last four
 * digits are equal, but the address is different. Scammers use these to receive payments meant for others.
 */
export class LookAlikes {
  /** Known addresses in lower case, by their first and last digits. */
  readonly #known: ReadonlyMap<string, readonly string[]>;

  constructor(known: Iterable<string>) {
    const addresses = [...known].filter(isAddress).map((address) => address.toLowerCase());
    this.#known = Map.groupBy(addresses, endsOf);
  }

  /** The known address that this one resembles, in lower case; null if it is known itself or resembles none. */
  of(address: string | null): string | null {
    const lower = address?.toLowerCase() ?? '';
    const same = this.#known.get(endsOf(lower));
    // Its ends come first: hardly any address has those of a known one.
    return same === undefined || same.includes(lower) || !isAddress(lower) ? null : (same[0] ?? null);
  }
}

const endsOf = (lower: string): string => lower.slice(2, 6) + lower.slice(-4);

/** Everybody whom a row is with: its counterparty, then who sent something to its address or was to get something of it. */
export function sidesOf({ counterparty, legs }: MovementDescription): string[] {
  const sides = counterparty === null ? [] : [counterparty.address];
  for (const { direction, from, to } of legs) {
    const party = direction === 'in' ? from : direction === 'out' ? to : null;
    if (party !== null) sides.push(party.address);
  }
  return sides;
}

/** A side of a row that resembles a known address, which is in lower case; null if there is none. */
export function lookAlikeIn(
  movement: MovementDescription,
  lookAlikes: LookAlikes,
): { address: string; known: string } | null {
  for (const address of sidesOf(movement)) {
    const known = lookAlikes.of(address);
    if (known !== null) return { address, known };
  }
  return null;
}
