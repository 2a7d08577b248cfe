import { beforeEach, describe, expect, it } from 'vitest';
import { LookAlikes } from '../../../shared/activity/look-alike.ts';
import { addressNews, type AddressNewsKind } from '../../../shared/alerts/types.ts';
import { alice, bob, sampleAddress, samplePage } from '../../adapters/storage/testing/sample-data.ts';
import { ActivityRowsService } from '../activity/completion/activity-rows.ts';
import { rowOfElement } from '../activity/rows/stored-rows.ts';
import type { SyncService } from '../activity/sync/sync-service.ts';
import { createAlertWorld } from './testing/alert-world.ts';

const minuteMs = 60_000;
const hourMs = 3_600_000;
const native = { symbol: 'AVAX', decimals: 18 };
/** Like Bob's to who compares the ends only. */
const likeBob = `${bob.slice(0, 8)}${'1'.repeat(28)}${bob.slice(-6)}`;

interface Made {
  from?: string;
  to?: string;
  agoMs?: number;
  seenMs?: number;
  /** Any other: the service does not say whether it succeeded. */
  status?: string;
  value?: string;
  /** Of a token, each in whole units. */
  tokens?: string[];
}

/** Alice's stored rows under the alerts' clock; all kinds of news are chosen for her. */
async function createWorld(about: readonly AddressNewsKind[] = addressNews) {
  const world = await createAlertWorld();
  const { time, stores, log, settings } = world;
  const rows = new ActivityRowsService({
    ...{ store: stores.activity, answers: stores.answers, log, native: () => native },
    // Not used for reading.
    sync: {} as SyncService,
  });
  const added = { atMs: 1 };
  world.channel.activity = {
    rows,
    addedAtMs: () => added.atMs,
    names: {
      nameOf: (address) => ({ [alice]: 'Treasury', [bob]: 'Bob' })[address] ?? null,
      chainName: () => 'C-Chain',
      nativeToken: () => native,
      lookAlikes: () => new LookAlikes([alice, bob]),
    },
  };
  let count = 0;
  const made = ({ from = bob, to = alice, agoMs = 0, seenMs, status = '1', value = '5', tokens }: Made) => {
    count += 1;
    const nowMs = time.clock.nowMs();
    const transaction = {
      nativeTransaction: {
        blockNumber: String(count),
        blockTimestamp: Math.floor((nowMs - agoMs) / 1_000),
        txHash: `0x${String(count).padStart(64, '0')}`,
        txStatus: status,
        from: { address: from },
        to: { address: to },
        value: `${value}000000000000000000`,
        gasUsed: '1',
        gasPrice: '1',
      },
      erc20Transfers: tokens?.map((whole, logIndex) => ({
        ...{ from: { address: from }, to: { address: to }, logIndex, value: `${whole}000000` },
        erc20Token: { address: `0x${'c'.repeat(40)}`, name: 'Coin', symbol: 'USDC', decimals: 6 },
      })),
    };
    const row = rowOfElement(
      transaction,
      { text: JSON.stringify(transaction), mayBeOdd: false, url: '' },
      { address: alice, chainId: '43114', native, fetchedAtMs: seenMs ?? nowMs },
    );
    if (row === null) throw new Error('it can be stored');
    return row;
  };
  const put = async (...some: Made[]): Promise<void> => {
    await stores.activity.savePage(samplePage({ rows: some.map(made) }));
    world.alerts.activityChanged();
    await time.advance(minuteMs);
  };
  await stores.watchlist.put(sampleAddress());
  await stores.book.put({ address: bob, name: 'Bob', note: null, changedAtMs: 0 });
  // Stored before that was chosen.
  await put({ agoMs: minuteMs });
  const { alerts } = settings.current();
  const addresses = [{ address: alice, sinceMs: time.clock.nowMs(), about: [...about] }];
  settings.update({ alerts: { ...alerts, addresses } });
  await time.advance(minuteMs);
  return { ...world, put, added };
}

