import { describe, expect, it } from 'vitest';
import { buildInterruptedSync, uninterrupted } from '../testing/interrupted-sync.ts';
import { history } from '../testing/made-history.ts';
import { hashOf, refuse } from '../testing/paging-service.ts';
import { address, buildSyncHarness as build, chainId, unreachable } from '../testing/sync-harness.ts';

describe('a chain that is reorganised', () => {
  const marks = (harness: ReturnType<typeof build>) => {
    return harness.stores.rowsOf(address, chainId).map(({ blockNumber, reorg }) => [blockNumber, reorg]);
  };

  it('a transaction that is gone is marked, and no longer so when it is there again', async () => {
    const harness = build();
    const { time, paging, run } = harness;
    paging.transactions.push(...history(5));
    await run();
    await time.advance(1_000);
    const gone = paging.transactions.splice(1, 2);
    await run();
    expect(marks(harness)).toEqual([
      [999, null],
      [998, 'gone'],
      [997, 'gone'],
      [996, null],
      [995, null],
    ]);
    await time.advance(1_000);
    paging.transactions.push(...gone);
    await run();
    expect(marks(harness).map(([, reorg]) => reorg)).toEqual([null, null, null, null, null]);
  });

  it('the newest ones are gone, one of them or all', async () => {
    const harness = build();
    const { time, paging, run } = harness;
    paging.transactions.push(...history(3));
    await run();
    await time.advance(1_000);
    paging.transactions.shift();
    await run();
    expect(marks(harness).map(([, reorg]) => reorg)).toEqual(['gone', null, null]);
    await time.advance(1_000);
    paging.transactions.length = 0;
    await run();
    expect(marks(harness).map(([, reorg]) => reorg)).toEqual(['gone', 'gone', 'gone']);
  });

  it('a block with another hash is marked', async () => {
    const harness = build();
    const { time, paging, run } = harness;
    paging.transactions.push(...history(3));
    await run();
    await time.advance(1_000);
    const newest = paging.transactions[0];
    if (newest !== undefined) newest.fork = 1;
    await run();
    expect(marks(harness).map(([, reorg]) => reorg)).toEqual(['reorganised', null, null]);
  });

  describe('deeper than is looked at', () => {
    /** From the newest on: these are in other blocks of the same height. */
    const fork = (harness: ReturnType<typeof build>, count: number) => {
      for (const made of harness.paging.transactions.slice(0, count)) made.fork = 1;
    };
    const reorganisedCount = (harness: ReturnType<typeof build>) =>
      marks(harness).filter(([, reorg]) => reorg === 'reorganised').length;

    it.each([
      ['one after the other', 1, 200, 3],
      ['far apart', 1_000_000, 3, 2],
    ])(
      'blocks %s are followed down to where the chain is as it was',
      async (_name, step, depth, requests) => {
        const harness = build();
        const { time, paging, run, sync } = harness;
        paging.transactions.push(
          ...history(400).map(({ block }, place) => ({
            block: block + (399 - place) * (step - 1),
            index: 0,
          })),
        );
        await run();
        const before = await sync();
        await time.advance(60_000);
        fork(harness, depth);
        paging.requests.length = 0;
        expect(await run({ what: 'newer' })).toEqual({ ok: true, value: null });
        expect(paging.requests).toHaveLength(requests);
        expect(reorganisedCount(harness)).toBe(depth);
        expect(
          marks(harness)
            .slice(0, depth)
            .every(([, reorg]) => reorg === 'reorganised'),
        ).toBe(true);
        // All is proven as it was, and one request says so the next time.
        expect((await sync())?.covered).toEqual(before?.covered);
        await time.advance(60_000);
        paging.requests.length = 0;
        await run();
        expect(paging.requests).toHaveLength(1);
      },
    );

    it.each<[string, number | null]>([
      ['and all pages are got', null],
      ['and a token is refused on the way down', 4],
    ])('blocks that end where a page ends are followed down, %s', async (_what, refused) => {
      const asked = { count: 0, isOver: true };
      const harness = build({
        fault: () => {
          asked.count += 1;
          const isRefused = !asked.isOver && asked.count === refused;
          return isRefused ? refuse(400, 'page token is unknown or expired') : null;
        },
      });
      const { time, paging, run } = harness;
      paging.transactions.push(...history(2_000, 50));
      await run();
      await time.advance(60_000);
      fork(harness, 800);
      Object.assign(asked, { count: 0, isOver: false });
      expect(await run()).toEqual({ ok: true, value: null });
      expect(reorganisedCount(harness)).toBe(800);
    });

    it('the newest ones are gone, far above the others', async () => {
      const harness = build();
      const { time, paging, run, sync } = harness;
      paging.transactions.push(...[9, 8, 7, 6].map((block) => ({ block: block * 1_000_000, index: 0 })));
      await run();
      await time.advance(60_000);
      paging.transactions.splice(0, 2);
      paging.requests.length = 0;
      expect(await run()).toEqual({ ok: true, value: null });
      expect(paging.requests).toHaveLength(2);
      expect(marks(harness).map(([, reorg]) => reorg)).toEqual(['gone', 'gone', null, null]);
      expect(await sync()).toMatchObject({
        covered: [{ fromBlock: '0', toBlock: '7000001' }],
        reachedStart: true,
      });
      await time.advance(60_000);
      paging.requests.length = 0;
      await run();
      expect(paging.requests).toHaveLength(1);
    });

    it('all are gone', async () => {
      const harness = build();
      const { time, paging, run, sync } = harness;
      paging.transactions.push(...[9, 8].map((block) => ({ block: block * 1_000_000, index: 0 })));
      await run();
      await time.advance(60_000);
      paging.transactions.length = 0;
      await run();
      expect(marks(harness).map(([, reorg]) => reorg)).toEqual(['gone', 'gone']);
      expect(await sync()).toMatchObject({ covered: [], reachedStart: true });
      paging.requests.length = 0;
      await run();
      expect(paging.requests).toHaveLength(1);
    });

    it('an interruption leaves what is in doubt unproven, and the next run looks at it', async () => {
      const broken = { isOn: false };
      const harness = build({
        fault: ({ url }) => (broken.isOn && url.includes('endBlock') ? refuse(503, 'away') : null),
      });
      const { time, paging, run, sync } = harness;
      paging.transactions.push(...history(400));
      await run();
      const before = await sync();
      fork(harness, 200);
      broken.isOn = true;
      await time.advance(60_000);
      const failing = run();
      for (let minute = 0; minute < 20; minute += 1) await time.advance(60_000);
      expect(await failing).toMatchObject({ ok: false });
      expect((await sync())?.covered).toEqual([{ fromBlock: '936', toBlock: '1000' }]);
      expect((await sync())?.reachedStart).toBe(false);
      broken.isOn = false;
      await time.advance(60_000);
      expect(await run()).toEqual({ ok: true, value: null });
      expect(reorganisedCount(harness)).toBe(200);
      expect(await sync()).toMatchObject({ covered: before?.covered, reachedStart: true });
    });

    it.each([
      ['all proven, where one page then shows all', [0, 0], 1],
      ['no hole, where the newest blocks are gone', [0, 1, 1], 2],
    ])('leaves %s', async (_name, gaps, pageSize) => {
      const sync = buildInterruptedSync({
        list: 'transactions',
        order: 'descending',
        blocksPerSecond: 1,
        pageSize,
        gaps,
        afterSave: (missing) => expect(missing).toEqual([]),
      });
      // Ends after the first page, of what then is gone.
      await sync.play({ ...uninterrupted, failAtRequest: 1 });
      await sync.play({ ...uninterrupted, what: 'newer', reorganised: 2, taken: pageSize });
      const state = await sync.harness.sync();
      expect(state).toMatchObject({ covered: [{ fromBlock: '0', toBlock: '1' }] });
    });

    it('is seen beside a newest element that cannot be read', async () => {
      const odd = { isOn: false };
      const harness = build({
        mangle: (body, { url }) =>
          odd.isOn && !url.includes('endBlock')
            ? { ...body, transactions: [{ odd: true }, ...body.transactions.slice(1)] }
            : body,
      });
      harness.paging.transactions.push(...history(400));
      await harness.run();
      await harness.time.advance(60_000);
      fork(harness, 200);
      odd.isOn = true;
      await harness.run({ what: 'newer' });
      // The first of them could not be read, and keeps the hash of before.
      expect(reorganisedCount(harness)).toBe(199);
    });

    it('is no reason to fetch what is older than all that is known', async () => {
      const broken = { isOn: true };
      const harness = build({
        fault: (_request, number) => (broken.isOn && number === 4 ? unreachable : null),
      });
      const { time, paging, run, stores, ref } = harness;
      paging.transactions.push(...history(900));
      await run();
      broken.isOn = false;
      const count = stores.hashesOf(address, chainId).length;
      expect(count).toBe(300);
      fork(harness, 900);
      paging.requests.length = 0;
      await time.advance(60_000);
      expect(await run({ what: 'newer' })).toEqual({ ok: true, value: null });
      expect(paging.requests.length).toBeLessThanOrEqual(5);
      expect(reorganisedCount(harness)).toBe(300);
      expect((await stores.activity.readSync(ref))?.covered.at(-1)?.toBlock).toBe('1000');
    });

    it.each([undefined, '0x\u00e9'])(
      'a newest element that cannot be read, or has the hash %j, is no change',
      async (blockHash) => {
        const odd = { isOn: false };
        const harness = build({
          mangle: (body) =>
            odd.isOn
              ? {
                  ...body,
                  transactions: body.transactions.map((element, place) =>
                    place === 0
                      ? { odd: true }
                      : {
                          nativeTransaction: {
                            ...(element as { nativeTransaction: object }).nativeTransaction,
                            blockHash,
                          },
                        },
                  ),
                }
              : body,
        });
        const { time, paging, run } = harness;
        paging.transactions.push(...[9, 8, 7].map((block) => ({ block: block + 1_000_000, index: 0 })));
        await run();
        await time.advance(60_000);
        paging.requests.length = 0;
        odd.isOn = true;
        await run({ what: 'newer' });
        expect(paging.requests).toHaveLength(1);
      },
    );
  });

  it('what a walk has not come to is not gone, nor what an earlier page of it had, across runs', async () => {
    const broken = { isOn: true };
    const harness = build({ fault: (_request, number) => (broken.isOn && number >= 3 ? unreachable : null) });
    // The page ends in the middle of a block.
    harness.paging.transactions.push(...history(350, 7));
    await harness.run();
    broken.isOn = false;
    await harness.time.advance(3_600_000);
    await harness.run();
    expect(marks(harness).every(([, reorg]) => reorg === null)).toBe(true);
    expect(await harness.sync()).toMatchObject({ rowCount: 350, reachedStart: true });
  });

  it('a clock that is set back while the first page is asked for hides nothing that is gone', async () => {
    const set = { back: false };
    const harness = build({
      fault: () => {
        if (set.back) harness.time.stepClock(-3_600_000);
        return null;
      },
    });
    const { time, paging, run } = harness;
    paging.transactions.push(...history(3));
    await run();
    await time.advance(1_000);
    paging.transactions.shift();
    set.back = true;
    await run();
    expect(marks(harness).map(([, reorg]) => reorg)).toEqual(['gone', null, null]);
  });

  it('a clock that is set back in the middle of a walk makes nothing gone', async () => {
    const harness = build({
      fault: (_request, number) => {
        if (number === 6) harness.time.stepClock(-3_600_000);
        return null;
      },
    });
    const { time, paging, run } = harness;
    paging.transactions.push(...history(250));
    await run();
    await time.advance(1_000);
    paging.transactions.push(...history(250, 1, 2_000));
    await run();
    expect(marks(harness).every(([, reorg]) => reorg === null)).toBe(true);
  });

  it.each([
    ['ahead', 30_000],
    ['back', -3_600_000],
  ])('a clock that is set %s in the middle of a walk hides nothing that is gone', async (_where, stepMs) => {
    const harness = build({
      list: 'erc20',
      order: 'none',
      maxPageSize: () => 10,
      fault: (_request, number) => {
        if (number === 4) harness.time.stepClock(-40_000);
        if (number === 8) harness.time.stepClock(stepMs);
        return null;
      },
    });
    const { time, paging, run, storedHashes } = harness;
    paging.transactions.push(...history(40));
    await run();
    await time.advance(20_000);
    const [gone] = paging.transactions.splice(0, 1);
    await run();
    expect(storedHashes()).not.toContain(gone === undefined ? '' : hashOf(gone));
    expect(storedHashes()).toHaveLength(39);
  });
});
