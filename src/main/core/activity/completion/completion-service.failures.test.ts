import { describe, expect, it, vi } from 'vitest';
import type { ActivityFilter } from '../../../../shared/activity/filter.ts';
import { addressChains } from '../../../../shared/endpoints/data.ts';
import { AppFailure } from '../../../../shared/errors.ts';
import type { HttpOutcome } from '../../ports.ts';
import {
  address,
  buildCompletionHarness as build,
  everything,
  hashAsked,
} from '../testing/completion-harness.ts';
import { hashOf, refuse, respond } from '../testing/paging-service.ts';

const offline: HttpOutcome = { kind: 'failure', reason: 'refused', detail: 'Nothing answers.' };

describe('what fails', () => {
  it('a row that the service does not have holds up no other, and is left alone for longer and longer', async () => {
    const odd = hashOf({ block: 1_004, index: 0 });
    const { time, paging, completion, partial, work } = await build(5, (request) =>
      hashAsked(request) === odd ? refuse(404, 'mistyped or missing') : null,
    );
    await completion.completeAll(everything, true);
    await work();
    expect(await partial()).toBe(1);
    const askedForOdd = () => paging.requests.filter((request) => hashAsked(request) === odd).length;
    expect(askedForOdd()).toBe(1);
    await time.advance(3_600_000);
    expect(askedForOdd()).toBe(1);
    // The user asks again.
    await completion.completeAll(everything, true);
    await work();
    expect(askedForOdd()).toBe(2);
    expect(completion.status()).toMatchObject({
      partialCount: 1,
      waitingCount: 0,
      error: { code: 'not-found' },
    });
  });

  it('what the service refuses for the key goes on at once with another one, without the old error', async () => {
    const key = { isWrong: true };
    const { completion, partial, work } = await build(5, () =>
      key.isWrong ? refuse(401, 'no such key') : null,
    );
    await completion.completeAll(everything, true);
    await work();
    expect(completion.status()).toMatchObject({ partialCount: 5, error: { code: 'no-secret' } });
    key.isWrong = false;
    completion.keyChanged();
    expect(completion.status().error).toBe(null);
    await work();
    expect(await partial()).toBe(0);
  });

  it('a row with a hash that no URL can ask for holds up no other', async () => {
    const { completion, paging, partial, rowIds, work } = await build(2, () => null, {
      mangle: (body) => {
        const odd = hashOf({ block: 1_001, index: 0 });
        return JSON.parse(JSON.stringify(body).replace(odd, '..')) as unknown;
      },
    });
    completion.showing(await rowIds());
    await work();
    expect(paging.requests.map(hashAsked)).toEqual([hashOf({ block: 1_000, index: 0 })]);
    expect(await partial()).toBe(1);
    expect(completion.status()).toMatchObject({ waitingCount: 0, doneCount: 1 });
  });

  it('a row that fails while it is on the screen keeps the user’s request open if it is one of it', async () => {
    let isOver = false;
    const odd = hashOf({ block: 1_000, index: 0 });
    const { time, completion, kept, partial, paging, rowIds, stores, work } = await build(5, (request) =>
      hashAsked(request) === odd && !isOver ? refuse(403, 'not for you') : null,
    );
    const { send } = paging.client;
    const ask = async (pills: ActivityFilter['pills']) => {
      const sent = Promise.withResolvers<void>();
      paging.client.send = async (request) => {
        await sent.promise;
        return await send(request);
      };
      await completion.completeAll({ ...everything, pills }, true);
      await time.settle();
      await stores.idle();
      completion.showing((await rowIds()).slice(-1));
      sent.resolve();
      await work();
      completion.showing([]);
      await work();
      return { partialCount: await partial(), isAll: completion.status().isAll };
    };
    expect(await ask([{ field: 'block', not: false, min: '1003', max: null }])).toEqual({
      partialCount: 3,
      isAll: false,
    });
    expect(await ask([])).toEqual({ partialCount: 1, isAll: true });
    isOver = true;
    await time.advance(10 * 60_000);
    await work();
    expect([await partial(), completion.status().isAll, kept.read()]).toEqual([0, false, null]);
  });

  it('rows that the service does not have are asked for once, while another one keeps the request open for days', async () => {
    const [missing, refused] = [hashOf({ block: 1_004, index: 0 }), hashOf({ block: 1_003, index: 0 })];
    const { time, paging, completion, work } = await build(5, (request) => {
      const hash = hashAsked(request);
      if (hash === missing) return refuse(404, 'mistyped or missing');
      return hash === refused ? refuse(403, 'not for you') : null;
    });
    await completion.completeAll(everything, true);
    for (let hour = 0; hour < 48; hour += 1) {
      await work();
      await time.advance(3_600_000);
    }
    const asked = (hash: string) => paging.requests.filter((request) => hashAsked(request) === hash).length;
    expect(asked(refused)).toBeGreaterThan(10);
    expect(asked(missing)).toBe(1);
    expect(completion.status()).toMatchObject({ isAll: true });
  });

  it('950 rows that the service does not have hold up none of 250 others, nor those on the screen', async () => {
    const missing = new Set(Array.from({ length: 950 }, (_, i) => hashOf({ block: 2_199 - i, index: 0 })));
    const { paging, completion, partial, rowIds, work } = await build(1_200, (request) =>
      missing.has(hashAsked(request) ?? '') ? refuse(404, 'mistyped or missing') : null,
    );
    await completion.completeAll(everything, true);
    completion.showing((await rowIds()).slice(0, 3));
    for (let turn = 0; turn < 150; turn += 1) await work();
    expect(await partial()).toBe(950);
    expect(completion.status()).toMatchObject({ waitingCount: 0, isAll: false, error: null });
    expect(paging.requests).toHaveLength(1_200);
  });

  it.each(['wanted', 'on the screen'])(
    'ten rows that the service refuses hold up none of ten others: %s',
    async (why) => {
      const refused = new Set(Array.from({ length: 10 }, (_, i) => hashOf({ block: 1_019 - i, index: 0 })));
      const { time, paging, completion, partial, rowIds, work } = await build(20, (request) =>
        refused.has(hashAsked(request) ?? '') ? refuse(403, 'not for you') : null,
      );
      if (why === 'wanted') await completion.completeAll(everything, true);
      else completion.showing(await rowIds());
      await work();
      for (let minute = 0; minute < 10; minute += 1) await time.advance(60_000);
      await work();
      expect(await partial()).toBe(10);
      for (let hour = 0; hour < 24; hour += 1) await time.advance(3_600_000);
      await work();
      expect(paging.requests.length).toBeLessThan(300);
      expect(completion.status()).toMatchObject({ partialCount: 10, isAll: why === 'wanted' });
    },
  );

  it('a chain that does not answer holds up no other, and goes on by itself when it does', async () => {
    const broken = { is: true };
    const { sync, time, paging, completion, partial, rest, work } = await build(30, (request) =>
      broken.is && request.url.includes('/chains/7/') ? refuse(503, 'not now') : null,
    );
    sync.start({ address, chainId: '7', list: 'transactions' }, 'user');
    await rest();
    paging.requests.length = 0;
    expect(await partial()).toBe(60);
    await completion.completeAll(everything, true);
    for (let minute = 0; minute < 60; minute += 1) await time.advance(60_000);
    await work();
    expect(await partial()).toBe(30);
    expect(completion.status()).toMatchObject({ waitingCount: 30, isAll: true, error: { code: 'upstream' } });
    // The client repeats a 503 itself, up to four times.
    expect(paging.requests.length).toBeLessThan(30 + 100);
    broken.is = false;
    for (let minute = 0; minute < 22; minute += 1) await time.advance(60_000);
    await work();
    expect(await partial()).toBe(0);
    expect(completion.status()).toMatchObject({ waitingCount: 0, isAll: false, error: null });
  });

  it('a row on the screen is tried again when its pause ends, without another turn of the wheel', async () => {
    const { time, completion, partial, rowIds, work } = await build(1, (_request, number) =>
      number === 1 ? refuse(404, 'missing') : null,
    );
    completion.showing(await rowIds());
    await work();
    expect(await partial()).toBe(1);
    await time.advance(10 * 60_000);
    await work();
    expect(await partial()).toBe(0);
  });

  it('a row on the screen that failed is not asked for with every turn of the wheel', async () => {
    const { time, paging, completion, rowIds, work } = await build(1, () => refuse(404, 'missing'));
    const ids = await rowIds();
    for (let turn = 0; turn < 10; turn += 1) {
      completion.showing(ids);
      await work();
    }
    expect(paging.requests).toHaveLength(1);
    await time.advance(10 * 60_000);
    completion.showing(ids);
    await work();
    expect(paging.requests).toHaveLength(2);
  });

  it.each([
    [
      'another transaction',
      { nativeTransaction: { txHash: '0xother', blockNumber: '1', blockTimestamp: 1 } },
    ],
    ['a web page', '<html>'],
  ])('%s is no completion', async (_name, body) => {
    const { completion, partial, work } = await build(2, () => respond(body));
    await completion.completeAll(everything, true);
    await work();
    expect(await partial()).toBe(2);
    // It may be the answer of somebody between us and the service: it is asked for again, and until then waits.
    expect(completion.status()).toMatchObject({
      waitingCount: 2,
      isAll: true,
      error: { code: 'bad-response' },
    });
  });

  it('a ban makes everything stand still, and it goes on by itself when it is over', async () => {
    const { time, paging, completion, partial, work } = await build(20, (_request, number) =>
      number === 3 ? refuse(429, 'slow down', { 'retry-after': '3600' }) : null,
    );
    await completion.completeAll(everything, true);
    await work();
    const asked = paging.requests.length;
    expect(asked).toBeLessThanOrEqual(4);
    expect(completion.status()).toMatchObject({ error: { code: 'rate-limited' } });
    expect(completion.status().waitingCount).toBeGreaterThan(10);
    await time.advance(3_500_000);
    expect(paging.requests).toHaveLength(asked);
    await time.advance(200_000);
    for (let turn = 0; turn < 5; turn += 1) await work();
    expect(await partial()).toBe(0);
    expect(completion.status()).toMatchObject({ waitingCount: 0, error: null });
  });

  it.each([
    ['without a network', offline, 'unreachable'],
    ['switched off', { ...offline, reason: 'not-allowed' }, 'not-allowed'],
  ] as const)(
    '%s everything waits, the screen’s rows too, until the service answers again',
    async (_words, outcome, code) => {
      const network = { isOff: true };
      const { service, completion, partial, rowIds, work } = await build(3, () =>
        network.isOff ? outcome : null,
      );
      completion.showing(await rowIds());
      await work();
      expect(completion.status()).toMatchObject({
        partialCount: 3,
        waitingCount: 3,
        error: { code },
      });
      network.isOff = false;
      if (code === 'not-allowed') service.switched();
      // Something else finds out that the service is there.
      await service.fetch(addressChains, { address }, { priority: 'user', mayWaitMs: 0 });
      await work();
      expect(await partial()).toBe(0);
      expect(completion.status().error).toBeNull();
    },
  );

  it('a full disk is told, and no answer is lost for good', async () => {
    const { time, stores, completion, partial, work } = await build(3);
    stores.failWrites(true);
    await completion.completeAll(everything, true);
    await work();
    expect(completion.status()).toMatchObject({ partialCount: 3, error: { code: 'storage' } });
    stores.failWrites(false);
    await time.advance(5 * 60_000);
    await work();
    expect(await partial()).toBe(0);
  });

  it('a request that the disk refuses to keep is answered so, and not begun', async () => {
    const { time, kept, completion, partial, work } = await build(3);
    vi.spyOn(kept, 'write').mockImplementationOnce(() => {
      throw new AppFailure({ code: 'storage', message: 'full' });
    });
    expect(await completion.completeAll(everything, true)).toMatchObject({ error: { code: 'storage' } });
    expect(completion.status().isAll).toBe(false);
    await time.advance(3_600_000);
    await work();
    expect(await partial()).toBe(3);
  });

  it('the end of the app ends it', async () => {
    const { time, paging, completion } = await build(50);
    await completion.completeAll(everything, true);
    await time.settle();
    await completion.stop();
    const asked = paging.requests.length;
    await time.advance(3_600_000);
    expect(paging.requests).toHaveLength(asked);
  });
});
