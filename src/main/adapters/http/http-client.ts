import type { ReadableStream } from 'node:stream/web';
import { TextDecoder } from 'node:util';
import type { HttpClient, HttpOutcome, HttpRequest } from '../../core/ports.ts';
import { classifyFailure, failure } from './failures.ts';

/** A service has no reason to send a client on more often than this. */
const maxRedirects = 3;

/** The statuses that repeat the request elsewhere; the others (300, 304) are answers. */
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** What of `fetch` is used here. */
export type Fetch = (
  url: URL,
  options: {
    method: string;
    headers: Record<string, string>;
    redirect: 'manual';
    signal: AbortSignal;
    body?: string;
  },
) => Promise<Response>;

/** The `HttpClient` port on the `fetch` of Node; the only place of the app that has it. */
export function createHttpClient(fetchBy: Fetch = fetch): HttpClient {
  return { send: (request) => send(fetchBy, request) };
}

async function send(fetchBy: Fetch, request: HttpRequest): Promise<HttpOutcome> {
  if (isAborted(request.signal)) return failure('cancelled', 'The request was cancelled.');
  const deadline = new AbortController();
  const timer = setTimeout(() => {
    deadline.abort();
  }, request.timeoutMs);
  const signals = [deadline.signal, ...(request.signal === undefined ? [] : [request.signal])];
  try {
    return await exchange(fetchBy, request, AbortSignal.any(signals));
  } catch (cause) {
    if (isAborted(request.signal)) return failure('cancelled', 'The request was cancelled.');
    if (deadline.signal.aborted) {
      return failure('timeout', `No complete answer within ${request.timeoutMs / 1000} s.`);
    }
    return classifyFailure(cause, hostOf(request.url));
  } finally {
    clearTimeout(timer);
  }
}

async function exchange(fetchBy: Fetch, request: HttpRequest, signal: AbortSignal): Promise<HttpOutcome> {
  let url = new URL(request.url);
  for (let hops = 0; ; hops += 1) {
    const response = await fetchBy(url, {
      method: request.method,
      headers: { ...request.headers },
      // Followed here: fetch itself would carry the headers on to another origin.
      redirect: 'manual',
      signal,
      ...(request.body === undefined ? {} : { body: request.body }),
    });
    const location = response.headers.get('location');
    if (!redirectStatuses.has(response.status) || location === null)
      return await readAnswer(response, request);
    await response.body?.cancel();
    const target = parseUrl(location, url);
    const problem = redirectProblem(request, response.status, url, target, hops);
    if (problem !== null || target === null)
      return failure('redirect', problem ?? 'It redirects to no address.');
    url = target;
  }
}

function redirectProblem(
  request: HttpRequest,
  status: number,
  from: URL,
  target: URL | null,
  hops: number,
): string | null {
  if (target === null) return 'It redirects to something that is no address.';
  if (target.origin !== from.origin) return `It redirects to another address: ${target.origin}.`;
  if (hops >= maxRedirects) return `It redirects more than ${maxRedirects} times.`;
  // 301, 302 and 303 turn a POST into a GET; no call of the interface wants that.
  if (request.method === 'POST' && status < 307) return 'It redirects a POST request.';
  return null;
}

/** Reads the body with its limit: `fetch` decompresses piece by piece, so a bomb ends at the limit. */
async function readAnswer(response: Response, request: HttpRequest): Promise<HttpOutcome> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let body = '';
  let byteLength = 0;
  if (response.body !== null) {
    // The specification of fetch promises bytes; Node's types leave it open.
    const pieces = response.body as ReadableStream<Uint8Array>;
    // Leaving the loop cancels the stream and with it the connection.
    for await (const bytes of pieces) {
      byteLength += bytes.byteLength;
      if (byteLength > request.maxBytes) {
        return failure('too-large', `The answer has more than ${request.maxBytes} bytes.`);
      }
      const text = decode(decoder, bytes);
      if (text === null) return failure('bad-encoding', 'The answer is not UTF-8 text.');
      body += text;
    }
  }
  const rest = decode(decoder);
  if (rest === null) return failure('bad-encoding', 'The answer is not UTF-8 text.');
  const headers: Record<string, string> = {};
  for (const [name, value] of response.headers) headers[name.toLowerCase()] = value;
  return { kind: 'response', status: response.status, headers, body: body + rest, byteLength };
}

/** The text of a piece, or of what is left without one; null when it is not UTF-8. */
function decode(decoder: TextDecoder, bytes?: Uint8Array): string | null {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch (cause) {
    // The fatal decoder throws TypeError for wrong bytes and for nothing else.
    if (cause instanceof TypeError) return null;
    throw cause;
  }
}

function hostOf(url: string): string {
  return parseUrl(url)?.host ?? 'the service';
}

/** `URL.parse` is younger than the oldest runtime that the app supports. */
function parseUrl(text: string, base?: URL): URL | null {
  return URL.canParse(text, base?.href) ? new URL(text, base?.href) : null;
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}
