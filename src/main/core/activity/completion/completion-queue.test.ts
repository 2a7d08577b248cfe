import { describe, expect, it } from 'vitest';
import { everything } from '../../../../shared/activity/filter.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { CompletionQueue, type Job } from './completion-queue.ts';

const minuteMs = 60_000;
const row = (rowId: number, txHash = `0x${rowId}`, chainId = '1') => ({ rowId, chainId, txHash });
const gone: AppError = { code: 'not-found', message: 'Not there.' };
const refused: AppError = { code: 'forbidden', message: 'Not for you.' };
const away: AppError = { code: 'unreachable', message: 'Away.' };
const nothing = { rowIds: [], chainIds: [] };
const lookup = { at: 'filter', filter: everything, except: nothing, limit: 100 };
/** Is any of what is paused of the request? */
const lastLook = { ...lookup, limit: 1 };

function beginRow(queue: CompletionQueue, ref: ReturnType<typeof row>, why: Job['why'], nowMs = 0): Job {
  const job = queue.jobOf(ref, why, nowMs);
  if (job === null) throw new Error('no call');
  return job;
}

/** The next call, for rows of the screen and of a batch. */
function begin(queue: CompletionQueue, nowMs = 0): Job {
  const look = queue.next(nowMs);
  if (look?.at !== 'row') throw new Error('no row');
  return beginRow(queue, row(look.rowId), look.why, nowMs);
}

/** A queue whose filter lets these rows through. */
function wanting(...rowIds: number[]): CompletionQueue {
  const queue = new CompletionQueue();
  queue.want(everything, rowIds.length);
  expect(queue.next(0)).toEqual(lookup);
  const rows = rowIds.map((rowId) => row(rowId));
  expect(queue.takeBatch(everything, rows, 0)).toBe(rowIds.length === 0);
  return queue;
}

/** Lets different rows of the chain fail one after the other, from a row on. */
function fail(queue: CompletionQueue, error: AppError, times: number, from = 100, nowMs = 0): void {
  for (let at = from; at < from + times; at += 1) {
    queue.failed(beginRow(queue, row(at), 'wanted', nowMs), error, nowMs, 0);
  }
}

