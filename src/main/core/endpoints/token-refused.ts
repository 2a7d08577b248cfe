import type { AppError } from '../../../shared/errors.ts';

/**
 * Whether the error of a request with a page token may mean that the token is no longer accepted; the specification
 * does not define how that is reported. The caller then restarts the list without a token; if the token was not the
 * cause, that fails too. A wrong key, a rate limit and an outage are not about the token, so it is kept.
 */
export function isTokenRefused(error: AppError): boolean {
  switch (error.code) {
    case 'forbidden':
    case 'not-found':
      return true;
    case 'upstream':
      return error.status === 500 || (error.status >= 400 && error.status <= 499 && error.status !== 408);
    default:
      return false;
  }
}
