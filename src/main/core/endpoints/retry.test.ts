import { describe, expect, it } from 'vitest';
import type { HttpFailure, HttpOutcome } from '../ports.ts';
import type { Priority } from './budget.ts';
import { retryDelayMs } from './retry.ts';

const failed = (reason: HttpFailure): HttpOutcome => ({ kind: 'failure', reason, detail: '' });
const status = (code: number): HttpOutcome => ({
  kind: 'response',
  status: code,
  headers: {},
  body: '',
  byteLength: 0,
});

describe('retryDelayMs', () => {
  it.each<[string, HttpOutcome, Priority, boolean]>([
    ['a broken connection', failed('reset'), 'user', true],
    ['a broken connection', failed('reset'), 'backfill', true],
    ['a timeout', failed('timeout'), 'user', false],
    ['a timeout', failed('timeout'), 'backfill', true],
    ['500', status(500), 'user', false],
    ['500', status(500), 'completion', true],
    ['503', status(503), 'completion', true],
    ['429', status(429), 'user', false],
    ['429', status(429), 'backfill', true],
    ['no such name', failed('dns'), 'backfill', false],
    ['nothing there', failed('refused'), 'backfill', false],
    ['a bad certificate', failed('tls'), 'backfill', false],
    ['a redirect', failed('redirect'), 'backfill', false],
    ['too large an answer', failed('too-large'), 'backfill', false],
    ['cancelled', failed('cancelled'), 'backfill', false],
    ['404', status(404), 'backfill', false],
    ['200', status(200), 'backfill', false],
  ])('%s (%s) of %s: %s', (_name, outcome, priority, isRetried) => {
    expect(retryDelayMs(outcome, priority, 1, 0.5) !== null).toBe(isRetried);
  });

  it('waits longer each time, with chance in it, and gives up', () => {
    const delays = [1, 2, 3, 4, 5].map((attempt) => retryDelayMs(status(502), 'backfill', attempt, 0));
    expect(delays).toEqual([500, 1_000, 2_000, 4_000, null]);
    expect(retryDelayMs(status(502), 'backfill', 1, 0.999)).toBe(1_000);
    expect(
      [1, 2, 3, 4].map((attempt) => retryDelayMs(status(502), 'completion', attempt, 0)).at(-1),
    ).toBeNull();
  });

  it('repeats the user’s own request once, almost at once', () => {
    expect(retryDelayMs(failed('reset'), 'user', 1, 0.5)).toBe(50);
    expect(retryDelayMs(failed('reset'), 'user', 2, 0.5)).toBeNull();
  });
});
