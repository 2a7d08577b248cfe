import { describe, expect, it } from 'vitest';
import { unwrap } from '../../../../shared/errors.ts';
import type { HttpRequest } from '../../ports.ts';
import { chainsBody, refuse } from '../testing/paging-service.ts';
import { buildWatchHarness as build } from '../testing/watch-harness.ts';

const address = '0x52908400098527886E0F7030069857D2E4169EE7';
const other = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
const chainId = '43114';

function history(count: number) {
  return Array.from({ length: count }, (_nothing, i) => ({ block: 1_000 + i, index: 0 }));
}

const plain = { label: null, tags: [], colour: null, paused: false };

const isChains = (request: HttpRequest) => request.url.endsWith('/chains');

describe('what the user says about an address', () => {
  it('is kept in order: tags once each, a colour, a pause', async () => {
    const { stores, watchlist } = build();
    await watchlist.add(address, { tags: ['  cold\n', 'cold', '', 'mine'], colour: 'green', paused: true });
    expect(watchlist.views()).toMatchObject([{ tags: ['cold', 'mine'], colour: 'green', paused: true }]);
    await watchlist.update(address, { label: 'One', tags: ['hot'], colour: null, paused: true });
    expect(await stores.watchlist.list()).toMatchObject([
      { label: 'One', tags: ['hot'], colour: null, paused: true },
    ]);
  });

  it('paused: nothing is fetched for it by itself, until it no longer is; the user may', async () => {
    const { time, paging, watchlist, rest } = build();
    paging.transactions.push(...history(5));
    await watchlist.add(address, { paused: true });
    await watchlist.refreshAll();
    await rest();
    expect(paging.requests).toHaveLength(0);
    await watchlist.refreshChains(address);
    await rest();
    expect(watchlist.views()).toMatchObject([{ chains: [{ sync: { rowCount: 5 } }] }]);
    paging.requests.length = 0;
    await time.advance(3_600_000);
    await watchlist.refreshAll();
    // All addresses are not this one.
    watchlist.sync({ address: null, chainId: null }, 'newer');
    await rest();
    expect(paging.requests).toHaveLength(0);
    await watchlist.update(address, plain);
    await rest();
    expect(paging.requests.map(isChains)).toEqual([true, false]);
  });

  it('paused while what the user has asked for goes on after a doubt: it does not go on', async () => {
    const { paging, sync, stores, watchlist, rest, time } = build();
    paging.transactions.push(...history(5));
    await watchlist.add(address);
    await rest();
    const { readSync } = stores.activity;
    stores.activity.readSync = async (...read) => {
      const stored = await readSync(...read);
      // It waits for what is under way.
      void watchlist.update(address, { ...plain, paused: true });
      await time.settle();
      return stored;
    };
    const ref = { address, chainId, list: 'transactions' as const };
    sync.start(ref, 'user');
    const asked = paging.requests.length;
    await sync.startAnew(ref, ['transactions']);
    await rest();
    expect(paging.requests).toHaveLength(asked);
    expect(sync.status(ref).state).not.toBe('running');
  });

  it('paused: what lost its proof is fetched when the user asks, or no longer pauses it', async () => {
    const { paging, rows, sync, stores, watchlist, rest } = build();
    paging.transactions.push(...history(5));
    await watchlist.add(address);
    await rest();
    await watchlist.update(address, { ...plain, paused: true });
    const asked = paging.requests.length;
    const ref = { address, chainId, list: 'transactions' as const };
    await stores.activity.withdraw(ref, [{ fromBlock: '1001', toBlock: '1002' }], false);
    await sync.startAnew(ref, ['transactions']);
    sync.start(ref, 'app');
    await rest();
    expect(paging.requests).toHaveLength(asked);
    expect(sync.status(ref)).toMatchObject({ state: 'stopped' });
    await rows.distrust({
      address,
      chainId,
      list: 'transactions',
      fromBlock: '1002',
      toBlock: '1003',
    });
    await rest();
    expect(paging.requests.length).toBeGreaterThan(asked);
    expect(sync.status(ref)).toMatchObject({ state: 'complete' });
  });

  it('paused in the middle of fetching: that ends', async () => {
    const { paging, watchlist, rest } = build();
    paging.transactions.push(...history(5_000));
    await watchlist.add(address);
    await paging.sent(10);
    await watchlist.update(address, { ...plain, paused: true });
    const asked = paging.requests.length;
    await rest();
    expect(paging.requests).toHaveLength(asked);
    expect(watchlist.views()).toMatchObject([{ chains: [{ sync: { state: 'stopped' } }] }]);
  });
});

