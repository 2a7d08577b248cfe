import { AppFailure, type AppError } from '../../../../shared/errors.ts';

/** What the run could not read, so that it could not store it. */
export function unreadableElements(count: number): AppError {
  const message =
    count === 1
      ? 'One entry could not be read; the blocks around it count as missing.'
      : `${count} entries could not be read; the blocks around them count as missing.`;
  return { code: 'bad-response', message, issues: [] };
}

/** The error of a failed run, for what the store throws as well. */
export function errorOfThrown(cause: unknown, ref: () => string): AppError {
  if (cause instanceof AppFailure) return cause.error;
  return { code: 'internal', message: 'Fetching the history failed unexpectedly.', ref: ref() };
}
