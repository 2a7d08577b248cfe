import { spellAddress } from '../../../shared/activity/address.ts';
import type { ChoiceField } from '../../../shared/activity/filter.ts';
import type { FilterValue } from '../../../shared/ipc/contract-activity.ts';
import type { ReadRow, StoredRow } from '../../core/activity-ports.ts';
import type { Names } from './filter-match.ts';
import { completenessValues } from './row-places.ts';
import { hiddenReasons } from './verdict.ts';

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

/** Counts the values that a row has of a field. */
export function countRow(
  row: StoredRow & Pick<ReadRow, 'marks'>,
  field: ChoiceField,
  names: Names,
  counts: ValueCounts,
): void {
  const { facets } = row;
  const plain = (value: string | null) => {
    if (value !== null) counts.add(value, value);
  };
  switch (field) {
    case 'address':
      counts.add(row.address, nameOf(row.address, names, null));
      break;
    case 'tag':
      for (const tag of new Set(names.watched.get(row.address.toLowerCase())?.tags)) plain(tag);
      break;
    case 'chain':
      plain(row.chainId);
      break;
    case 'kind':
      plain(facets.kind);
      break;
    case 'direction':
      plain(facets.direction);
      break;
    case 'status':
      plain(facets.status);
      break;
    case 'completeness':
      completenessValues(row.completeness, facets.hasUnreadParts).forEach(plain);
      break;
    case 'token':
      for (const token of facets.tokens) counts.add(token.token, tokenLabel(token));
      break;
    case 'counterparty':
      if (facets.counterparty !== null) {
        const label = nameOf(facets.counterparty, names, facets.counterpartyName);
        counts.add(spellAddress(facets.counterparty), label);
      }
      break;
    case 'method':
      plain(facets.method);
      break;
    case 'hidden':
      hiddenReasons(row.marks.spam).forEach(plain);
      break;
  }
}
