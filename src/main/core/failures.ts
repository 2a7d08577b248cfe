import { AppFailure, type AppError } from '../../shared/errors.ts';
import type { Log } from './ports.ts';

/** Refuses what the user has asked for; what a service throws, its caller over IPC gets as an error (`ipc/register.ts`). */
export function refuse(message: string): never {
  throw new AppFailure({ code: 'invalid-params', message, issues: [message] });
}

export function notFound(message: string): never {
  throw new AppFailure({ code: 'not-found', message });
}

/** The error of what was thrown where nobody is called back: a defect is told in `words`, and the log has it. */
export function errorOf(cause: unknown, log: Log, event: string, words: string): AppError {
  if (cause instanceof AppFailure) return cause.error;
  return { code: 'internal', message: words, ref: log.error(event, cause) };
}
