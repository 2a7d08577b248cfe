import { visibleJson } from '../../../../shared/text.ts';

/** Characters of JSON that are shown: more would hold up the window. Copying includes the rest. */
export const longestShown = 400_000;

/** A string (the last one may be cut off), a mark, or a run of anything else. */
const tokens = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s{}[\],:"]+/gs;

/**
 * Indents JSON without parsing its values, so that every number keeps its digits. Text that is
 * not JSON comes back with odd line breaks, and loses nothing but blanks. Invisible characters become escapes.
 */
export function indentJson(text: string): string {
  let depth = 0;
  let before = '';
  let out = '';
  for (const [token] of visibleJson(text).matchAll(tokens)) {
    const closes = token === '}' || token === ']';
    const isAfterOpening = before === '{' || before === '[';
    if (closes) depth = Math.max(0, depth - 1);
    // An empty list or object stays on one line.
    if (before === ',' || isAfterOpening !== closes) out += before === '' ? '' : lineBreak(depth);
    if (before === ':') out += ' ';
    out += token;
    if (token === '{' || token === '[') depth += 1;
    before = token;
  }
  return out;
}

const lineBreak = (depth: number): string => `\n${'  '.repeat(depth)}`;
