import { expect, it } from 'vitest';
import { openMemoryDatabase } from '../testing/memory-stores.ts';
import { alice, bob, sampleAddress, sampleFacets, samplePage, sampleRow } from '../testing/sample-data.ts';
import { createSqlStores } from '../thread/stores.ts';

const native = { token: '43114 native', symbol: 'AVAX', name: null, decimals: 18, amount: '5' };
const coin = { ...native, token: '43114 erc20 0xc', symbol: 'COIN' };
const shared = { counterparty: '0xshop', otherSides: ['0xside'], method: 'swap', tokens: [coin, native] };

it.each(['delete', 'leave'] as const)(
  'whom an address has met is forgotten with it, but not what other rows refer to (%s)',
  async (data) => {
    const database = openMemoryDatabase();
    const { activity, watchlist } = createSqlStores(database);
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
    watchlist.remove(alice, data);
    if (data === 'leave') watchlist.removeLeft();
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
