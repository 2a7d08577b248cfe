import type { HttpFailure, HttpOutcome } from '../../core/ports.ts';

export function failure(reason: HttpFailure, detail: string): HttpOutcome {
  return { kind: 'failure', reason, detail };
}

/** What was asked for takes a further request, which may not be sent. */
export class NotAllowed extends Error {}

/** Codes of OpenSSL and Node for a rejected certificate or handshake. */
const tlsCode =
  /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA|EPROTO$)/;

/** Codes of the decompressors of gzip and deflate, Brotli and Zstandard for invalid data. */
const compressionCode = /^(Z_|ERR__ERROR_FORMAT_|ERR_BROTLI_|ERR_ZSTD_|ZSTD_error_)/;

const reasonByCode: Readonly<Record<string, HttpFailure>> = {
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_NODATA: 'dns',
  EAI_FAIL: 'dns',
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'reset',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
};

/**
 * Classifies an error thrown by `fetch`. Uses only its code, since its message may quote a header, and with it the key.
 */
export function classifyFailure(cause: unknown, host: string): HttpOutcome {
  if (cause instanceof NotAllowed) return failure('not-allowed', `${host} was asked often enough for now.`);
  const codes = errorCodes(cause);
  if (codes.some((code) => tlsCode.test(code))) {
    return failure('tls', `The secure connection to ${host} failed (${codes.join(', ')}).`);
  }
  if (codes.some((code) => compressionCode.test(code))) {
    return failure(
      'bad-encoding',
      `The answer of ${host} is not compressed as it says (${codes.join(', ')}).`,
    );
  }
  const code = codes.find((candidate) => Object.hasOwn(reasonByCode, candidate));
  const reason = (code === undefined ? undefined : reasonByCode[code]) ?? 'network';
  const words: Partial<Record<HttpFailure, string>> = {
    dns: `The name of ${host} was not found (${code}).`,
    refused: `Nothing answers at ${host}.`,
    reset: `The connection to ${host} broke off (${code}).`,
    timeout: `${host} did not answer in time.`,
  };
  const other = `${host} could not be reached${codes.length > 0 ? ` (${codes.join(', ')})` : ''}.`;
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
