import { spellAddress } from '../../../../shared/address.ts';
import type { FilterValue } from '../../../../shared/ipc/answers.ts';
import type { Names } from './filter-match.ts';

/** Counts the values of a field, each labelled with its most frequent name. */
export class ValueCounts {
  /** By value and name. */
  readonly #counts = new Map<string, Map<string, number>>();

  add(value: string, label: string, count = 1): void {
    const labels = this.#counts.get(value) ?? new Map<string, number>();
    this.#counts.set(value, labels.set(label, (labels.get(label) ?? 0) + count));
  }

  /** Values that contain the text, the most frequent first. */
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

/** The user's name of an address, else the service's. */
export function nameOf(address: string, names: Names, name: string | null): string {
  const lower = address.toLowerCase();
  return names.watched.get(lower)?.label ?? names.book.get(lower) ?? name ?? spellAddress(address);
}

export function tokenLabel(token: { token: string; symbol: string | null; name: string | null }): string {
  return token.symbol ?? token.name ?? token.token;
}
