import { err, ok, type Result } from '../errors.ts';
import { endsInside, NestedTooDeep, parseExactJsonCountingKeys } from '../json.ts';
import { compiledSchema } from './compiled.ts';
import type { EndpointDefinition } from './define.ts';
import { dropOddParts } from './drop-odd-parts.ts';

export interface DecodedAnswer<T = unknown> {
  data: T;
  /** What was odd about the answer and therefore left out, each naming its place. */
  notes: string[];
  /** Of a list answer: the positions of elements that could not be identified and are missing in `data`. */
  unreadableItems: number[];
}

/**
 * Reads the body of an answer: exact numbers, then the definition's schema. Odd optional parts and list elements that
 * cannot be identified are left out with a note; an answer without its required frame is `bad-response`. Never throws.
 */
export function decodeAnswer<T>(
  endpoint: EndpointDefinition<string, EndpointDefinition['params'], T>,
  text: string,
): Result<DecodedAnswer<T>> {
  const parsed = parseBody(text);
  if (!parsed.ok) return parsed;
  // Read before anything is left out: positions are those of the answer as it came.
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
    // JSON.parse throws nothing else, and the cause's text would quote the answer at length.
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
