import { err, ok, type Result } from '../errors.ts';
import { endsInside, NestedTooDeep, parseExactJsonCountingKeys } from '../json.ts';
import { compiledSchema } from './compiled.ts';
import type { EndpointDefinition } from './define.ts';
import { dropOddParts } from './drop-odd-parts.ts';

export interface DecodedAnswer<T = unknown> {
  data: T;
  /** Invalid parts that were left out, each with its path. */
  notes: string[];
  /** For a list: positions of elements that could not be identified and are missing in `data`. */
  unreadableItems: number[];
}

/**
 * Decodes the body of an answer: exact numbers, then the definition's schema. Invalid optional parts, and elements that
 * cannot be identified, are left out with a note; without its required structure it is `bad-response`. Never throws.
 */
export function decodeAnswer<T>(
  endpoint: EndpointDefinition<string, EndpointDefinition['params'], T>,
  text: string,
): Result<DecodedAnswer<T>> {
  const parsed = parseBody(text);
  if (!parsed.ok) return parsed;
  // Done before anything is removed, so that positions are those in the original answer.
  const { value, hasEqualKeys } = parsed.value;
  const read = dropOddParts(compiledSchema(endpoint.response), value);
  if (!read.ok) {
    return err({
      code: 'bad-response',
      message: `The answer of the service is not what "${endpoint.title}" returns.`,
      issues: read.notes,
    });
  }
  const itemsKey = endpoint.paging?.itemsKey;
  const unreadableItems = read.droppedElements
    .filter(([list, index, ...rest]) => list === itemsKey && typeof index === 'number' && rest.length === 0)
    .map(([, index]) => Number(index))
    .sort((a, b) => a - b);
  const notes = hasEqualKeys ? [equalKeysNote, ...read.notes] : read.notes;
  return ok({ data: read.data, notes, unreadableItems });
}

const equalKeysNote = 'The answer has two values of the same name in one place; the last one was taken.';

function parseBody(text: string): Result<ReturnType<typeof parseExactJsonCountingKeys>> {
  try {
    return ok(parseExactJsonCountingKeys(text));
  } catch (cause) {
    // JSON.parse throws nothing else. The error's message is not used, as it quotes the answer.
    if (!(cause instanceof SyntaxError)) throw cause;
    return err({ code: 'bad-response', message: describeNonJson(text, cause), issues: [] });
  }
}

function describeNonJson(text: string, cause: SyntaxError): string {
  if (text.trim() === '') return 'The service sent an empty answer.';
  if (/^\s*</.test(text)) {
    return 'The service sent a web page instead of data; something in between may have answered.';
  }
  if (cause instanceof NestedTooDeep) return `The answer is ${cause.message}.`;
  return endsInside(text)
    ? 'The answer of the service was cut off.'
    : 'The answer of the service is not JSON.';
}
