import type { AppError } from '../../../../shared/errors.ts';

type RateLimited = Extract<AppError, { code: 'rate-limited' }>;

/** An error says how long to wait from when it arose, which is about when the window first saw it. */
const firstSeenAtMs = new WeakMap<RateLimited, number>();

/** When the wait that the service asked for is over. */
export function waitEndsAtMs(error: RateLimited, nowMs: number): number {
  const known = firstSeenAtMs.get(error);
  if (known === undefined) firstSeenAtMs.set(error, nowMs);
  return (known ?? nowMs) + error.retryAfterMs;
}
