import { describe, expect, it } from 'vitest';
import { AppFailure } from '../../../../shared/errors.ts';
import type { HttpOutcome, HttpRequest } from '../../ports.ts';
import { refuse } from '../testing/paging-service.ts';
import { watchedAddress } from '../testing/test-stores.ts';
import { buildWatchHarness } from '../testing/watch-harness.ts';

const address = '0x52908400098527886E0F7030069857D2E4169EE7';
const offline: HttpOutcome = { kind: 'failure', reason: 'refused', detail: 'Nothing answers.' };

function build(...args: Parameters<typeof buildWatchHarness>) {
  const harness = buildWatchHarness(...args);
  void harness.stores.watchlist.put(watchedAddress(address));
  return harness;
}

function history(count: number) {
  return Array.from({ length: count }, (_nothing, i) => ({ block: 1_000 + i, index: 0 }));
}

const ref = (chainId: string) => ({ address, chainId, list: 'transactions' as const });

const chainOf = (request: HttpRequest | undefined) =>
  new URL(request?.url ?? 'http://x/').pathname.split('/')[3];

describe('a run', () => {
  it('tells its progress page by page, and its end', async () => {
    const { paging, sync, changes, rest } = build();
    paging.transactions.push(...history(250));
    sync.start(ref('1'), 'user');
    await rest();
    expect(
      changes.map((change) => [change.sync.state, change.sync.rowCount, change.sync.pagesFetched]),
    ).toEqual([
      ['running', 0, 0],
      ['running', 100, 1],
      ['running', 200, 2],
      ['running', 250, 3],
      ['complete', 250, 3],
    ]);
    expect(changes.at(-1)).toMatchObject({
      address,
      chainId: '1',
      sync: {
        covered: [{ fromBlock: '0', toBlock: '1250' }],
        reachedStart: true,
        newestTimestampMs: 1_600_001_249_000,
        oldestTimestampMs: 1_600_001_000_000,
        error: null,
      },
    });
    expect(changes.at(-1)?.sync).toEqual(sync.status(ref('1')));
  });

  it('is one, however often it is asked for', async () => {
    const { paging, sync, rest } = build();
    for (let i = 0; i < 5; i += 1) sync.start(ref('1'), 'user');
    await rest();
    expect(paging.requests).toHaveLength(1);
  });

  it('two go on at the same time, and the user’s come first', async () => {
    const { paging, sync, rest } = build();
    paging.transactions.push(...history(250));
    for (const chain of ['1', '2', '3', '4']) sync.start(ref(chain), 'app');
    sync.start({ ...ref('5'), list: 'erc20' }, 'user');
    sync.start({ ...ref('4'), list: 'native' }, 'user');
    await rest();
    const order = paging.requests.map(chainOf);
    // Three pages each: the third list waits for the end of the first.
    expect(new Set(order.slice(0, 5))).toEqual(new Set(['1', '2']));
    expect([...new Set(order)]).toEqual(['1', '2', '5', '4', '3']);
    expect(sync.status(ref('3')).state).toBe('complete');
  });

  it('is not begun by the app when the newest end is known, and always by the user', async () => {
    const { time, paging, sync, rest } = build();
    sync.start(ref('1'), 'app');
    await rest();
    await time.advance(44_999);
    sync.start(ref('1'), 'app');
    await rest();
    expect(paging.requests).toHaveLength(1);
    sync.start(ref('1'), 'user');
    await rest();
    expect(paging.requests).toHaveLength(2);
    await time.advance(60_000);
    sync.start(ref('1'), 'app');
    await rest();
    expect(paging.requests).toHaveLength(3);
  });
});

