import { ok } from '../../../shared/errors.ts';
import type { CrosschainSpelling } from '../../../shared/settings.ts';
import type { DecodeAnswer } from './service-client.ts';

/** The names that each spelling gives to a message, and within it to its id (facts §1). */
const names: Readonly<Record<CrosschainSpelling, { message: string; id: string }>> = {
  specification: { message: 'crosschainMessageInfo', id: 'crosschainMessageId' },
  'public-service': { message: 'teleporterMessageInfo', id: 'teleporterMessageId' },
};

/**
 * Reads as `decode` does, which takes both spellings of the cross-chain fields; an answer that does not keep to the one
 * that the service profile expects gets a note.
 */
export function noteOtherSpelling(decode: DecodeAnswer, expected: () => CrosschainSpelling): DecodeAnswer {
  return async (endpoint, text) => {
    const decoded = await decode(endpoint, text);
    if (!decoded.ok) return decoded;
    const note = spellingNote(decoded.value.data, expected());
    return note === null ? decoded : ok({ ...decoded.value, notes: [...decoded.value.notes, note] });
  };
}

function spellingNote(data: unknown, expected: CrosschainSpelling): string | null {
  const other = expected === 'specification' ? 'public-service' : 'specification';
  if (!uses(data, other)) return null;
  return uses(data, expected)
    ? 'The cross-chain fields are spelled in two ways at once.'
    : `The cross-chain fields are spelled as in “${names[other].message}”, not as the service settings expect.`;
}

/** Whether a transaction names its message, or a message of whichever name its id, in a spelling. */
function uses(data: unknown, spelling: CrosschainSpelling): boolean {
  const { message, id } = names[spelling];
  return (
    valueOf(data, message) !== undefined ||
    Object.values(names).some((each) => valueOf(valueOf(data, each.message), id) !== undefined)
  );
}

function valueOf(container: unknown, key: string): unknown {
  return typeof container === 'object' && container !== null ? Reflect.get(container, key) : undefined;
}
