/**
 * Text from a stranger made fit for one line on the screen: control characters, direction marks and broken surrogates
 * become `�`, white space becomes one blank, and what is longer than `maxLength` ends with `…`. For display only: the
 * result does not identify anything.
 */
export function cleanText(text: string, maxLength: number): string {
  // Cut before the replacements, so that a text of megabytes costs no more than a short one.
  const head = text.length > maxLength * 2 ? text.slice(0, maxLength * 2) : text;
  const clean = head
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '\uFFFD')
    .trim();
  if (head.length === text.length && clean.length <= maxLength) return clean;
  // Not through the middle of a character outside the basic plane.
  return `${clean.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
