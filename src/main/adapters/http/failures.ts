import type { HttpFailed, HttpFailure } from '../../core/ports.ts';

export function failure(reason: HttpFailure, detail: string): HttpFailed {
  return { kind: 'failure', reason, detail };
}

/** What was asked for takes a further request, which may not be sent; a message is for the user. */
export class NotAllowed extends Error {}

/** A proxy is why there is no answer; the message is for the user. */
export class ProxyProblem extends Error {
  /** Nothing was sent by it, so another one can be tried. */
  readonly isUnreachable: boolean;
  /** It has tried the host in vain. */
  readonly isOfHost: boolean;

  constructor(message: string, { cause, isUnreachable = false, isOfHost = false }: ProxyProblemOptions = {}) {
    super(message, { cause });
    this.isUnreachable = isUnreachable;
    this.isOfHost = isOfHost;
  }
}

export function noProxyFor({ host }: URL): string {
  return `The system’s proxy rules name no proxy for ${host} that Watchkeeper can use.`;
}

interface ProxyProblemOptions {
  cause?: unknown;
  isUnreachable?: boolean;
  isOfHost?: boolean;
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

/** Codes of OpenSSL and Node for a rejected certificate or handshake. */
const tlsCode =
  /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA|EPROTO$)/;

/** Codes of the decompressors of gzip and deflate, Brotli and Zstandard for invalid data. */
const compressionCode = /^(Z_|ERR__ERROR_FORMAT_|ERR_BROTLI_|ERR_ZSTD_|ZSTD_error_)/;

/** Codes of Node's parser for what is not HTTP. */
const parserCode = /^HPE_/;

/** In order: of several addresses, one that answers tells more than one that is silent. */
const reasonByCode: Readonly<Record<string, HttpFailure>> = {
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_NODATA: 'dns',
  EAI_FAIL: 'dns',
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ETIMEDOUT: 'timeout',
};

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
  if (cause instanceof ProxyProblem) return failure(cause.isOfHost ? 'network' : 'proxy', cause.message);
  if (cause instanceof Untrusted) {
    return { ...failure('tls', cause.message), certificate: cause.certificate };
  }
  const codes = errorCodes(cause);
  if (codes.some((code) => tlsCode.test(code))) {
    return failure('tls', `The secure connection to ${host} failed (${codes.join(', ')}).`);
  }
  if (codes.some((code) => compressionCode.test(code))) {
    return failure(
      'bad-encoding',
      `The response from ${host} couldn’t be decompressed (${codes.join(', ')}).`,
    );
  }
  // The host was reached, so our own network is not down.
  if (codes.some((code) => parserCode.test(code))) {
    return failure('bad-encoding', `The response from ${host} isn’t valid HTTP (${codes.join(', ')}).`);
  }
  const code = Object.keys(reasonByCode).find((known) => codes.includes(known));
  const reason = (code === undefined ? undefined : reasonByCode[code]) ?? 'network';
  const words: Partial<Record<HttpFailure, string>> = {
    dns: `The name of ${host} was not found (${code}).`,
    refused: `Nothing responded at ${host}.`,
    reset: `The connection to ${host} was lost (${code}).`,
    timeout: `${host} didn’t respond in time.`,
  };
  const other = `The app couldn’t reach ${host}${codes.length > 0 ? ` (${codes.join(', ')})` : ''}.`;
  return failure(reason, words[reason] ?? other);
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
