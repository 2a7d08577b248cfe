import type { AppError } from '../../../shared/errors.ts';

/**
 * Whether the error of a request with a page token may mean that the service no longer takes the token: the specification
 * does not say how it would say so. Whoever asked begins the list anew where it has come to; what was not the token's
 * fault then fails again without one. A wrong key, a limit and an outage are not about the token, and keep it.
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
