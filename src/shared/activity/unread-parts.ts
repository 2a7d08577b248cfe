import type * as z from 'zod/mini';
import { dropOddParts, writePath } from '../endpoints/drop-odd-parts.ts';
import { jsonTextAt } from '../json-text.ts';
import { parseExactJsonCountingKeys } from '../json.ts';
import type { UnreadPart } from './types.ts';

/** What a JSON text says by a schema, and what of it does not fit; the parts that do not are missing in `data`. */
export interface ReadRecord<T> {
  data: T;
  unread: UnreadPart[];
}

/** More of a part than a person reads; the whole is in the text that it comes from. */
const shownText = 4_000;

/** Reads the text of one record as it came; null when it is no JSON, or when what identifies the record is odd. */
export function readRecord<T>(schema: z.ZodMiniType<T>, text: string): ReadRecord<T> | null {
  const parsed = parse(text);
  if (parsed === null) return null;
  const read = dropOddParts(schema, parsed.value);
  if (!read.ok) return null;
  const unread = read.leftOut.map(({ path, why }) => ({
    path: writePath(path),
    why,
    text: cut(jsonTextAt(text, path) ?? ''),
  }));
  if (parsed.hasEqualKeys) {
    unread.push({ path: '', why: 'two values have the same name in one place', text: cut(text) });
  }
  return { data: read.data, unread };
}

function parse(text: string): ReturnType<typeof parseExactJsonCountingKeys> | null {
  try {
    return parseExactJsonCountingKeys(text);
  } catch (cause) {
    // Not JSON, which is all that the parser throws for.
    if (cause instanceof SyntaxError) return null;
    throw cause;
  }
}

function cut(text: string): string {
  return text.length > shownText ? `${text.slice(0, shownText)}…` : text;
}
