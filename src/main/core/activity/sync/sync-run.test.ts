import { describe, expect, it } from 'vitest';
import { history } from '../testing/made-history.ts';
import { hashOf, refuse } from '../testing/paging-service.ts';
import {
  address,
  buildSyncHarness as build,
  chainId,
  unreachable,
  queryOf,
} from '../testing/sync-harness.ts';

describe('a whole history', () => {
  it('is walked in descending order with the largest pages, and each page is saved', async () => {
    const { paging, saves, run, sync, storedHashes } = build();
    paging.transactions.push(...history(250));
    expect(await run()).toEqual({ ok: true, value: null });
    expect(paging.requests.map(queryOf)).toEqual([
      { sortOrder: 'desc', pageSize: '100' },
      { sortOrder: 'desc', pageSize: '100', pageToken: 'token-1' },
      { sortOrder: 'desc', pageSize: '100', pageToken: 'token-2' },
    ]);
    expect(saves.map(({ rowCount, covered }) => [rowCount, covered])).toEqual([
      [100, [{ fromBlock: '901', toBlock: '1000' }]],
      [200, [{ fromBlock: '801', toBlock: '1000' }]],
      [250, [{ fromBlock: '0', toBlock: '1000' }]],
    ]);
    expect(await sync()).toMatchObject({ reachedStart: true });
    expect(new Set(storedHashes())).toEqual(new Set(paging.transactions.map(hashOf)));
  });

  it('names the request that brought each row', async () => {
    const { time, paging, stores, run } = build();
    paging.transactions.push(...history(250));
    await run();
    await time.advance(5_000);
    paging.transactions.push({ block: 1_000, index: 0 });
    await run({ what: 'newer' });
    const requestOf = async (block: number) => {
      const [row] = await stores.activity.rowsOfTransaction(chainId, hashOf({ block, index: 0 }));
      return paging.requests.findIndex(({ url }) => url === row?.requestUrl);
    };
    expect(await Promise.all([900, 899, 750, 1_000].map(requestOf))).toEqual([0, 1, 2, 3]);
  });

  it('that is empty is complete, and stays one request', async () => {
    const { paging, run, sync } = build();
    await run();
    expect(await sync()).toMatchObject({ covered: [], reachedStart: true, rowCount: 0 });
    await run();
    expect(paging.requests).toHaveLength(2);
    paging.transactions.push(...history(150));
    await run();
    expect(await sync()).toMatchObject({ reachedStart: true, rowCount: 150 });
  });

  it('that has not changed costs one request, from its newest block on', async () => {
    const { time, paging, run, sync } = build();
    paging.transactions.push(...history(250));
    await run();
    await time.advance(5_000);
    const before = await sync();
    await run();
    expect(paging.requests).toHaveLength(4);
    expect(queryOf(paging.requests[3])).toEqual({ sortOrder: 'desc', pageSize: '100', startBlock: '935' });
    expect(await sync()).toEqual({ ...before, checkedAtMs: time.clock.nowMs() });
  });

  it('that was confirmed a moment ago costs nothing', async () => {
    const { time, paging, run } = build();
    paging.transactions.push(...history(5));
    await run();
    await time.advance(59_999);
    await run({ headFreshForMs: 60_000 });
    expect(paging.requests).toHaveLength(1);
    await time.advance(1);
    await run({ headFreshForMs: 60_000 });
    expect(paging.requests).toHaveLength(2);
  });

  it('fetches only what is new, the block that was newest included', async () => {
    const { paging, run, sync, storedHashes } = build();
    paging.transactions.push(...history(150));
    await run();
    // The newest block was being written while it was read.
    paging.transactions.push({ block: 999, index: 7 }, ...history(3, 1, 1_010));
    await run();
    expect(paging.requests).toHaveLength(3);
    expect(storedHashes()).toHaveLength(154);
    expect(await sync()).toMatchObject({
      covered: [{ fromBlock: '0', toBlock: '1010' }],
      reachedStart: true,
    });
  });

  it('keeps the rest of a block that is spread over pages', async () => {
    const { paging, run, storedHashes } = build();
    paging.transactions.push(...history(350, 170));
    await run();
    expect(storedHashes()).toHaveLength(350);
  });
});

