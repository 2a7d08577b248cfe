import * as z from 'zod/mini';

/**
 * Building blocks of the response schemas. The specification does not say which fields are always present, so only what
 * identifies a record is required; `null` counts as absent (facts §2); unknown fields are kept.
 */

const decimalText = /^-?\d{1,400}(?:\.\d{1,400})?(?:[eE][+-]?\d{1,3})?$/;

/** A decimal number, as a string or as a JSON number; always a string afterwards, every digit kept. */
export const decimal = z.pipe(
  z.union([z.string().check(z.regex(decimalText, 'must be a decimal number')), z.number()]),
  z.transform((value) => String(value)),
);

/** A whole number of any size, as a string of digits. */
export const integerText = z.pipe(
  z.union([z.string().check(z.regex(/^-?\d{1,400}$/, 'must be a whole number')), z.int()]),
  z.transform((value) => String(value)),
);

/** A small whole number (decimals, log index, timestamps): a number even where the service quotes it. */
export const smallInteger = z.pipe(
  z.union([z.int(), z.string().check(z.regex(/^-?\d{1,15}$/, 'must be a whole number'))]),
  z.transform((value) => Number(value)),
);

/** Text from a stranger. Kept as it came; whoever shows it shows it as text. */
export const text = z.string();

/** An identifier that some services quote and some do not. */
export const idText = z.pipe(
  z.union([z.string(), z.int()]),
  z.transform((value) => String(value)),
);

/** Absent, `null` or the value; afterwards absent or the value. */
export function optional<T extends z.core.SomeType>(schema: T) {
  return z.optional(
    z.pipe(
      z.nullish(schema),
      z.transform((value) => value ?? undefined),
    ),
  );
}

/** A list that may be absent or `null`. */
export function optionalList<T extends z.core.SomeType>(schema: T) {
  return optional(z.array(schema));
}
