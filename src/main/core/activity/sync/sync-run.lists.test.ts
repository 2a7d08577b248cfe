import { describe, expect, it } from 'vitest';
import { history } from '../testing/made-history.ts';
import { hashOf, refuse } from '../testing/paging-service.ts';
import { buildSyncHarness as build, unreachable, queryOf } from '../testing/sync-harness.ts';

describe('part of a history', () => {
  /** Covered are [300, 400), [500, 600) and [900, 1000). */
  async function withHoles() {
    const harness = build();
    harness.paging.transactions.push(...history(1_000, 1, 1_000));
    const covered = [
      { fromBlock: '300', toBlock: '400' },
      { fromBlock: '500', toBlock: '600' },
      { fromBlock: '900', toBlock: '1000' },
    ];
    await harness.stores.activity.savePage({
      ...harness.ref,
      rows: [],
      records: [],
      sync: { covered, reachedStart: false, checkedAtMs: null },
      proof: null,
      walkAtMs: 1,
      sweep: [],
      doubts: 0,
    });
    return harness;
  }

  it('newer: the newest end alone', async () => {
    const { paging, run, sync } = await withHoles();
    paging.transactions.push(...history(10, 1, 2_000));
    await run({ what: 'newer' });
    expect(paging.requests.map(queryOf)).toMatchObject([{ startBlock: '935' }]);
    expect((await sync())?.covered.at(-1)).toEqual({ fromBlock: '900', toBlock: '2000' });
  });

  it('holes: what lies between what is covered, newest first', async () => {
    const { paging, run, sync } = await withHoles();
    await run({ what: 'holes' });
    expect(paging.requests.map(queryOf)).toMatchObject([
      { startBlock: '600', endBlock: '900' },
      { startBlock: '600', endBlock: '900' },
      { startBlock: '600', endBlock: '900' },
      { startBlock: '400', endBlock: '500' },
    ]);
    expect((await sync())?.covered).toEqual([{ fromBlock: '300', toBlock: '1000' }]);
  });

  it('older: below all that is covered', async () => {
    const { paging, run, sync } = await withHoles();
    await run({ what: 'older' });
    expect(paging.requests.map(queryOf)).toMatchObject([{ endBlock: '300' }, {}, {}]);
    expect((await sync())?.covered[0]).toEqual({ fromBlock: '0', toBlock: '400' });
    expect(await sync()).toMatchObject({ reachedStart: true });
  });

  it.each(['holes', 'older'] as const)('%s of a history that was never fetched', async (what) => {
    const { paging, run, sync } = build();
    paging.transactions.push(...history(5));
    expect(await run({ what })).toEqual({ ok: true, value: null });
    expect(paging.requests).toHaveLength(what === 'holes' ? 0 : 1);
    expect((await sync())?.rowCount ?? 0).toBe(what === 'holes' ? 0 : 5);
  });

  it('goes on where a walk was interrupted only where that part is asked for', async () => {
    const broken = { isOn: true };
    const harness = build({ fault: (_request, number) => (broken.isOn && number >= 3 ? unreachable : null) });
    harness.paging.transactions.push(...history(350));
    await harness.run();
    broken.isOn = false;
    harness.paging.requests.length = 0;
    await harness.run({ what: 'holes' });
    expect(harness.paging.requests).toEqual([]);
    await harness.run({ what: 'older' });
    expect(harness.paging.requests.map(queryOf)).toMatchObject([
      { endBlock: '801' },
      { endBlock: '801', pageToken: 'token-3' },
    ]);
  });
});

describe('the ledger', () => {
  it('has each block once, by the run that proved it first', async () => {
    const { time, paging, ref, stores, run } = build();
    paging.transactions.push(...history(250));
    await run();
    const firstAtMs = time.clock.nowMs();
    await time.advance(60_000);
    await run();
    paging.transactions.push(...history(10, 1, 1_010));
    await run();
    expect(await stores.activity.readProofs(ref)).toEqual([
      { fromBlock: '0', toBlock: '1000', runId: 'id-1', provenAtMs: firstAtMs },
      { fromBlock: '1000', toBlock: '1010', runId: 'id-3', provenAtMs: firstAtMs + 60_000 },
    ]);
  });
});

