import { describe, expect, it, vi } from 'vitest';
import { everything } from '../../../shared/activity/filter.ts';
import { err, ok } from '../../../shared/errors.ts';
import { insertAt, open, shown, stored, withHidden } from '../testing/activity-lists.ts';
import { FakeBridge, installBridge } from '../testing/fake-bridge.ts';
import { testNowMs } from '../testing/render.ts';
import { fullWorld, sampleAddresses, type World } from '../testing/sample-world.ts';
import { ActivityList } from './activity-list.ts';
import { filterFor } from './filter-choice.ts';

const { treasury } = sampleAddresses;
/** So many rows that not all pages can be held. */
const long = (world: World) => insertAt(world, 10, 9_000);

describe('ActivityList', () => {
  it('knows nothing and asks nothing before it has a filter and is shown, and then once for each filter', async () => {
    const bridge = new FakeBridge(fullWorld(testNowMs));
    installBridge(bridge);
    const list = new ActivityList();
    const calls = () => bridge.argsOf('activity.rows').length;
    expect(list).toMatchObject({ loaded: false, isBefore: false, count: 0, error: null });
    await list.reload();
    await list.look(0, 5);
    expect(calls()).toBe(0);
    // It may be read before it is shown, once.
    await list.setFilter(everything);
    await list.setFilter(structuredClone(everything));
    await list.reload();
    expect([calls(), list.loaded, list.isBefore]).toEqual([1, true, false]);
    const failing = new ActivityList();
    bridge.answer('activity.rows', () => err({ code: 'storage', message: 'busy' }));
    await failing.setFilter(everything);
    expect(failing).toMatchObject({ loaded: false, isBefore: false, count: 0, error: { code: 'storage' } });
    // Of rows that were never there none are those of a filter before.
    await failing.setFilter(withHidden);
    expect(failing).toMatchObject({ loaded: false, isBefore: false });
  });

  it('knows how many places there are from the first answer, and holds rows around the view only', async () => {
    const { list, world, calls } = await open();
    expect(list.count).toBe(850);
    expect(list.loaded).toBe(true);
    expect(shown(list, 0, 30)).toEqual(stored(world, 0, 30));
    expect(list.at(600)).toBeNull();
    await list.look(0, 30);
    // The first answer has what is on the screen; what is around it follows.
    expect(calls()).toBe(2);
    await list.look(10, 40);
    expect(calls()).toBe(2);
    expect(shown(list, 0, 90)).toEqual(stored(world, 0, 90));
  });

  it('jumps anywhere, to the last row and back', async () => {
    const { list, world } = await open({}, withHidden, long);
    await list.look(9_810, 9_849);
    expect(shown(list, 9_810, 9_850)).toEqual(stored(world, 9_810, 9_850));
    expect(list.at(9_850)).toBeNull();
    await list.look(4_321, 4_350);
    expect(shown(list, 4_280, 4_400)).toEqual(stored(world, 4_280, 4_400));
    await list.look(0, 30);
    expect(shown(list, 0, 31)).toEqual(stored(world, 0, 31));
  });

  it('holds at most 2,000 rows, and reads the others again', async () => {
    const { list, world, calls } = await open({}, withHidden, long);
    for (let at = 0; at < 9_800; at += 100) await list.look(at, at + 40);
    const loaded = Array.from({ length: list.count }, (_, place) => list.at(place)).filter(Boolean);
    expect(loaded.length).toBeLessThanOrEqual(2_000);
    const before = calls();
    await list.look(500, 540);
    expect(calls()).toBeGreaterThan(before);
    expect(shown(list, 500, 541)).toEqual(stored(world, 500, 541));
  });

  it('holds longest what was looked at last', async () => {
    const { list } = await open({}, withHidden, long);
    const lookAt = async (...places: number[]) => {
      for (const at of places) await list.look(at, at + 40);
    };
    const hundreds = (from: number, count: number) => Array.from({ length: count }, (_, n) => from + n * 100);
    await lookAt(0, ...hundreds(200, 15), 0, ...hundreds(4_000, 6));
    expect([list.at(0) === null, list.at(200)]).toEqual([false, null]);
  });

  it('asks only for where a fling arrives', async () => {
    const { list, world, calls } = await open({}, withHidden, long);
    const before = calls();
    await Promise.all(Array.from({ length: 60 }, (_, frame) => list.look(frame * 150, frame * 150 + 40)));
    expect(calls() - before).toBeLessThan(6);
    expect(shown(list, 8_850, 8_890)).toEqual(stored(world, 8_850, 8_890));
  });

  it('asks for nothing while the view jumps from page to page, and for where it comes to rest', async () => {
    const rests: (() => void)[] = [];
    const rest = () => new Promise<void>((resolve) => void rests.push(resolve));
    const { list, world, calls } = await open({ rest }, withHidden, long);
    const before = calls();
    for (let jump = 1; jump < 20; jump += 1) await list.look(jump * 400, jump * 400 + 40);
    // A single jump, such as to the end, does not wait.
    expect(calls() - before).toBeLessThan(4);
    expect(list.at(7_600)).toBe(null);
    for (const end of rests) end();
    await expect.poll(() => list.at(7_600)).not.toBe(null);
    expect(shown(list, 7_600, 7_640)).toEqual(stored(world, 7_600, 7_640));
    expect(calls() - before).toBeLessThan(8);
  });

  it('keeps the row at the top where it is when rows come in above it', async () => {
    const shifts: (number | null)[] = [];
    const { list, world } = await open({
      replaceRows: (replace, shift) => {
        shifts.push(shift);
        replace();
      },
    });
    await list.look(300, 330);
    const top = list.at(300)?.id;
    insertAt(world, 20, 7);
    insertAt(world, 310, 130);
    await list.reload();
    expect(shifts.at(-1)).toBe(7);
    expect(list.at(307)?.id).toBe(top);
    expect(list.count).toBe(987);
    expect(shown(list, 257, 400)).toEqual(stored(world, 257, 400));
    // Places no longer fall on hundreds: pages before and behind still join without a seam.
    await list.look(60, 90);
    await list.look(0, 30);
    await list.look(180, 220);
    expect(shown(list, 0, 400)).toEqual(stored(world, 0, 400));
  });

  it('keeps its rows off the screen, notes what changes, and begins at the newest row when it is shown again', async () => {
    const { list, world, calls, hide } = await open({
      settle: () => new Promise(() => undefined),
    });
    await list.look(300, 330);
    hide();
    const before = calls();
    insertAt(world, 0, 3);
    void list.reload();
    expect(calls()).toBe(before);
    list.show();
    expect(list.loaded).toBe(true);
    await vi.waitFor(() => expect(shown(list, 0, 30)).toEqual(stored(world, 0, 30)));
    expect(calls()).toBe(before + 1);
  });

  it('does not say that it is empty when rows may have come while it was off the screen', async () => {
    const { list, world, hide } = await open({}, withHidden, ({ rows }) => void rows.splice(1));
    const [row] = world.rows.splice(0);
    await list.reload();
    expect(list.count).toBe(0);
    hide();
    if (row !== undefined) world.rows.push(row);
    await list.reload();
    list.show();
    expect(list.loaded).toBe(false);
    await vi.waitFor(() => expect(list.count).toBe(1));
    expect(list.loaded).toBe(true);
  });

  it('reads nothing when it is shown again and nothing has changed', async () => {
    const { list, calls, hide } = await open();
    hide();
    const before = calls();
    list.show();
    await list.look(0, 30);
    expect(calls()).toBe(before);
    expect(list.at(0)).not.toBeNull();
  });

  it('reads the rows of a filter off the screen, and tries again when it is shown after a failure', async () => {
    const { list, bridge, world, hide } = await open();
    hide();
    bridge.answer('activity.rows', () => err({ code: 'storage', message: 'busy' }));
    await list.setFilter(filterFor({ address: null, chainId: '53935' }));
    expect(list.error?.code).toBe('storage');
    bridge.answer('activity.rows', ({ offset, limit }) =>
      ok({
        rows: world.rows.slice(offset, offset + limit),
        offset,
        totalCount: world.rows.length,
        hiddenCount: 0,
        partialCount: 0,
        unrankedCount: 0,
      }),
    );
    list.show();
    expect(list.error).toBeNull();
    await vi.waitFor(() => expect(list.loaded).toBe(true));
  });

  it('shows new rows when it stands at the very top', async () => {
    const { list, world } = await open();
    await list.look(0, 30, true);
    insertAt(world, 0, 3);
    await list.reload();
    expect(shown(list, 0, 40)).toEqual(stored(world, 0, 40));
  });

  it('goes on from the place where the row at the top is gone', async () => {
    const { list, world } = await open();
    await list.look(300, 330);
    world.rows.splice(300, 1);
    await list.reload();
    expect(list.count).toBe(849);
    expect(shown(list, 300, 330)).toEqual(stored(world, 300, 330));
  });

  it('finds the end when the list has become much shorter than the place looked at', async () => {
    const { list, world } = await open();
    await list.look(700, 730);
    world.rows.length = 120;
    await list.reload();
    expect(list.count).toBe(120);
    expect(shown(list, 90, 120)).toEqual(stored(world, 90, 120));
  });

  it('reads twice, not a hundred times, for a hundred changes at once', async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((done) => (release = done));
    const { list, calls } = await open({ settle: () => gate });
    const before = calls();
    const changes = Array.from({ length: 100 }, () => list.reload());
    release();
    await Promise.all(changes);
    expect(calls() - before).toBeLessThanOrEqual(2);
  });

  it('shows a row as complete when its transaction was completed', async () => {
    const { list, world } = await open();
    const index = world.rows.findIndex((row) => row.completeness === 'partial');
    const row = world.rows[index];
    if (row === undefined) throw new Error('all complete');
    world.rows[index] = { ...row, completeness: 'complete', transaction: row.transaction };
    await list.reload();
    expect(list.at(index)?.completeness).toBe('complete');
    expect(list.placeOf(row.id)).toBe(index);
  });

  it('ignores changes of histories that do not pass the filter', async () => {
    const { list, calls, bridge, world } = await open({}, filterFor({ address: treasury, chainId: '43114' }));
    const before = calls();
    const stop = list.follow();
    const sync = world.snapshot.watchlist[0]?.chains[0]?.sync;
    if (sync === undefined) throw new Error('the sample has no history');
    const changed = (chainId: string) => {
      bridge.emit('activity.changed', { address: treasury, chainId, list: 'transactions', sync });
      return new Promise((resolve) => setImmediate(resolve));
    };
    await changed('53935');
    expect(calls()).toBe(before);
    await changed('43114');
    expect(calls()).toBe(before + 1);
    stop();
    await changed('43114');
    expect(calls()).toBe(before + 1);
  });

  it('counts hidden and partial rows, and keeps its place when hidden rows are shown', async () => {
    const { list, world } = await open({}, everything);
    const hidden = world.rows.filter((row) => row.marks.spam.hiddenReason !== null).length;
    expect(list.hiddenCount).toBe(hidden);
    expect(list.count).toBe(850 - hidden);
    expect(list.partialCount).toBeGreaterThan(0);
    await list.look(300, 330);
    const top = list.at(300)?.id ?? -1;
    await list.setFilter(withHidden);
    expect(list.hiddenCount).toBe(0);
    expect(list.placeOf(top)).toBe(world.rows.findIndex((row) => row.id === top));
  });

  it('drops an answer to the filter before this one', async () => {
    const { list, bridge, world } = await open();
    let resolve: (value: undefined) => void = () => undefined;
    const promise = new Promise<undefined>((done) => (resolve = done));
    bridge.answer('activity.rows', async ({ filter }) => {
      const pill = filter.pills[0];
      const chainId = pill !== undefined && 'values' in pill ? pill.values[0] : undefined;
      if (chainId === '43114') await promise;
      const rows = world.rows.filter((row) => row.chainId === chainId).slice(0, 10);
      return ok({
        rows,
        offset: 0,
        totalCount: rows.length,
        hiddenCount: 0,
        partialCount: 0,
        unrankedCount: 0,
      });
    });
    const slow = list.setFilter(filterFor({ address: null, chainId: '43114' }));
    await list.setFilter(filterFor({ address: null, chainId: '53935' }));
    resolve(undefined);
    await slow;
    expect(new Set(Array.from({ length: 10 }, (_, place) => list.at(place)?.chainId))).toEqual(
      new Set(['53935']),
    );
  });

  it('shows the rows of the filter before until the others are there, from the first on, and none when that fails', async () => {
    const shifts: (number | null)[] = [];
    const { list, bridge, world } = await open({
      replaceRows: (replace, shift) => {
        shifts.push(shift);
        replace();
      },
    });
    await list.look(300, 330);
    const before = list.at(300)?.id;
    const change = list.setFilter(filterFor({ address: null, chainId: '53935' }));
    expect(list.isBefore).toBe(true);
    expect(list.at(300)?.id).toBe(before);
    await change;
    expect(shifts.at(-1)).toBeNull();
    expect(list.isBefore).toBe(false);
    const first = world.rows.find((row) => row.chainId === '53935' && row.marks.spam.hiddenReason === null);
    expect(list.at(0)?.id).toBe(first?.id);
    bridge.answer('activity.rows', () => err({ code: 'storage', message: 'busy' }));
    await list.setFilter(everything);
    expect(list.error?.code).toBe('storage');
    expect(list.loaded).toBe(false);
    expect(list.at(0)).toBeNull();
  });

  it('keeps its rows when reading fails, and goes on when asked', async () => {
    const { list, bridge, world } = await open();
    const answer = bridge.argsOf('activity.rows').length;
    bridge.answer('activity.rows', () => err({ code: 'storage', message: 'busy' }));
    await list.look(600, 640);
    await list.look(610, 650);
    expect(bridge.argsOf('activity.rows')).toHaveLength(answer + 1);
    expect(list.error?.code).toBe('storage');
    expect(shown(list, 0, 30)).toEqual(stored(world, 0, 30));
    bridge.answer('activity.rows', ({ offset, limit }) =>
      ok({
        rows: world.rows.slice(offset, offset + limit),
        offset,
        totalCount: 850,
        hiddenCount: 0,
        partialCount: 0,
        unrankedCount: 0,
      }),
    );
    await list.retry();
    expect(list.error).toBeNull();
    expect(shown(list, 610, 650)).toEqual(stored(world, 610, 650));
  });

  it('reads only the newest when that is all that is wanted', async () => {
    const { list, bridge, world } = await open({ onlyNewest: 8 });
    await list.look(0, 8);
    expect(list.count).toBe(8);
    insertAt(world, 0, 1);
    await list.reload();
    expect(shown(list, 0, 8)).toEqual(stored(world, 0, 8));
    expect(bridge.argsOf('activity.rows').every(({ limit }) => limit === 8)).toBe(true);
  });
});
