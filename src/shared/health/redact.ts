import { orAdd } from '../or-add.ts';

/**
 * Patterns of what may identify a machine, a person or a chain in untrusted text. Deliberately broad: losing a version
 * number as well does little harm. A final `…` marks text that was cut, perhaps within an address.
 */
const patterns: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['address', /[a-z][a-z0-9+.-]{0,20}:\/\/[^\s"'<>]+/gi],
  ['address', /[^\s"'<>@]{1,64}@[^\s"'<>@]+/g],
  ['path', /(?:[a-z]:\\|\\\\|~\/|(?<![\w/])\/)[^\s"'<>:;,|()]+/gi],
  ['node', /NodeID-\w+…?/g],
  ['address', /\b(?:[a-z]-)?[a-z]{2,12}1[02-9ac-hj-np-z]{20,}…?/gi],
  ['id', /\b0x[0-9a-f]{6,}…?/gi],
  ['id', /[a-z0-9]{28,}…?/gi],
  ['id', /\b[0-9a-f]{16,}…?/gi],
  ['id', /\b[a-z0-9]{8,}…[a-z0-9]{0,8}/gi],
  ['address', /\b\d{1,3}(?:\.\d{1,3}){2,3}(?::\d+)?/g],
  // Except times of day.
  [
    'address',
    /(?<![\w:])\[?(?!\d{1,2}:\d{2}:\d{2}(?![:\d]))[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,8}(?:%\w+)?\]?(?::\d+)?/gi,
  ],
  ['address', /\b(?:[a-z0-9_-]{1,63}\.){1,8}[a-z][a-z0-9-]{0,62}(?<=[a-z])(?::\d+)?…?/gi],
  ['address', /\blocalhost(?::\d+)?/gi],
];

/**
 * Makes a function that removes identifying parts of texts: URLs, host names, IP and mail addresses, paths, node and
 * chain ids, and `labels` (names given by people). Equal values get equal placeholders: `[address 1]`, `[id 2]`.
 */
export function createRedactor(labels: readonly string[]): (text: string) => string {
  const words = new Map<string, string>();
  const counts = new Map<string, number>();
  const wordFor = (kind: string, found: string): string =>
    orAdd(words, found.toLowerCase(), () => {
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      return `[${kind} ${count}]`;
    });
  const names = [...new Set(labels.map((label) => label.trim()))]
    .filter((label) => label.length > 1)
    // Longer names first, as they may contain shorter ones.
    .sort((a, b) => b.length - a.length);
  const ofNames = new RegExp(names.map(escapePattern).join('|'), 'giu');
  const all = names.length === 0 ? patterns : [['name', ofNames] as const, ...patterns];
  return (text) => {
    // Placeholders must not be searched again.
    let pieces = [{ text, isDone: false }];
    for (const [kind, pattern] of all)
      pieces = pieces.flatMap((piece) =>
        piece.isDone ? [piece] : cutOut(piece.text, pattern, (found) => wordFor(kind, found)),
      );
    return pieces.map((piece) => piece.text).join('');
  };
}

function cutOut(text: string, pattern: RegExp, wordFor: (found: string) => string) {
  const pieces: { text: string; isDone: boolean }[] = [];
  let doneTo = 0;
  for (const { 0: found, index } of text.matchAll(pattern)) {
    if (found === '') continue;
    pieces.push({ text: text.slice(doneTo, index), isDone: false }, { text: wordFor(found), isDone: true });
    doneTo = index + found.length;
  }
  pieces.push({ text: text.slice(doneTo), isDone: false });
  return pieces;
}

function escapePattern(text: string): string {
  // A short name is replaced only where it stands alone.
  const literal = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return text.length > 2 ? literal : `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`;
}
