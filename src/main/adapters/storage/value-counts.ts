import { checkAddress } from '../../../shared/activity/address.ts';
import type { FilterValue } from '../../../shared/ipc/contract-activity.ts';
import type { Names } from './filter-match.ts';

/** Counts of values of one field, each with the name that people know it by. */
export class ValueCounts {
  readonly #counts = new Map<string, FilterValue>();

  add(value: string, label: string, count = 1): void {
    const known = this.#counts.get(value);
    if (known === undefined) this.#counts.set(value, { value, label, count });
    else {
      known.count += count;
      // The first name that says more than the value.
      if (known.label === value) known.label = label;
    }
  }

  /** Those that hold the text, the most frequent first. */
  top(text: string, limit: number): FilterValue[] {
    const searched = text.trim().toLowerCase();
    return [...this.#counts.values()]
      .filter(({ value, label }) => `${value}\n${label}`.toLowerCase().includes(searched))
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
      .slice(0, limit);
  }
}

/** The checksummed spelling of what is an address, anything else as it is. */
export function spellAddress(address: string): string {
  const check = checkAddress(address);
  return check.ok ? check.address : address;
}

/** What the user, or else the service, calls an address. */
export function nameOf(address: string, names: Names, name: string | null): string {
  const lower = address.toLowerCase();
  return names.book.get(lower) ?? names.watched.get(lower)?.label ?? name ?? spellAddress(address);
}

/** What a token is called. */
export function tokenLabel(token: { token: string; symbol: string | null; name: string | null }): string {
  return token.symbol ?? token.name ?? token.token;
}