describe('what comes next', () => {
  it('is nothing at first', () => {
    expect(new CompletionQueue().next(0)).toBeNull();
    expect(new CompletionQueue().wakesAtMs(0)).toBe(Infinity);
  });

  it('is what is on the screen, in its order, then what is wanted, two at a time', () => {
    const queue = wanting(7, 8);
    queue.show([3, 4], 0);
    const [first, second] = [begin(queue), begin(queue)];
    expect([first, second]).toMatchObject([
      { rowId: 3, why: 'shown' },
      { rowId: 4, why: 'shown' },
    ]);
    expect(queue.next(0)).toBeNull();
    for (const job of [first, second]) queue.done(job, 1);
    expect(begin(queue)).toEqual({ ...row(7), why: 'wanted' });
  });

  it('is no transaction that is being fetched already', () => {
    const queue = new CompletionQueue();
    expect(queue.jobOf(row(1, '0xa'), 'shown', 0)).not.toBeNull();
    expect(queue.jobOf(row(2, '0xa'), 'shown', 0)).toBeNull();
    // The same hash on another chain is another transaction.
    expect(queue.jobOf(row(2, '0xa', '7'), 'shown', 0)).not.toBeNull();
    const wanted = new CompletionQueue();
    const job = beginRow(wanted, row(1, '0xa'), 'shown');
    wanted.want(everything, 3);
    expect(wanted.next(0)).toEqual({ ...lookup, except: { rowIds: [1], chainIds: [] } });
    wanted.takeBatch(everything, [row(3, '0xa'), row(4, '0xb'), row(5, '0xb')], 0);
    expect(wanted.next(0)).toEqual({ at: 'row', rowId: 4, why: 'wanted' });
    expect(wanted.next(0)).toMatchObject({ at: 'filter' });
    wanted.done(job, 2);
    expect(wanted.next(0)).toEqual(lookup);
  });

  it('is looked up again for the filter when a batch is used up, and when what was under way has ended', () => {
    const queue = wanting(1);
    const job = begin(queue);
    expect(queue.next(0)).toEqual({ ...lookup, except: { rowIds: [1], chainIds: [] } });
    expect(queue.takeBatch(everything, [], 0)).toBe(false);
    expect(queue.next(0)).toBeNull();
    queue.failed(job, gone, 0, 0);
    expect(queue.next(0)).toEqual({ ...lookup, except: { rowIds: [1], chainIds: [] } });
    expect(queue.takeBatch(everything, [], 0)).toBe(true);
    expect(queue.status()).toMatchObject({ isAll: false, waitingCount: 0, error: gone });
    expect(queue.next(0)).toBeNull();
  });

  it('waits, for what was wanted before a restart, until it may begin', () => {
    const queue = new CompletionQueue();
    queue.partialCount = 9;
    const letBegin = queue.hold(everything);
    expect(queue.next(0)).toBeNull();
    expect(queue.status()).toMatchObject({ isAll: true, waitingCount: 9 });
    letBegin(4);
    expect(queue.status().waitingCount).toBe(4);
    expect(queue.next(0)).toMatchObject({ at: 'filter' });
    // The user has wanted something else meanwhile.
    queue.unwant();
    letBegin(3);
    expect(queue.next(0)).toBeNull();
    const uncounted = new CompletionQueue();
    uncounted.partialCount = 9;
    uncounted.hold(everything)(null);
    expect(uncounted.status().waitingCount).toBe(9);
  });

  it('is a row without a price when nothing else is, until there is none', () => {
    const queue = new CompletionQueue();
    queue.lookForPrices();
    expect(queue.next(0)).toEqual({ at: 'prices', except: nothing, limit: 100 });
    const job = queue.takeUnpriced([row(1), row(2)], 0);
    expect(job).toEqual({ ...row(1), why: 'price' });
    expect(queue.next(0)).toEqual({ at: 'prices', except: { rowIds: [1], chainIds: [] }, limit: 100 });
    // Another address has the same transaction.
    expect(queue.takeUnpriced([row(3, '0x1')], 0)).toBeNull();
    expect(queue.next(0)).toBeNull();
    if (job !== null) queue.done(job, 1);
    expect(queue.status()).toMatchObject({ doneCount: 0, waitingCount: 0 });
    const emptied = new CompletionQueue();
    emptied.lookForPrices();
    emptied.want(everything, 1);
    expect(emptied.next(0)).toEqual(lookup);
  });

  it('is nothing once the queue is emptied, nor what a filter of before lets through', () => {
    const queue = wanting(1);
    queue.show([2], 0);
    queue.lookForPrices();
    queue.empty();
    expect(queue.takeBatch(everything, [row(1)], 0)).toBe(false);
    expect(queue.next(0)).toBeNull();
    queue.wake(0);
    expect(queue.next(0)).toBeNull();
  });
});

