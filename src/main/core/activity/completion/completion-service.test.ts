import { describe, expect, it } from 'vitest';
import {
  address,
  buildCompletionHarness as build,
  chainId,
  everything,
  hashAsked,
  other,
} from '../testing/completion-harness.ts';
import { hashOf, respond } from '../testing/paging-service.ts';
import { buildWatchHarness } from '../testing/watch-harness.ts';

describe('the rows on the screen', () => {
  it('are completed in their order, and the window is told', async () => {
    const { paging, completion, changes, statuses, rowIds, partial, work } = await build(5);
    expect(completion.status()).toEqual({
      partialCount: 5,
      waitingCount: 0,
      isAll: false,
      doneCount: 0,
      error: null,
    });
    const ids = await rowIds();
    changes.length = 0;
    completion.showing(ids.slice(1, 4));
    await work();
    expect(paging.requests.map(hashAsked)).toEqual(
      [1_003, 1_002, 1_001].map((block) => hashOf({ block, index: 0 })),
    );
    expect(await partial()).toBe(2);
    expect(statuses.at(-1)).toEqual({
      partialCount: 2,
      waitingCount: 0,
      isAll: false,
      doneCount: 3,
      error: null,
    });
    expect(changes).toMatchObject([{ address, chainId }]);
    // Complete ones, and such as are no longer stored, cost nothing.
    completion.showing([...ids.slice(1, 4), 9_999]);
    await work();
    expect(paging.requests).toHaveLength(3);
  });

  it('that have left it are no longer fetched', async () => {
    const { completion, partial, rowIds, work } = await build(50);
    const ids = await rowIds();
    completion.showing(ids);
    completion.showing(ids.slice(0, 2));
    await work();
    // What was under way is finished.
    expect(await partial()).toBeGreaterThanOrEqual(46);
  });

  it('are counted once where the user wants them anyway', async () => {
    const { paging, completion, rowIds, stores, time } = await build(5);
    paging.client.send = () => new Promise(() => undefined);
    completion.showing(await rowIds());
    await completion.completeAll(everything, true);
    await stores.idle();
    await time.settle();
    expect(completion.status()).toMatchObject({ doneCount: 0, waitingCount: 5 });
  });

  it('come before the rest, and are not asked for again with it', async () => {
    const { paging, completion, rowIds, partial, work } = await build(60);
    const ids = await rowIds();
    await completion.completeAll(everything, true);
    completion.showing([ids.at(-1) ?? 0]);
    await work();
    const place = paging.requests.map(hashAsked).indexOf(hashOf({ block: 1_000, index: 0 }));
    expect(place).toBeGreaterThanOrEqual(0);
    expect(place).toBeLessThan(6);
    for (let turn = 0; turn < 10; turn += 1) await work();
    expect(await partial()).toBe(0);
    expect(paging.requests).toHaveLength(60);
  });
});