describe('removing and adding again', () => {
  it('with the data kept: it is there again before anything is asked', async () => {
    const { time, paging, watchlist, rest } = build();
    paging.transactions.push(...history(250));
    await watchlist.add(address, { label: 'One' });
    await rest();
    await unwrap(await watchlist.remove(address, true)).finish();
    expect(watchlist.views()).toEqual([]);
    await time.advance(3_600_000);
    paging.requests.length = 0;
    expect(await watchlist.add(address)).toMatchObject({
      value: { label: null, chains: [{ chainId, sync: { state: 'complete', rowCount: 250 } }] },
    });
    await rest();
    // The chains, and the newest end.
    expect(paging.requests).toHaveLength(2);
  });

  it('puts an address back at its place, with all that is stored of it, and goes on', async () => {
    const { paging, stores, watchlist, rest, time } = build();
    paging.transactions.push(...history(5));
    await watchlist.add(address, { label: 'One', tags: ['a'] });
    await rest();
    await time.advance(1);
    await watchlist.add(other, { paused: true });
    const removal = unwrap(await watchlist.remove(address, false));
    expect(watchlist.views()).toHaveLength(1);
    await removal.putBack();
    expect(watchlist.views()).toMatchObject([
      { address, label: 'One', tags: ['a'], chains: [{ sync: { state: 'complete', rowCount: 5 } }] },
      { address: other },
    ]);
    // Once put back, it keeps what is stored.
    await removal.finish();
    expect(stores.rowsOf(address, chainId)).toHaveLength(5);

    // Added anew, it begins anew, as the user has said.
    const later = unwrap(await watchlist.remove(address, false));
    expect(await watchlist.add(address)).toMatchObject({ value: { chains: [], chainsFetchedAtMs: null } });
    await expect(later.putBack()).rejects.toThrow(/already watching/);
    await rest();
    await later.finish();
    expect(stores.rowsOf(address, chainId)).toHaveLength(5);
  });

  it('deletes with the next start what an app that crashed had still to delete, and nothing that was to be kept', async () => {
    const { paging, stores, watchlist, rest, time } = build();
    paging.transactions.push(...history(5));
    await watchlist.add(address);
    await watchlist.add(other);
    await rest();
    await watchlist.remove(address, false);
    await watchlist.remove(other, true);
    await build({}, stores, time).watchlist.load();
    await stores.watchlist.put({ ...plain, address, addedAtMs: 1 });
    await stores.watchlist.put({ ...plain, address: other, addedAtMs: 1 });
    expect(stores.rowsOf(address, chainId)).toEqual([]);
    expect(stores.rowsOf(other, chainId)).toHaveLength(5);
  });

  it('without: it begins anew', async () => {
    const { watchlist, paging, rest } = build();
    paging.transactions.push(...history(5));
    await watchlist.add(address);
    await rest();
    await watchlist.remove(address, false);
    expect(await watchlist.add(address)).toMatchObject({ value: { chains: [], chainsFetchedAtMs: null } });
  });
});

it('what was said of the list is stored before the app ends', async () => {
  const { stores, watchlist } = build();
  await watchlist.add(address);
  for (const label of ['One', 'Two', 'Three']) void watchlist.update(address, { ...plain, label });
  void watchlist.add(other);
  await watchlist.stop();
  expect(await stores.watchlist.list()).toMatchObject([{ label: 'Three' }, { address: other }]);
});

