import type { HttpFailed, HttpFailure } from '../../core/ports.ts';

export function failure(reason: HttpFailure, detail: string): HttpFailed {
  return { kind: 'failure', reason, detail };
}

/** What was asked for takes a further request, which may not be sent; a message is for the user. */
export class NotAllowed extends Error {}

/**
 * A proxy is why there is no answer; the message is for the user. `unreachable`: nothing was sent by it, so another one can be
 * tried. `of-host`: it has tried the host in vain.
 */
export class ProxyProblem extends Error {
  readonly kind: 'unreachable' | 'of-host' | null;

  constructor(message: string, kind: ProxyProblem['kind'] = null, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

export function noProxyFor({ host }: URL): string {
  return `The system’s proxy rules name no proxy for ${host} that Watchkeeper can use.`;
}

/** The host has shown a certificate that is not trusted; `code` says why, null where another one is expected. */
export class Untrusted extends Error {
  readonly certificate: string | null;

  constructor(host: string, certificate: string | null, code: string | null) {
    const why = code === null ? 'is not the one that you trust' : `is not trusted by this computer (${code})`;
    super(`The certificate of ${host} ${why}. Its SHA-256 fingerprint is ${certificate ?? 'unknown'}.`);
    this.certificate = certificate;
  }
}

/** What an error with such a code means, and its words from the host, that code, and all codes. */
type Meaning = readonly [RegExp, HttpFailure, (host: string, code: string, codes: string) => string];

/** The first one counts: of several addresses, one that answers tells more than one that is silent. */
const meanings: readonly Meaning[] = [
  // A rejected certificate or handshake, by OpenSSL and Node.
  [
    /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA|EPROTO$)/,
    'tls',
    (host, _code, codes) => `The secure connection to ${host} failed (${codes}).`,
  ],
  // Invalid data, by the decompressors of gzip and deflate, Brotli and Zstandard.
  [
    /^(Z_|ERR__ERROR_FORMAT_|ERR_BROTLI_|ERR_ZSTD_|ZSTD_error_)/,
    'bad-encoding',
    (host, _code, codes) => `The response from ${host} couldn’t be decompressed (${codes}).`,
  ],
  [/^ERR_ENCODING_INVALID_ENCODED_DATA$/, 'bad-encoding', () => 'The response isn’t UTF-8 text.'],
  // By Node's parser. The host was reached, so our own network is not down.
  [/^HPE_/, 'bad-encoding', (host, _code, codes) => `The response from ${host} isn’t valid HTTP (${codes}).`],
  [
    /^(ENOTFOUND|EAI_AGAIN|EAI_NODATA|EAI_FAIL)$/,
    'dns',
    (host, code) => `The name of ${host} was not found (${code}).`,
  ],
  [/^ECONNREFUSED$/, 'refused', (host) => `Nothing responded at ${host}.`],
  [/^(ECONNRESET|EPIPE)$/, 'reset', (host, code) => `The connection to ${host} was lost (${code}).`],
  [/^ETIMEDOUT$/, 'timeout', (host) => `${host} didn’t respond in time.`],
];

/**
 * Classifies an error of a request. Of one that is not ours it uses only the code, since its message may quote a header,
 * and with it the key.
 */
export function classifyFailure(cause: unknown, host: string): HttpFailed {
  if (cause instanceof NotAllowed) {
    return failure(
      'not-allowed',
      cause.message || `The app has used up its request limit for ${host} for now.`,
    );
  }
  if (cause instanceof ProxyProblem)
    return failure(cause.kind === 'of-host' ? 'network' : 'proxy', cause.message);
  if (cause instanceof Untrusted) {
    return { ...failure('tls', cause.message), certificate: cause.certificate };
  }
  const codes = errorCodes(cause);
  const all = codes.join(', ');
  for (const [pattern, reason, words] of meanings) {
    const code = codes.find((one) => pattern.test(one));
    if (code !== undefined) return failure(reason, words(host, code, all));
  }
  return failure('network', `The app couldn’t reach ${host}${all === '' ? '' : ` (${all})`}.`);
}

/** Codes of an error, its causes and its bundled errors, outermost first. */
function errorCodes(error: unknown, depth = 0): string[] {
  if (typeof error !== 'object' || error === null || depth > 5) return [];
  const own = 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  const cause = 'cause' in error ? errorCodes(error.cause, depth + 1) : [];
  const bundled =
    'errors' in error && Array.isArray(error.errors)
      ? error.errors.flatMap((inner: unknown) => errorCodes(inner, depth + 1))
      : [];
  return [...new Set([...own, ...cause, ...bundled])];
}