describe('a row that failed', () => {
  it('is left alone for ten minutes, then for twice as long, up to a day, and then tried by itself', () => {
    const queue = new CompletionQueue();
    let nowMs = 0;
    for (const minutes of [10, 20, 40, 80, 160, 320, 640, 1_280, 1_440, 1_440]) {
      queue.show([1], nowMs);
      queue.failed(begin(queue, nowMs), gone, nowMs, 0);
      queue.show([1], nowMs + minutes * minuteMs - 1);
      expect(queue.next(nowMs)).toBeNull();
      expect(queue.jobOf(row(1), 'wanted', nowMs + 1)).toBeNull();
      expect(queue.wakesAtMs(nowMs)).toBe(nowMs + minutes * minuteMs);
      nowMs += minutes * minuteMs;
      expect(queue.wakesAtMs(nowMs)).toBe(Infinity);
      queue.wake(nowMs);
      expect(queue.next(nowMs)).toEqual({ at: 'row', rowId: 1, why: 'shown' });
    }
    queue.done(beginRow(queue, row(1), 'shown', nowMs), 1);
    queue.failed(beginRow(queue, row(1), 'shown', nowMs), gone, nowMs, 0);
    expect(queue.wakesAtMs(nowMs)).toBe(nowMs + 10 * minuteMs);
  });

  it('is skipped when others are looked up, for the filter and for prices', () => {
    const queue = wanting(1, 2);
    queue.failed(begin(queue), refused, 0, 0);
    queue.done(begin(queue), 1);
    const except = { rowIds: [1], chainIds: [] };
    expect(queue.next(10 * minuteMs - 1)).toEqual({ ...lookup, except });
    expect(queue.next(10 * minuteMs)).toEqual(lookup);
    queue.unwant();
    queue.lookForPrices();
    expect(queue.next(0)).toEqual({ at: 'prices', except, limit: 100 });
  });

  it('is asked for at once when the user wants all', () => {
    const queue = new CompletionQueue();
    queue.failed(beginRow(queue, row(1), 'shown'), gone, 0, 0);
    queue.want(everything, 1);
    expect(queue.next(0)).toEqual(lookup);
    queue.takeBatch(everything, [row(1)], 0);
    expect(queue.next(0)).toMatchObject({ rowId: 1 });
  });

  it('goes back to the front of the screen where the failure is not its own', () => {
    const queue = new CompletionQueue();
    queue.show([1, 2], 0);
    queue.failed(begin(queue), away, 0, 0);
    expect(queue.next(29_999)).toBeNull();
    expect(queue.wakesAtMs(0)).toBe(30_000);
    expect(queue.next(30_000)).toEqual({ at: 'row', rowId: 1, why: 'shown' });
    const wanted = wanting(1);
    wanted.failed(begin(wanted), away, 0, 0);
    expect(wanted.next(30_000)).toEqual(lookup);
  });

  it('is no failure where it was cancelled', () => {
    const queue = wanting(1);
    queue.failed(begin(queue), { code: 'cancelled', message: '' }, 0, 0);
    expect(queue.status()).toMatchObject({ error: null, waitingCount: 1 });
    expect(queue.wakesAtMs(0)).toBe(Infinity);
  });

  it('keeps the user’s request open if that may pass, and else not', () => {
    const queue = wanting(1, 2);
    queue.failed(begin(queue), refused, 0, 0);
    queue.failed(begin(queue), gone, 0, 0);
    expect(queue.status()).toMatchObject({ waitingCount: 1, isAll: true });
    const except = { rowIds: [1, 2], chainIds: [] };
    expect(queue.next(0)).toEqual({ ...lookup, except });
    expect(queue.takeBatch(everything, [], 0)).toBe(false);
    expect(queue.next(0)).toEqual({ ...lastLook, except: { rowIds: [2], chainIds: [] } });
    expect(queue.takeBatch(everything, [row(1)], 0)).toBe(false);
    expect(queue.next(0)).toBeNull();
    queue.wake(10 * minuteMs);
    // The request does without what the service does not have, also when its pause is over.
    expect(queue.next(10 * minuteMs)).toEqual({ ...lookup, except: { rowIds: [2], chainIds: [] } });
    queue.takeBatch(everything, [row(1)], 10 * minuteMs);
    queue.done(begin(queue, 10 * minuteMs), 1);
    expect(queue.takeBatch(everything, [], 10 * minuteMs)).toBe(true);
  });

  it('keeps a request open only if it is one of it', () => {
    const queue = wanting(1);
    queue.failed(beginRow(queue, row(5), 'shown'), refused, 0, 0);
    queue.done(begin(queue), 1);
    expect(queue.next(0)).toEqual({ ...lookup, except: { rowIds: [5], chainIds: [] } });
    expect(queue.takeBatch(everything, [], 0)).toBe(false);
    expect(queue.next(0)).toEqual(lastLook);
    // A call that was begun meanwhile may be about it.
    const other = beginRow(queue, row(6), 'shown');
    expect(queue.takeBatch(everything, [row(6)], 0)).toBe(false);
    expect(queue.next(0)).toBeNull();
    queue.done(other, 1);
    queue.next(0);
    queue.takeBatch(everything, [], 0);
    queue.next(0);
    // Its pause has just ended.
    expect(queue.takeBatch(everything, [row(5)], 10 * minuteMs)).toBe(false);
    expect(queue.next(10 * minuteMs)).toEqual(lookup);
    queue.failed(beginRow(queue, row(5), 'price', 10 * minuteMs), refused, 10 * minuteMs, 0);
    queue.takeBatch(everything, [], 10 * minuteMs);
    expect(queue.next(10 * minuteMs)).toEqual(lastLook);
    expect(queue.takeBatch(everything, [], 10 * minuteMs)).toBe(true);
    expect(queue.status()).toMatchObject({ isAll: false });
  });

  it.each([
    [gone, null],
    [{ code: 'invalid-params', message: '', issues: [] } as const, null],
    [{ code: 'internal', message: '', ref: '' } as const, null],
    [{ code: 'upstream', message: '', status: 499 } as const, null],
    [{ code: 'upstream', message: '', status: 500 } as const, 'chain'],
    [{ code: 'timeout', message: '' } as const, 'chain'],
    [{ code: 'bad-response', message: '', issues: [] } as const, 'chain'],
    [refused, 'chain'],
    [away, 30_000],
    [{ code: 'unauthorized', message: '' } as const, 300_000],
    [{ code: 'no-secret', message: '' } as const, 300_000],
    [{ code: 'storage', message: '' } as const, 30_000],
    [{ code: 'rate-limited', message: '', retryAtMs: 7_200_000 } as const, 7_200_000],
  ])('with %j stops more than the row: %j', (error, stops) => {
    const queue = new CompletionQueue();
    const isOfService = typeof stops === 'number';
    fail(queue, error, isOfService ? 1 : 3);
    expect(queue.status().error).toBe(error);
    queue.show([1], 0);
    if (isOfService) {
      expect(queue.next(stops - 1)).toBeNull();
      expect(queue.wakesAtMs(0)).toBe(stops);
      expect(queue.next(stops)).not.toBeNull();
    } else {
      expect(queue.next(0)).not.toBeNull();
      expect(queue.jobOf(row(1), 'shown', 0) === null).toBe(stops === 'chain');
      expect(queue.jobOf(row(2, '0x2', '7'), 'shown', 0)).not.toBeNull();
    }
  });
});