describe.each(['erc20', 'erc1155', 'internal', 'native'] as const)('the list %s', (list) => {
  it.each(['descending', 'ascending', 'none'] as const)('in %s order is walked to the end', async (order) => {
    const { time, paging, run, sync, storedHashes } = build({ list, order, maxPageSize: () => 40 });
    paging.transactions.push(...history(150, 2));
    expect(await run()).toEqual({ ok: true, value: null });
    expect(paging.requests.every(({ url }) => !url.includes('sortOrder'))).toBe(true);
    expect(new Set(storedHashes())).toEqual(new Set(paging.transactions.map(hashOf)));
    expect(await sync()).toMatchObject({
      covered: [{ fromBlock: '0' }],
      reachedStart: true,

      rowCount: 150,
    });
    // Nothing has changed: one request, or what lies in the newest blocks where no order helps.
    const before = paging.requests.length;
    await time.advance(1_000);
    await run();
    if (order === 'descending') expect(paging.requests.length).toBe(before + 1);
    expect(await sync()).toMatchObject({ rowCount: 150, reachedStart: true });
  });

  it('takes back what the chain has taken back', async () => {
    const { time, paging, run, storedHashes } = build({ list });
    paging.transactions.push(...history(5));
    await run();
    await time.advance(1_000);
    const [gone] = paging.transactions.splice(2, 1);
    await run();
    expect(storedHashes()).toHaveLength(4);
    expect(storedHashes()).not.toContain(gone === undefined ? '' : hashOf(gone));
  });
});

describe('a long list without a promised order', () => {
  it('is walked in ranges, each proven at its end, so that an interruption costs one of them', async () => {
    const broken = { isOn: false };
    const harness = build({
      list: 'erc20',
      order: 'none',
      fault: (_request, number) => (broken.isOn && number >= 45 ? unreachable : null),
    });
    const { time, paging, run, sync, storedHashes } = harness;
    paging.transactions.push(...history(2_500, 1, 1_000_000));
    // One transaction a block, as far as it has come; that leaves the range of the first thousand.
    await run({ list: 'transactions' });
    const before = paging.requests.length;
    expect(before).toBe(25);
    expect(await run()).toEqual({ ok: true, value: null });
    expect(storedHashes()).toHaveLength(2_500);
    const covered = (await sync())?.covered ?? [];
    expect(covered).toMatchObject([{ fromBlock: '0' }]);
    // No further than every list must have come, or than its first page shows.
    expect(Number(covered[0]?.toBlock)).toBeGreaterThanOrEqual(1_000_000 - 64);
    await time.advance(1_000);
    const after = paging.requests.length;
    await run();
    expect(paging.requests.length).toBe(after + 1);
  });

  it('is walked in longer ranges where there is less than the newest blocks have made expect', async () => {
    const { paging, run, storedHashes } = build({
      list: 'erc20',
      fault: (request, number) =>
        // The list of transactions has come no further than its first page.
        request.url.includes('/transactions?') && number > 1 ? refuse(403, 'not now') : null,
    });
    paging.transactions.push(
      ...Array.from({ length: 1_500 }, (_nothing, i) => ({ block: 40_000_000 - i * 7, index: 0 })),
    );
    await run({ list: 'transactions' });
    paging.requests.length = 0;
    expect(await run()).toEqual({ ok: true, value: null });
    expect(storedHashes()).toHaveLength(1_500);
    // 16 pages are needed for so many elements.
    expect(paging.requests.length).toBeLessThan(25);
  });

  it('is not proven where it may be behind the list of transactions', async () => {
    const lag = { blocks: 1 };
    const { time, paging, run, sync, storedHashes } = build({
      list: 'native',
      mangle: (body, { url }) =>
        url.includes(':listNative')
          ? {
              ...body,
              transactions: body.transactions.filter(
                (one) => Number((one as { blockNumber: string }).blockNumber) < 1_000 - lag.blocks,
              ),
            }
          : body,
    });
    paging.transactions.push(...history(30, 3));
    await run({ list: 'transactions' });
    await run();
    expect(storedHashes()).toHaveLength(27);
    expect(await sync()).toMatchObject({ covered: [{ fromBlock: '0', toBlock: '999' }] });
    lag.blocks = 0;
    await time.advance(60_000);
    await run();
    expect(storedHashes()).toHaveLength(30);
  });

  it('goes on with the range that was interrupted', async () => {
    const broken = { isOn: true };
    const harness = build({
      list: 'erc20',
      order: 'none',
      fault: (_request, number) => (broken.isOn && number > 16 ? unreachable : null),
    });
    const { paging, stores, ref, run, sync } = harness;
    paging.transactions.push(...history(3_000, 1, 3_000));
    // One transaction a block is known from the newest of them.
    await stores.activity.savePage({
      ...ref,
      list: 'transactions',
      rows: [],
      records: [],
      sync: {
        covered: [{ fromBlock: '2990', toBlock: '3000' }],
        reachedStart: false,
        checkedAtMs: null,
      },
      proof: null,
      walkAtMs: 1,
      sweep: [],
      doubts: 0,
    });
    await run();
    broken.isOn = false;
    expect(await run()).toEqual({ ok: true, value: null });
    expect(await sync()).toMatchObject({
      covered: [{ fromBlock: '0' }],
      reachedStart: true,
      rowCount: 3_000,
    });
  });
});

