/**
 * JSON text in which everything nested deeper than `maxDepth` is replaced by the string `…`, so that whatever walks,
 * writes or clones the parsed value cannot exhaust the stack. Mistakes in the text stay, except inside what is cut.
 */
export function cutDeepJson(text: string, maxDepth: number): { text: string; cut: boolean } {
  let depth = 0;
  let keptFrom = 0;
  let cut = '';
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === backslash) at += 1;
      else if (code === quote) inString = false;
    } else if (code === quote) {
      inString = true;
    } else if (code === openBrace || code === openBracket) {
      depth += 1;
      if (depth === maxDepth + 1) cut += `${text.slice(keptFrom, at)}"…"`;
    } else if (code === closeBrace || code === closeBracket) {
      if (depth === maxDepth + 1) keptFrom = at + 1;
      depth -= 1;
    }
  }
  if (cut === '') return { text, cut: false };
  // Cut off in the middle of something deep: the end is missing, and so it stays.
  return { text: depth > maxDepth ? cut : cut + text.slice(keptFrom), cut: true };
}

const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
