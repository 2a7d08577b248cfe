import { describe, expect, it, vi } from 'vitest';
import { everything } from '../../../../shared/activity/filter.ts';
import { unwrap } from '../../../../shared/errors.ts';
import type { HttpOutcome, HttpRequest } from '../../ports.ts';
import { chainsBody, refuse, respond } from '../testing/paging-service.ts';
import { buildWatchHarness as build } from '../testing/watch-harness.ts';

const address = '0x52908400098527886E0F7030069857D2E4169EE7';
const other = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
const chainId = '43114';
const offline: HttpOutcome = { kind: 'failure', reason: 'refused', detail: 'Nothing answers.' };

function history(count: number) {
  return Array.from({ length: count }, (_nothing, i) => ({ block: 1_000 + i, index: 0 }));
}

const plain = { label: null, tags: [], colour: null, paused: false };

const isChains = (request: HttpRequest) => request.url.endsWith('/chains');

describe('adding an address', () => {
  it('finds its chains and fetches the whole history, newest first', async () => {
    const { paging, stores, watchlist, rest } = build();
    paging.transactions.push(...history(450));
    expect(await watchlist.add(address.toLowerCase(), { label: ' Treasury\n' })).toMatchObject({
      ok: true,
      value: { address, label: 'Treasury', chainsLoading: true, chains: [] },
    });
    await rest();
    expect(watchlist.views()).toMatchObject([
      {
        chainsLoading: false,
        chainsError: null,
        unindexedChainIds: ['99'],
        chains: [
          {
            chainId,
            blockchainId: 'a-blockchain-id',
            name: 'C-Chain',
            status: 'OK',
            nativeSymbol: 'AVAX',
            nativeDecimals: 18,
            isTestnet: false,
            explorerUrl: null,
            sync: { state: 'complete', rowCount: 450, pagesFetched: 5, reachedStart: true },
          },
        ],
      },
    ]);
    expect(stores.rowsOf(address, chainId)).toHaveLength(450);
  });

  it.each([
    ['', 'Enter an address.'],
    ['alice', 'This isn’t an address'],
    [address.replace('E7', 'e7'), address],
  ])('refuses %j in words', async (text, words) => {
    const { paging, watchlist } = build();
    const added = await watchlist.add(text);
    expect(added).toMatchObject({ ok: false, error: { code: 'invalid-params' } });
    if (!added.ok) expect(added.error.message).toContain(words);
    expect(paging.requests).toHaveLength(0);
  });

  it('refuses one that is watched already, in any spelling and at the same time', async () => {
    const { watchlist } = build();
    const both = await Promise.all([watchlist.add(address), watchlist.add(address.toLowerCase())]);
    expect(both.map(({ ok }) => ok)).toEqual([true, false]);
    expect(watchlist.views()).toHaveLength(1);
  });

  it('is not done when it cannot be stored', async () => {
    const { paging, stores, watchlist, rest } = build();
    stores.failWrites(true);
    expect(await watchlist.add(address)).toMatchObject({ ok: false, error: { code: 'storage' } });
    await rest();
    expect(watchlist.views()).toEqual([]);
    expect(paging.requests).toHaveLength(0);
  });

  it('of which the service knows no chain is no error', async () => {
    const { watchlist, rest } = build({ mangle: () => ({}), fault: () => respond({}) });
    await watchlist.add(address);
    await rest();
    expect(watchlist.views()).toMatchObject([{ chains: [], unindexedChainIds: [], chainsError: null }]);
    expect(watchlist.views()[0]?.chainsFetchedAtMs).not.toBeNull();
  });

  it('asks first for chains that are on the screen, and for two hundred none before a look-up of the user', async () => {
    const indexedChains = Array.from({ length: 200 }, (_nothing, i) => ({ chainId: `${i}` }));
    const { paging, service, watchlist, sync, rest } = build({ chains: () => ({ indexedChains }) });
    const fetch = vi.spyOn(service, 'fetch');
    sync.showing(address, ['180', '181', 'not listed']);
    await watchlist.add(address);
    await rest();
    const asked = paging.requests.flatMap(({ url }) => /chains\/(\d+)\//.exec(url)?.[1] ?? []);
    expect(asked).toHaveLength(200);
    expect(asked.slice(0, 6)).toEqual(['0', '1', '2', '3', '180', '181']);
    const urgent = fetch.mock.calls.filter(([, , { priority }]) => priority === 'user').length;
    expect(urgent).toBeLessThan(30);
  });

  it('asks nothing of a chain that the service calls unavailable', async () => {
    const body = { indexedChains: [{ chainId: '1', status: 'UNAVAILABLE' }, { chainId: '2' }] };
    const { paging, watchlist, rest } = build({
      fault: (request) => (isChains(request) ? respond(body) : null),
    });
    await watchlist.add(address);
    await rest();
    expect(paging.requests.map(({ url }) => new URL(url).pathname.split('/')[3])).toEqual([address, '2']);
    expect(watchlist.views()[0]?.chains).toMatchObject([{ sync: { state: 'never' } }, { name: 'Chain 2' }]);
    // The user may ask all the same.
    watchlist.sync({ address, chainId: '1' }, 'all');
    await rest();
    expect(watchlist.views()[0]?.chains[0]).toMatchObject({ sync: { state: 'complete' } });
  });
});

describe('the list', () => {
  it('changes labels, and an empty one takes it away', async () => {
    const { stores, watchlist } = build();
    await watchlist.add(address, { label: 'One' });
    const changed = await watchlist.update(address.toLowerCase(), { ...plain, label: 'Two' });
    expect(changed).toEqual({ ok: true, value: null });
    expect(await stores.watchlist.list()).toMatchObject([{ label: 'Two' }]);
    await watchlist.update(address, { ...plain, label: '  ' });
    expect(watchlist.views()).toMatchObject([{ label: null }]);
    expect(await watchlist.update(other, { ...plain, label: 'x' })).toMatchObject({ ok: false });
    stores.failWrites(true);
    expect(await watchlist.update(address, { ...plain, label: 'Three' })).toMatchObject({
      ok: false,
      error: { code: 'storage' },
    });
    expect(watchlist.views()).toMatchObject([{ label: null }]);
  });

  it('removes an address with its rows, in the middle of fetching them', async () => {
    const { paging, stores, watchlist, rest } = build();
    paging.transactions.push(...history(1_500));
    await watchlist.add(address);
    await paging.sent(10);
    expect(stores.rowsOf(address, chainId).length).toBeGreaterThan(0);
    expect(stores.rowsOf(address, chainId).length).toBeLessThan(1_500);
    const removal = unwrap(await watchlist.remove(address, false));
    const asked = paging.requests.length;
    await rest();
    expect(paging.requests).toHaveLength(asked);
    expect(watchlist.views()).toEqual([]);
    expect(await stores.activity.listSyncs()).toEqual([]);
    await removal.finish();
    expect(stores.rowsOf(address, chainId)).toEqual([]);
    expect(() => watchlist.sync({ address, chainId }, 'all')).toThrow();
    // And the same address again begins anew.
    await watchlist.add(address);
    await rest();
    expect(stores.rowsOf(address, chainId)).toHaveLength(1_500);
  });

  it('removes an address that was removed and added before: the end of the first removal changes nothing', async () => {
    const { paging, watchlist, rows, rest } = build();
    paging.transactions.push(...history(3));
    await watchlist.add(address);
    await rest();
    const first = unwrap(await watchlist.remove(address, false));
    await watchlist.add(address);
    await rest();
    const read = async () =>
      unwrap(await rows.read({ filter: everything, offset: 0, anchor: null, limit: 9 }));
    const rowId = (await read()).rows[0]?.id ?? 0;
    await rows.judge({ target: { kind: 'row', rowId }, decision: 'hide' });
    const second = unwrap(await watchlist.remove(address, false));
    await first.finish();
    await expect(first.putBack()).rejects.toMatchObject({ error: { code: 'invalid-params' } });
    await second.putBack();
    expect(await read()).toMatchObject({ totalCount: 2, hiddenCount: 1 });
    // Nor does the end of the second, which was undone.
    await second.finish();
    expect(await read()).toMatchObject({ totalCount: 2, hiddenCount: 1 });
  });

  it('removes an address while its chains are being asked for', async () => {
    const { stores, watchlist, rest } = build();
    await watchlist.add(address);
    await unwrap(await watchlist.remove(address, false)).finish();
    await rest();
    expect(watchlist.views()).toEqual([]);
    expect(await stores.watchlist.readChains(address)).toBeNull();
  });

  it('keeps an address that could not be removed, and goes on fetching it', async () => {
    const { paging, stores, watchlist, rest } = build();
    paging.transactions.push(...history(1_500));
    await watchlist.add(address);
    await paging.sent(10);
    stores.failWrites(true);
    expect(await watchlist.remove(address, false)).toMatchObject({ ok: false, error: { code: 'storage' } });
    stores.failWrites(false);
    await rest();
    expect(stores.rowsOf(address, chainId)).toHaveLength(1_500);
  });

  it('tells of every change', async () => {
    const { watchlist, rest, events, time } = build();
    const seen: string[] = [];
    const stop = events.on('watchlist.changed', (list) =>
      seen.push(
        list.map(({ label, chainsLoading, chains }) => `${label} ${chainsLoading} ${chains.length}`).join(),
      ),
    );
    await watchlist.add(address, { label: 'One' });
    await rest();
    await time.advance(200);
    await watchlist.update(address, { ...plain, label: 'Two' });
    stop();
    await watchlist.remove(address, false);
    expect(seen).toEqual(['One true 0', 'One true 0', 'One false 1', 'Two false 1']);
  });
});

describe('chains', () => {
  it('are asked for by many at the same time once', async () => {
    const { paging, watchlist, rest } = build();
    await watchlist.add(address);
    await Promise.all([watchlist.refreshChains(address), watchlist.refreshChains(address)]);
    await rest();
    expect(paging.requests.filter(isChains)).toHaveLength(1);
    await watchlist.refreshChains(address);
    expect(paging.requests.filter(isChains)).toHaveLength(2);
    expect(await watchlist.refreshChains(other)).toMatchObject({ ok: false });
  });

  it('stay known when asking fails, with the reason, and a later success clears it', async () => {
    const network = { isOff: false };
    const { watchlist, rest } = build({
      fault: (request) => (network.isOff && isChains(request) ? refuse(500, 'broken') : null),
    });
    await watchlist.add(address);
    await rest();
    network.isOff = true;
    expect(await watchlist.refreshChains(address)).toMatchObject({ ok: false, error: { code: 'upstream' } });
    expect(watchlist.views()).toMatchObject([{ chains: [{ chainId }], chainsError: { message: 'broken' } }]);
    network.isOff = false;
    await watchlist.refreshChains(address);
    expect(watchlist.views()).toMatchObject([{ chainsError: null }]);
  });

  it('that the service gives too many requests for are asked for again when it says, and the user is told', async () => {
    const { time, paging, watchlist, rest } = build({
      fault: (_request, number) => (number === 1 ? refuse(429, 'slow down', { 'retry-after': '60' }) : null),
    });
    await watchlist.add(address);
    await rest();
    expect(watchlist.views()).toMatchObject([
      { chainsLoading: false, chainsError: { code: 'rate-limited', retryAtMs: time.clock.nowMs() + 60_000 } },
    ]);
    await time.advance(59_999);
    expect(paging.requests).toHaveLength(1);
    await time.advance(1);
    await rest();
    expect(watchlist.views()).toMatchObject([{ chainsError: null, chains: [{ chainId }] }]);
  });

  it('that are no longer listed keep their stored history in sight', async () => {
    let body: unknown = chainsBody;
    const { paging, watchlist, rest } = build({
      fault: (request) => (isChains(request) ? respond(body) : null),
    });
    paging.transactions.push(...history(5));
    await watchlist.add(address);
    await rest();
    body = { indexedChains: [] };
    await watchlist.refreshChains(address);
    expect(watchlist.views()).toMatchObject([{ chains: [{ chainId, status: null, sync: { rowCount: 5 } }] }]);
  });
});

describe('after a restart', () => {
  async function restarted(awayMs: number, options = {}) {
    const first = build();
    first.paging.transactions.push(...history(250));
    await first.watchlist.add(address, { label: 'One' });
    await first.rest();
    const [before] = first.watchlist.views();
    await first.time.advance(awayMs);
    const harness = build(options, first.stores, first.time);
    harness.paging.transactions.push(...history(250));
    await harness.sync.load();
    await harness.watchlist.load();
    return { ...harness, before };
  }

  it('everything is there before anything is asked', async () => {
    const { paging, watchlist, before } = await restarted(0);
    const sync = { ...before?.chains[0]?.sync, pagesFetched: 0 };
    expect(watchlist.views()).toEqual([{ ...before, chains: [{ ...before?.chains[0], sync }] }]);
    expect(paging.requests).toHaveLength(0);
  });

  it('within a minute nothing is asked', async () => {
    const { paging, watchlist, rest } = await restarted(44_000);
    await watchlist.refreshAll();
    await rest();
    expect(paging.requests).toHaveLength(0);
  });

  it('within a quarter of an hour only the newest end is asked for', async () => {
    const { paging, watchlist, rest } = await restarted(14 * 60_000);
    await watchlist.refreshAll();
    await rest();
    expect(paging.requests).toHaveLength(1);
    expect(paging.requests[0]?.url).toContain('startBlock=1185');
  });

  it('later the chains are asked for as well', async () => {
    const { paging, watchlist, rest } = await restarted(16 * 60_000);
    await watchlist.refreshAll();
    await rest();
    expect(paging.requests.map(isChains)).toEqual([true, false]);
  });

  it('only the addresses that are meant are asked about, and those that are gone are left out', async () => {
    const { paging, watchlist, before, rest } = await restarted(16 * 60_000);
    await watchlist.refreshAll(['0x00000000000000000000000000000000000000ff']);
    await rest();
    expect(paging.requests).toHaveLength(0);
    await watchlist.refreshAll([before?.address ?? '']);
    await rest();
    expect(paging.requests).toHaveLength(2);
  });

  it('offline it is calm: all is known, the reason is noted, and it goes on by itself when the service answers', async () => {
    const network = { isOff: true };
    const { time, watchlist, rest } = await restarted(16 * 60_000, {
      fault: () => (network.isOff ? offline : null),
    });
    await watchlist.refreshAll();
    await rest();
    expect(watchlist.views()).toMatchObject([
      {
        label: 'One',
        chainsLoading: false,
        chainsError: { code: 'unreachable' },
        chains: [{ sync: { state: 'complete', rowCount: 250, error: { code: 'unreachable' } } }],
      },
    ]);
    network.isOff = false;
    await time.advance(30_000);
    await rest();
    expect(watchlist.views()).toMatchObject([
      { chainsError: null, chains: [{ sync: { state: 'complete', error: null } }] },
    ]);
  });

  it('chains that can no longer be read are asked for again', async () => {
    const first = build();
    await first.watchlist.add(address);
    await first.rest();
    const stored = await first.stores.watchlist.readChains(address);
    if (stored === null) throw new Error('they are stored');
    await first.stores.watchlist.writeChains(address, { ...stored, indexedJson: '[{"no":"id"}]' });
    const { paging, sync, watchlist, rest } = build({}, first.stores, first.time);
    await sync.load();
    await watchlist.load();
    await watchlist.refreshAll();
    await rest();
    expect(paging.requests.filter(isChains)).toHaveLength(1);
    expect(watchlist.views()).toMatchObject([{ chains: [{ name: 'C-Chain' }] }]);
  });
});

it('the same service, asked in another way: what is under way begins again, and the chains stay known', async () => {
  const { time, paging, watchlist, rest } = build();
  paging.transactions.push(...history(1_500));
  await watchlist.add(address);
  await time.settle();
  const [known] = watchlist.views();
  await watchlist.serviceChanged();
  expect(watchlist.views()).toMatchObject([{ chainsFetchedAtMs: known?.chainsFetchedAtMs }]);
  await rest();
  expect(paging.requests.filter(isChains)).toHaveLength(1);
  expect(watchlist.views()).toMatchObject([{ chains: [{ sync: { state: 'complete', rowCount: 1_500 } }] }]);
});

it('the end of the app stops everything and resolves when it has stopped', async () => {
  const { life, time, paging, stores, watchlist, rest } = build();
  paging.transactions.push(...history(1_500));
  await watchlist.add(address);
  await watchlist.add(other);
  await time.settle();
  life.abort();
  await watchlist.stop();
  const asked = paging.requests.length;
  await watchlist.refreshAll();
  watchlist.sync({ address, chainId: null }, 'all');
  await rest();
  expect(await stores.activity.readSync({ address, chainId, list: 'erc20' })).toBeNull();
  await time.advance(3_600_000);
  expect(paging.requests).toHaveLength(asked);
});
