import { describe, expect, it } from 'vitest';
import { unwrap } from '../../../../shared/errors.ts';
import { history } from '../testing/made-history.ts';
import type { PageBody } from '../testing/paging-service.ts';
import { queryOf } from '../testing/sync-harness.ts';
import { watchedAddress } from '../testing/test-stores.ts';
import { buildWatchHarness } from '../testing/watch-harness.ts';

const address = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
const chainId = '43114';
const rowsRef = { address, chainId, list: 'transactions' } as const;
const erc20Ref = { address, chainId, list: 'erc20' } as const;

/** The service ends its list of transactions after the first page, as if there were no more, until it is mended. */
async function buildCut() {
  const service = { isCut: true };
  const harness = buildWatchHarness({
    mangle: (body, request) => {
      const isFirst = request.url.includes('/transactions?') && queryOf(request)['pageToken'] === undefined;
      return service.isCut && isFirst ? { transactions: body.transactions } : body;
    },
  });
  void harness.stores.watchlist.put(watchedAddress(address));
  harness.paging.transactions.push(...history(1_500, 1, 2_000));
  for (const one of [rowsRef, erc20Ref]) harness.sync.start(one, 'user');
  await harness.rest();
  expect(harness.sync.status(rowsRef)).toMatchObject({
    state: 'complete',
    reachedStart: true,
    rowCount: 100,
  });
  expect(harness.sync.status(erc20Ref)).toMatchObject({ state: 'complete', rowCount: 1_500 });
  await harness.time.advance(60_000);
  return { ...harness, service };
}

describe('a history that was proven wrongly', () => {
  it('is whole after an audit, which takes the proof back', async () => {
    const { service, rows, sync, rest } = await buildCut();
    service.isCut = false;
    expect(unwrap(await rows.audit(address, chainId))).toMatchObject({ isCut: true });
    expect(sync.status(rowsRef).reachedStart).toBe(false);
    await rest();
    expect(sync.status(rowsRef)).toMatchObject({ state: 'complete', reachedStart: true, rowCount: 1_500 });
    expect(unwrap(await rows.audit(address, chainId))).toMatchObject({ gaps: [], transactionCount: 1_500 });
  });

  it('is whole after the user has distrusted its blocks', async () => {
    const { service, paging, rows, sync, rest } = await buildCut();
    service.isCut = false;
    paging.requests.length = 0;
    const blocks = { fromBlock: '0', toBlock: '2000' };
    expect(await rows.distrust({ ...rowsRef, address: address.toLowerCase(), ...blocks })).toMatchObject({
      ok: true,
    });
    await rest();
    expect(sync.status(rowsRef)).toMatchObject({ state: 'complete', rowCount: 1_500 });
    expect(sync.status(erc20Ref)).toMatchObject({ state: 'complete', rowCount: 1_500 });
    expect(await rows.distrust({ ...rowsRef, chainId: '5', ...blocks })).toMatchObject({
      error: { code: 'not-found' },
    });
  });

  it('stays in doubt while it is stopped, and is no longer called complete', async () => {
    const { rows, sync, rest } = await buildCut();
    await rows.distrust({ ...rowsRef, fromBlock: '500', toBlock: '600' });
    await sync.stopForUser(() => true);
    await rest();
    expect(sync.status(rowsRef)).toMatchObject({
      state: 'stopped',
      stoppedByUser: true,
      reachedStart: false,
    });
  });

  it('what a run that is under way still fetches does not bring the proof back', async () => {
    const { service, paging, rows, sync, rest } = await buildCut();
    service.isCut = false;
    paging.transactions.push(...history(1_000, 1, 9_000));
    sync.start(rowsRef, 'user', 'newer');
    await paging.sent(paging.requests.length + 3);
    await rows.distrust({ ...rowsRef, fromBlock: '0', toBlock: '10000' });
    await rest();
    expect(sync.status(rowsRef)).toMatchObject({ state: 'complete', rowCount: 2_500 });
  });
});

it('where the service ignores the range that it is asked for, what lost its proof is fetched all the same', async () => {
  let whole: PageBody | null = null;
  const { paging, rows, stores, sync, rest } = buildWatchHarness({
    mangle: (body) => (whole ??= body),
  });
  void stores.watchlist.put(watchedAddress(address));
  paging.transactions.push(...Array.from({ length: 30 }, (_, i) => ({ block: 10_000 - 50 * i, index: 0 })));
  sync.start(rowsRef, 'user');
  await rest();
  await rows.distrust({ ...rowsRef, fromBlock: '9400', toBlock: '9500' });
  await rest();
  expect(sync.status(rowsRef)).toMatchObject({ state: 'complete', rowCount: 30 });
});

