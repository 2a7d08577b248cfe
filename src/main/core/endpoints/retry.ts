import { doubledMs } from '../doubled.ts';
import type { HttpOutcome } from '../ports.ts';
import type { Priority } from './budget.ts';

/** Pause before the first retry, doubled with each further one (milliseconds). */
const firstPauseMs = 1_000;
const longestPauseMs = 30_000;

/** Attempts including the first. A user should see an error soon; background work can try for longer. */
const maxAttempts: Readonly<Record<Priority, number>> = { user: 2, completion: 4, backfill: 5 };

/**
 * How long to wait before repeating a request, in milliseconds; null for no retry. Only errors that may pass are
 * retried: a broken connection, 5xx of a gateway and, for background work, a timeout or a 429. `attempt` counts from 1;
 * `fraction` is random in [0, 1).
 */
export function retryDelayMs(
  outcome: HttpOutcome,
  priority: Priority,
  attempt: number,
  fraction: number,
): number | null {
  if (attempt >= maxAttempts[priority] || !mayPass(outcome, priority)) return null;
  // The user's request is retried once, at once: usually the service had closed an idle connection.
  if (priority === 'user') return Math.round(100 * fraction);
  const pauseMs = doubledMs(firstPauseMs, longestPauseMs, attempt);
  return Math.round(pauseMs * (0.5 + fraction / 2));
}

function mayPass(outcome: HttpOutcome, priority: Priority): boolean {
  if (outcome.kind === 'failure') {
    if (outcome.reason === 'reset') return true;
    return priority !== 'user' && outcome.reason === 'timeout';
  }
  // After a 429 the scheduler delays the retry until the time that the service gave.
  return priority !== 'user' && (outcome.status === 429 || outcome.status >= 500);
}
