import { isAddress } from './address.ts';
import type { MovementDescription } from './describe.ts';

/**
 * Tells addresses that a person who looks at the ends alone takes for one that they know: the first and the last four
 * digits are equal, and it is another address. That is how a stranger gets what was meant for somebody else.
 */
export class LookAlikes {
  /** Known addresses in lower case, by what is seen of them. */
  readonly #known = new Map<string, string[]>();

  constructor(known: Iterable<string>) {
    for (const address of known) {
      if (!isAddress(address)) continue;
      const lower = address.toLowerCase();
      this.#known.set(endsOf(lower), [...(this.#known.get(endsOf(lower)) ?? []), lower]);
    }
  }

  /** The known address that this one looks like, in lower case; null for a known one, and for one like no other. */
  of(address: string | null): string | null {
    if (address === null || !isAddress(address)) return null;
    const lower = address.toLowerCase();
    const same = this.#known.get(endsOf(lower));
    return same === undefined || same.includes(lower) ? null : (same[0] ?? null);
  }
}

function endsOf(lower: string): string {
  return lower.slice(2, 6) + lower.slice(-4);
}

/** Somebody on the other side of a row who looks like `known`, an address in lower case; null where nobody does. */
export function lookAlikeIn(
  { counterparty, legs }: MovementDescription,
  lookAlikes: LookAlikes,
): { address: string; known: string } | null {
  const sides = legs.flatMap((leg) =>
    leg.direction === 'in' ? [leg.from] : leg.direction === 'out' ? [leg.to] : [],
  );
  for (const party of [counterparty, ...sides]) {
    const known = party === null ? null : lookAlikes.of(party.address);
    if (party !== null && known !== null) return { address: party.address, known };
  }
  return null;
}
