import { looksLikeData } from '../../../shared/looks-like-data.ts';
import type { HttpClient, HttpOutcome } from '../ports.ts';

/** Replaces the key. */
const hidden = '(hidden key)';

/** Headers that the app sets itself. */
const notSecret: ReadonlySet<string> = new Set(['accept', 'content-type']);

/**
 * Wraps an `HttpClient` for requests whose headers, other than the app's own, are secret. A service, node or gateway
 * may repeat one in its response, as in "key … is unknown". Since responses are shown, stored and exported, the secret
 * is removed: the whole value and each of its words (`Bearer …`), in plain, JSON and URL spelling, but not within a
 * longer word. `byteLength` stays that of the original.
 */
export function withoutEcho(http: HttpClient): HttpClient {
  return {
    async send(request) {
      const outcome = await http.send(request);
      const values = Object.entries(request.headers).flatMap(([name, value]) =>
        notSecret.has(name) ? [] : [value],
      );
      return values.length === 0 ? outcome : clean(outcome, values);
    },
  };
}

/** Removes these header values from a text, except those that look like data. */
export function withoutValues(text: string, values: readonly string[]): string {
  return spellingsOf(values).reduce(withoutWord, text);
}

function spellingsOf(values: readonly string[]): readonly string[] {
  const spellings = values
    .flatMap((value) => [value, ...value.split(/\s+/)])
    .filter((value) => !looksLikeData(value))
    .flatMap((value) => [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)]);
  return [...new Set(spellings)];
}

function clean(outcome: HttpOutcome, values: readonly string[]): HttpOutcome {
  const secrets = spellingsOf(values);
  const cleanText = (text: string) => secrets.reduce(withoutWord, text);
  if (outcome.kind === 'failure') return { ...outcome, detail: cleanText(outcome.detail) };
  const headers = Object.entries(outcome.headers).map(([name, value]) => [name, cleanText(value)] as const);
  return { ...outcome, headers: Object.fromEntries(headers), body: cleanText(outcome.body) };
}

/** Fast for the usual case: a single search without copying when the secret does not occur. */
function withoutWord(text: string, secret: string): string {
  let rest = '';
  let done = 0;
  for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1)) {
    const end = at + secret.length;
    if (at < done || isWordPart(text[at - 1]) || isWordPart(text[end])) continue;
    rest += text.slice(done, at) + hidden;
    done = end;
  }
  return done === 0 ? text : rest + text.slice(done);
}

function isWordPart(letter: string | undefined): boolean {
  return letter !== undefined && /[A-Za-z0-9]/.test(letter);
}
