import { describe, expect, it } from 'vitest';
import { refuse } from '../testing/paging-service.ts';
import { watchedAddress } from '../testing/test-stores.ts';
import { buildWatchHarness } from '../testing/watch-harness.ts';

const address = '0x52908400098527886E0F7030069857D2E4169EE7';

function build(...args: Parameters<typeof buildWatchHarness>) {
  const harness = buildWatchHarness(...args);
  void harness.stores.watchlist.put(watchedAddress(address));
  return harness;
}

function history(count: number) {
  return Array.from({ length: count }, (_nothing, i) => ({ block: 1_000 + i, index: 0 }));
}

const ref = (chainId: string) => ({ address, chainId, list: 'transactions' as const });

describe('stopping by the user', () => {
  const atAddress = (other: { address: string }) => other.address === address;

  it('is remembered: neither a planned attempt nor the next start of the app goes on', async () => {
    const first = build({ fault: (_request, number) => (number === 3 ? refuse(500, 'broken') : null) });
    first.paging.transactions.push(...history(450));
    first.sync.start(ref('1'), 'app');
    await first.rest();
    await first.sync.stopForUser(atAddress);
    expect(first.sync.status(ref('1'))).toMatchObject({ state: 'stopped', stoppedByUser: true });
    const asked = first.paging.requests.length;
    await first.time.advance(24 * 3_600_000);
    first.sync.reconnected();
    first.sync.start(ref('1'), 'app');
    await first.rest();
    expect(first.paging.requests).toHaveLength(asked);

    const again = build({}, first.stores, first.time);
    again.paging.transactions.push(...history(450));
    await again.sync.load();
    again.sync.start(ref('1'), 'app');
    await again.rest();
    expect(again.paging.requests).toHaveLength(0);
    expect(again.sync.status(ref('1'))).toMatchObject({ state: 'stopped', stoppedByUser: true });

    again.sync.start(ref('1'), 'user');
    await again.rest();
    expect(again.sync.status(ref('1'))).toMatchObject({ state: 'complete', stoppedByUser: false });
    const later = build({}, first.stores, first.time);
    await later.sync.load();
    expect(later.sync.status(ref('1')).stoppedByUser).toBe(false);
  });

  it('is shown at once, before what was being fetched has ended', async () => {
    const { changes, paging, sync, rest } = build();
    paging.transactions.push(...history(5_000));
    sync.start(ref('1'), 'user');
    await paging.sent(3);
    changes.length = 0;
    const stopping = sync.stopForUser(atAddress);
    expect(changes).toMatchObject([{ sync: { stoppedByUser: true } }]);
    await stopping;
    await rest();
  });

  it('ends the attempts of a complete list whose check has failed, and not the checks to come', async () => {
    const service = { isBroken: false };
    const { time, paging, sync, rest } = build({
      fault: () => (service.isBroken ? refuse(500, 'broken') : null),
    });
    const check = async () => {
      await time.advance(60_000);
      sync.start(ref('1'), 'app', 'newer');
      // The client repeats what fails after 1, 2 and 4 s.
      await time.advance(15_000);
      return sync.status(ref('1')).state;
    };
    paging.transactions.push(...history(150));
    sync.start(ref('1'), 'user');
    await rest();
    service.isBroken = true;
    expect(await check()).toBe('failed');
    await sync.stopForUser(atAddress);
    service.isBroken = false;
    expect(sync.status(ref('1'))).toMatchObject({ state: 'complete', stoppedByUser: false });
    const asked = paging.requests.length;
    expect(await check()).toBe('complete');
    expect(paging.requests.length).toBeGreaterThan(asked);
  });

  it('leaves complete lists to be checked, and lists that are not meant alone', async () => {
    const { time, paging, sync, rest } = build();
    paging.transactions.push(...history(150));
    sync.start(ref('1'), 'user');
    await rest();
    sync.start(ref('2'), 'user');
    sync.start(ref('3'), 'user');
    await sync.stopForUser(({ chainId }) => chainId !== '3');
    await rest();
    expect(['1', '2', '3'].map((chain) => sync.status(ref(chain)).stoppedByUser)).toEqual([
      false,
      true,
      false,
    ]);
    expect(sync.status(ref('2')).state).toBe('stopped');
    await time.advance(60_000);
    const asked = paging.requests.length;
    sync.start(ref('1'), 'app');
    await rest();
    expect(paging.requests.length).toBe(asked + 1);
  });

  it('while a complete list is checked ends that check alone: the next one finds what came, also after a restart', async () => {
    const door = { isSlow: false };
    const first = build({
      fault: () => (door.isSlow ? { kind: 'failure', reason: 'timeout', detail: '' } : null),
    });
    first.paging.transactions.push(...history(60));
    first.sync.start(ref('1'), 'user');
    await first.rest();
    await first.time.advance(3_600_000);
    door.isSlow = true;
    first.sync.start(ref('1'), 'app');
    await first.time.settle();
    expect(first.sync.status(ref('1')).state).toBe('running');
    await first.sync.stopForUser(atAddress);
    expect(first.sync.status(ref('1'))).toMatchObject({ state: 'complete', stoppedByUser: false });
    door.isSlow = false;
    await first.rest();

    const again = build({}, first.stores, first.time);
    again.paging.transactions.push(...history(85));
    await again.sync.load();
    await again.time.advance(7 * 86_400_000);
    again.sync.start(ref('1'), 'app');
    await again.rest();
    expect(again.sync.status(ref('1'))).toMatchObject({ state: 'complete', rowCount: 85 });
  });

  it('of a list that is complete, as an earlier version stored it, is over', async () => {
    const first = build();
    first.paging.transactions.push(...history(60));
    first.sync.start(ref('1'), 'user');
    await first.rest();
    await first.stores.activity.setWishes([{ ...ref('1'), stoppedByUser: true, owed: null }]);
    const again = build({}, first.stores, first.time);
    again.paging.transactions.push(...history(85));
    await again.sync.load();
    expect(again.sync.status(ref('1')).stoppedByUser).toBe(false);
    await again.time.advance(3_600_000);
    again.sync.start(ref('1'), 'app');
    await again.rest();
    expect(again.sync.status(ref('1'))).toMatchObject({ state: 'complete', rowCount: 85 });
  });

  it('ends for a list that becomes complete because one block of it was asked for again', async () => {
    const { paging, stores, sync, rest } = build();
    paging.transactions.push(...history(60));
    sync.start(ref('1'), 'user');
    await rest();
    await stores.activity.withdraw(ref('1'), [{ fromBlock: '1010', toBlock: '1011' }], false);
    await stores.activity.setWishes([{ ...ref('1'), stoppedByUser: true, owed: null }]);
    const again = build({}, stores);
    again.paging.transactions.push(...history(60));
    await again.sync.load();
    expect(again.sync.status(ref('1'))).toMatchObject({ state: 'stopped', stoppedByUser: true });
    await again.sync.askAgain(ref('1'), 1_010n);
    expect(again.sync.status(ref('1'))).toMatchObject({ state: 'complete', stoppedByUser: false });
    expect(await stores.activity.readSync(ref('1'))).toMatchObject({ stoppedByUser: false });
  });

  it('rejects when it cannot be remembered, and is stopped all the same', async () => {
    const { stores, paging, sync, rest } = build();
    paging.transactions.push(...history(5_000));
    sync.start(ref('1'), 'user');
    stores.failWrites(true);
    await expect(sync.stopForUser(() => true)).rejects.toMatchObject({ error: { code: 'storage' } });
    const asked = paging.requests.length;
    sync.start(ref('1'), 'app');
    await rest();
    expect(paging.requests).toHaveLength(asked);
  });
});

