import { spellAddress } from '../../../../shared/activity/address.ts';
import type { FilterValue } from '../../../../shared/ipc/answers.ts';
import type { Names } from './filter-match.ts';

/** Counts of values of one field, each with the name that most of its rows know it by. */
export class ValueCounts {
  /** By value and name. */
  readonly #counts = new Map<string, Map<string, number>>();

  add(value: string, label: string, count = 1): void {
    const labels = this.#counts.get(value) ?? new Map<string, number>();
    this.#counts.set(value, labels.set(label, (labels.get(label) ?? 0) + count));
  }

  /** Those that hold the text, the most frequent first. */
  top(text: string, limit: number): FilterValue[] {
    const searched = text.trim().toLowerCase();
    return [...this.#counts]
      .map(([value, labels]) => ({
        value,
        label: commonest(labels),
        count: [...labels.values()].reduce((sum, count) => sum + count, 0),
      }))
      .filter(({ value, label }) => `${value}\n${label}`.toLowerCase().includes(searched))
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
      .slice(0, limit);
  }
}

function commonest(labels: ReadonlyMap<string, number>): string {
  const [first] = [...labels].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return first?.[0] ?? '';
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
