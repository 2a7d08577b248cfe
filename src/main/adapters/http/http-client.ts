import type { IncomingMessage } from 'node:http';
import { pipeline, type Duplex, type Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import type { HttpClient, HttpOutcome, HttpRequest, OutboundGate } from '../../core/ports.ts';
import { classifyFailure, failure, NotAllowed } from './failures.ts';
import { Transport, type Network } from './transport.ts';

/** More redirects than any service should need. */
const maxRedirects = 3;

/** Statuses that redirect a request; others such as 300 and 304 are ordinary responses. */
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Statuses of responses without a body. */
const emptyStatuses: ReadonlySet<number> = new Set([204, 205, 304]);

const decompressors: ReadonlyMap<string, () => Duplex> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['br', createBrotliDecompress],
]);

/** Idle connections to a service are closed after this: those of a network that was left would never answer. */
const idleMs = 4_000;

/** Beside those of the request. A node's line asks for no compression. */
const usualHeaders = { accept: '*/*', 'accept-encoding': 'gzip, br', 'user-agent': 'node' };

/** The `HttpClient` port. */
export function createHttpClient(network: Network): HttpClient {
  const transport = new Transport(network, { keepAlive: true, timeout: idleMs });
  return httpOver(network.gate, transport, usualHeaders);
}

export function httpOver(
  gate: OutboundGate,
  transport: Pick<Transport, 'send'>,
  usual: Readonly<Record<string, string>>,
): HttpClient {
  async function exchange(request: HttpRequest, signal: AbortSignal): Promise<HttpOutcome> {
    let url = new URL(request.url);
    for (let hops = 0; ; hops += 1) {
      if (hops > 0 && request.mayGoOn?.() === false) throw new NotAllowed();
      const refusal = gate.refusal(url, 'request');
      if (refusal !== null) return failure('not-allowed', refusal);
      const { method, body, certificate = null, mayGoOn } = request;
      const headers = { ...usual, ...request.headers };
      const answer = await transport.send(url, { method, headers, body, certificate, signal, mayGoOn });
      const { statusCode: status = 0 } = answer;
      const { location } = answer.headers;
      if (!redirectStatuses.has(status) || location === undefined) return await readAnswer(answer, request);
      answer.destroy();
      const target = targetOf(request, status, url, location);
      if (typeof target === 'string') return failure('redirect', target);
      if (hops >= maxRedirects)
        return failure('redirect', `The server redirects more than ${maxRedirects} times.`);
      url = target;
    }
  }

  return {
    async send(request) {
      if (isAborted(request.signal)) return failure('cancelled', 'The request was cancelled.');
      const deadline = new AbortController();
      const timer = setTimeout(() => deadline.abort(), request.timeoutMs);
      const signals = [deadline.signal, ...(request.signal === undefined ? [] : [request.signal])];
      try {
        return await exchange(request, AbortSignal.any(signals));
      } catch (cause) {
        if (isAborted(request.signal)) return failure('cancelled', 'The request was cancelled.');
        if (deadline.signal.aborted) {
          return failure('timeout', `No complete answer within ${request.timeoutMs / 1000} s.`);
        }
        return classifyFailure(cause, parseUrl(request.url)?.host ?? 'the service');
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** Where a redirect leads; a text that says why it is not followed. */
function targetOf({ method }: HttpRequest, status: number, from: URL, location: string): URL | string {
  const target = parseUrl(location, from);
  if (target === null) return 'The server redirects to an invalid address.';
  if (target.origin !== from.origin) return `The server redirects to another address: ${target.origin}.`;
  // 301, 302 and 303 turn a POST into a GET, which would not make sense for any call.
  return method === 'POST' && status < 307 ? 'The server redirects a POST request.' : target;
}

/**
 * Reads the body up to its limit; it is decompressed in pieces, so that a decompression bomb ends there. An error keeps its
 * status and headers, whatever letters or compression the gateway that sent it used for its page.
 */
async function readAnswer(answer: IncomingMessage, request: HttpRequest): Promise<HttpOutcome> {
  const headers = Object.fromEntries(
    Object.entries(answer.headersDistinct).map(([name, values = []]) => [name, values.join(', ')]),
  );
  const status = answer.statusCode ?? 0;
  const head = { kind: 'response', status, headers } as const;
  const unread = { ...head, body: '', byteLength: 0 };
  if (request.maxBytes === 0) {
    answer.destroy();
    return unread;
  }
  const isData = status >= 200 && status <= 299;
  const pieces = decompressed(answer);
  if (pieces === null)
    return isData
      ? failure('bad-encoding', 'The response uses a compression that the app didn’t ask for.')
      : unread;
  const decoder = new TextDecoder('utf-8', { fatal: isData });
  let body = '';
  let byteLength = 0;
  try {
    // Leaving the loop destroys the stream, which closes the connection.
    for await (const piece of pieces) {
      // Without an encoding, a stream of HTTP or of zlib has bytes alone.
      const bytes = piece as Uint8Array;
      byteLength += bytes.byteLength;
      if (byteLength > request.maxBytes) {
        return failure('too-large', `The response has more than ${request.maxBytes} bytes.`);
      }
      body += decoder.decode(bytes, { stream: true });
    }
    return { ...head, body: body + decoder.decode(), byteLength };
  } catch (cause) {
    if (isData || classifyFailure(cause, '').reason !== 'bad-encoding') throw cause;
    return unread;
  }
}

/** Null when it is compressed in a way that is not known. */
function decompressed(answer: IncomingMessage): Readable | null {
  const coding = answer.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (coding === '' || coding === 'identity' || emptyStatuses.has(answer.statusCode ?? 0)) return answer;
  const decompress = decompressors.get(coding);
  if (decompress !== undefined) return pipeline(answer, decompress(), () => undefined);
  answer.destroy();
  return null;
}

/** `URL.parse` does not exist in the oldest supported runtime. */
function parseUrl(text: string, base?: URL): URL | null {
  return URL.canParse(text, base?.href) ? new URL(text, base?.href) : null;
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}
