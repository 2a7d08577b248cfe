import { describe, expect, it } from 'vitest';
import { everything } from '../../../../shared/activity/filter.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { CompletionQueue, type Job } from './completion-queue.ts';

const minuteMs = 60_000;
const row = (rowId: number, txHash = `0x${rowId}`) => ({ rowId, chainId: '1', txHash });
const gone: AppError = { code: 'not-found', message: 'Not there.' };
const away: AppError = { code: 'unreachable', message: 'Away.' };

/** The next call, for rows of the screen and of a batch. */
function begin(queue: CompletionQueue): Job | null {
  const look = queue.next();
  return look?.at === 'row' ? queue.jobOf(row(look.rowId), look.why) : null;
}

/** A queue whose filter lets these rows through. */
function wanting(...rowIds: number[]): CompletionQueue {
  const queue = new CompletionQueue();
  queue.want(everything, rowIds.length);
  expect(queue.next()).toEqual({ at: 'filter', filter: everything, limit: 100 });
  const rows = rowIds.map((rowId) => row(rowId));
  expect(queue.takeBatch(everything, rows, 0)).toBe(rowIds.length === 0);
  return queue;
}

describe('what comes next', () => {
  it('is nothing at first', () => {
    expect(new CompletionQueue().next()).toBeNull();
  });

  it('is what is on the screen, in its order, then what is wanted, two at a time', () => {
    const queue = wanting(7, 8);
    queue.show([3, 4], 0);
    const [first, second] = [begin(queue), begin(queue)];
    expect([first, second]).toMatchObject([
      { rowId: 3, why: 'shown' },
      { rowId: 4, why: 'shown' },
    ]);
    expect(queue.next()).toBeNull();
    for (const job of [first, second]) if (job !== null) queue.done(job, 1);
    expect(begin(queue)).toMatchObject({ rowId: 7, why: 'wanted' });
  });

  it('is no transaction that is being fetched already', () => {
    const queue = new CompletionQueue();
    expect(queue.jobOf(row(1, '0xa'), 'shown')).not.toBeNull();
    expect(queue.jobOf(row(2, '0xa'), 'shown')).toBeNull();
    queue.want(everything, 3);
    queue.takeBatch(everything, [row(3, '0xa'), row(4, '0xb'), row(5, '0xb')], 0);
    expect(queue.next()).toEqual({ at: 'row', rowId: 4, why: 'wanted' });
    expect(queue.next()).toMatchObject({ at: 'filter' });
  });

  it('is looked up again for the filter when a batch is used up, and what is left alone does not fill the next one', () => {
    const queue = wanting(1);
    const job = begin(queue);
    if (job === null) throw new Error('no call');
    expect(queue.next()).toEqual({ at: 'filter', filter: everything, limit: 101 });
    expect(queue.takeBatch(everything, [row(1)], 0)).toBe(false);
    expect(queue.next()).toBeNull();
    queue.failed(job, gone, 0, 0);
    expect(queue.next()).toEqual({ at: 'filter', filter: everything, limit: 101 });
    expect(queue.takeBatch(everything, [row(1)], 0)).toBe(true);
    expect(queue.status()).toMatchObject({ isAll: false, waitingCount: 0, error: gone });
  });

  it('waits, for what was wanted before a restart, until it may begin', () => {
    const queue = new CompletionQueue();
    queue.partialCount = 9;
    const letBegin = queue.hold(everything);
    expect(queue.next()).toBeNull();
    expect(queue.status()).toMatchObject({ isAll: true, waitingCount: 9 });
    letBegin(4);
    expect(queue.status().waitingCount).toBe(4);
    expect(queue.next()).toMatchObject({ at: 'filter' });
    // The user has wanted something else meanwhile.
    queue.unwant();
    letBegin(3);
    expect(queue.next()).toBeNull();
  });

  it('is a row without a price when nothing else is, until there is none', () => {
    const queue = new CompletionQueue();
    queue.lookForPrices();
    expect(queue.next()).toEqual({ at: 'prices', limit: 1 });
    const job = queue.takeUnpriced([row(1)], 0);
    expect(job).toMatchObject({ rowId: 1, why: 'price' });
    expect(queue.next()).toEqual({ at: 'prices', limit: 2 });
    expect(queue.takeUnpriced([row(1)], 0)).toBeNull();
    expect(queue.next()).toBeNull();
    if (job !== null) queue.done(job, 1);
    expect(queue.status()).toMatchObject({ doneCount: 0, waitingCount: 0 });
  });

  it('is nothing once the queue is emptied, nor what a filter of before lets through', () => {
    const queue = wanting(1);
    queue.show([2], 0);
    queue.lookForPrices();
    queue.empty();
    expect(queue.takeBatch(everything, [row(1)], 0)).toBe(false);
    expect(queue.next()).toBeNull();
  });
});

