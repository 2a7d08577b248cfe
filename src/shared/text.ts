// The boundary between data and displayed text. All text is displayed, copied or exported through one of these
// functions; the window's templates apply `shown` automatically (scripts/drawn-text.ts).

/**
 * Characters that are invisible, or that change how the text around them is read: control and formatting characters
 * (direction marks, joiners, zero-width spaces), lone surrogates, whatever Unicode says to draw nothing for (blanks among
 * the letters, tags, selectors of variants), and an empty Braille cell. What makes one picture of a sequence is no deceit: a
 * selector behind a pictograph or in a keycap, and a joiner between two pictographs.
 */
const invisible =
  /[^\P{Cc}\n\r\t]|(?![\uFE0E\uFE0F\u200D])[\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]|[\uFE0E\uFE0F](?<!\p{Extended_Pictographic}.|[\d#*]\uFE0F(?=\u20E3))|\u200D(?!(?<=\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]?.)\p{Extended_Pictographic})/gu;

/** Combining marks on one letter; more than this many cover the lines around it. */
const pileOfMarks = /(\p{M}{4})\p{M}+/gu;

/** Characters of a text that a template shows; a `<pre>` shows all. */
const mostDrawn = 1_000;

/** Replaces invisible characters by `�`; keeps line breaks. The result does not identify anything any more. */
export function visibleText(text: string): string {
  return text
    .replace(invisible, '\uFFFD')
    .replace(/[\u2028\u2029]/g, '\n')
    .replace(pileOfMarks, '$1\uFFFD');
}

/**
 * Makes untrusted text fit for one line: like `visibleText`, with white space collapsed and anything beyond `maxLength`
 * replaced by `…`.
 */
export function cleanText(text: string, maxLength: number): string {
  // Cut first, so that megabytes of text cost no more than a short one.
  const head = text.length > maxLength * 2 ? text.slice(0, maxLength * 2) : text;
  const clean = visibleText(head.replace(/\s+/g, ' ')).trim();
  if (head.length === text.length && clean.length <= maxLength) return clean;
  // Do not split a surrogate pair, nor what a joiner makes one picture of.
  return `${clean.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF\u200D]+$/, '')}…`;
}

/** Text that stays text where it would be read as markup, as in notifications of Linux and in Slack. */
export function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Fast path: nearly all JSON is of these alone. */
const ascii = /^[\n\r\t\x20-\x7E]*$/;

/** Escapes invisible characters in JSON; the values stay exactly the same. */
export function visibleJson(json: string): string {
  if (ascii.test(json)) return json;
  return json.replace(invisible, (odd) =>
    Array.from(
      { length: odd.length },
      (_nothing, i) => `\\u${odd.charCodeAt(i).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

/** What a template shows for a value: text made visible and limited in length; plain values unchanged. */
export function shown(value: unknown): unknown {
  if (typeof value !== 'string') return isPlain(value) ? value : shown(String(value));
  if (value.length <= mostDrawn) return visibleText(value);
  const rest = value.length - mostDrawn;
  // Do not split a surrogate pair.
  const head = value.slice(0, mostDrawn).replace(/[\uD800-\uDBFF]$/, '');
  return `${visibleText(head)}… (${rest.toLocaleString('en-US')} more characters)`;
}

/** Like `shown`, without a limit: for a `<pre>`, which shows a text in full. */
export function shownWhole(value: unknown): unknown {
  return typeof value === 'string' ? visibleText(value) : shown(value);
}

/** True for values that cannot contain untrusted text. */
function isPlain(value: unknown): boolean {
  return value === null || (typeof value !== 'object' && typeof value !== 'function');
}

/** `0x1234567890…` → `0x123456…cdef`; what is short anyway stays whole. */
export function shortHash(text: string, head = 6, tail = 4): string {
  const prefix = text.startsWith('0x') ? 2 : 0;
  return text.length <= prefix + head + tail + 1
    ? text
    : `${text.slice(0, prefix + head)}…${text.slice(-tail)}`;
}

/** `1 check`, `2 checks`. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}