it('records whose transaction the chain took back are found by an audit, and asked for again', async () => {
  const { paging, stores, rows, sync, time, rest } = buildWatchHarness();
  void stores.watchlist.put(watchedAddress(address));
  paging.transactions.push(...history(50));
  for (const one of [rowsRef, erc20Ref]) sync.start(one, 'user');
  await rest();
  const proven = await stores.activity.readSync(erc20Ref);
  // As an earlier version left it: rows are gone, and the other list was never told.
  const sweep = [{ fromBlock: '970', toBlock: '990' }];
  const part = { rows: [], records: [], proof: null, walkAtMs: 1 };
  const was = await stores.activity.readSync(rowsRef);
  if (was === null || proven === null) throw new Error('nothing is stored');
  await stores.activity.savePage({ ...rowsRef, ...part, sync: was, doubts: 0, sweep });
  await stores.activity.savePage({ ...erc20Ref, ...part, sync: proven, doubts: 1, sweep: [] });
  paging.transactions.splice(10, 20);
  await sync.load();
  await time.advance(60_000);
  expect(unwrap(await rows.audit(address, chainId)).gaps).toHaveLength(20);
  await rest();
  expect(sync.status(erc20Ref)).toMatchObject({ state: 'complete', rowCount: 30 });
  expect(unwrap(await rows.audit(address, chainId))).toMatchObject({ gaps: [] });
});

it('lists that have lost proof say so, also where the run that has shown it was stopped', async () => {
  const { paging, stores, sync, events, time, rest } = buildWatchHarness();
  void stores.watchlist.put(watchedAddress(address));
  paging.transactions.push(...history(50));
  for (const one of [rowsRef, erc20Ref]) sync.start(one, 'user');
  await rest();
  expect(sync.status(erc20Ref).state).toBe('complete');
  paging.transactions.splice(10, 1);
  await time.advance(60_000);
  const requests = paging.requests.length;
  events.on('activity.changed', ({ list, sync: { pagesFetched } }) => {
    if (list === 'transactions' && pagesFetched === 1) void sync.cancel(rowsRef);
  });
  sync.start(rowsRef, 'user');
  await rest();
  expect(sync.status(erc20Ref).covered).toEqual((await stores.activity.readSync(erc20Ref))?.covered);
  expect(paging.requests).toHaveLength(requests + 1);
});

it('a list under way goes on where a run that was cancelled has taken back its proof', async () => {
  const { paging, stores, sync, events, time, rest } = buildWatchHarness();
  void stores.watchlist.put(watchedAddress(address));
  paging.transactions.push(...history(50));
  for (const one of [rowsRef, erc20Ref]) sync.start(one, 'user');
  await rest();
  paging.transactions.splice(10, 1);
  await time.advance(60_000);
  events.on('activity.changed', ({ list, sync: { pagesFetched } }) => {
    if (list !== 'transactions' || pagesFetched !== 1) return;
    // As an audit does before it asks for a block again.
    void sync.cancel(rowsRef);
    sync.start(erc20Ref, 'user');
  });
  sync.start(rowsRef, 'user');
  await rest();
  expect(sync.status(erc20Ref)).toMatchObject({ state: 'complete', rowCount: 49 });
});

describe('an address whose lists have lost proof', () => {
  it('is asked for nothing while it is being removed, and anew once it is put back', async () => {
    const { paging, stores, sync, watchlist, rest } = buildWatchHarness();
    paging.transactions.push(...history(5));
    await watchlist.add(address);
    await rest();
    const { remove } = stores.watchlist;
    stores.watchlist.remove = async (...removed) => {
      // Details of a row have taken back the proof.
      await sync.startAnew({ address, chainId }, ['transactions'], 'user');
      const again = sync.askAgain(rowsRef, 1_001n);
      await expect(again).rejects.toMatchObject({ error: { code: 'not-found' } });
      await rest();
      await remove(...removed);
    };
    const asked = paging.requests.length;
    const removal = unwrap(await watchlist.remove(address, false));
    await rest();
    expect(paging.requests).toHaveLength(asked);
    await removal.putBack();
    await rest();
    expect(paging.requests).toHaveLength(asked + 2);
  });

  it('removed while the app reads what is left of a proof, it is asked for nothing more', async () => {
    const { paging, stores, sync, watchlist, rest } = buildWatchHarness();
    await watchlist.add(address);
    await rest();
    const { readSync } = stores.activity;
    stores.activity.readSync = async (...read) => {
      const stored = await readSync(...read);
      await watchlist.remove(address, true);
      return stored;
    };
    const asked = paging.requests.length;
    await sync.startAnew({ address, chainId }, ['transactions']);
    await rest();
    expect(paging.requests).toHaveLength(asked);
    expect(sync.knownChains(address)).toEqual([]);
  });

  it('put back while the app reads what is left of a proof, it says what is so', async () => {
    const { paging, stores, sync, watchlist, changes, rest } = buildWatchHarness();
    paging.transactions.push(...history(5));
    await watchlist.add(address);
    await rest();
    const { readSync } = stores.activity;
    stores.activity.readSync = async (...read) => {
      const stored = await readSync(...read);
      await unwrap(await watchlist.remove(address, true)).putBack();
      paging.transactions.push({ block: 1_010, index: 0 });
      await rest();
      return stored;
    };
    await sync.startAnew({ address, chainId }, ['transactions'], null);
    await rest();
    expect(changes.at(-1)?.sync).toEqual(sync.status(rowsRef));
  });
});
