import * as z from 'zod/mini';

/**
 * Building blocks of the response schemas. The specification does not say which fields are always present, so only what
 * identifies a record is required; `null` counts as absent (service-and-node.md §2); unknown fields are kept. No number of the
 * interface can be negative, so a negative one is as odd as a word.
 */

const decimalText = /^\d{1,400}(?:\.\d{1,400})?(?:[eE][+-]?\d{1,3})?$/;

const notNegative = z.gte(0, 'must not be negative');

/** A decimal number, as a string or as a JSON number; always a string afterwards, every digit kept. */
export const decimal = z.pipe(
  z.union([
    z.string().check(z.regex(decimalText, 'must be a decimal number')),
    z.number().check(notNegative),
  ]),
  z.transform((value) => String(value)),
);

/**
 * A JSON number without a fraction, however large: `parseExactJson` has made sure that the double is what was sent, so
 * its shortest digits are the digits.
 */
const wholeNumber = z.number().check(z.refine(Number.isInteger, 'must be a whole number'), notNegative);

/** A whole number of any size, as a string of digits. */
export const integerText = z.pipe(
  z.union([z.string().check(z.regex(/^\d{1,400}$/, 'must be a whole number')), wholeNumber]),
  z.transform((value) => (typeof value === 'number' ? digitsOf(value) : value)),
);

/** All digits of a whole number, also where `String` would write an exponent. */
function digitsOf(value: number): string {
  const [mantissa = '', exponent] = String(value).split('e+');
  if (exponent === undefined) return mantissa;
  const [whole = '', fraction = ''] = mantissa.split('.');
  return whole + fraction.padEnd(Number(exponent), '0');
}

/** A small whole number (decimals, log index, timestamps): a number even where the service quotes it. */
export const smallInteger = z.pipe(
  z.union([z.int().check(notNegative), z.string().check(z.regex(/^\d{1,15}$/, 'must be a whole number'))]),
  z.transform((value) => Number(value)),
);

/** Text from a stranger. Kept as it came; whoever shows it shows it as text. */
export const text = z.string();

/** An identifier that some services quote and some do not. */
export const idText = z.pipe(
  z.union([z.string(), wholeNumber]),
  z.transform((value) => (typeof value === 'number' ? digitsOf(value) : value)),
);

/** Absent, `null`, a text of nothing but blanks, or the value; afterwards absent or the value. */
export function optional<T extends z.core.SomeType>(schema: T) {
  return z.optional(
    z.pipe(
      z.nullish(schema),
      z.transform((value) => (isBlank(value) ? undefined : (value ?? undefined))),
    ),
  );
}

function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}

/** A list with more odd parts than this is read no further: a stranger could fill the memory with what is odd. */
export const maxOddParts = 10_000;

/** As `z.array`, but stops beyond `maxOddParts` issues. Compiled code reads what fits, and does not come here. */
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
      // What the element's schema makes of a value that fits; the issues tell when one does not.
      elements.push(read.value as z.core.output<T>);
      payload.issues.push(...z.core.util.prefixIssues(index, read.issues));
      if (payload.issues.length > maxOddParts) break;
    }
    return payload;
  };
  return schema;
}

/** A list that may be absent or `null`. */
export function optionalList<T extends z.core.SomeType>(element: T) {
  return optional(list(element));
}

/** A set of texts or ids that may be absent or `null`: each once, blank ones left out, in the order given. */
export function optionalSet(element: typeof text | typeof idText) {
  return optional(
    z.pipe(
      list(element),
      z.transform((values) => [...new Set(values)].filter((value) => !isBlank(value))),
    ),
  );
}

/** A list of records of which each is about another thing: of those about the same, the first is kept. */
export function distinct<T>(records: readonly T[], idOf: (record: T) => string): T[] {
  const byId = new Map<string, T>();
  for (const record of records) if (!byId.has(idOf(record))) byId.set(idOf(record), record);
  return [...byId.values()];
}