describe('what the user asked for and the service refused', () => {
  /** 60 transactions are known, 25 more are there, and the user's fetch of them is refused. */
  async function refused(refusal: ReturnType<typeof refuse>) {
    const isRefusing = { value: false };
    const harness = build({ fault: () => (isRefusing.value ? refusal : null) });
    harness.paging.transactions.push(...history(85).slice(0, 60));
    harness.sync.start(ref('1'), 'user');
    await harness.rest();
    harness.paging.transactions.push(...history(85).slice(60));
    await harness.time.advance(5_000);
    isRefusing.value = true;
    harness.sync.start(ref('1'), 'user');
    await harness.rest();
    expect(harness.sync.status(ref('1'))).toMatchObject({ state: 'failed', rowCount: 60 });
    isRefusing.value = false;
    return harness;
  }

  it.each([
    ['429', refuse(429, 'slow down', { 'retry-after': '4' })],
    ['500', refuse(500, 'broken')],
  ])('is done by the repetition, however lately the newest end was seen (%s)', async (_name, refusal) => {
    const { time, sync, rest } = await refused(refusal);
    // Before what was seen is old enough for the app to look again by itself.
    await time.advance(32_000);
    await rest();
    expect(sync.status(ref('1'))).toMatchObject({ state: 'complete', rowCount: 85, error: null });
  });

  it('is done as well by a check of the app that comes before the repetition', async () => {
    const { sync, rest } = await refused(refuse(500, 'broken'));
    sync.start(ref('1'), 'app');
    await rest();
    expect(sync.status(ref('1'))).toMatchObject({ state: 'complete', rowCount: 85 });
  });

  it('is tried again when the window has counted down what the service asked to wait', async () => {
    const { time, sync, rest } = await refused(refuse(429, 'slow down', { 'retry-after': '4' }));
    const retryAtMs = time.clock.nowMs() + 4_000;
    expect(sync.status(ref('1')).error).toMatchObject({ code: 'rate-limited', retryAtMs });
    await time.advance(4_000);
    await rest();
    expect(sync.status(ref('1'))).toMatchObject({ state: 'complete', rowCount: 85 });
  });
});

