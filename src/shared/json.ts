/** Any JSON value, numbers included only where a double holds them exactly (see `parseExactJson`). */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** Deeper nesting is refused: no answer of the interface comes near, and recursive readers must not overflow. */
export const maxJsonDepth = 200;

/** Text that may be JSON, but is not read. */
export class NestedTooDeep extends SyntaxError {}

/**
 * Parses JSON without losing a digit: a number that a double does not hold exactly becomes a string with the digits
 * as they were sent. Throws `SyntaxError` as `JSON.parse` does, and for nesting deeper than `maxJsonDepth`. Of equal
 * keys in one object the last one counts.
 */
export function parseExactJson(text: string): unknown {
  return JSON.parse(quoteInexactNumbers(text).json);
}

/** `parseExactJson` of a text of any depth: the string `…` stands in the place of what is nested deeper than `deepest`. */
export function parseCutJson(text: string, deepest: number): { value: unknown; isCut: boolean } {
  const { json, isCut } = quoteInexactNumbers(text, deepest);
  return { value: JSON.parse(json), isCut };
}

/** `parseExactJson` that also tells whether an object in the text has two equal keys, so that a value was overwritten. */
export function parseExactJsonCountingKeys(text: string): { value: unknown; hasEqualKeys: boolean } {
  const { json, memberCount } = quoteInexactNumbers(text);
  const value: unknown = JSON.parse(json);
  return { value, hasEqualKeys: countKeys(value) !== memberCount };
}

/** The number of keys in all objects of a parsed value; its depth is limited, so recursion is safe. */
function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const element of value) count += countKeys(element);
    return count;
  }
  // Parsed JSON inherits nothing that could be counted, and this is the fastest way through it.
  for (const key in value) count += 1 + countKeys(Reflect.get(value, key));
  return count;
}

/** Any run of at least 16 of these characters, or with an exponent, may say more than a double holds. */
const shortestInexactNumber = 16;

/** Longer runs are kept as text without a comparison, whose cost a stranger could drive up. */
const longestComparedNumber = 1_000;

const numberRun = /[-+.\deE]+/y;
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const endOfValue = /\s*(?:[,\]}]|$)/y;

/**
 * The same JSON with every inexact number in quotes, and the number of members of all its objects; text that is not JSON
 * stays text that is not JSON. One pass over the characters costs less than a reviver, which calls back for every value.
 */
function quoteInexactNumbers(
  text: string,
  deepest = Infinity,
): { json: string; memberCount: number; isCut: boolean } {
  let isCut = false;
  let depth = 0;
  let memberCount = 0;
  let rewritten = '';
  let copiedTo = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === quote) {
      i = endOfString(text, i);
    } else if (code === openBrace || code === openBracket) {
      depth += 1;
      if (depth === deepest + 1) {
        rewritten += `${text.slice(copiedTo, i)}"…"`;
        isCut = true;
      } else if (depth > maxJsonDepth && deepest === Infinity)
        throw new NestedTooDeep(`nested deeper than ${maxJsonDepth} levels`);
    } else if (code === closeBrace || code === closeBracket) {
      if (depth === deepest + 1) copiedTo = i + 1;
      depth -= 1;
    } else if (code === minus || (code >= digit0 && code <= digit9)) {
      numberRun.lastIndex = i;
      const run = numberRun.exec(text)?.[0] ?? '';
      endOfValue.lastIndex = i + run.length;
      if (depth <= deepest && isInexact(run) && endOfValue.test(text)) {
        rewritten += `${text.slice(copiedTo, i)}"${run}"`;
        copiedTo = i + run.length;
      }
      i += run.length - 1;
    } else if (code === colon) {
      memberCount += 1;
    }
  }
  // Cut off in the middle of something deep: the end is missing, and so it stays.
  const rest = depth > deepest ? '' : text.slice(copiedTo);
  return { json: rewritten === '' ? text : rewritten + rest, memberCount, isCut };
}

/** True for text that ends inside of a text, list or object that it has begun: cut off on its way, most likely. */
export function endsInside(text: string): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === openBrace || code === openBracket) depth += 1;
    else if (code === closeBrace || code === closeBracket) depth -= 1;
    else if (code === quote) {
      i = endOfString(text, i);
      if (i === text.length) return true;
    }
  }
  return depth > 0;
}

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const minus = 0x2d;
const colon = 0x3a;
const digit0 = 0x30;
const digit9 = 0x39;

/** Index of the quotation mark that ends the string which starts at `start`; the length of the text when none does. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let at = end - 1;
    while (text.charCodeAt(at) === backslash) at -= 1;
    // After an odd number of backslashes it is part of the text.
    if ((end - at) % 2 === 1) return end;
  }
  return text.length;
}

function isInexact(run: string): boolean {
  if (run.length < shortestInexactNumber && !/[eE]/.test(run)) return false;
  if (!jsonNumber.test(run)) return false;
  return run.length > longestComparedNumber || !keepsEveryDigit(Number(run), run);
}

function keepsEveryDigit(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return false;
  return significantDigits(String(value)) === significantDigits(source);
}

/** Digits and exponent in one normal form, so that `1.50`, `15e-1` and `1.5` compare equal. */
function significantDigits(text: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (match === null) return text;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const digits = whole + fraction;
  // Not by /0+$/, which begins anew at every zero: a stranger could make that take as long as it likes.
  let from = 0;
  while (digits.charCodeAt(from) === digit0) from += 1;
  if (from === digits.length) return '0';
  let to = digits.length;
  while (digits.charCodeAt(to - 1) === digit0) to -= 1;
  const scale = Number(exponent) - fraction.length + (digits.length - to);
  return `${sign}${digits.slice(from, to)}e${scale}`;
}
