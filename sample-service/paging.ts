import { createHash } from 'node:crypto';
import { Recent } from '../src/shared/recent.ts';

/** Where the next page begins: an item of the list and, if items have several records, one of these. */
export interface Cursor {
  readonly at: number;
  readonly part: number;
}

export type PageTokens = ReturnType<typeof createPageTokens>;

/** How many tokens are kept; the oldest are dropped first. */
const keptTokens = 200_000;

/** Tokens look like random UUIDs, as on the public service; the same seed, page and second give the same one. */
export function createPageTokens(seed: number, ttlSeconds: number, nowSeconds: () => number) {
  const open = new Recent<string, { cursor: Cursor; query: string; issuedAt: number }>(keptTokens);
  return {
    /** An opaque token for the page that begins at `cursor` of the list that `query` names. */
    issue(cursor: Cursor, query: string): string {
      const issuedAt = Math.floor(nowSeconds());
      const text = `${seed} ${issuedAt} ${cursor.at} ${cursor.part} ${query}`;
      const hex = createHash('sha256').update(text).digest('hex');
      const token = hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-a$4-$5');
      open.set(token, { cursor, query, issuedAt });
      return token;
    },
    /** The cursor, or null for a token that is unknown, expired, or of another query. */
    redeem(token: string, query: string): Cursor | null {
      const found = open.get(token);
      const ageSeconds = nowSeconds() - (found?.issuedAt ?? -Infinity);
      const isValid = found?.query === query && ageSeconds >= 0 && ageSeconds < ttlSeconds;
      return isValid ? found.cursor : null;
    },
  };
}
