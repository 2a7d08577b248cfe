import { expect, it } from 'vitest';
import type { HttpRequest } from '../../ports.ts';
import { history } from '../testing/made-history.ts';
import { watchedAddress } from '../testing/test-stores.ts';
import { buildWatchHarness } from '../testing/watch-harness.ts';

const address = '0x52908400098527886E0F7030069857D2E4169EE7';
const ref = (chainId: string, list: 'transactions' | 'native' = 'transactions') => ({
  address,
  chainId,
  list,
});

/** Requests that `hangs` names are answered once they are cancelled; saving a page waits for `disk` where `isSlow` says so. */
function build() {
  const harness = buildWatchHarness();
  const { paging, stores } = harness;
  void stores.watchlist.put(watchedAddress(address));
  paging.transactions.push(...history(800, 4, 2_000));
  const trouble = { hangs: (_request: HttpRequest): boolean => false, isSlow: (_chainId: string) => false };
  const send = paging.client.send.bind(paging.client);
  paging.client.send = async (request) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    request.signal?.addEventListener('abort', () => resolve());
    if (trouble.hangs(request)) await promise;
    return await send(request);
  };
  const disk = Promise.withResolvers<void>();
  const { savePage } = stores.activity;
  stores.activity.savePage = async (page) => {
    if (trouble.isSlow(page.chainId)) await disk.promise;
    return await savePage(page);
  };
  return { ...harness, trouble, disk };
}

it('Stop, and Continue of a list while another is still ending: it goes on, also after a restart', async () => {
  const { stores, sync, trouble, disk, rest } = build();
  trouble.isSlow = (chainId) => chainId === '2';
  trouble.hangs = ({ url }) => url.includes('/chains/1/');
  for (const chainId of ['1', '2']) sync.start(ref(chainId), 'user', 'all');
  await rest();
  const stopped = sync.stopForUser(() => true);
  await rest();
  expect(sync.status(ref('1'))).toMatchObject({ state: 'stopped', stoppedByUser: true });
  sync.start(ref('1'), 'user');
  await rest();
  disk.resolve();
  await stopped;
  expect(sync.status(ref('1'))).toMatchObject({ state: 'running', stoppedByUser: false });
  expect(await stores.activity.readSync(ref('1'))).toMatchObject({ stoppedByUser: false, owed: 'all' });
});

it('Stop, and Continue of a list that is itself still ending: the window knows at once, and it is fetched', async () => {
  const { sync, changes, trouble, disk, rest } = build();
  trouble.isSlow = () => true;
  sync.start(ref('1'), 'user', 'all');
  await rest();
  const stopped = sync.stopForUser(() => true);
  expect(changes.at(-1)).toMatchObject({ sync: { stoppedByUser: true } });
  sync.start(ref('1'), 'user', 'all');
  expect(changes.at(-1)).toMatchObject({ sync: { stoppedByUser: false } });
  trouble.isSlow = () => false;
  disk.resolve();
  await stopped;
  await rest();
  expect(sync.status(ref('1'))).toMatchObject({ state: 'complete', stoppedByUser: false });
});

it('Stop ends what was to come after a run as well', async () => {
  const { paging, sync, trouble, rest } = build();
  trouble.hangs = () => true;
  sync.start(ref('1'), 'user', 'newer');
  await rest();
  sync.start(ref('1'), 'user', 'all');
  await sync.stopForUser(() => true);
  const asked = paging.requests.length;
  trouble.hangs = () => false;
  await rest();
  expect([sync.status(ref('1')).stoppedByUser, paging.requests.length]).toEqual([true, asked]);
});

it('Stop ends also what a gap that is being fetched has interrupted', async () => {
  const { paging, sync, trouble, rest } = build();
  const native = ref('1', 'native');
  sync.start(ref('1'), 'user');
  await rest();
  trouble.hangs = ({ url }) => url.includes(':listNative');
  sync.start(native, 'user', 'all');
  await rest();
  const fetched = expect(sync.askAgain(native, 1_901n)).rejects.toMatchObject({
    error: { code: 'cancelled' },
  });
  await rest();
  await sync.stopForUser(() => true);
  await fetched;
  trouble.hangs = () => false;
  const asked = paging.requests.length;
  await rest();
  expect([sync.status(native).state, paging.requests.length]).toEqual(['stopped', asked]);
});

it('Stop holds while the store is asked what is left of a proof', async () => {
  const { paging, stores, sync, trouble, rest } = build();
  trouble.hangs = () => paging.requests.length === 1;
  sync.start(ref('1'), 'user', 'all');
  await rest();
  const asking = Promise.withResolvers<void>();
  const { readSync } = stores.activity;
  stores.activity.readSync = async (list) => {
    await asking.promise;
    return await readSync(list);
  };
  const doubting = sync.doubt(ref('1'), [{ fromBlock: '1990', toBlock: '1999' }], false);
  await rest();
  const asked = paging.requests.length;
  await sync.stopForUser(() => true);
  asking.resolve();
  await doubting;
  await rest();
  expect(paging.requests).toHaveLength(asked);
});
