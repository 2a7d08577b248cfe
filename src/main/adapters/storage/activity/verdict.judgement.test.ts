import { beforeEach, describe, expect, it } from 'vitest';
import { everything } from '../../../../shared/activity/filter.ts';
import type { StorePorts } from '../store-ports.ts';
import { backends } from '../testing/backends.ts';
import {
  alice,
  bob,
  sampleAddress,
  sampleFacets,
  samplePage,
  sampleRow,
  storageMessage,
} from '../testing/sample-data.ts';

const friend = '0xABCD000000000000000000000000000000001234';
const lookAlike = '0xabcd00000000000000000000000000000fff1234';
const token = '43114 erc20 0xaa';

describe.each(backends)('hidden rows over $name', ({ open }) => {
  let stores: StorePorts;

  const coin = { token, symbol: 'COIN', name: null, decimals: 6, amount: '5' };

  beforeEach(async () => {
    stores = open();
    await stores.watchlist.put(sampleAddress());
    await stores.activity.savePage(
      samplePage({
        rows: [
          sampleRow({ txHash: '0x03', timestampMs: 3, facets: sampleFacets({ rules: ['zero-value'] }) }),
          sampleRow({ txHash: '0x02', timestampMs: 2, facets: sampleFacets({ counterparty: lookAlike }) }),
          sampleRow({ txHash: '0x01', timestampMs: 1, facets: sampleFacets({ tokens: [coin] }) }),
        ],
      }),
    );
  });

  /** By the way that needs the index of rows and by the one that must not; both have to agree. */
  const read = async (showHidden = false) => {
    const filter = { ...everything, showHidden };
    const ask = (text: string) =>
      stores.activity.readRows({ filter: { ...filter, text }, offset: 0, anchor: null, limit: 100 });
    const page = await ask('');
    expect(await ask('0x')).toEqual(page);
    return page;
  };
  const shown = async () => (await read()).rows.map(({ txHash }) => txHash);
  const idOf = async (hash: string) => (await read(true)).rows.find(({ txHash }) => txHash === hash)?.id ?? 0;

  it('are counted, named and shown on request', async () => {
    expect(await read()).toMatchObject({ totalCount: 2, hiddenCount: 1, partialCount: 2 });
    const all = await read(true);
    expect(all).toMatchObject({ totalCount: 3, hiddenCount: 0, partialCount: 3 });
    expect(all.rows[0]?.marks.spam).toEqual({
      rules: ['zero-value'],
      decision: null,
      decidedFor: null,
      hiddenReason: 'zero-value',
    });
  });

  it("follow the user's word about a row, which can be taken back", async () => {
    await stores.activity.judgeRow(await idOf('0x03'), 'show');
    await stores.activity.judgeRow(await idOf('0x02'), 'hide');
    expect(await shown()).toEqual(['0x03', '0x01']);
    expect((await read(true)).rows[1]?.marks.spam).toMatchObject({ decidedFor: 'row', hiddenReason: 'user' });
    // A newer version of the row changes nothing about it.
    await stores.activity.savePage(samplePage({ rows: [sampleRow({ txHash: '0x02', timestampMs: 2 })] }));
    expect(await shown()).toEqual(['0x03', '0x01']);
    for (const hash of ['0x03', '0x02']) await stores.activity.judgeRow(await idOf(hash), null);
    expect(await shown()).toEqual(['0x02', '0x01']);
    expect(await storageMessage(stores.activity.judgeRow(999, 'hide'))).toMatch(/removed/);
  });

  it("follow the user's word about a token, for rows that come later too", async () => {
    await stores.activity.judgeToken(token, 'hide');
    expect(await shown()).toEqual(['0x02']);
    const mixed = sampleFacets({ tokens: [coin, ...sampleFacets().tokens] });
    const later = [
      sampleRow({ txHash: '0x04', timestampMs: 4, facets: sampleFacets({ tokens: [coin] }) }),
      sampleRow({ txHash: '0x05', timestampMs: 5, facets: mixed }),
    ];
    await stores.activity.savePage(samplePage({ rows: later }));
    // Something else moved as well: that must not be lost from sight.
    expect(await shown()).toEqual(['0x05', '0x02']);
    await stores.activity.judgeRow(await idOf('0x04'), 'show');
    expect(await shown()).toEqual(['0x05', '0x04', '0x02']);
    await stores.activity.judgeToken(token, null);
    expect(await shown()).toEqual(['0x05', '0x04', '0x02', '0x01']);
  });

  it('return the decision before, of rows and of tokens', async () => {
    const id = await idOf('0x02');
    const rows = [];
    for (const decision of ['show', 'hide', null, 'hide'] as const)
      rows.push(await stores.activity.judgeRow(id, decision));
    const tokens = [];
    for (const decision of ['show', 'hide', null, 'hide'] as const)
      tokens.push(await stores.activity.judgeToken(token, decision));
    const before = [null, 'show', 'hide', null];
    expect([rows, tokens]).toEqual([before, before]);
  });

  it('are those of a look-alike as soon as, and as long as, the user knows the address that it imitates', async () => {
    await stores.book.put({ address: friend, name: 'Friend', note: null, changedAtMs: 1 });
    expect(await shown()).toEqual(['0x01']);
    expect((await read(true)).rows[1]?.marks.spam.rules).toEqual(['look-alike']);
    // Known itself, it imitates nobody.
    await stores.book.put({ address: lookAlike, name: 'Also a friend', note: null, changedAtMs: 1 });
    expect(await shown()).toEqual(['0x02', '0x01']);
    await stores.book.remove(lookAlike);
    await stores.book.remove(friend);
    await stores.watchlist.put(sampleAddress({ address: friend, addedAtMs: 5 }));
    expect(await shown()).toEqual(['0x01']);
    await stores.watchlist.remove(friend, 'keep');
    expect(await shown()).toEqual(['0x02', '0x01']);
  });
});

