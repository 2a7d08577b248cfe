import * as z from 'zod/mini';

/**
 * Building blocks of the response schemas. The specification does not say which fields are always present, so only
 * those that identify a record are required; `null` counts as absent (service-and-node.md §2); unknown fields are kept.
 * No number in the interface can be negative, so negative ones are invalid.
 */

const decimalText = /^\d{1,400}(?:\.\d{1,400})?(?:[eE][+-]?\d{1,3})?$/;

const notNegative = z.gte(0, 'must not be negative');

/** A decimal number, given as a string or number; the result is a string with every digit. */
export const decimal = z.pipe(
  z.union([
    z.string().check(z.regex(decimalText, 'must be a decimal number')),
    z.number().check(notNegative),
  ]),
  z.transform((value) => String(value)),
);

/**
 * A JSON number without a fraction, of any size: `parseExactJson` ensures that the double is exact, so its shortest
 * decimal form is what was sent.
 */
const wholeNumber = z.number().check(z.refine(Number.isInteger, 'must be a whole number'), notNegative);

/** A whole number of any size, as a string of digits. */
export const integerText = z.pipe(
  z.union([z.string().check(z.regex(/^\d{1,400}$/, 'must be a whole number')), wholeNumber]),
  z.transform((value) => (typeof value === 'number' ? digitsOf(value) : value)),
);

/** All digits of a whole number, without an exponent. */
function digitsOf(value: number): string {
  const [mantissa = '', exponent] = String(value).split('e+');
  if (exponent === undefined) return mantissa;
  const [whole = '', fraction = ''] = mantissa.split('.');
  return whole + fraction.padEnd(Number(exponent), '0');
}

/** A small whole number (decimals, log index, timestamp); the result is a number even if the service quotes it. */
export const smallInteger = z.pipe(
  z.union([z.int().check(notNegative), z.string().check(z.regex(/^\d{1,15}$/, 'must be a whole number'))]),
  z.transform((value) => Number(value)),
);

/** Untrusted text, unchanged. Must be displayed as text only. */
export const text = z.string();

/** Text by which a record is known, so it cannot be blank. */
export const identity = z.string().check(z.refine((value) => !isBlank(value), 'must not be blank'));

/** An identifier that only some services quote. */
export const idText = z.pipe(
  z.union([z.string(), wholeNumber]),
  z.transform((value) => (typeof value === 'number' ? digitsOf(value) : value)),
);

/** Accepts an absent value, `null` or blank text, all of which become absent, or a value. */
export function optional<T extends z.core.SomeType>(schema: T) {
  return z.optional(
    z.pipe(
      z.nullish(schema),
      z.transform((value) => (isBlank(value) ? undefined : (value ?? undefined))),
    ),
  );
}

/** Fields of these names, each with the same schema. */
export function each<T extends z.core.SomeType, Name extends string>(schema: T, ...names: readonly Name[]) {
  // `Object.fromEntries` loses the names.
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, T>;
}

const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === '';

/** Limits the memory that invalid parts of an untrusted list can take: the rest is not decoded. */
export const maxOddParts = 10_000;

/** Like `z.array`, but stops after `maxOddParts` issues. Compiled code decodes valid lists without this. */
export function list<T extends z.core.SomeType>(element: T): z.ZodMiniArray<T> {
  const schema = z.array(element);
  schema._zod.run = (payload, context) => {
    const input: unknown = payload.value;
    if (!Array.isArray(input)) return schema._zod.parse(payload, context);
    const elements: z.core.output<T>[] = [];
    payload.value = elements;
    for (let index = 0; index < input.length; index += 1) {
      const value: unknown = input[index];
      const read = schema._zod.def.element._zod.run({ value, issues: [] }, context);
      if (read instanceof Promise) throw new z.core.$ZodAsyncError();
      // The element's decoded value, if it is valid; otherwise there are issues.
      elements.push(read.value as z.core.output<T>);
      payload.issues.push(...z.core.util.prefixIssues(index, read.issues));
      if (payload.issues.length > maxOddParts) break;
    }
    return payload;
  };
  return schema;
}

/** Half of a surrogate pair has no place in a URL. */
const sendable = identity.check(z.refine((value) => !/\p{Surrogate}/u.test(value), 'must be valid text'));

/**
 * The token of the next page: absent, `null` or empty on the last one. Blank text is not empty: it is odd, and so is
 * the answer (`envelopeOf`).
 */
export const pageTokenText = z.optional(
  z.pipe(
    z.nullish(z.union([z.literal(''), sendable])),
    z.transform((token) => (token === '' ? undefined : (token ?? undefined))),
  ),
);

/** A list that may be absent or `null`. */
export const optionalList = <T extends z.core.SomeType>(element: T) => optional(list(element));

/** A set of texts or ids that may be absent or `null`: without duplicates and blank ones, in order. */
export function optionalSet(element: typeof text | typeof idText) {
  return optional(
    z.pipe(
      list(element),
      z.transform((values) => [...new Set(values)].filter((value) => !isBlank(value))),
    ),
  );
}

/** Removes records with an id that an earlier one has. */
export function distinct<T>(records: readonly T[], idOf: (record: T) => string): T[] {
  const byId = new Map<string, T>();
  for (const record of records) if (!byId.has(idOf(record))) byId.set(idOf(record), record);
  return [...byId.values()];
}