describe('news of an address', () => {
  let world: Awaited<ReturnType<typeof createWorld>>;

  beforeEach(async () => {
    world = await createWorld();
  });

  it.each<[string, Made, string]>([
    ['received', {}, 'Treasury received 5 AVAX from Bob'],
    [
      'received in several parts',
      { value: '0', tokens: ['5', '5', '2'] },
      'Treasury received 12 USDC from Bob',
    ],
    ['maybe received', { status: '' }, 'Treasury may have received 5 AVAX from Bob'],
    ['maybe sent', { status: '', from: alice, to: bob }, 'Treasury may have sent 5 AVAX to Bob'],
    ['sent', { from: alice, to: bob }, 'Treasury sent 5 AVAX to Bob'],
    ['failed', { from: alice, to: bob, status: '0' }, 'Treasury has a failed transaction'],
    [
      'sent to a look-alike',
      { from: alice, to: likeBob },
      'Treasury sent 5 AVAX to 0xde709f…fb77, which looks like Bob but isn’t',
    ],
  ])('tell once what was %s', async (_what, made, title) => {
    await world.put(made);
    world.alerts.activityChanged();
    await world.time.advance(hourMs);
    await world.crash();
    await world.time.advance(hourMs);
    expect(world.titles()).toEqual([title]);
    expect(world.sent[0]?.level).toBe(title.includes('looks like') ? 'wake' : 'tell');
    expect(world.sent[0]?.link).toMatchObject({ view: 'transaction', chainId: '43114' });
    expect(world.alerts.openCount()).toBe(0);
    expect((await world.alerts.list()).alerts).toHaveLength(1);
  });

  it('are not told again after a start with a clock that was days ahead', async () => {
    await world.put({});
    world.time.stepClock(2 * 86_400_000);
    await world.crash();
    await world.time.advance(minuteMs);
    world.time.stepClock(-2 * 86_400_000);
    await world.put({ value: '7' });
    expect(world.titles()).toEqual([
      'Treasury received 5 AVAX from Bob',
      'Treasury received 7 AVAX from Bob',
    ]);
  });

  it('are not told again after a start, however many alerts came since', async () => {
    await world.put({});
    const [first] = (await world.alerts.list()).alerts;
    if (first === undefined) throw new Error('there is one');
    const others = Array.from({ length: 2_000 }, (_, index) => ({
      ...first,
      key: `other ${index}`,
      members: [],
    }));
    await world.stores.alerts.put({ alerts: others, messages: [] });
    await world.crash();
    await world.time.advance(minuteMs);
    expect(world.titles()).toEqual(['Treasury received 5 AVAX from Bob']);
  });

  it('are nothing that came before the address was added again', async () => {
    world.added.atMs = world.time.clock.nowMs() + hourMs;
    await world.time.advance(2 * hourMs);
    await world.put({ agoMs: 90 * minuteMs });
    await world.put({ value: '7' });
    expect(world.titles()).toEqual(['Treasury received 7 AVAX from Bob']);
  });

  it('count for each kind from when that was chosen, of a transaction by the gravest kind', async () => {
    world = await createWorld(['sent']);
    const { time, settings } = world;
    await time.advance(hourMs);
    const { alerts } = settings.current();
    const later = ['look-alike', 'received'] as const;
    const addresses = [
      ...alerts.addresses,
      { address: alice, sinceMs: time.clock.nowMs(), about: [...later] },
    ];
    settings.update({ alerts: { ...alerts, addresses } });
    // Of before the second choice, and fetched after it.
    await world.put({ agoMs: 30 * minuteMs }, { agoMs: 30 * minuteMs, from: alice, to: likeBob });
    await world.put({ from: alice, to: likeBob, value: '7' });
    const to = 'to 0xde709f…fb77';
    expect(world.titles()).toEqual([
      `Treasury sent 5 AVAX ${to}`,
      `Treasury sent 7 AVAX ${to}, which looks like Bob but isn’t`,
    ]);
  });

  it('that came before a crash are told after it', async () => {
    world.channel.isUnreadable = true;
    await world.crash();
    await world.put({});
    expect(world.sent).toEqual([]);
    world.channel.isUnreadable = false;
    await world.crash();
    await world.time.advance(minuteMs);
    expect(world.titles()).toEqual(['Treasury received 5 AVAX from Bob']);
  });

  it('are nothing that is older than the choice or a day, however late it is fetched, and nothing hidden', async () => {
    await world.put({ agoMs: 5 * minuteMs });
    await world.time.advance(30 * hourMs);
    await world.put({ agoMs: 25 * hourMs });
    // Somebody sends nothing, from an address that looks like Bob's.
    await world.put({ from: likeBob });
    expect(world.sent).toEqual([]);
  });

  it('of a backfill are none, and many that are new are one message with their count', async () => {
    await world.put(...Array.from({ length: 2_000 }, (_, index) => ({ agoMs: hourMs + index * 1_000 })));
    expect(world.sent).toEqual([]);
    await world.put(
      ...Array.from({ length: 600 }, () => ({})),
      ...Array.from({ length: 3 }, () => ({ from: alice, to: bob })),
      { from: alice, to: bob, status: '0' },
    );
    expect(world.titles()).toEqual(['Treasury: 604 new transactions (1 failed, 3 sent, 600 received)']);
    expect(world.sent[0]?.link).toEqual({ view: 'address', address: alice });
  });

  it('name nothing while names are hidden, and wait for the end of quiet hours', async () => {
    world.settings.update({ privacy: true });
    await world.put({});
    expect([world.titles(), world.sent[0]?.body]).toEqual([['New activity at one of your addresses'], '']);
    world.settings.update({ privacy: false });
    const { alerts } = world.settings.current();
    const at = new Date(world.time.clock.nowMs());
    const minute = at.getHours() * 60 + at.getMinutes();
    const quiet = { days: [0, 1, 2, 3, 4, 5, 6], fromMinute: minute, toMinute: (minute + 30) % 1_440 };
    world.settings.update({ alerts: { ...alerts, quiet: { ...quiet, wakePasses: true } } });
    await world.put({});
    expect(world.sent).toHaveLength(1);
    await world.time.advance(hourMs);
    expect(world.titles()[1]).toBe('While alerts were on hold: 1 message about your addresses');
    expect(world.sent[1]?.body).toBe('Treasury received 5 AVAX from Bob');
  });

  it('has the newest of all rows that are shown, whatever was chosen', async () => {
    const other = await createWorld(['failed']);
    await other.put({ agoMs: 2 * minuteMs }, { from: alice, to: bob, agoMs: minuteMs }, { from: likeBob });
    const atMs = expect.any(Number);
    expect(await other.alerts.newest()).toMatchObject({ words: 'Treasury sent 5 AVAX to Bob', atMs });
  });

  it('are only what was chosen', async () => {
    const other = await createWorld(['failed']);
    await other.put({}, { from: alice, to: bob });
    expect(other.sent).toEqual([]);
    await other.put({ from: alice, to: likeBob, status: '0' });
    expect(other.titles()).toEqual(['Treasury has a failed transaction']);
  });
});