it('what the user waits for is not forgotten by a restart, and is given up by stopping', async () => {
  const network = { isOff: false };
  const first = build({ fault: () => (network.isOff ? refuse(503, 'away') : null) });
  first.paging.transactions.push(...history(60));
  first.sync.start(ref('1'), 'user');
  await first.rest();
  network.isOff = true;
  const others = [{ ...ref('1'), list: 'erc20' } as const, { ...ref('1'), list: 'native' } as const];
  for (const one of [ref('1'), ...others]) first.sync.start(one, 'user');
  await first.rest();
  await first.sync.stop();

  const again = build({}, first.stores, first.time);
  again.paging.transactions.push(...history(85));
  await again.sync.load();
  // Neither has been begun, and the first has just been looked at.
  expect([ref('1'), ...others].map((one) => again.sync.isUnfinished(one))).toEqual([true, true, true]);
  await again.sync.stopForUser(({ list }) => list === 'native');
  for (const one of [ref('1'), ...others]) again.sync.start(one, 'app');
  await again.rest();
  expect(again.sync.status(ref('1'))).toMatchObject({ state: 'complete', rowCount: 85 });
  expect(others.map((one) => again.sync.status(one).state)).toEqual(['complete', 'stopped']);
  const last = build({}, first.stores, first.time);
  await last.sync.load();
  expect([ref('1'), ...others].map((one) => last.sync.isUnfinished(one))).toEqual([false, false, false]);
});

it('what the user wants of many lists is stored together, when they are started and when they are stopped', async () => {
  const { stores, sync, rest } = build({ fault: () => refuse(503, 'away') });
  const { setWishes } = stores.activity;
  const sizes: number[] = [];
  stores.activity.setWishes = async (wishes) => {
    sizes.push(wishes.length);
    await setWishes(wishes);
  };
  const many = Array.from({ length: 500 }, (_, at) => ref(String(at)));
  for (const one of many) sync.start(one, 'user');
  await stores.idle();
  expect(sizes).toEqual([500]);
  await sync.stopForUser(() => true);
  await rest();
  expect(sizes.slice(1)).toEqual([500]);
});

it('the newest end is looked at for the user while a run of the app, which need not, is under way', async () => {
  const harness = build({
    fault: (_request, number) => {
      // The second run has asked for its first page.
      if (number === 4) harness.sync.start(ref('1'), 'user');
      return number === 3 ? refuse(401, 'no key') : null;
    },
  });
  harness.paging.transactions.push(...history(450));
  harness.sync.start(ref('1'), 'app');
  await harness.rest();
  harness.paging.transactions.push({ block: 5_000, index: 0 });
  harness.sync.start(ref('1'), 'app');
  await harness.rest();
  expect(harness.sync.status(ref('1'))).toMatchObject({ state: 'complete', rowCount: 451 });
});

describe('the other lists', () => {
  const listed = (list: 'erc20' | 'native') => ({ address, chainId: '1', list });

  it('have a run and a ledger of their own', async () => {
    const { paging, stores, sync, changes, rest } = build();
    paging.transactions.push(...history(150));
    for (const one of [ref('1'), listed('erc20'), listed('native')]) sync.start(one, 'user');
    await rest();
    expect(changes.at(-1)).toMatchObject({ list: 'native', sync: { state: 'complete', rowCount: 150 } });
    expect(sync.status(listed('erc20'))).toMatchObject({ state: 'complete', rowCount: 150 });
    expect(await stores.activity.readProofs(listed('erc20'))).toMatchObject([{ runId: 'id-2' }]);
    expect(sync.knownChains(address)).toEqual(['1']);
    expect(sync.callMs()).toBe(0);
  });

  it('an unchanged address costs one request a list', async () => {
    const { time, paging, sync, rest } = build();
    paging.transactions.push(...history(1_000));
    const all = (['transactions', 'erc20', 'erc1155', 'internal', 'native'] as const).map((list) => ({
      address,
      chainId: '1',
      list,
    }));
    for (const one of all) sync.start(one, 'user');
    await rest();
    expect(all.map((one) => sync.status(one).rowCount)).toEqual([1_000, 1_000, 1_000, 1_000, 1_000]);
    await time.advance(3_600_000);
    const before = all.map((one) => sync.status(one));
    paging.requests.length = 0;
    for (const one of all) sync.start(one, 'user');
    await rest();
    expect(paging.requests).toHaveLength(5);
    expect(all.map((one) => ({ ...sync.status(one), checkedAtMs: null, pagesFetched: 0 }))).toEqual(
      before.map((one) => ({ ...one, checkedAtMs: null, pagesFetched: 0 })),
    );
  });

  it('more is done afterwards when more is asked for meanwhile', async () => {
    const { time, paging, stores, sync, rest } = build();
    paging.transactions.push(...history(250));
    await stores.activity.savePage({
      ...ref('1'),
      rows: [],
      records: [],
      sync: {
        covered: [{ fromBlock: '1200', toBlock: '1250' }],
        reachedStart: false,
        checkedAtMs: null,
      },
      proof: null,
      walkAtMs: 1,
      sweep: [],
      doubts: 0,
    });
    await sync.load();
    sync.start(ref('1'), 'user', 'newer');
    await time.settle();
    sync.start(ref('1'), 'user', 'older');
    await rest();
    expect(sync.status(ref('1'))).toMatchObject({ state: 'complete', rowCount: 250 });
  });
});
