import { expect, it } from 'vitest';
import { everything } from '../../../../shared/activity/filter.ts';
import type { StoredRow } from '../../../core/activity-ports.ts';
import { openMemoryDatabase, storesOver } from '../testing/memory-stores.ts';
import {
  alice,
  bob,
  sampleAddress,
  sampleFacets,
  samplePage,
  sampleRecord,
  sampleRow,
  sampleSync,
} from '../testing/sample-data.ts';

const native = { token: '43114 native', symbol: 'AVAX', name: null, decimals: 18, amount: '5' };
const coin = { ...native, token: '43114 erc20 0xc', symbol: 'COIN' };
const shared = { counterparty: '0xshop', otherSides: ['0xside'], method: 'swap', tokens: [coin, native] };

it.each(['delete', 'leave'] as const)(
  'whom an address has met is forgotten with it, but not what other rows refer to (%s)',
  async (data) => {
    const database = openMemoryDatabase();
    const { activity, watchlist } = storesOver(database);
    const facets = () =>
      database
        .all('SELECT content_json FROM activity_facet ORDER BY content_json')
        .map(({ content_json: content }) => String(content).replaceAll('"', ''));
    for (const address of [alice, bob]) watchlist.put(sampleAddress({ address }));
    const rowOf = (address: string, txHash: string, fields: Parameters<typeof sampleFacets>[0]) =>
      sampleRow({ address, txHash, facets: sampleFacets(fields) });
    const left = rowOf(bob, '0x01', shared);
    activity.savePage(samplePage({ address: bob, rows: [left] }));
    const before = facets();
    const gone = {
      counterparty: '0xfriend',
      otherSides: ['0xother'],
      method: 'secret',
      tokens: [{ ...coin, symbol: 'RARE' }],
    };
    activity.savePage(samplePage({ rows: [rowOf(alice, '0x01', shared), rowOf(alice, '0x02', gone)] }));
    expect(facets()).toHaveLength(before.length + 4);
    await watchlist.remove(alice, data);
    if (data === 'leave') await watchlist.removeLeft();
    expect(facets()).toEqual(before);

    // What comes later gets the places of what is forgotten, which may come again, too.
    const later = { counterparty: '0xnew', otherSides: ['0xnewer'], method: 'stake', tokens: [native] };
    const rows = [rowOf(bob, '0x03', later), rowOf(bob, '0x04', gone)];
    activity.savePage(samplePage({ address: bob, rows }));
    const values = async (field: 'counterparty' | 'method') =>
      (await activity.values({ field, text: '', limit: 9 })).map(({ value }) => value);
    expect(await values('counterparty')).toEqual(['0xfriend', '0xnew', '0xshop']);
    expect(await values('method')).toEqual(['secret', 'stake', 'swap']);
  },
);

/** Alice has 2,500 rows and as many records, whose blocks are proven. */
function buildLarge() {
  const database = openMemoryDatabase();
  const stores = storesOver(database);
  const { activity, watchlist } = stores;
  for (const address of [alice, bob]) watchlist.put(sampleAddress({ address }));
  const sync = sampleSync({ covered: [{ fromBlock: '0', toBlock: '9' }], reachedStart: true });
  const hashes = Array.from({ length: 2_500 }, (_nothing, place) => `0x${place}`);
  activity.savePage(samplePage({ rows: hashes.map((txHash) => sampleRow({ txHash })), sync }));
  const records = hashes.map((txHash) => sampleRecord({ txHash }));
  activity.savePage(samplePage({ list: 'erc20', records, sync }));
  const count = (table: string) => Number(database.get(`SELECT count(*) AS n FROM ${table}`)?.['n']);
  const counts = () => ['activity_row', 'activity_record', 'activity_list', 'watch_address'].map(count);
  /** Waits for the end of a deletion, and does something in each turn before. */
  const meanwhile = async (deletion: void | Promise<void>, work: (turn: number) => Promise<void>) => {
    const ended = Promise.resolve(deletion).then(() => true);
    for (let turn = 0; ; turn += 1) {
      await work(turn);
      const next = new Promise<boolean>((resolve) => setImmediate(resolve, false));
      if (await Promise.race([ended, next])) return;
    }
  };
  return { ...stores, database, counts, meanwhile };
}

it('a long history is deleted part by part: it is gone at once, others are answered, and the address may come again', async () => {
  const { activity, watchlist, counts, meanwhile } = buildLarge();
  const seen: number[] = [];
  const query = { filter: everything, offset: 0, anchor: null, limit: 9 };
  await meanwhile(watchlist.remove(alice, 'delete'), async (turn) => {
    seen.push((counts()[0] ?? 0) + (counts()[1] ?? 0));
    if (turn === 2) {
      watchlist.put(sampleAddress());
      activity.savePage(samplePage({ address: bob, rows: [sampleRow({ address: bob })] }));
    }
    expect(activity.listSyncs().filter(({ address }) => address === alice)).toEqual([]);
    expect(await activity.readRows(query)).toMatchObject({ totalCount: turn < 2 ? 0 : 1 });
  });
  expect(seen.filter((left) => left > 1 && left < 5_000).length).toBeGreaterThan(3);
  expect(counts()).toEqual([1, 0, 1, 2]);
});

it('whom other rows meet while an address is deleted is not forgotten with it', async () => {
  const { activity, watchlist, meanwhile } = buildLarge();
  const rowOf = (place: number, counterparty: string) =>
    sampleRow({ address: bob, txHash: `0x${place}`, facets: sampleFacets({ counterparty }) });
  const save = (rows: StoredRow[]) => activity.savePage(samplePage({ address: bob, rows }));
  save(Array.from({ length: 4_500 }, (_nothing, place) => rowOf(place, '0xshop')));
  let last = 0;
  await meanwhile(watchlist.remove(alice, 'delete'), async (turn) => {
    last = turn;
    save([rowOf(0, `0xmet${turn}`)]);
  });
  const met = await activity.values({ field: 'counterparty', text: '', limit: 9 });
  expect(met.map(({ value, count }) => [value, count])).toEqual([
    ['0xshop', 4_499],
    [`0xmet${last}`, 1],
  ]);
});

it('others are answered in between, also while it is read what many other rows refer to', async () => {
  const turnsBeside = async (rowCount: number): Promise<number> => {
    const { activity, watchlist, meanwhile } = buildLarge();
    const rows = Array.from({ length: rowCount }, (_nothing, place) =>
      sampleRow({ address: bob, txHash: `0x${place}` }),
    );
    activity.savePage(samplePage({ address: bob, rows }));
    let turns = 0;
    await meanwhile(watchlist.remove(alice, 'delete'), async () => void (turns += 1));
    return turns;
  };
  expect((await turnsBeside(4_100)) - (await turnsBeside(1))).toBe(1);
});

it('what is left to delete is deleted at the next start', async () => {
  const { watchlist, counts, database, stop } = buildLarge();
  const removing = Promise.resolve(watchlist.remove(alice, 'delete'));
  stop();
  await expect(removing).rejects.toThrow('being closed');
  expect(counts()).toEqual([1_500, 2_500, 2, 2]);
  await storesOver(database).watchlist.removeLeft();
  expect(counts()).toEqual([0, 0, 0, 1]);
});
