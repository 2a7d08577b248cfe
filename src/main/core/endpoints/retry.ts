import { doubledMs } from '../doubled.ts';
import type { HttpOutcome } from '../ports.ts';
import type { Priority } from './budget.ts';

/** The first pause before a retry, doubled with each further one (milliseconds). */
const firstPauseMs = 1_000;
const longestPauseMs = 30_000;

/** Attempts in all. The user sees an error soon and decides; work in the background tries longer. */
const maxAttempts: Readonly<Record<Priority, number>> = { user: 2, alert: 3, completion: 4, backfill: 5 };

/**
 * How long to wait before the same read is sent again, in milliseconds; null when it is not to be sent again. Only
 * what may pass by itself is retried: a broken connection, a gateway's 5xx and, for work in the background, a timeout
 * and a 429. `attempt` counts from 1; `fraction` is chance in [0, 1).
 */
export function retryDelayMs(
  outcome: HttpOutcome,
  priority: Priority,
  attempt: number,
  fraction: number,
): number | null {
  if (attempt >= maxAttempts[priority] || !mayPass(outcome, priority)) return null;
  // The user's own request is sent again once, at once: mostly the service had closed an idle connection.
  if (priority === 'user') return Math.round(100 * fraction);
  const pauseMs = doubledMs(firstPauseMs, longestPauseMs, attempt);
  return Math.round(pauseMs * (0.5 + fraction / 2));
}

function mayPass(outcome: HttpOutcome, priority: Priority): boolean {
  if (outcome.kind === 'failure') {
    if (outcome.reason === 'reset') return true;
    return priority !== 'user' && outcome.reason === 'timeout';
  }
  // After a 429 the scheduler holds the retry back until the time it was told.
  return priority !== 'user' && (outcome.status === 429 || outcome.status >= 500);
}
