// The border between data and text. Whoever draws, copies or exports a text does it through one of these functions: what is
// drawn by a template of the window passes `shown` without anybody asking for it (scripts/drawn-text.ts).

/**
 * Letters that a reader cannot see, or that change how what stands around them is read: control and formatting characters
 * (direction marks, joiners, zero-width blanks), halves of a character, blanks that are letters by their class.
 */
const invisible = /[^\P{Cc}\n\r\t]|[\p{Cf}\p{Cs}\u034F\u115F\u1160\u2800\u3164\uFFA0]/gu;

/** Marks above and below one letter; more than this many cover the lines around it. */
const pileOfMarks = /(\p{M}{4})\p{M}+/gu;

/** As much of one text as a template draws by itself; a `<pre>` draws all of it. */
const mostDrawn = 1_000;

/** The text with what cannot be seen as `�`, however long; line breaks stay. It does not identify anything any more. */
export function visibleText(text: string): string {
  return text
    .replace(invisible, '\uFFFD')
    .replace(/[\u2028\u2029]/g, '\n')
    .replace(pileOfMarks, '$1\uFFFD');
}

/**
 * Text from a stranger made fit for one line: as `visibleText`, white space becomes one blank, and what is longer than
 * `maxLength` ends with `…`.
 */
export function cleanText(text: string, maxLength: number): string {
  // Cut before the replacements, so that a text of megabytes costs no more than a short one.
  const head = text.length > maxLength * 2 ? text.slice(0, maxLength * 2) : text;
  const clean = visibleText(head.replace(/\s+/g, ' ')).trim();
  if (head.length === text.length && clean.length <= maxLength) return clean;
  // Not through the middle of a character outside the basic plane.
  return `${clean.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** JSON in which what cannot be seen stands as an escape: the same JSON, to the letter of its values. */
export function visibleJson(json: string): string {
  return json.replace(invisible, (odd) =>
    Array.from(
      { length: odd.length },
      (_nothing, i) => `\\u${odd.charCodeAt(i).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

/** What a template draws of a value: a text made visible and bounded; what is no text as it is. */
export function shown(value: unknown): unknown {
  if (typeof value !== 'string') return isPlain(value) ? value : shown(String(value));
  if (value.length <= mostDrawn) return visibleText(value);
  const rest = value.length - mostDrawn;
  // Not through the middle of a character outside the basic plane.
  const head = value.slice(0, mostDrawn).replace(/[\uD800-\uDBFF]$/, '');
  return `${visibleText(head)}… (${rest.toLocaleString('en-US')} more characters)`;
}

/** As `shown`, without a bound: for a `<pre>`, which is where a text is shown whole. */
export function shownWhole(value: unknown): unknown {
  return typeof value === 'string' ? visibleText(value) : shown(value);
}

/** Draws nothing that a stranger wrote. */
function isPlain(value: unknown): boolean {
  return value === null || (typeof value !== 'object' && typeof value !== 'function');
}
