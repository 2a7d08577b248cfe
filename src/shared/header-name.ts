/** Headers that say how a message is sent or who sends it are the app's own; with them a request could mean another one. */
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
 * What is wrong with the name of a header that a person gives, or null: token characters (RFC 9110), at most 64, and none
 * that the app sets itself. Names are compared without case.
 */
export function headerNameProblem(given: string): 'malformed' | 'own' | null {
  const name = given.toLowerCase();
  if (!/^[a-z0-9!#$%&'*+.^_`|~-]{1,64}$/.test(name)) return 'malformed';
  return ownHeaders.has(name) || ownPrefixes.some((prefix) => name.startsWith(prefix)) ? 'own' : null;
}
