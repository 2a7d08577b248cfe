import { looksLikeData } from '../../../shared/looks-like-data.ts';
import type { HttpClient, HttpOutcome } from '../ports.ts';

/** What stands where the key stood. */
const hidden = '(hidden key)';

/** Headers of our own. */
const notSecret: ReadonlySet<string> = new Set(['accept', 'content-type']);

/**
 * An `HttpClient` for requests whose headers, beside those of our own, are secrets. A service, a node or a gateway may repeat
 * one in its answer, as in "key … is unknown"; answers are shown, stored and exported, so it is taken out of them: the whole
 * value and each of its words (`Bearer …`), as it is and as JSON and URLs spell it, but not where it is a part of a longer
 * word. `byteLength` stays that of what was received.
 */
export function withoutEcho(http: HttpClient): HttpClient {
  return {
    async send(request) {
      const outcome = await http.send(request);
      const secrets = Object.entries(request.headers)
        .flatMap(([name, value]) => (notSecret.has(name) ? [] : [value, ...value.split(/\s+/)]))
        .filter((value) => !looksLikeData(value))
        .flatMap((value) => [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)]);
      return secrets.length === 0 ? outcome : clean(outcome, [...new Set(secrets)]);
    },
  };
}

function clean(outcome: HttpOutcome, secrets: readonly string[]): HttpOutcome {
  const cleanText = (text: string) => secrets.reduce(withoutWord, text);
  if (outcome.kind === 'failure') return { ...outcome, detail: cleanText(outcome.detail) };
  const headers = Object.entries(outcome.headers).map(([name, value]) => [name, cleanText(value)] as const);
  return { ...outcome, headers: Object.fromEntries(headers), body: cleanText(outcome.body) };
}

/** Most answers do not have it: they are searched once, and nothing of them is copied. */
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