describe('a chain that appears later', () => {
  it('is new since then, also after a restart; those of the first answer are not', async () => {
    let body: unknown = chainsBody;
    const first = build({ chains: () => body });
    await first.watchlist.add(address);
    await first.rest();
    expect(first.watchlist.views()).toMatchObject([{ chains: [{ newSinceMs: null }] }]);
    await first.time.advance(16 * 60_000);
    body = { indexedChains: [...chainsBody.indexedChains, { chainId: '1' }], unindexedChains: ['99'] };
    await first.watchlist.refreshAll();
    await first.rest();
    const sinceMs = first.time.clock.nowMs();
    expect(first.watchlist.views()).toMatchObject([
      { chains: [{ newSinceMs: null }, { chainId: '1', newSinceMs: sinceMs }] },
    ]);
    await first.time.advance(16 * 60_000);
    await first.watchlist.refreshAll();
    await first.rest();
    const again = build({}, first.stores, first.time);
    await again.sync.load();
    await again.watchlist.load();
    expect(again.watchlist.views()).toMatchObject([{ chains: [{}, { newSinceMs: sinceMs }] }]);
  });

  it('is not new when it was gone from the list for a while, or was not indexed before', async () => {
    let body: unknown = { ...chainsBody, unindexedChains: ['1'] };
    const { paging, watchlist, rest } = build({ chains: () => body });
    paging.transactions.push(...history(5));
    await watchlist.add(address);
    await rest();
    body = { indexedChains: [] };
    await watchlist.refreshChains(address);
    body = { indexedChains: chainsBody.indexedChains };
    await watchlist.refreshChains(address);
    expect(watchlist.views()).toMatchObject([{ chains: [{ chainId, newSinceMs: null }] }]);
  });
});

describe('fetching what the user asks for', () => {
  it('asks again for chains and histories quickly when the service fails, and says when', async () => {
    const broken = { chains: 3, histories: 0 };
    const { time, watchlist, rest } = build({
      fault: (request) => {
        const what = isChains(request) ? 'chains' : 'histories';
        broken[what] -= 1;
        return broken[what] >= 0 ? refuse(500, 'broken') : null;
      },
    });
    const soon = (ms: number) => ({ code: 'upstream', retryAtMs: time.clock.nowMs() + ms });
    await watchlist.add(address);
    await rest();
    expect(watchlist.views()).toMatchObject([{ chainsError: soon(1_000) }]);
    await time.advance(7_000);
    await rest();
    expect(watchlist.views()).toMatchObject([{ chainsError: null, chains: [{ sync: { error: null } }] }]);

    broken.histories = 2;
    watchlist.sync({ address, chainId }, 'newer');
    await rest();
    expect(watchlist.views()).toMatchObject([{ chains: [{ sync: { error: soon(1_000) } }] }]);
    await time.advance(1_000);
    await rest();
    expect(watchlist.views()).toMatchObject([{ chains: [{ sync: { error: soon(2_000) } }] }]);
    await time.advance(2_000);
    await rest();
    expect(watchlist.views()).toMatchObject([{ chains: [{ sync: { error: null } }] }]);
  });

  const whole = { address: null, chainId: null };

  it('all lists for everything, the list of transactions first; else that alone', async () => {
    const { paging, watchlist, rest } = build();
    paging.transactions.push(...history(5));
    await watchlist.add(address);
    await rest();
    expect(watchlist.views()[0]?.chains[0]?.otherLists.map(({ sync }) => sync.state)).toEqual([
      'never',
      'never',
      'never',
      'never',
    ]);
    paging.requests.length = 0;
    watchlist.sync(whole, 'newer');
    await rest();
    expect(paging.requests).toHaveLength(1);
    watchlist.sync(whole, 'all');
    await rest();
    expect(paging.requests).toHaveLength(6);
    expect(watchlist.views()[0]?.chains[0]?.otherLists).toMatchObject([
      { list: 'erc20', sync: { state: 'complete', rowCount: 5 } },
      { list: 'erc1155', sync: { state: 'complete', rowCount: 5 } },
      { list: 'internal', sync: { state: 'complete', rowCount: 5 } },
      { list: 'native', sync: { state: 'complete', rowCount: 5 } },
    ]);
  });

  it('other lists that were interrupted go on by themselves, complete ones are left to the user', async () => {
    const network = { isOff: false };
    const { time, paging, watchlist, rest } = build({
      fault: (request) => (network.isOff && request.url.includes('listErc20') ? refuse(400, 'no') : null),
    });
    paging.transactions.push(...history(5));
    await watchlist.add(address);
    await rest();
    watchlist.sync(whole, 'all');
    await time.settle();
    await watchlist.update(address, { ...plain, paused: true });
    await watchlist.update(address, plain);
    await rest();
    await time.advance(3_600_000);
    await watchlist.refreshAll();
    await rest();
    const states = watchlist.views()[0]?.chains[0]?.otherLists.map(({ sync }) => sync.state) ?? [];
    expect(states.every((state) => state === 'complete' || state === 'never')).toBe(true);
    paging.requests.length = 0;
    await time.advance(5 * 60_000);
    await watchlist.refreshAll();
    await rest();
    expect(paging.requests).toHaveLength(1);
  });

  it('is stopped by the user for good, and its cost is told before', async () => {
    const chain = { chainId, status: 'OK' };
    const { paging, watchlist, rest } = build({ chains: () => ({ indexedChains: [chain] }) });
    paging.transactions.push(...history(5_000));
    await watchlist.add(address);
    await paging.sent(10);
    expect(await watchlist.cancelSync({ address: address.toLowerCase(), chainId })).toEqual({
      ok: true,
      value: null,
    });
    const asked = paging.requests.length;
    await watchlist.refreshAll();
    await rest();
    expect(paging.requests.length).toBe(asked);
    // Nor does asking for the chains start it again.
    await watchlist.refreshChains(address);
    await rest();
    expect(paging.requests.length).toBe(asked + 1);
    expect(watchlist.views()).toMatchObject([{ chains: [{ sync: { stoppedByUser: true } }] }]);
    const planned = watchlist.plan(whole, 'all');
    expect(planned).toMatchObject({ items: [{ list: 'transactions' }, {}, {}, {}, {}] });
    expect(watchlist.plan({ address, chainId }, 'older')).toMatchObject({
      items: [{ chainId }],
      leastCalls: 1,
    });
    // Unless the user takes it back, whatever the service says of the chain.
    chain.status = 'UNAVAILABLE';
    await watchlist.refreshChains(address);
    watchlist.resumeSync({ address, chainId: null });
    await rest();
    expect(watchlist.views()[0]?.chains).toMatchObject([
      { sync: { state: 'complete', stoppedByUser: false, rowCount: 5_000 } },
    ]);
    // Other lists had not been begun, and were not stopped.
    expect(watchlist.views()[0]?.chains[0]?.otherLists.map(({ sync }) => sync.state)).toContain('never');
  });

  it.each([
    [{ address: other, chainId: null }, 'aren’t watching'],
    [{ address, chainId: '5' }, 'no history on this chain'],
  ])('refuses %j', async (scope, words) => {
    const { watchlist, rest } = build();
    await watchlist.add(address);
    await rest();
    expect(() => watchlist.sync(scope, 'all')).toThrow(words);
    expect(() => watchlist.plan(scope, 'all')).toThrow(words);
  });

  it('knows the token of a chain', async () => {
    const { watchlist, rest } = build();
    await watchlist.add(address);
    await rest();
    expect(watchlist.native(chainId)).toEqual({ symbol: 'AVAX', decimals: 18 });
    expect(watchlist.native('7')).toEqual({ symbol: null, decimals: null });
  });
});

