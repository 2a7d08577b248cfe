import { describe, expect, it } from 'vitest';
import { splitTags } from '../../../../shared/activity/tags.ts';
import { calls } from '../../../../shared/ipc/calls.ts';
import { AppFailure, unwrap } from '../../../../shared/errors.ts';
import { asResults } from '../../testing/as-results.ts';
import { AddressLists } from './address-lists.ts';
import { buildWatchHarness } from '../testing/watch-harness.ts';

const address = '0x52908400098527886E0F7030069857D2E4169EE7';
const other = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';

function build() {
  const harness = buildWatchHarness();
  const written = new Map<string, string>();
  const place = { path: '/tmp/list' as string | null };
  const files = {
    choose: async () => place.path,
    write: async (path: string, pieces: AsyncIterable<string>) => {
      let text = '';
      for await (const piece of pieces) text += piece;
      if (path === '/full') throw new Error('the disk is full');
      written.set(path, text);
    },
  };
  return {
    ...harness,
    written,
    place,
    lists: asResults(new AddressLists({ watchlist: harness.list, files })),
  };
}

describe('many addresses at once', () => {
  it('are published a few times, and not the whole list for each', async () => {
    const { lists, events, rest, time } = build();
    const counts: number[] = [];
    events.on('watchlist.changed', (views) => counts.push(views.length));
    const many = Array.from({ length: 300 }, (_, n) => `0x${n.toString(16).padStart(40, '0')}`);
    await lists.addMany(many.join('\n'));
    await rest();
    await time.advance(200);
    expect(counts.length).toBeLessThan(5);
    expect(counts.at(-1)).toBe(300);
  });

  it('are stored together, new ones and changed ones: all of them, or none where the disk is full', async () => {
    const { lists, watchlist, stores } = build();
    await watchlist.add(address, { paused: true });
    const { put } = stores.watchlist;
    const sizes: number[] = [];
    let isFull = true;
    stores.watchlist.put = async (...addresses) => {
      sizes.push(addresses.length);
      if (isFull) throw new AppFailure({ code: 'storage', message: 'the disk is full' });
      await put(...addresses);
    };
    const many = Array.from({ length: 9_000 }, (_, n) => `0x${n.toString(16).padStart(40, '0')},,,,true`);
    const text = ['address,label,tags,colour,paused', ...many, `${address},Savings,,,true`, many[0]].join(
      '\n',
    );
    expect(await lists.addMany(text)).toMatchObject({ ok: false, error: { code: 'storage' } });
    expect(watchlist.views()).toMatchObject([{ address, label: null }]);
    isFull = false;
    const added = unwrap(await lists.addMany(text));
    expect(added.slice(-3).map(({ outcome }) => outcome)).toEqual(['added', 'updated', 'duplicate']);
    expect(sizes).toEqual([9_001, 9_001]);
    expect(watchlist.views()).toHaveLength(9_001);
    expect(await stores.watchlist.list()).toHaveLength(9_001);
  });

  it('are all added where another list with some of them is being added', async () => {
    const { lists } = build();
    const third = `0x${'3'.repeat(40)}`;
    const added = await Promise.all([
      lists.addMany(`${address}\n${other}`),
      lists.addMany(`${other}, Savings\n${third}`),
    ]);
    expect(added.map((list) => list.ok && list.value.map(({ outcome }) => outcome))).toEqual([
      ['added', 'added'],
      ['updated', 'added'],
    ]);
  });

  it('one that is added alone is told before its answer, also soon after others', async () => {
    const { lists, watchlist, events } = build();
    await lists.addMany(other);
    const counts: number[] = [];
    events.on('watchlist.changed', (views) => counts.push(views.length));
    await watchlist.add(address);
    expect(counts).toContain(2);
  });

  it('gives no label, tag or name that the calls which change them refuse', async () => {
    const { watchlist, lists } = build();
    const label = 'x'.repeat(400);
    await lists.addMany(
      JSON.stringify([
        {
          address,
          label,
          tags: Array(40)
            .fill(label)
            .map((tag, at) => `${at}${tag}`),
        },
      ]),
    );
    const [entry] = watchlist.views();
    const { label: stored, tags = [], colour = null, paused = false } = entry ?? {};
    const fields = { address, label: stored, tags, colour, paused };
    expect(calls['watchlist.update'].schema.safeParse(fields)).toMatchObject({ success: true });
    expect(stored).toHaveLength(300);
  });

  it('tells what became of each line', async () => {
    const { watchlist, lists } = build();
    await watchlist.add(other, { label: 'Before', tags: ['mine'] });
    const text = [
      address.toLowerCase(),
      other,
      `${other} After`,
      address,
      'alice',
      address.replace('E7', 'e7'),
    ].join('\n');
    const added = await lists.addMany(text);
    expect(added.ok ? added.value.map(({ outcome, address: at }) => [outcome, at]) : added).toEqual([
      ['added', address],
      ['duplicate', other],
      ['updated', other],
      ['duplicate', address],
      ['not-an-address', null],
      ['wrong-checksum', address],
    ]);
    expect(watchlist.views()).toMatchObject([{ label: 'After', tags: ['mine'] }, { address }]);
  });

  it.each(['', 'WAHR'])('leave a paused address paused where the file says %j, not “false”', async (cell) => {
    const { watchlist, lists } = build();
    await watchlist.add(address, { paused: true });
    const add = async (paused: string) => lists.addMany(`address,label,paused\n${address},Cold,${paused}`);
    await add(cell);
    expect(watchlist.views()).toMatchObject([{ label: 'Cold', paused: true }]);
    await add('FALSE');
    expect(watchlist.views()).toMatchObject([{ paused: false }]);
  });

  it('ends with the error of the store, and keeps what was added', async () => {
    const { stores, watchlist, lists } = build();
    await watchlist.add(address);
    stores.failWrites(true);
    expect(await lists.addMany(`${address}\n${other}`)).toMatchObject({
      ok: false,
      error: { code: 'storage' },
    });
    expect(watchlist.views()).toHaveLength(1);
  });
});

describe('the list as a file', () => {
  it.each(['csv', 'json'] as const)('%s is read back as it was', async (format) => {
    const { watchlist, written, lists } = build();
    await watchlist.add(address, { label: 'One, "two"', tags: ['a', 'b'], colour: 'red', paused: true });
    await watchlist.add(other, { tags: splitTags('cold; vault, mine') });
    expect(await lists.export(format)).toEqual({ ok: true, value: { path: '/tmp/list' } });
    const again = build();
    await again.lists.addMany(written.get('/tmp/list') ?? '');
    const said = ({ views }: { views: typeof watchlist.views }) =>
      views().map(({ address: at, label, tags, colour, paused }) => ({ at, label, tags, colour, paused }));
    expect(said({ views: () => again.watchlist.views() })).toEqual(said({ views: () => watchlist.views() }));
  });

  it('is nothing without a place, and tells what the disk says', async () => {
    const { place, lists } = build();
    place.path = null;
    expect(await lists.export('csv')).toEqual({ ok: true, value: null });
    place.path = '/full';
    expect(await lists.export('csv')).toMatchObject({ ok: false, error: { code: 'internal' } });
  });
});
