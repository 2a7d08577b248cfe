import { looksLikeData } from '../../../shared/looks-like-data.ts';
import type { HttpClient, HttpOutcome } from '../ports.ts';

const hidden = '(hidden key)';

/** Headers that the app sets itself. */
const notSecret: ReadonlySet<string> = new Set(['accept', 'content-type']);

/**
 * Wraps an `HttpClient` for requests whose headers, other than the app's own, are secret. A service, node or gateway
 * may repeat one in its response, as in "key … is unknown". Since responses are shown, stored and exported, the secret
 * is removed: the whole value and each of its words (`Bearer …`), however JSON and URLs may spell them, but not within a
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
export const withoutValues = (text: string, values: readonly string[]): string =>
  spellingsOf(values).reduce(withoutWord, text);

function spellingsOf(values: readonly string[]): readonly RegExp[] {
  const secrets = values
    .flatMap((value) => [value, ...value.split(/\s+/)])
    .filter((value) => !looksLikeData(value));
  return [...new Set(secrets)].map((secret) => new RegExp(Array.from(secret, anySpelling).join(''), 'g'));
}

/**
 * Matches a letter as it is, as JSON may escape it (also JSON within a text of JSON, four deep), and percent-encoded. Without
 * a limit, a text of many backslashes would take the square of their number.
 */
function anySpelling(letter: string): string {
  const code = letter.charCodeAt(0).toString(16).padStart(2, '0');
  const hex = code.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
  // A lone backslash is the beginning of an escape, not a letter.
  const plain = letter === '\\' ? '\\\\{1,15}' : isWordPart(letter) ? letter : `\\\\{0,15}\\x${code}`;
  return `(?:${plain}|\\\\{1,15}u00${hex}|%(?:25)*${hex})`;
}

function clean(outcome: HttpOutcome, values: readonly string[]): HttpOutcome {
  const secrets = spellingsOf(values);
  const cleanText = (text: string) => secrets.reduce(withoutWord, text);
  if (outcome.kind === 'failure') return { ...outcome, detail: cleanText(outcome.detail) };
  const headers = Object.entries(outcome.headers).map(([name, value]) => [name, cleanText(value)] as const);
  return { ...outcome, headers: Object.fromEntries(headers), body: cleanText(outcome.body) };
}

function withoutWord(text: string, secret: RegExp): string {
  return text.replaceAll(secret, (found, at: number) => {
    const isWord = !endsInWord(text.slice(Math.max(0, at - 6), at)) && !isWordPart(text[at + found.length]);
    return isWord ? hidden : found;
  });
}

/** Whether the letter before the secret belongs to its word: one that ends an escape (`\n`, `\u0020`, `%20`) does not. */
const endsInWord = (before: string): boolean =>
  isWordPart(before.at(-1)) && !/(?:\\[bfnrt]|\\u[\da-fA-F]{4}|%[\da-fA-F]{2})$/.test(before);

const isWordPart = (letter: string | undefined): boolean =>
  letter !== undefined && /[A-Za-z0-9]/.test(letter);