it('chains that are asked for now are told with no time at which they will be', async () => {
  const { watchlist, rest } = build({ fault: () => refuse(500, 'broken') });
  await watchlist.add(address);
  await rest();
  expect(watchlist.views()).toMatchObject([{ chainsError: { retryAtMs: expect.any(Number) } }]);
  void watchlist.refreshAll();
  expect(watchlist.views()).toMatchObject([{ chainsLoading: true }]);
  expect(watchlist.views()[0]?.chainsError).not.toHaveProperty('retryAtMs');
  await rest();
});

it('the end of a service’s life tells that no retry is planned any more', async () => {
  const { watchlist, events, rest, time } = build({ fault: () => refuse(500, 'broken') });
  const told: unknown[] = [];
  events.on('watchlist.changed', (views) => told.push(views[0]?.chainsError));
  await watchlist.add(address);
  await rest();
  await time.advance(200);
  expect(told.at(-1)).toHaveProperty('retryAtMs');
  await watchlist.stop();
  expect(told.at(-1)).not.toHaveProperty('retryAtMs');
});

it('an address that is added while the service’s life ends is not left loading', async () => {
  const { watchlist, events } = build();
  const told: unknown[] = [];
  events.on('watchlist.changed', (views) => told.push(views[0]?.chainsLoading));
  await Promise.all([watchlist.add(address), watchlist.stop()]);
  expect(told.at(-1)).toBe(false);
});