describe('cancelling', () => {
  it('stops a run, keeps its rows, and a further start goes on', async () => {
    const { paging, sync, rest } = build();
    paging.transactions.push(...history(2_000));
    sync.start(ref('1'), 'user');
    await paging.sent(10);
    await sync.cancel(ref('1'));
    const stopped = sync.status(ref('1'));
    expect(stopped).toMatchObject({ state: 'stopped', error: null });
    expect(stopped.rowCount).toBeGreaterThan(0);
    expect(stopped.rowCount).toBeLessThan(2_000);
    const asked = paging.requests.length;
    await rest();
    expect(paging.requests).toHaveLength(asked);
    sync.start(ref('1'), 'user');
    await rest();
    expect(sync.status(ref('1'))).toMatchObject({ state: 'complete', rowCount: 2_000 });
    expect(paging.requests.length).toBeLessThan(asked + 20);
  });

  it('a run that waits for its turn is never begun, and makes room for the next', async () => {
    const { paging, sync, rest } = build();
    paging.transactions.push(...history(250));
    for (const chain of ['1', '2', '3', '4']) sync.start(ref(chain), 'app');
    await sync.cancel(ref('3'));
    expect(sync.status(ref('3')).state).toBe('never');
    await rest();
    expect(new Set(paging.requests.map(chainOf))).toEqual(new Set(['1', '2', '4']));
    sync.start(ref('3'), 'user');
    await rest();
    expect(sync.status(ref('3')).state).toBe('complete');
  });

  it('what is not known or not running is no mistake', async () => {
    const { sync, rest } = build();
    await sync.cancel(ref('1'));
    sync.start(ref('1'), 'user');
    await rest();
    await sync.cancel(ref('1'));
    expect(sync.status(ref('1')).state).toBe('complete');
  });
});

