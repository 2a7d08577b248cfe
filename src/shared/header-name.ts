/** Headers that control how, or by whom, a message is sent: only the app sets them. */
const ownHeaders: ReadonlySet<string> = new Set([
  'accept',
  'connection',
  'cookie',
  'cookie2',
  'date',
  'expect',
  'host',
  'keep-alive',
  'origin',
  'referer',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
]);
const ownPrefixes = ['accept-', 'content-', 'proxy-', 'sec-'];

/**
 * Validates the name of a header that the user enters; null if it is valid: token characters (RFC 9110), at most 64,
 * and not a header that the app sets itself. Names are case-insensitive.
 */
export function headerNameProblem(given: string): 'malformed' | 'own' | null {
  const name = given.toLowerCase();
  if (!/^[a-z0-9!#$%&'*+.^_`|~-]{1,64}$/.test(name)) return 'malformed';
  return ownHeaders.has(name) || ownPrefixes.some((prefix) => name.startsWith(prefix)) ? 'own' : null;
}