describe('a chain of which several rows fail in a row', () => {
  it('is paused for longer each time, one row being tried between, and skipped meanwhile', () => {
    const queue = wanting();
    queue.want(everything, 9);
    fail(queue, refused, 2);
    expect(queue.next(0)).toMatchObject({ except: { chainIds: [] } });
    let nowMs = 0;
    for (const [at, seconds] of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900].entries()) {
      fail(queue, refused, 1, 200 + at, nowMs);
      expect(queue.wakesAtMs(nowMs)).toBeLessThanOrEqual(nowMs + seconds * 1_000);
      expect(queue.next(nowMs + seconds * 1_000 - 1)).toMatchObject({ except: { chainIds: ['1'] } });
      nowMs += seconds * 1_000;
      expect(queue.next(nowMs)).toMatchObject({ except: { chainIds: [] } });
    }
    queue.done(beginRow(queue, row(1), 'wanted', nowMs), 1);
    fail(queue, refused, 2, 300, nowMs);
    expect(queue.next(nowMs)).toMatchObject({ except: { chainIds: [] } });
  });

  it('is tried at once again when one of its rows succeeds, or the user wants all', () => {
    const queue = new CompletionQueue();
    const underWay = beginRow(queue, row(1), 'shown');
    fail(queue, refused, 3);
    expect(queue.jobOf(row(2), 'shown', 0)).toBeNull();
    queue.done(underWay, 1);
    const next = beginRow(queue, row(2), 'shown');
    fail(queue, refused, 3, 200);
    queue.done(next, 1);
    fail(queue, refused, 3, 300);
    queue.want(everything, 1);
    expect(queue.jobOf(row(2), 'shown', 0)).not.toBeNull();
  });

  it('is the cause, so that its rows are not left alone for longer than ten minutes', () => {
    const queue = new CompletionQueue();
    fail(queue, refused, 2);
    let nowMs = 0;
    for (let round = 0; round < 6; round += 1) {
      queue.failed(beginRow(queue, row(1), 'shown', nowMs), refused, nowMs, 0);
      expect(queue.jobOf(row(1), 'shown', nowMs + 10 * minuteMs - 1)).toBeNull();
      nowMs += 20 * minuteMs;
    }
  });

  it('keeps the user’s request open', () => {
    const queue = wanting(1);
    queue.failed(beginRow(queue, row(7, '0x7', '7'), 'shown'), refused, 0, 0);
    queue.failed(beginRow(queue, row(8, '0x8', '7'), 'shown'), refused, 0, 0);
    queue.failed(beginRow(queue, row(9, '0x9', '7'), 'shown'), refused, 0, 0);
    queue.done(begin(queue), 1);
    expect(queue.takeBatch(everything, [], 999)).toBe(false);
    expect(queue.next(999)).toEqual(lastLook);
    expect(queue.takeBatch(everything, [row(6, '0x6', '7')], 999)).toBe(false);
    expect(queue.next(999)).toBeNull();
    queue.wake(1_000);
    expect(queue.next(1_000)).toMatchObject({ at: 'filter', except: { chainIds: [] } });
    expect(queue.takeBatch(everything, [row(6, '0x6', '7')], 1_000)).toBe(false);
    expect(queue.next(1_000)).toEqual({ at: 'row', rowId: 6, why: 'wanted' });
  });
});

