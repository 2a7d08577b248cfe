/** What a caller gets: a value, or one error of a closed set. Never thrown across a process border. */
export type Result<T, E = AppError> = { ok: true; value: T } | { ok: false; error: E };

/**
 * Every error the app can show. The renderer has one total table from `code` to severity, words and action, so
 * adding a code does not compile until its words exist. `message` is plain text, possibly from a stranger: never markup.
 */
export type AppError =
  /** An argument is missing, out of range or of the wrong shape; nothing was sent. */
  | { code: 'invalid-params'; message: string; issues: readonly string[] }
  /** The call needs an API key and none is stored. */
  | { code: 'no-secret'; message: string }
  /** 401: the service refused the key, or wants one. */
  | { code: 'unauthorized'; message: string }
  /** 403, by the service, or by a node that does not answer to this host name. */
  | { code: 'forbidden'; message: string }
  /** 404: "mistyped or missing". */
  | { code: 'not-found'; message: string }
  /** 429: nothing may be sent before `retryAfterMs` has passed. */
  | { code: 'rate-limited'; message: string; retryAfterMs: number }
  /** Any other refusal or failure that the service reported with an HTTP status, 400 among them. */
  | { code: 'upstream'; message: string; status: number }
  /** No connection: name not found, refused, reset, TLS. */
  | { code: 'unreachable'; message: string }
  /** No complete answer within the time allowed. */
  | { code: 'timeout'; message: string }
  /** An answer that is not what the specification says: HTML, cut JSON, wrong types, too large. */
  | { code: 'bad-response'; message: string; issues: readonly string[] }
  /** The local store could not read or write. */
  | { code: 'storage'; message: string }
  /** The user, or the app on the user's behalf, stopped it. */
  | { code: 'cancelled'; message: string }
  /** A defect of the app; `ref` finds the entry in the log. */
  | { code: 'internal'; message: string; ref: string };

export type ErrorCode = AppError['code'];

export const ok = <T>(value: T): { ok: true; value: T } => ({ ok: true, value });

export const err = <E>(error: E): { ok: false; error: E } => ({ ok: false, error });

/** What services throw; `ipc/register.ts` answers with its error. */
export class AppFailure extends Error {
  readonly error: AppError;

  constructor(error: AppError) {
    super(error.message);
    this.name = 'AppFailure';
    this.error = error;
  }
}

/** Refuses what a caller has asked for; `issue` names the field, where one is wrong. */
export function refuse(message: string, issue = message): never {
  throw new AppFailure({ code: 'invalid-params', message, issues: [issue] });
}

export function notFound(message: string): never {
  throw new AppFailure({ code: 'not-found', message });
}

/** The error of what was thrown where nobody is called back: a defect is told in `words`, and the log has it. */
export function errorOf(
  cause: unknown,
  log: { error(event: string, cause: unknown): string },
  event: string,
  words: string,
): AppError {
  if (cause instanceof AppFailure) return cause.error;
  return { code: 'internal', message: words, ref: log.error(event, cause) };
}

/** The value, or a thrown `AppFailure`. */
export function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new AppFailure(result.error);
}
