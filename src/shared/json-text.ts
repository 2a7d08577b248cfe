import { endOfString } from './json.ts';

// For texts that were parsed before: for invalid JSON the result is meaningless, but nothing is thrown.

/** A member of an object or an element of a list, with the position of its value in the text. */
interface Part {
  key: string | number;
  from: number;
  to: number;
}

/** The raw text of the value at a path; null if there is none. Of equal keys the last one counts. */
export function jsonTextAt(text: string, path: readonly PropertyKey[]): string | null {
  let from = skipSpace(text, 0);
  let to = skipValue(text, from);
  for (const key of path) {
    const found = partsAt(text, from).findLast((part) => part.key === key);
    if (found === undefined) return null;
    ({ from, to } = found);
  }
  return text.slice(from, to);
}

/** The raw texts of the elements of the list under `key` of an object. */
export function jsonElementTexts(text: string, key: string): string[] {
  const list = partsAt(text, skipSpace(text, 0)).findLast((part) => part.key === key);
  return list === undefined ? [] : partsAt(text, list.from).map(({ from, to }) => text.slice(from, to));
}

/** The parts of the object or list that begins at `start`; empty for other values. */
function partsAt(text: string, start: number): Part[] {
  const isObject = text[start] === '{';
  if (!isObject && text[start] !== '[') return [];
  const parts: Part[] = [];
  let at = skipSpace(text, start + 1);
  while (at < text.length && text[at] !== '}' && text[at] !== ']') {
    let key: string | number = parts.length;
    if (isObject) {
      const end = endOfString(text, at) + 1;
      key = keyOf(text.slice(at, end));
      // Skip the colon.
      at = skipSpace(text, skipSpace(text, end) + 1);
    }
    const to = skipValue(text, at);
    parts.push({ key, from: at, to });
    at = skipSpace(text, to);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return parts;
}

function keyOf(quoted: string): string {
  return quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
}

const space = /\s*/y;
const scalarEnd = /[,\]}\s]|$/g;

function skipSpace(text: string, at: number): number {
  // Beyond the end, a sticky pattern would start again at 0.
  if (at >= text.length) return text.length;
  space.lastIndex = at;
  space.test(text);
  return space.lastIndex;
}

/** The index after the value that begins at `start`; always greater than `start`. */
function skipValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return endOfString(text, start) + 1;
  if (first !== '{' && first !== '[') {
    scalarEnd.lastIndex = start;
    return Math.max(start + 1, scalarEnd.exec(text)?.index ?? text.length);
  }
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === '{' || character === '[') depth += 1;
    else if ((character === '}' || character === ']') && (depth -= 1) === 0) return at + 1;
  }
  return text.length;
}
