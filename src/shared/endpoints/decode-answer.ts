import { err, ok, type Result } from '../errors.ts';
import { endsInside, NestedTooDeep, parseExactJsonCountingKeys, topLevelKeys } from '../json.ts';
import { compiledSchema } from './compiled.ts';
import { envelopeOf, type EndpointDefinition } from './define.ts';
import { dropOddParts } from './drop-odd-parts.ts';

export interface DecodedAnswer<T = unknown> {
  data: T;
  /** Invalid parts that were left out, each with its path. */
  notes: string[];
  /** Positions of elements of the answer's own lists that could not be identified and are missing in `data`. */
  unreadableItems: number[];
}

/**
 * Decodes the body of an answer: exact numbers, then the definition's schema. Invalid optional parts, and elements that
 * cannot be identified, are left out with a note; without its required structure, or with an odd envelope, it is
 * `bad-response`. Never throws.
 */
export function decodeAnswer<T>(
  endpoint: EndpointDefinition<string, EndpointDefinition['params'], T>,
  text: string,
): Result<DecodedAnswer<T>> {
  const parsed = parseBody(text);
  if (!parsed.ok) return parsed;
  const envelope = envelopeOf(endpoint);
  const { value, hasEqualKeys } = parsed.value;
  const message = `The service’s response doesn’t match the format of “${endpoint.title}”.`;
  const twice = hasEqualKeys ? envelope.filter((key) => isTwice(topLevelKeys(text), key)) : [];
  if (twice.length > 0)
    return err({ code: 'bad-response', message, issues: twice.map((key) => `${key}: is listed twice.`) });
  const read = dropOddParts(compiledSchema(endpoint.response), value, envelope);
  if (!read.ok) return err({ code: 'bad-response', message, issues: read.notes });
  const unreadableItems = read.droppedElements
    .filter(
      ([list, index, ...rest]) =>
        envelope.includes(String(list)) && typeof index === 'number' && rest.length === 0,
    )
    .map(([, index]) => Number(index))
    .sort((a, b) => a - b);
  const notes = hasEqualKeys ? [equalKeysNote, ...read.notes] : read.notes;
  return ok({ data: read.data, notes, unreadableItems });
}

function isTwice(keys: readonly string[], key: string): boolean {
  return keys.indexOf(key) !== keys.lastIndexOf(key);
}

export const equalKeysNote =
  'A field appears twice in one object of the response. The app used the last value.';

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
  if (text.trim() === '') return 'The service sent an empty response.';
  if (/^\s*</.test(text)) {
    return 'The response is a web page instead of data. It may come from a proxy, not the service.';
  }
  if (cause instanceof NestedTooDeep) return `The response is ${cause.message}.`;
  return endsInside(text) ? 'The service’s response was cut off.' : 'The service’s response isn’t JSON.';
}