describe('a row that failed', () => {
  it('is left alone for ten minutes, then for twice as long, up to a day', () => {
    const queue = new CompletionQueue();
    let nowMs = 0;
    for (const minutes of [10, 20, 40, 80, 160, 320, 640, 1_280, 1_440, 1_440]) {
      const job = queue.jobOf(row(1), 'shown');
      if (job === null) throw new Error('no call');
      expect(queue.failed(job, gone, nowMs, 0)).toBeNull();
      queue.show([1], nowMs + minutes * minuteMs - 1);
      expect(queue.next()).toBeNull();
      nowMs += minutes * minuteMs;
      queue.show([1], nowMs);
      expect(queue.next()).toEqual({ at: 'row', rowId: 1, why: 'shown' });
    }
  });

  it('is asked for at once when the user wants all', () => {
    const queue = new CompletionQueue();
    const job = queue.jobOf(row(1), 'shown');
    if (job !== null) queue.failed(job, gone, 0, 0);
    queue.want(everything, 1);
    queue.takeBatch(everything, [row(1)], 0);
    expect(queue.next()).toMatchObject({ rowId: 1 });
  });

  it('goes back to the front of the screen where the failure is not its own', () => {
    const queue = new CompletionQueue();
    queue.show([1, 2], 0);
    const job = begin(queue);
    expect(job === null ? null : queue.failed(job, away, 0, 0)).toBe(30_000);
    expect(queue.next()).toMatchObject({ rowId: 1, why: 'shown' });
  });

  it('is no failure where it was cancelled', () => {
    const queue = wanting(1);
    const job = begin(queue);
    expect(job === null ? 0 : queue.failed(job, { code: 'cancelled', message: '' }, 0, 0)).toBeNull();
    expect(queue.status()).toMatchObject({ error: null, waitingCount: 1 });
  });

  it.each([
    [gone, 9, null],
    [{ code: 'upstream', message: '', status: 404 } as const, 9, null],
    [{ code: 'upstream', message: '', status: 500 } as const, 2, null],
    [{ code: 'upstream', message: '', status: 500 } as const, 3, 120_000],
    [{ code: 'timeout', message: '' } as const, 2, null],
    [{ code: 'timeout', message: '' } as const, 3, 120_000],
    [away, 1, 30_000],
    [{ code: 'unauthorized', message: '' } as const, 1, 300_000],
    [{ code: 'storage', message: '' } as const, 1, 300_000],
    [{ code: 'rate-limited', message: '', retryAtMs: 7_200_000 } as const, 1, 7_200_000],
  ])('with %j, the %ith in a row, makes everything stand still for %j ms', (error, failures, pauseMs) => {
    const queue = new CompletionQueue();
    const pauses = Array.from({ length: failures }, (_, at) => {
      const job = queue.jobOf(row(at), 'wanted');
      return job === null ? 0 : queue.failed(job, error, 0, 0);
    });
    expect(pauses.at(-1)).toBe(pauseMs);
    expect(queue.status().error).toBe(error);
  });
});

describe('the counts', () => {
  it('tell what waits and what is done, and begin again with the next queue', () => {
    const queue = wanting(1, 2, 3);
    expect(queue.status()).toMatchObject({ waitingCount: 3, doneCount: 0, isAll: true });
    const job = begin(queue);
    // One call has completed the rows of two addresses.
    if (job !== null) queue.done(job, 2);
    expect(queue.status()).toMatchObject({ waitingCount: 1, doneCount: 1 });
    queue.show([5], 0);
    expect(queue.status()).toMatchObject({ waitingCount: 2, doneCount: 1 });
    queue.empty();
    queue.show([6], 0);
    expect(queue.status()).toMatchObject({ waitingCount: 1, doneCount: 0 });
  });
});
