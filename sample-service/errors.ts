import { STATUS_CODES } from 'node:http';

export interface ErrorBody {
  message: string | string[];
  statusCode: number;
  error: string;
}

export function errorBody(statusCode: number, message: string | string[]): ErrorBody {
  return { message, statusCode, error: STATUS_CODES[statusCode] ?? 'Error' };
}

/** An answer other than 200, thrown where it arises. */
export class ServiceError extends Error {
  readonly body: ErrorBody;

  constructor(statusCode: number, message: string | string[]) {
    super(typeof message === 'string' ? message : message.join('; '));
    this.name = 'ServiceError';
    this.body = errorBody(statusCode, message);
  }
}

/** An unknown name in a control call or on the command line. */
export class UnknownName extends Error {}

/** The status of an error from the framework, such as for a body that is not JSON; else 500. */
export function statusOf(error: unknown): number {
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return 500;
  return typeof error.statusCode === 'number' ? error.statusCode : 500;
}
