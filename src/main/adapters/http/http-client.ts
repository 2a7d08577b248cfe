import type { ReadableStream } from 'node:stream/web';
import { TextDecoder } from 'node:util';
import type { HttpClient, HttpOutcome, HttpRequest, OutboundGate } from '../../core/ports.ts';
import { classifyFailure, failure, NotAllowed } from './failures.ts';

/** More redirects than any service should need. */
const maxRedirects = 3;

/** Statuses that redirect a request; others such as 300 and 304 are ordinary responses. */
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The part of `fetch` that is used here. */
export type Fetch = (
  url: URL,
  options: {
    method: string;
    headers: Record<string, string>;
    redirect: 'manual';
    signal: AbortSignal;
    body?: string;
    /** Asked before the request is sent once more. */
    mayGoOn?: () => boolean;
  },
) => Promise<Response>;

/** The `HttpClient` port, based on Node's `fetch`; the only place in the app that uses it. */
export function createHttpClient(gate: OutboundGate, fetchBy: Fetch = fetch): HttpClient {
  return { send: (request) => send(gate, fetchBy, request) };
}

async function send(gate: OutboundGate, fetchBy: Fetch, request: HttpRequest): Promise<HttpOutcome> {
  if (isAborted(request.signal)) return failure('cancelled', 'The request was cancelled.');
  const deadline = new AbortController();
  const timer = setTimeout(() => {
    deadline.abort();
  }, request.timeoutMs);
  const signals = [deadline.signal, ...(request.signal === undefined ? [] : [request.signal])];
  try {
    return await exchange(gate, fetchBy, request, AbortSignal.any(signals));
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

async function exchange(
  gate: OutboundGate,
  fetchBy: Fetch,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<HttpOutcome> {
  let url = new URL(request.url);
  for (let hops = 0; ; hops += 1) {
    if (hops > 0 && request.mayGoOn?.() === false) throw new NotAllowed();
    const refusal = gate.refusal(url, 'request');
    if (refusal !== null) return failure('not-allowed', refusal);
    const response = await fetchBy(url, {
      method: request.method,
      headers: { ...request.headers },
      // Redirects are followed here, because `fetch` would send the headers on to another origin.
      redirect: 'manual',
      signal,
      ...(request.body === undefined ? {} : { body: request.body }),
      ...(request.mayGoOn === undefined ? {} : { mayGoOn: request.mayGoOn }),
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
  // 301, 302 and 303 turn a POST into a GET, which would not make sense for any call.
  if (request.method === 'POST' && status < 307) return 'It redirects a POST request.';
  return null;
}

/** Reads the body up to its limit; `fetch` decompresses in pieces, so that a decompression bomb ends there. */
async function readAnswer(response: Response, request: HttpRequest): Promise<HttpOutcome> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let body = '';
  let byteLength = 0;
  if (response.body !== null) {
    // The fetch specification guarantees bytes; Node's types do not.
    const pieces = response.body as ReadableStream<Uint8Array>;
    // Leaving the loop cancels the stream, which closes the connection.
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

/** Decodes a piece, or the remainder if there is none; null when it is not UTF-8. */
function decode(decoder: TextDecoder, bytes?: Uint8Array): string | null {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch (cause) {
    // A fatal decoder throws TypeError only for invalid bytes.
    if (cause instanceof TypeError) return null;
    throw cause;
  }
}

function hostOf(url: string): string {
  return parseUrl(url)?.host ?? 'the service';
}

/** `URL.parse` does not exist in the oldest supported runtime. */
function parseUrl(text: string, base?: URL): URL | null {
  return URL.canParse(text, base?.href) ? new URL(text, base?.href) : null;
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}