describe('everything', () => {
  it('stands still for longer with each failure in a row, until one succeeds or the service is there', () => {
    const queue = new CompletionQueue();
    queue.stand(away, 0, 0);
    queue.stand(away, 0, 0);
    expect(queue.wakesAtMs(0)).toBe(60_000);
    queue.show([1], 0);
    expect(queue.next(0)).toBeNull();
    queue.goOn();
    const job = begin(queue);
    queue.stand(away, 0, 0);
    expect(queue.wakesAtMs(0)).toBe(30_000);
    queue.done(job, 1);
    expect(queue.wakesAtMs(0)).toBe(Infinity);
    expect(queue.error).toBeNull();
    queue.stand(away, 0, 0);
    queue.want(everything, 1);
    expect(queue.next(0)).toEqual(lookup);
  });
});

describe('the counts', () => {
  it('tell what waits and what is done, and begin again with the next queue', () => {
    const queue = wanting(1, 2, 3);
    expect(queue.status()).toMatchObject({ waitingCount: 3, doneCount: 0, isAll: true });
    const job = begin(queue);
    expect(queue.status()).toMatchObject({ waitingCount: 3 });
    // One call has completed the rows of two addresses.
    queue.done(job, 2);
    expect(queue.status()).toMatchObject({ waitingCount: 1, doneCount: 1 });
    queue.show([5, 6], 0);
    expect(queue.status()).toMatchObject({ waitingCount: 2, doneCount: 1 });
    queue.empty();
    queue.show([6], 0);
    expect(queue.status()).toMatchObject({ waitingCount: 1, doneCount: 0 });
  });

  it('go down by a row that is given up, never below none, and begin again with what the user wants', () => {
    const queue = wanting(1, 2);
    queue.failed(begin(queue), gone, 0, 0);
    expect(queue.status().waitingCount).toBe(1);
    queue.failed(beginRow(queue, row(9), 'price'), gone, 0, 0);
    expect(queue.status().waitingCount).toBe(1);
    queue.done(begin(queue), 5);
    expect(queue.status()).toMatchObject({ waitingCount: 0, doneCount: 1 });
    queue.want(everything, 3);
    expect(queue.status()).toMatchObject({ waitingCount: 3, doneCount: 0 });
  });
});
