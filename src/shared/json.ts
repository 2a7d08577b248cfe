/** Any JSON value, numbers included only where a double holds them exactly (see `parseExactJson`). */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/**
 * A number with so many characters that a double might not hold it: 16 or more after a place where a value starts.
 * It also matches inside strings, which costs time and nothing else.
 */
const longNumber = /[:[,]\s*-?\d[\d.eE+-]{15,}|[:[,]\s*-?\d[\d.]*[eE]/;

/**
 * Parses JSON without losing a digit: a number that a double does not hold exactly becomes a string with the digits
 * as they were sent. Throws `SyntaxError` as `JSON.parse` does.
 */
export function parseExactJson(text: string): unknown {
  if (!longNumber.test(text)) return JSON.parse(text);
  return (JSON.parse as ParseWithSource)(text, (_key, value, context) => {
    if (typeof value !== 'number' || context.source === undefined) return value;
    return keepsEveryDigit(value, context.source) ? value : context.source;
  });
}

/** V8 passes the source text of primitives to the reviver (ES2026); the type library does not know it yet. */
type ParseWithSource = (
  text: string,
  reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
) => unknown;

function keepsEveryDigit(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return false;
  return significantDigits(String(value)) === significantDigits(source);
}

/** Digits and exponent in one normal form, so that `1.50`, `15e-1` and `1.5` compare equal. */
function significantDigits(text: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (match === null) return text;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const digits = (whole + fraction).replace(/^0+/, '');
  const trimmed = digits.replace(/0+$/, '');
  if (trimmed === '') return '0';
  const scale = Number(exponent) - fraction.length + (digits.length - trimmed.length);
  return `${sign}${trimmed}e${scale}`;
}
