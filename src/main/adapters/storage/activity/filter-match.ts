import type { ActivityFilter } from '../../../../shared/activity/filter.ts';

/** What the user has entered about addresses; filters and the text search use it too. */
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

/** Addresses, in lower case, whose names given by the user contain the text. */
export function namesHolding(text: string, { watched, book }: Names): ReadonlySet<string> {
  const given: (readonly [string, string | null])[] = [
    ...book,
    ...[...watched].map(([address, { label }]) => [address, label] as const),
  ];
  return new Set(given.filter(([, name]) => name?.toLowerCase().includes(text)).map(([address]) => address));
}

/** A hash is found by its prefix, from two digits on: one digit would match a sixteenth of all rows, and take long. */
export function isHashPrefix(text: string): boolean {
  return /^0x[\x20-\x7e]{2,}$/.test(text);
}