describe('a run that fails', () => {
  it('says why, and is tried again later and later while there is hope', async () => {
    const network = { outcome: refuse(500, 'broken') as HttpOutcome | null };
    const { time, paging, sync, rest } = build({ fault: () => network.outcome });
    const runs = () => sync.status(ref('1')).state;
    sync.start(ref('1'), 'app');
    // The retries of the call itself come first.
    await time.advance(10_000);
    expect(sync.status(ref('1'))).toMatchObject({ state: 'failed', error: { code: 'upstream' } });
    let asked = paging.requests.length;
    await time.advance(20_000);
    expect(paging.requests).toHaveLength(asked);
    await time.advance(10_000);
    expect(paging.requests.length).toBeGreaterThan(asked);
    await time.advance(10_000);
    asked = paging.requests.length;
    await time.advance(45_000);
    expect(paging.requests).toHaveLength(asked);
    network.outcome = null;
    await time.advance(15_000);
    await rest();
    expect(runs()).toBe('complete');
    expect(sync.status(ref('1')).error).toBeNull();
    await time.advance(3_600_000);
    expect(paging.requests.length).toBeLessThan(20);
  });

  it.each<[string, HttpOutcome]>([
    ['400', refuse(400, 'bad')],
    ['401', refuse(401, 'who')],
    ['403', refuse(403, 'no')],
    ['404', refuse(404, 'what')],
  ])('without hope is not tried again: %s', async (_name, outcome) => {
    const { time, paging, sync, rest } = build({ fault: () => outcome });
    sync.start(ref('1'), 'user');
    await rest();
    expect(sync.status(ref('1')).state).toBe('failed');
    await time.advance(24 * 3_600_000);
    expect(paging.requests).toHaveLength(1);
  });

  it('because the service wants a minute’s rest goes on by itself; a longer ban is told, and ends it until then', async () => {
    const ban = { seconds: '40' };
    const { time, paging, sync, rest } = build({
      fault: (_request, number) =>
        number === 2 || number === 5 ? refuse(429, 'slow down', { 'retry-after': ban.seconds }) : null,
    });
    paging.transactions.push(...history(250));
    sync.start(ref('1'), 'user');
    await rest();
    expect(sync.status(ref('1'))).toMatchObject({ state: 'running', rowCount: 100 });
    await time.advance(39_999);
    expect(paging.requests).toHaveLength(2);
    await time.advance(1);
    await rest();
    expect(sync.status(ref('1'))).toMatchObject({ state: 'complete', rowCount: 250 });
    expect(paging.requests).toHaveLength(4);
    ban.seconds = '3600';
    const toldAtMs = time.clock.nowMs();
    sync.start(ref('1'), 'user');
    await time.advance(2_000);
    expect(sync.status(ref('1'))).toMatchObject({
      state: 'failed',
      error: { code: 'rate-limited', message: 'slow down', retryAtMs: toldAtMs + 3_600_000 },
    });
    await time.advance(3_597_000);
    expect(paging.requests).toHaveLength(5);
    await time.advance(10_000);
    await rest();
    expect(sync.status(ref('1'))).toMatchObject({ state: 'complete', error: null });
  });

  it.each([
    ['offline', 'refused', 'unreachable'],
    ['switched off', 'not-allowed', 'not-allowed'],
  ] as const)(
    '%s is no failure: the state stays what it was, with the reason',
    async (_words, reason, code) => {
      const network = { outcome: null as HttpOutcome | null };
      const { time, paging, sync, rest } = build({ fault: () => network.outcome });
      paging.transactions.push(...history(5));
      sync.start(ref('1'), 'user');
      await rest();
      network.outcome = { kind: 'failure', reason, detail: 'Nothing answers.' };
      sync.start(ref('1'), 'user');
      sync.start(ref('2'), 'user');
      await rest();
      expect(sync.status(ref('1'))).toMatchObject({ state: 'complete', error: { code } });
      expect(sync.status(ref('2'))).toMatchObject({ state: 'never', error: { code } });
      network.outcome = null;
      // As soon as the service is known to answer, not only when the pause is over.
      await time.advance(1_000);
      sync.reconnected();
      await rest();
      expect(sync.status(ref('1'))).toMatchObject({ state: 'complete', error: null });
      expect(sync.status(ref('2'))).toMatchObject({ state: 'complete', error: null });
      const asked = paging.requests.length;
      await time.advance(3_600_000);
      expect(paging.requests).toHaveLength(asked);
    },
  );

  it('because the store failed says so, and does not bring the rest down', async () => {
    const { stores, paging, sync, rest } = build();
    paging.transactions.push(...history(5));
    stores.failWrites(true);
    sync.start(ref('1'), 'user');
    await rest();
    expect(sync.status(ref('1'))).toMatchObject({ state: 'failed', error: { code: 'storage' } });
    stores.failWrites(false);
    stores.activity.readSync = () => Promise.reject(new TypeError('a defect'));
    sync.start(ref('1'), 'user');
    await rest();
    expect(sync.status(ref('1'))).toMatchObject({
      state: 'failed',
      error: { code: 'internal', ref: 'ref' },
    });
  });

  it('because the disk was full is tried again by itself', async () => {
    const { time, stores, paging, sync, rest } = build();
    paging.transactions.push(...history(5));
    stores.failWrites(true);
    sync.start(ref('1'), 'app');
    await rest();
    const retryAtMs = time.clock.nowMs() + 30_000;
    expect(sync.status(ref('1'))).toMatchObject({ state: 'failed', error: { code: 'storage', retryAtMs } });
    stores.failWrites(false);
    await time.advance(30_000);
    await rest();
    expect(sync.status(ref('1'))).toMatchObject({ state: 'complete', error: null });
  });

  it('because the disk was full is not tried again if it is cancelled meanwhile', async () => {
    const { time, stores, paging, sync, rest } = build();
    paging.transactions.push(...history(5));
    stores.activity.savePage = () => {
      void sync.cancel(ref('1'));
      return Promise.reject(new AppFailure({ code: 'storage', message: 'The disk is full.' }));
    };
    sync.start(ref('1'), 'user');
    await rest();
    expect(sync.status(ref('1'))).toMatchObject({ state: 'never', error: null });
    await time.advance(24 * 3_600_000);
    expect(paging.requests).toHaveLength(1);
  });

  it('is not tried again once it is cancelled', async () => {
    const { time, paging, sync, rest } = build({ fault: () => offline });
    sync.start(ref('1'), 'user');
    await rest();
    await sync.cancel(ref('1'));
    await time.advance(24 * 3_600_000);
    expect(paging.requests).toHaveLength(1);
  });
});

it('after a restart every history is where it was', async () => {
  const first = build({ fault: (_request, number) => (number === 3 ? offline : null) });
  first.paging.transactions.push(...history(450));
  first.sync.start(ref('1'), 'user');
  await first.rest();
  await first.sync.stop();
  const { sync } = build({}, first.stores, first.time);
  await sync.load();
  expect(sync.status(ref('1'))).toMatchObject({ state: 'stopped', rowCount: 200, reachedStart: false });
  expect(sync.knownChains(address)).toEqual(['1']);
  sync.forget(address);
  expect(sync.knownChains(address)).toEqual([]);
  expect(sync.status(ref('1'))).toMatchObject({ state: 'never', rowCount: 0 });
});

