import type { HttpClient, HttpOutcome } from '../ports.ts';

/** What stands where the key stood. */
const hidden = '(hidden key)';

/** A shorter text is no secret, and would be found where it means something else. */
const shortestSecret = 8;

/**
 * An `HttpClient` for requests whose only header beside `accept` is the key. A service or a gateway may repeat the key in
 * its answer, as in "key … is unknown"; answers are shown, stored and exported, so the key is taken out of them, as it
 * is and as JSON and URLs spell it. `byteLength` stays that of what was received.
 */
export function withoutEcho(http: HttpClient): HttpClient {
  return {
    async send(request) {
      const outcome = await http.send(request);
      const secrets = Object.entries(request.headers)
        .filter(([name, value]) => name !== 'accept' && value.length >= shortestSecret)
        .flatMap(([, value]) => [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)]);
      return secrets.length === 0 ? outcome : clean(outcome, [...new Set(secrets)]);
    },
  };
}

function clean(outcome: HttpOutcome, secrets: readonly string[]): HttpOutcome {
  const cleanText = (text: string) =>
    secrets.reduce((rest, secret) => (rest.includes(secret) ? rest.replaceAll(secret, hidden) : rest), text);
  if (outcome.kind === 'failure') return { ...outcome, detail: cleanText(outcome.detail) };
  const headers = Object.entries(outcome.headers).map(([name, value]) => [name, cleanText(value)] as const);
  return { ...outcome, headers: Object.fromEntries(headers), body: cleanText(outcome.body) };
}
