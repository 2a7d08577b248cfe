import type { ActivityFilter } from '../../../../shared/activity/filter.ts';

/** What the user has said about addresses, which filters and the text search look at too. */
export interface Names {
  /** Labels and tags of watched addresses, by address in lower case. */
  watched: ReadonlyMap<string, { label: string | null; tags: readonly string[] }>;
  /** Names of the book, by address in lower case. */
  book: ReadonlyMap<string, string>;
}

/** The text in lower case; null for none. */
export function searchedText({ text }: ActivityFilter): string | null {
  const trimmed = text.trim().toLowerCase();
  return trimmed === '' ? null : trimmed;
}

/** Addresses in lower case to which the user has given a name that holds the text. */
export function namesHolding(text: string, { watched, book }: Names): ReadonlySet<string> {
  const given: (readonly [string, string | null])[] = [
    ...book,
    ...[...watched].map(([address, { label }]) => [address, label] as const),
  ];
  return new Set(given.filter(([, name]) => name?.toLowerCase().includes(text)).map(([address]) => address));
}

/** Hashes are found by how they begin, from two digits on: a sixteenth of all is no find, and would take long. */
export function isHashPrefix(text: string): boolean {
  return /^0x[\x20-\x7e]{2,}$/.test(text);
}