describe('a walk that was interrupted', () => {
  /** The walk ends with an error at the third page. */
  async function interrupted() {
    const broken = { isOn: true };
    const harness = build({ fault: (_request, number) => (broken.isOn && number >= 3 ? unreachable : null) });
    harness.paging.transactions.push(...history(350));
    expect(await harness.run()).toMatchObject({ ok: false, error: { code: 'unreachable' } });
    expect(await harness.sync()).toMatchObject({
      rowCount: 200,
      reachedStart: false,
      covered: [{ fromBlock: '801', toBlock: '1000' }],
    });
    broken.isOn = false;
    harness.paging.requests.length = 0;
    return harness;
  }

  it('goes on at the last block proven', async () => {
    const { paging, run, sync, storedHashes } = await interrupted();
    await run();
    expect(paging.requests.map(queryOf)).toMatchObject([
      { startBlock: '935' },
      { endBlock: '801' },
      { endBlock: '801', pageToken: 'token-3' },
    ]);
    expect(await sync()).toMatchObject({ rowCount: 350, reachedStart: true });
    expect(storedHashes()).toHaveLength(350);
  });

  it('sees what is gone of the block at which it stopped', async () => {
    const broken = { isOn: true };
    const harness = build({ fault: (_request, number) => (broken.isOn && number >= 2 ? unreachable : null) });
    const { time, paging, run, stores } = harness;
    // The first page ends in the middle of a block.
    paging.transactions.push(...history(150, 7));
    await run();
    broken.isOn = false;
    const [row] = stores.rowsOf(address, chainId).slice(-1);
    const gone = paging.transactions.findIndex((one) => hashOf(one) === row?.txHash);
    paging.transactions.splice(gone, 1);
    await time.advance(1_000);
    await run();
    const marked = stores.rowsOf(address, chainId).filter(({ reorg }) => reorg === 'gone');
    expect(marked.map(({ txHash }) => txHash)).toEqual([row?.txHash]);
  });

  it.each([403, 404, 410, 422, 500])('begins again there when its token is refused: %i', async (status) => {
    const { paging, run, sync, storedHashes, time } = build({
      fault: (request) => (queryOf(request)['pageToken'] === 'token-2' ? refuse(status, 'no') : null),
    });
    paging.transactions.push(...history(350));
    const running = run();
    // A failing service is tried a few times first.
    await time.advance(120_000);
    expect(await running).toMatchObject({ ok: true });
    expect(queryOf(paging.requests.at(-2))).toMatchObject({ endBlock: '801' });
    expect(await sync()).toMatchObject({ reachedStart: true });
    expect(storedHashes()).toHaveLength(350);
  });

  it('begins again where the store is slow, and takes nothing for gone that it saw before', async () => {
    // After some tries, it is the token's fault.
    const harness = build({
      fault: (request) => (queryOf(request)['pageToken'] === 'token-6' ? refuse(500, 'no') : null),
    });
    const { paging, run, time, stores } = harness;
    paging.transactions.push(...history(350));
    await run();
    await time.advance(1_000);
    const { savePage } = stores.activity;
    stores.activity.savePage = async (page) => {
      await new Promise<void>((done) => time.timers.after(60_000, done));
      return await savePage(page);
    };
    const running = run({ again: { from: 0n, to: 2_000n } });
    await time.advance(600_000);
    expect(await running).toMatchObject({ ok: true });
    expect(queryOf(paging.requests.at(-1))).toMatchObject({ endBlock: '701' });
    expect(stores.rowsOf(address, chainId).filter(({ reorg }) => reorg !== null)).toEqual([]);
  });

  it.each([401, 429, 503])('keeps it when the answer is not about the token: %i', async (status) => {
    const { paging, run, time } = build({
      fault: (request) => (queryOf(request)['pageToken'] === undefined ? null : refuse(status, 'no')),
    });
    paging.transactions.push(...history(350));
    const running = run();
    await time.advance(600_000);
    expect(await running).toMatchObject({ ok: false });
    expect(paging.requests.filter((request) => queryOf(request)['pageToken'] === undefined)).toHaveLength(1);
  });

  it('fetches what is new first', async () => {
    const { paging, run } = await interrupted();
    paging.transactions.push(...history(50, 1, 2_000));
    await run();
    expect(paging.requests.map(queryOf)).toMatchObject([
      { startBlock: '935' },
      { endBlock: '801' },
      { pageToken: 'token-4' },
    ]);
  });

  it('closes every gap when much is new as well', async () => {
    const { paging, run, sync, storedHashes } = await interrupted();
    paging.transactions.push(...history(250, 1, 2_000));
    await run();
    expect(await sync()).toMatchObject({
      covered: [{ fromBlock: '0', toBlock: '2000' }],
      reachedStart: true,
    });
    expect(storedHashes()).toHaveLength(600);
  });

  it('stops at once when it is cancelled, and keeps what it has', async () => {
    const abort = new AbortController();
    const { paging, run, sync } = build({
      fault: (_request, number) => {
        if (number === 3) abort.abort();
        return null;
      },
    });
    paging.transactions.push(...history(1_000, 1, 5_000));
    expect(await run({ signal: abort.signal })).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    expect(paging.requests.length).toBeLessThanOrEqual(3);
    const saved = await sync();
    expect(saved?.rowCount).toBe(200);
  });

  it('does not count a page that could not be saved', async () => {
    const { paging, stores, run, sync } = build({
      fault: (_request, number) => {
        if (number === 2) stores.failWrites(true);
        return null;
      },
    });
    paging.transactions.push(...history(350));
    await expect(run()).rejects.toMatchObject({ error: { code: 'storage' } });
    const before = await sync();
    expect(before?.rowCount ?? 0).toBeLessThanOrEqual(100);
    stores.failWrites(false);
    expect(await run()).toMatchObject({ ok: true });
    expect(await sync()).toMatchObject({ rowCount: 350, reachedStart: true });
  });
});

it.each([1, 2, 3])(
  'a history with %i blocks a second is complete, wherever fetching it was interrupted',
  async (blocksPerSecond) => {
    const network = { failsAt: 0 };
    const { paging, run, sync, storedHashes } = build({
      blocksPerSecond,
      fault: (_request, count) => (count === network.failsAt ? unreachable : null),
    });
    paging.transactions.push(...history(700));
    for (const after of [3, 2, 3]) {
      network.failsAt = paging.requests.length + after;
      expect(await run()).toMatchObject({ ok: false });
      expect(await sync()).toMatchObject({
        reachedStart: false,
        covered: [{ toBlock: expect.any(String) as string }],
      });
    }
    const asked = paging.requests.length;
    expect(await run()).toMatchObject({ ok: true });
    // It goes on where it was.
    expect(queryOf(paging.requests[asked + 1])['endBlock']).toBeDefined();
    expect(await sync()).toMatchObject({ reachedStart: true, rowCount: 700 });
    expect(new Set(storedHashes())).toEqual(new Set(paging.transactions.map(hashOf)));
  },
);