describe('a chain that is reorganised deeper than is looked at', () => {
  it('puts the other lists in doubt from there on, and they are asked again', async () => {
    const { paging, stores, sync, time, rest } = build();
    const lists = ['transactions', 'erc20'] as const;
    const refOf = (list: (typeof lists)[number]) => ({ address, chainId: '1', list });
    paging.transactions.push(...history(400).reverse());
    for (const list of lists) sync.start(refOf(list), 'user');
    await rest();
    expect(sync.status(refOf('erc20'))).toMatchObject({ state: 'complete', rowCount: 400 });

    // However lately the list was looked at.
    await time.advance(1_000);
    for (const made of paging.transactions.slice(0, 200)) made.fork = 1;
    paging.transactions.splice(150, 10);
    paging.requests.length = 0;
    sync.start(refOf('transactions'), 'user', 'newer');
    await rest();
    expect(sync.status(refOf('erc20'))).toMatchObject({
      state: 'complete',
      rowCount: 390,
      reachedStart: true,
    });
    const records = stores
      .recordsOf(refOf('erc20'))
      .map((json) => (JSON.parse(json) as { blockHash: string }).blockHash);
    expect(records.filter((hash) => hash.startsWith('0x0001'))).toHaveLength(190);
    // Lists that were never begun are not begun for that.
    expect(paging.requests.some(({ url }) => /listNative|listInternals|listErc1155/.test(url))).toBe(false);
  });

  it('tells them also when the walk down is interrupted, and the app restarted', async () => {
    const lists = ['transactions', 'erc20'] as const;
    const refOf = (list: (typeof lists)[number]) => ({ address, chainId: '1', list });
    const network = { isOff: false };
    const first = build({
      fault: ({ url }) => (network.isOff && url.includes('endBlock') ? refuse(403, 'no') : null),
    });
    first.paging.transactions.push(...history(3_000).reverse());
    for (const list of lists) first.sync.start(refOf(list), 'user');
    await first.rest();
    await first.time.advance(1_000);
    // All of the newest 2,500 are gone but one in each hundred.
    const left = first.paging.transactions.filter((_made, place) => place >= 2_500 || place % 100 === 99);
    for (const made of left.slice(0, 25)) made.fork = 1;
    first.paging.transactions.splice(0, 3_000, ...left);
    network.isOff = true;
    first.sync.start(refOf('transactions'), 'user', 'newer');
    await first.rest();
    expect(first.sync.status(refOf('transactions')).state).toBe('failed');
    await first.sync.stop();

    const again = build({}, first.stores, first.time);
    again.paging.transactions.push(...left);
    await again.sync.load();
    for (const list of lists) again.sync.start(refOf(list), 'app');
    await again.rest();
    const complete = { state: 'complete', reachedStart: true, rowCount: left.length };
    expect(again.sync.status(refOf('erc20'))).toMatchObject(complete);
    expect(again.sync.status(refOf('transactions'))).toMatchObject({ ...complete, rowCount: 3_000 });
    const rows = first.stores.rowsOf(address, '1').filter(({ reorg }) => reorg !== 'gone');
    expect(rows).toHaveLength(left.length);
  });

  it('tells them of a change among the newest blocks, of which a busy list has only the newest looked at', async () => {
    const { paging, stores, sync, time, rest } = build();
    const [rows, erc20] = (['transactions', 'erc20'] as const).map((list) => ({
      address,
      chainId: '1',
      list,
    }));
    if (rows === undefined || erc20 === undefined) return;
    paging.transactions.push(...history(400).reverse());
    for (const list of [rows, erc20]) sync.start(list, 'user');
    await rest();
    await time.advance(1_000);
    paging.transactions.splice(10, 10);
    sync.start(rows, 'user', 'newer');
    await rest();
    expect(stores.recordsOf(erc20)).toHaveLength(390);
    expect(sync.status(erc20)).toMatchObject({ state: 'complete', rowCount: 390 });
  });
});