describe('everything that a filter lets through', () => {
  it('is completed, one call a transaction, and the queue is then empty', async () => {
    const harness = await build(250);
    harness.sync.start({ address: other, chainId, list: 'transactions' }, 'user');
    await harness.rest();
    harness.paging.requests.length = 0;
    expect(await harness.partial()).toBe(500);
    expect(await harness.completion.completeAll(everything, true)).toEqual({ ok: true, value: null });
    for (let turn = 0; turn < 30; turn += 1) await harness.work();
    expect(await harness.partial()).toBe(0);
    expect(harness.paging.requests).toHaveLength(250);
    expect(harness.completion.status()).toMatchObject({ partialCount: 0, waitingCount: 0, doneCount: 250 });
  });

  it('is no more than that, and can be ended', async () => {
    const { paging, completion, partial, work } = await build(150);
    const ofOther = { ...everything, pills: [{ field: 'address' as const, not: false, values: [other] }] };
    await completion.completeAll(ofOther, true);
    await work();
    expect(paging.requests).toHaveLength(0);
    await completion.completeAll(everything, true);
    await completion.completeAll(everything, false);
    await work();
    expect(await partial()).toBeGreaterThan(140);
    expect(completion.status().waitingCount).toBe(0);
  });

  describe('after a restart', () => {
    /** The app has ended while it was at it. */
    async function buildInterrupted() {
      const first = await build(30);
      await first.completion.completeAll(everything, true);
      await first.paging.sent(first.paging.requests.length + 10);
      await first.completion.stop();
      const left = await first.partial();
      expect(left).toBeGreaterThan(0);
      const restart = async () => {
        const harness = buildWatchHarness({}, first.stores, first.time, first.kept);
        harness.paging.transactions.push(...first.paging.transactions);
        await harness.completion.load();
        return harness;
      };
      return { first, left, restart };
    }

    it('goes on by itself, once the window has its rows, and is then done for good', async () => {
      const { first, left, restart } = await buildInterrupted();
      const again = await restart();
      expect(again.completion.status()).toMatchObject({
        partialCount: left,
        waitingCount: left,
        isAll: true,
      });
      // Rows on the screen do not wait, and take nothing else along.
      const [shown = 0] = await first.rowIds();
      again.completion.showing([shown]);
      await again.time.advance(1_000);
      await again.rest();
      expect(again.paging.requests.length).toBeLessThanOrEqual(1);
      await again.time.advance(5_000);
      await again.rest();
      expect(await first.partial()).toBe(0);
      expect(again.completion.status().waitingCount).toBe(0);
      expect(first.kept.read()).toBeNull();
    });

    it('does not go on when the user has stopped it', async () => {
      const { first, left, restart } = await buildInterrupted();
      const again = await restart();
      await again.completion.completeAll(everything, false);
      expect(again.completion.status().waitingCount).toBe(0);
      await again.time.advance(60_000);
      await again.rest();
      expect(again.paging.requests).toEqual([]);
      expect(await first.partial()).toBe(left);
      await again.completion.stop();
      const third = await restart();
      await third.time.advance(60_000);
      await third.rest();
      expect(third.paging.requests).toEqual([]);
    });

    it('begins nothing when the app ends at once, and is still wanted then', async () => {
      const { first, restart } = await buildInterrupted();
      const again = await restart();
      await again.completion.stop();
      await again.time.advance(60_000);
      await again.rest();
      expect(again.paging.requests).toEqual([]);
      expect(first.kept.read()).not.toBeNull();
    });
  });

  it('tells nothing more once it ends with the app, also where the rows are being counted', async () => {
    const { stores, completion, statuses, time, rest } = await build(30);
    const count = stores.activity.countPartial.bind(stores.activity);
    let end = (): void => undefined;
    await completion.completeAll(everything, true);
    const counting = new Promise<void>((resolve) => {
      stores.activity.countPartial = async () => {
        resolve();
        await new Promise<void>((ended) => (end = ended));
        return await count();
      };
    });
    await time.advance(1_000);
    await counting;
    statuses.length = 0;
    const stopped = completion.stop();
    end();
    await stopped;
    await rest();
    expect(statuses).toEqual([]);
  });

  it('tells when the store fails', async () => {
    const { stores, completion } = await build(3);
    stores.activity.readRows = () => Promise.reject(new Error('broken'));
    expect(await completion.completeAll(everything, true)).toMatchObject({
      ok: false,
      error: { code: 'internal' },
    });
  });
});

describe('rows that were complete before the price of their time existed', () => {
  const dayMs = 86_400_000;
  /** An hour before the clock of the tests begins. */
  const atMs = 1_700_000_000_000 - 3_600_000;

  /** Answers of endpoint 11 for a payment to me; the price of its time is there once it is more than a day old. */
  function pricedHarness(
    historicalAfterMs: number,
    current: object = { currentPrice: { currencyCode: 'usd', value: '9' } },
  ) {
    const state = { nowMs: () => 0 };
    const building = build(1, (request) => {
      const isOld = state.nowMs() - atMs > historicalAfterMs;
      return respond({
        nativeTransaction: {
          txHash: hashAsked(request),
          blockNumber: '1000',
          blockTimestamp: atMs / 1000,
          txStatus: '1',
          from: { address: other },
          to: { address },
          value: '2000000000000000000',
        },
        networkTokenDetails: {
          networkToken: { symbol: 'AVAX', decimals: 18 },
          ...current,
          ...(isOld ? { historicalPrice: { currencyCode: 'usd', value: '3' } } : {}),
        },
      });
    });
    return building.then((harness) => {
      state.nowMs = () => harness.time.clock.nowMs();
      return harness;
    });
  }

  it.each([
    ['and the price of today was known', undefined],
    ['and no price at all was known', {}],
  ])(
    'are completed again once it can exist, once, and have a value only then: %s',
    async (_words, current) => {
      const harness = await pricedHarness(dayMs, current);
      harness.completion.showing(await harness.rowIds());
      await harness.work();
      const value = async () =>
        (await harness.stores.activity.readRow((await harness.rowIds())[0] ?? 0))?.marks.valueThen;
      expect([await value(), harness.paging.requests.length]).toEqual([null, 1]);
      for (let hours = 0; hours < 23; hours += 1) await harness.time.advance(3_600_000);
      await harness.work();
      expect(harness.paging.requests).toHaveLength(1);
      for (let hours = 0; hours < 3; hours += 1) {
        await harness.time.advance(3_600_000);
        await harness.work();
      }
      expect([await value(), harness.paging.requests.length]).toEqual(['6', 2]);
      for (let hours = 0; hours < 48; hours += 1) await harness.time.advance(3_600_000);
      await harness.work();
      expect(harness.paging.requests).toHaveLength(2);
    },
  );

  it('are not asked for for ever where it never comes', async () => {
    const harness = await pricedHarness(Infinity);
    harness.completion.showing(await harness.rowIds());
    await harness.work();
    for (let hours = 0; hours < 72; hours += 1) await harness.time.advance(3_600_000);
    await harness.work();
    expect(harness.paging.requests).toHaveLength(2);
  });
});
