import { STATUS_CODES } from 'node:http';

export interface ErrorBody {
  message: string | string[];
  statusCode: number;
  error: string;
}

export function errorBody(statusCode: number, message: string | string[]): ErrorBody {
  return { message, statusCode, error: STATUS_CODES[statusCode] ?? 'Error' };
}

/** An answer other than 200, thrown where it is decided. */
export class ServiceError extends Error {
  readonly body: ErrorBody;

  constructor(statusCode: number, message: string | string[]) {
    super(typeof message === 'string' ? message : message.join('; '));
    this.name = 'ServiceError';
    this.body = errorBody(statusCode, message);
  }
}

/** A name, in a control call or on the command line, that nothing has. */
export class UnknownName extends Error {}

/** The HTTP status that the framework gave an error of its own, such as a body that is not JSON; else 500. */
export function statusOf(error: unknown): number {
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return 500;
  return typeof error.statusCode === 'number' ? error.statusCode : 500;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
