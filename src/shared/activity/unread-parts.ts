import type * as z from 'zod/mini';
import { dropOddParts, writePath } from '../endpoints/drop-odd-parts.ts';
import { jsonTextAt } from '../json-text.ts';
import { jsonOrNull, parseExactJsonCountingKeys } from '../json.ts';
import type { UnreadPart } from './types.ts';

/** A JSON record decoded by a schema; parts that do not match are missing in `data` and listed in `unread`. */
export interface ReadRecord<T> {
  data: T;
  unread: UnreadPart[];
}

/** Longer parts are cut for display; the full text is still stored. */
const shownText = 4_000;

/** Decodes the raw text of a record; null if it is not JSON, or a field that identifies the record is invalid. */
export function readRecord<T>(schema: z.ZodMiniType<T>, text: string): ReadRecord<T> | null {
  const parsed = jsonOrNull(() => parseExactJsonCountingKeys(text));
  if (parsed === null) return null;
  const read = dropOddParts(schema, parsed.value);
  if (!read.ok) return null;
  const unread = read.leftOut.map(({ path, why }) => ({
    path: writePath(path),
    why,
    text: cut(jsonTextAt(text, path) ?? ''),
  }));
  if (parsed.hasEqualKeys) {
    unread.push({ path: '', why: 'a field appears twice in one object', text: cut(text) });
  }
  return { data: read.data, unread };
}

const cut = (text: string): string => (text.length > shownText ? `${text.slice(0, shownText)}…` : text);