it('an element that cannot be read keeps its range from being proven, and no other', async () => {
  const { paging, run, sync, storedHashes } = build({
    list: 'native',
    mangle: (body) => ({
      ...body,
      transactions: body.transactions.map((element) =>
        (element as { blockNumber?: string }).blockNumber === '2500' ? { odd: true } : element,
      ),
    }),
  });
  paging.transactions.push(...history(3_000, 1, 3_000));
  await run({ list: 'transactions' });
  for (let time = 0; time < 2; time += 1) {
    expect(await run()).toMatchObject({ ok: false, error: { code: 'bad-response' } });
  }
  expect(storedHashes()).toHaveLength(2_999);
  const covered = (await sync())?.covered ?? [];
  expect(covered[0]?.fromBlock).toBe('0');
  expect(Number(covered[0]?.toBlock)).toBeGreaterThan(1_000);
  expect(
    covered.some(({ fromBlock, toBlock }) => Number(fromBlock) <= 2_500 && 2_500 < Number(toBlock)),
  ).toBe(false);
});

describe('equal elements of one transaction', () => {
  it('are counted, also where a page ends between them and where they are seen again', async () => {
    const { time, paging, run, storedHashes } = build({ list: 'internal', maxPageSize: () => 2 });
    paging.transactions.push({ block: 7, index: 0, transfers: 3 }, { block: 6, index: 0, transfers: 2 });
    await run();
    expect(storedHashes()).toHaveLength(5);
    await time.advance(1_000);
    await run();
    expect(storedHashes()).toHaveLength(5);
  });

  it.each(['native', 'erc20'] as const)(
    'are one in the list %s, which a shifted page shows twice',
    async (list) => {
      let before: unknown[] = [];
      const { paging, run, storedHashes } = build({
        list,
        maxPageSize: () => 2,
        mangle: (body) => {
          const shown = body.transactions.map((one) => ({ ...(one as object), logIndex: 3 }));
          const shifted = [...before, ...shown];
          before = shown.slice(-1);
          return { ...body, transactions: shifted };
        },
      });
      paging.transactions.push(...history(5));
      expect(await run()).toMatchObject({ ok: true });
      expect(storedHashes()).toHaveLength(5);
    },
  );
});
