import { describe, expect, it } from 'vitest';
import type { ActivityRow } from '../../../shared/activity/types.ts';
import { err } from '../../../shared/errors.ts';
import { FakeBridge, installBridge } from '../testing/fake-bridge.ts';
import { testNowMs } from '../testing/render.ts';
import { fullWorld, sampleAddresses } from '../testing/sample-world.ts';
import { ActivityList, rowKey } from './activity-list.svelte.ts';
import { noFilter } from './navigation.svelte.ts';

const { treasury } = sampleAddresses;

async function open(options: ConstructorParameters<typeof ActivityList>[0] = {}) {
  const world = fullWorld(testNowMs);
  const bridge = new FakeBridge(world);
  installBridge(bridge);
  const list = new ActivityList(options);
  await list.setFilter(noFilter);
  return { list, world, bridge };
}

const keys = (rows: readonly ActivityRow[]) => rows.map(rowKey);

/** New rows as the sync of another chain brings them: anywhere in time. */
function insertAt(rows: ActivityRow[], index: number, count: number): void {
  const [like] = rows.slice(index);
  if (like === undefined) throw new Error('no such row');
  const added = Array.from({ length: count }, (_, n): ActivityRow => ({
    ...like,
    txHash: `0xnew${index}-${n}`,
  }));
  rows.splice(index, 0, ...added);
}

describe('ActivityList', () => {
  it('reads the first page, and more as the end comes near', async () => {
    const { list, world, bridge } = await open();
    expect(keys(list.rows)).toEqual(keys(world.rows.slice(0, 100)));
    expect(list.totalCount).toBe(850);
    await list.look(20, 40);
    expect(bridge.argsOf('activity.rows')).toHaveLength(1);
    await list.look(60, 90);
    expect(keys(list.rows)).toEqual(keys(world.rows.slice(0, 200)));
  });

  it('walks to the very end and stops asking there', async () => {
    const { list, world, bridge } = await open();
    for (let at = 0; at < 900; at += 50) await list.look(at, at + 40);
    expect(keys(list.rows)).toEqual(keys(world.rows));
    const calls = bridge.argsOf('activity.rows').length;
    await list.look(800, 849);
    expect(bridge.argsOf('activity.rows')).toHaveLength(calls);
    expect(list.hasMore).toBe(false);
  });

  it('shows rows that come in at the top, in the middle of what is in view, and at the end', async () => {
    const { list, world } = await open();
    await list.look(100, 160);
    await list.look(150, 199);
    insertAt(world.rows, 0, 3);
    insertAt(world.rows, 150, 130);
    await list.changed(treasury, '43114');
    expect(keys(list.rows.slice(0, 300))).toEqual(keys(world.rows.slice(0, 300)));
    expect(new Set(keys(list.rows)).size).toBe(list.rows.length);
    expect(list.totalCount).toBe(983);
  });

  it('reads pages out of view again only when they come into view', async () => {
    const { list, world, bridge } = await open();
    for (let at = 0; at < 500; at += 50) await list.look(at, at + 40);
    insertAt(world.rows, 220, 2);
    const before = bridge.argsOf('activity.rows').length;
    await list.changed(treasury, '43114');
    // The first page, those in view and the last one; not all six.
    expect(bridge.argsOf('activity.rows').length - before).toBeLessThan(5);
    await list.look(200, 240);
    expect(keys(list.rows.slice(0, 300))).toEqual(keys(world.rows.slice(0, 300)));
  });

  it('goes on after an end that has moved: an older part of the history was fetched', async () => {
    const { list, world, bridge } = await open();
    const all = [...world.rows];
    world.rows.length = 150;
    await list.look(60, 99);
    await list.look(100, 149);
    world.rows.splice(0, 150, ...all.slice(0, 400));
    await list.changed(treasury, '43114');
    await list.look(140, 199);
    expect(keys(list.rows.slice(0, 200))).toEqual(keys(all.slice(0, 200)));
    expect(bridge.argsOf('activity.rows').length).toBeGreaterThan(2);
  });

  it('shows a row as complete when its transaction was completed', async () => {
    const { list, world } = await open();
    const index = world.rows.findIndex((row) => row.completeness === 'partial');
    const row = world.rows[index];
    if (row === undefined) throw new Error('all complete');
    world.rows[index] = { ...row, completeness: 'complete', transaction: row.transaction };
    await list.changed(row.address, row.chainId);
    expect(list.rows[index]?.completeness).toBe('complete');
  });

  it('ignores changes of histories that do not pass the filter', async () => {
    const { list, bridge } = await open();
    await list.setFilter({ address: treasury, chainId: '43114' });
    const calls = bridge.argsOf('activity.rows').length;
    await list.changed(treasury, '53935');
    expect(bridge.argsOf('activity.rows')).toHaveLength(calls);
  });

  it('drops an answer to the filter before this one', async () => {
    const { list, bridge, world } = await open();
    let resolve: (value: undefined) => void = () => undefined;
    const promise = new Promise<undefined>((done) => (resolve = done));
    bridge.answer('activity.rows', async ({ chainId }) => {
      if (chainId === '43114') await promise;
      const rows = world.rows.filter((row) => row.chainId === chainId);
      return { ok: true, value: { rows: rows.slice(0, 10), nextCursor: null, totalCount: 10 } };
    });
    const slow = list.setFilter({ address: null, chainId: '43114' });
    await list.setFilter({ address: null, chainId: '53935' });
    resolve(undefined);
    await slow;
    expect(new Set(list.rows.map((row) => row.chainId))).toEqual(new Set(['53935']));
  });

  it('keeps its rows when reading fails, and goes on when asked', async () => {
    const { list, bridge } = await open();
    bridge.answer('activity.rows', () => err({ code: 'storage', message: 'busy' }));
    await list.look(60, 99);
    expect(list.error?.code).toBe('storage');
    expect(list.rows).toHaveLength(100);
    bridge.answer('activity.rows', () => ({
      ok: true,
      value: { rows: [], nextCursor: null, totalCount: 100 },
    }));
    await list.retry();
    expect(list.error).toBeNull();
  });

  it('reads only the newest when that is all that is wanted', async () => {
    const { list, bridge, world } = await open({ onlyNewest: 8 });
    await list.look(0, 8);
    expect(list.rows).toHaveLength(8);
    insertAt(world.rows, 0, 1);
    await list.changed(treasury, '43114');
    expect(keys(list.rows)).toEqual(keys(world.rows.slice(0, 8)));
    expect(bridge.argsOf('activity.rows').every(({ limit }) => limit === 8)).toBe(true);
  });

  it('lets the list on the screen hold its place around every replacement', async () => {
    let replacements = 0;
    const { list } = await open({
      keepPlace: (replace) => {
        replacements += 1;
        replace();
      },
    });
    await list.changed(treasury, '43114');
    expect(replacements).toBe(2);
  });
});