describe.each(backends)('a row with several others over $name', ({ open }) => {
  it('is hidden for any of them who looks like an address that the user knows, as its mark says', async () => {
    const stores = open();
    await stores.watchlist.put(sampleAddress());
    const row = sampleRow({ facets: sampleFacets({ otherSides: ['0xshop', lookAlike] }) });
    await stores.activity.savePage(samplePage({ rows: [row] }));
    const hidden = async () => {
      const filter = { ...everything, showHidden: true };
      const pills = [{ field: 'hidden' as const, not: false, values: ['look-alike'] }];
      const read = (asked: typeof filter) =>
        stores.activity.readRows({ filter: asked, offset: 0, anchor: null, limit: 10 });
      const [all, found] = await Promise.all([read(filter), read({ ...filter, pills })]);
      expect(found.rows).toEqual(all.rows.filter(({ marks }) => marks.spam.hiddenReason === 'look-alike'));
      return found.totalCount;
    };
    expect(await hidden()).toBe(0);
    await stores.book.put({ address: friend, name: 'Friend', note: null, changedAtMs: 1 });
    expect(await hidden()).toBe(1);
    await stores.activity.savePage(samplePage({ rows: [row] }));
    expect(await hidden()).toBe(1);
    await stores.book.remove(friend);
    expect(await hidden()).toBe(0);
  });
});

describe.each(backends)('what the user sent over $name', ({ open }) => {
  it('is never hidden for the look of its receiver, and stays where the user hides it', async () => {
    const stores = open();
    await stores.watchlist.put(sampleAddress());
    const sent = sampleFacets({ direction: 'out', counterparty: lookAlike, isOwnDoing: true });
    await stores.activity.savePage(samplePage({ rows: [sampleRow({ facets: sent })] }));
    await stores.book.put({ address: friend, name: 'Friend', note: null, changedAtMs: 1 });
    const read = async (text: string) => {
      const filter = { ...everything, text };
      return stores.activity.readRows({ filter, offset: 0, anchor: null, limit: 10 });
    };
    for (const text of ['', '0x']) {
      expect(await read(text)).toMatchObject({ totalCount: 1, hiddenCount: 0 });
      expect((await read(text)).rows[0]?.marks.spam).toMatchObject({ rules: [], hiddenReason: null });
    }
    await stores.activity.judgeRow((await read('')).rows[0]?.id ?? 0, 'hide');
    for (const text of ['', '0x']) expect(await read(text)).toMatchObject({ totalCount: 0, hiddenCount: 1 });
  });
});

describe.each(backends)('the book over $name', ({ open }) => {
  it('keeps names, changes and forgets them', async () => {
    const { book } = open();
    const entry = { address: alice, name: 'Alice', note: null, changedAtMs: 1 };
    await book.put(entry);
    await book.put({ address: bob, name: 'A. Bob', note: 'met once', changedAtMs: 2 });
    expect((await book.list()).map(({ name }) => name)).toEqual(['A. Bob', 'Alice']);
    await book.put({ ...entry, name: 'Z', note: 'n', changedAtMs: 3 });
    await book.remove(bob);
    await book.remove('never there');
    expect(await book.list()).toEqual([{ ...entry, name: 'Z', note: 'n', changedAtMs: 3 }]);
  });
});

describe.each(backends)('an address that is removed over $name', ({ open }) => {
  it('takes its rows out of every answer, and has them again when its data was kept', async () => {
    const stores = open();
    await stores.watchlist.put(sampleAddress({ tags: ['own'] }));
    await stores.watchlist.put(sampleAddress({ address: bob, addedAtMs: 2 }));
    await stores.activity.savePage(samplePage({ rows: [sampleRow()] }));
    await stores.activity.savePage(samplePage({ address: bob, rows: [sampleRow({ address: bob })] }));
    const count = async (text: string) => {
      const page = await stores.activity.readRows({
        filter: { ...everything, text },
        offset: 0,
        anchor: null,
        limit: 10,
      });
      expect(page.rows).toHaveLength(page.totalCount);
      return page.totalCount;
    };
    expect(await count('0x')).toBe(2);
    await stores.watchlist.remove(alice, 'keep');
    expect(await count('')).toBe(1);
    expect(await count('0x')).toBe(1);
    expect(await stores.activity.countPartial()).toBe(1);
    expect(await stores.activity.rowsOfTransaction('43114', '0x01')).toHaveLength(1);
    expect(await stores.activity.listSyncs()).toHaveLength(1);
    expect(await stores.activity.values({ field: 'tag', text: '', limit: 10 })).toEqual([]);
    expect(await storageMessage(stores.activity.savePage(samplePage()))).toMatch(/removed/);
    await stores.watchlist.put(sampleAddress());
    expect(await count('')).toBe(2);
    expect(await count('0x')).toBe(2);
    await stores.watchlist.remove(alice, 'delete');
    await stores.watchlist.put(sampleAddress());
    expect(await count('')).toBe(1);
    expect(await count('0x')).toBe(1);
  });
});
