/** The result of a call: a value, or one of a closed set of errors. Never thrown across a process boundary. */
export type Result<T, E = AppError> = { ok: true; value: T } | { ok: false; error: E };

/**
 * All errors that the app can show. The renderer has a complete table from `code` to severity, text and action, so a
 * new code does not compile without an entry there. `message` is plain text, possibly untrusted: never markup.
 * `retryAtMs`, milliseconds since 1970: when the app tries again by itself.
 */
export type AppError =
  /** An argument is missing, out of range or malformed; nothing was sent. */
  | { code: 'invalid-params'; message: string; issues: readonly string[] }
  /** The call needs an API key and none is stored. */
  | { code: 'no-secret'; message: string }
  /** 401: the service rejected the key, or requires one. */
  | { code: 'unauthorized'; message: string }
  /** 403, by the service, or by a node that does not accept this host name. */
  | { code: 'forbidden'; message: string }
  /** 404: "mistyped or missing". */
  | { code: 'not-found'; message: string }
  /** 429: nothing may be sent before `retryAtMs`. */
  | { code: 'rate-limited'; message: string; retryAtMs: number }
  /** Any other HTTP error status of the service, including 400. */
  | { code: 'upstream'; message: string; status: number; retryAtMs?: number }
  /** No connection: name not found, refused, reset, TLS. */
  | { code: 'unreachable'; message: string; retryAtMs?: number }
  /** A proxy passed nothing on, so nothing is known of the other side. */
  | { code: 'proxy'; message: string; retryAtMs?: number }
  /** No complete response in time. */
  | { code: 'timeout'; message: string; retryAtMs?: number }
  /** A response that does not match the specification: HTML, truncated JSON, wrong types, too large. */
  | { code: 'bad-response'; message: string; issues: readonly string[]; retryAtMs?: number }
  /** The local store could not read or write. */
  | { code: 'storage'; message: string; retryAtMs?: number }
  /** The system's keychain is locked, there is none, or it does not have what is needed. */
  | { code: 'keychain'; message: string }
  /** Nothing was sent: the user has switched off such requests, or the host is not configured. */
  | { code: 'not-allowed'; message: string }
  /** Cancelled by the user, or by the app on the user's behalf. */
  | { code: 'cancelled'; message: string }
  /** A bug in the app; `ref` identifies the entry in the log. */
  | { code: 'internal'; message: string; ref: string };

export type ErrorCode = AppError['code'];

export const ok = <T>(value: T): { ok: true; value: T } => ({ ok: true, value });

export const err = <E>(error: E): { ok: false; error: E } => ({ ok: false, error });

/** Thrown by services; `ipc/register.ts` returns its error to the window. */
export class AppFailure extends Error {
  readonly error: AppError;

  constructor(error: AppError) {
    super(error.message);
    this.name = 'AppFailure';
    this.error = error;
  }
}

/** Refuses a call; `issue` names the field, if one is wrong. */
export function refuse(message: string, issue = message): never {
  throw new AppFailure({ code: 'invalid-params', message, issues: [issue] });
}

export function notFound(message: string): never {
  throw new AppFailure({ code: 'not-found', message });
}

/** What anything thrown says of itself. */
export const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

/** Converts anything thrown to an error: a bug is logged, and described by `words`. */
export function errorOf(
  cause: unknown,
  log: { error(event: string, cause: unknown): string },
  event: string,
  words: string,
): AppError {
  if (cause instanceof AppFailure) return cause.error;
  return { code: 'internal', message: words, ref: log.error(event, cause) };
}

export function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new AppFailure(result.error);
}

/** Nothing was sent, so the other side's known state does not change. */
export function wasNotAsked({ code }: AppError): boolean {
  return code === 'unreachable' || code === 'proxy' || code === 'not-allowed';
}
