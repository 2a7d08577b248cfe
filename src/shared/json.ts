/** Any JSON value; contains only numbers that a double holds exactly (see `parseExactJson`). */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** A JSON object, but not a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Deeper nesting is refused: no real answer has it, and recursive code must not overflow the stack. */
export const maxJsonDepth = 200;

/** For text that may be JSON, but is nested too deeply to parse. */
export class NestedTooDeep extends SyntaxError {}

/**
 * Parses JSON without losing digits: a number that a double cannot hold exactly becomes a string of its digits as sent.
 * Throws `SyntaxError` like `JSON.parse`, also for nesting deeper than `maxJsonDepth`. Of equal keys in an object the
 * last one counts.
 */
export const parseExactJson = (text: string): unknown => JSON.parse(quoteInexactNumbers(text).json);

/** What `parse` makes of a text; null where that is not JSON. */
export function jsonOrNull<T>(parse: () => T): T | null {
  try {
    return parse();
  } catch (cause) {
    // The parsers throw nothing else for invalid JSON.
    if (cause instanceof SyntaxError) return null;
    throw cause;
  }
}

/** `parseExactJson` for any depth: anything nested deeper than `deepest` is replaced by the string `…`. */
export function parseCutJson(text: string, deepest: number): { value: unknown; isCut: boolean } {
  const { json, isCut } = quoteInexactNumbers(text, deepest);
  return { value: JSON.parse(json), isCut };
}

/** `parseExactJson` that also tells whether some object has two equal keys, so that a value was lost. */
export function parseExactJsonCountingKeys(text: string): { value: unknown; hasEqualKeys: boolean } {
  const { json, memberCount } = quoteInexactNumbers(text);
  const value: unknown = JSON.parse(json);
  return { value, hasEqualKeys: countKeys(value) !== memberCount };
}

const beforeColon = /\s*:/y;

/** The keys of a document's outermost object, as often as each is there; `text` is JSON. */
export function topLevelKeys(text: string): string[] {
  const keys: string[] = [];
  let depth = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === quote) {
      const end = endOfString(text, i);
      // At this depth a string before a colon is a key, whatever its escapes.
      beforeColon.lastIndex = end + 1;
      if (depth === 1 && beforeColon.test(text)) keys.push(String(JSON.parse(text.slice(i, end + 1))));
      i = end;
    } else if (code === openBrace || code === openBracket) depth += 1;
    else if (code === closeBrace || code === closeBracket) depth -= 1;
  }
  return keys;
}

/** Counts the keys of all objects in a parsed value; its depth is limited, so recursion is safe. */
function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const element of value) count += countKeys(element);
    return count;
  }
  // Parsed JSON has no inherited properties; reading it like this is the fastest way.
  const members = value as Readonly<Record<string, unknown>>;
  for (const key in members) count += 1 + countKeys(members[key]);
  return count;
}

/** Only a run of at least 16 of these characters, or with an exponent, can exceed a double's precision. */
const shortestInexactNumber = 16;

/** Longer runs are kept as text without comparing, since untrusted input could make that expensive. */
const longestComparedNumber = 1_000;

/** Fast path for nearly all numbers. */
const shortNumber = /-?\d{1,14}(?=[,}\]])/y;
const numberRun = /[-+.\deE]+/y;
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const endOfValue = /\s*(?:[,\]}]|$)/y;

/**
 * Puts every inexact number in quotes, and counts the members of all objects; invalid JSON stays invalid. A single pass
 * over the characters is faster than a reviver, which is called for every value.
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
      shortNumber.lastIndex = i;
      if (shortNumber.test(text)) {
        i = shortNumber.lastIndex - 1;
        continue;
      }
      numberRun.lastIndex = i;
      numberRun.test(text);
      const end = numberRun.lastIndex;
      const run = text.slice(i, end);
      endOfValue.lastIndex = end;
      if (depth <= deepest && isInexact(run) && endOfValue.test(text)) {
        rewritten += `${text.slice(copiedTo, i)}"${run}"`;
        copiedTo = end;
      }
      i = end - 1;
    } else if (code === colon) {
      memberCount += 1;
    }
  }
  // The text ends within a part that is cut, so its end stays missing.
  const rest = depth > deepest ? '' : text.slice(copiedTo);
  return { json: rewritten === '' ? text : rewritten + rest, memberCount, isCut };
}

/** True for text that ends within a string, list or object: probably truncated. */
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

/** Index of the quotation mark that ends the string starting at `start`; the text's length if there is none. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let at = end - 1;
    while (text.charCodeAt(at) === backslash) at -= 1;
    // After an odd number of backslashes it is escaped.
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

/** Normalises digits and exponent, so that `1.50`, `15e-1` and `1.5` compare equal. */
function significantDigits(text: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (match === null) return text;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const digits = whole + fraction;
  // Not /0+$/: its quadratic time could be exploited by untrusted input.
  let from = 0;
  while (digits.charCodeAt(from) === digit0) from += 1;
  if (from === digits.length) return '0';
  let to = digits.length;
  while (digits.charCodeAt(to - 1) === digit0) to -= 1;
  const scale = Number(exponent) - fraction.length + (digits.length - to);
  return `${sign}${digits.slice(from, to)}e${scale}`;
}
