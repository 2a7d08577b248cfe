import { describe, expect, it } from 'vitest';
import { err, ok } from '../../../shared/errors.ts';
import { insertAt, open, shown, stored } from '../testing/activity-lists.ts';
import type { FakeBridge } from '../testing/fake-bridge.ts';
import { sampleAddresses } from '../testing/sample-world.ts';
import { filterFor } from './filter-choice.ts';

const { treasury } = sampleAddresses;

describe('what an ActivityList reads, and when', () => {
  describe('asks for', () => {
    /** What was asked since the last call of it. */
    function asking(bridge: FakeBridge) {
      let known = 0;
      return () => {
        const all = bridge
          .argsOf('activity.rows')
          .map(({ offset, limit, anchor }) => ({ offset, limit, anchor }));
        return all.slice(known, (known = all.length));
      };
    }

    it('what is on the screen first, then the page around it, and each page once', async () => {
      const { list, bridge } = await open();
      const asked = asking(bridge);
      expect(asked()).toEqual([
        { offset: 0, limit: 50, anchor: null },
        { offset: 50, limit: 50, anchor: null },
      ]);
      await list.look(0, 30);
      expect(asked()).toEqual([]);
      await list.look(420, 455);
      expect(asked().map(({ offset }) => offset)).toEqual([400, 450, 350, 500]);
      await list.look(820, 849);
      expect(asked().map(({ offset }) => offset)).toEqual([800, 750]);
    });

    it('the rows around the view when they have changed, by the row at its top', async () => {
      const { list, bridge } = await open();
      const asked = asking(bridge);
      await list.look(300, 330);
      const rowId = list.at(300)?.id;
      asked();
      await list.reload();
      expect(asked()).toEqual([{ offset: 250, limit: 200, anchor: { rowId, before: 50 } }]);
      await list.look(20, 50);
      const topId = list.at(20)?.id;
      asked();
      await list.reload();
      expect(asked()[0]).toEqual({ offset: 0, limit: 150, anchor: { rowId: topId, before: 20 } });
      await list.look(0, 30);
      asked();
      await list.reload();
      expect(asked()[0]).toEqual({ offset: 0, limit: 150, anchor: null });
    });

    it('as many rows of another filter as are on the screen, from the newest on', async () => {
      const { list, bridge } = await open();
      const asked = asking(bridge);
      await list.look(300, 360);
      asked();
      await list.setFilter(filterFor({ address: treasury, chainId: null }));
      expect(asked()[0]).toEqual({ offset: 0, limit: 100, anchor: null });
      // As many, too, when they are asked for again after a failure.
      await list.look(300, 360);
      bridge.answer('activity.rows', () => err({ code: 'storage', message: 'busy' }));
      await list.setFilter(filterFor({ address: null, chainId: '43114' }));
      asked();
      await list.retry();
      expect(asked()).toEqual([{ offset: 0, limit: 100, anchor: null }]);
    });

    it('the newest alone, wherever it is looked at', async () => {
      const { list, bridge } = await open({ onlyNewest: 8 });
      const asked = asking(bridge);
      await list.look(3, 7, false);
      await list.reload();
      expect(asked()).toEqual([
        { offset: 0, limit: 8, anchor: null },
        { offset: 0, limit: 8, anchor: null },
      ]);
    });

    it('nothing more when the view has moved with its rows, however far', async () => {
      const { list, world, bridge } = await open();
      await list.look(300, 330);
      const asked = asking(bridge);
      asked();
      insertAt(world, 20, 400);
      await list.reload();
      expect(asked()).toHaveLength(1);
      expect(shown(list, 700, 731)).toEqual(stored(world, 700, 731));
      // The next change keeps the row that is at the top now.
      await list.reload();
      expect(asked()[0]).toMatchObject({ offset: 650, anchor: { rowId: stored(world, 700, 701)[0] } });
    });

    it('nothing more of a list that has become empty', async () => {
      const { list, world, bridge } = await open();
      await list.look(700, 730);
      const asked = asking(bridge);
      asked();
      world.rows.length = 0;
      await list.reload();
      expect(asked()).toHaveLength(1);
      expect(list).toMatchObject({ loaded: true, count: 0 });
    });
  });

  it('reads again what it shows when a page tells that others came meanwhile', async () => {
    const { list, world } = await open();
    await list.look(0, 30);
    insertAt(world, 0, 3);
    await list.look(300, 330);
    expect([list.count, shown(list, 300, 330)]).toEqual([853, stored(world, 300, 330)]);
    await list.look(0, 30);
    expect(shown(list, 0, 30)).toEqual(stored(world, 0, 30));
  });

  it('reads what changed after a failure, when it is asked again', async () => {
    const { list, bridge, world } = await open();
    await list.look(0, 30);
    bridge.answer('activity.rows', () => err({ code: 'storage', message: 'busy' }));
    await list.reload();
    expect([list.error?.code, list.isBefore, list.at(0)?.id]).toEqual(['storage', false, world.rows[0]?.id]);
    insertAt(world, 0, 3);
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
    await list.retry();
    expect([list.error, list.count, list.at(0)?.id]).toEqual([null, 853, world.rows[0]?.id]);
  });

  it('waits for changes to settle before it reads them, but not for rows that are missing', async () => {
    let settles = 0;
    let release: () => void = () => undefined;
    const { list, world, calls } = await open({
      settle: () => {
        settles += 1;
        return new Promise<void>((done) => (release = done));
      },
    });
    await list.look(0, 30);
    await list.look(600, 630);
    expect([settles, shown(list, 600, 630)]).toEqual([0, stored(world, 600, 630)]);
    const before = calls();
    const reading = list.reload();
    await Promise.resolve();
    expect([settles, calls()]).toEqual([1, before]);
    // Another filter does not wait, and what was waited for is dropped.
    await list.setFilter(filterFor({ address: treasury, chainId: null }));
    const after = calls();
    release();
    await reading;
    expect([settles, calls()]).toEqual([1, after]);
  });

  it('keeps no row of a page that was asked for another filter', async () => {
    const { list, bridge, world } = await open();
    let answer: () => void = () => undefined;
    const rowsOf = (offset: number, limit: number) =>
      ok({
        rows: world.rows.slice(offset, offset + limit),
        offset,
        totalCount: 850,
        hiddenCount: 0,
        partialCount: 0,
        unrankedCount: 0,
      });
    bridge.answer('activity.rows', async ({ offset, limit }) => {
      await new Promise<void>((done) => (answer = done));
      return rowsOf(offset, limit);
    });
    const looking = list.look(600, 630);
    bridge.answer('activity.rows', ({ limit }) =>
      ok({
        rows: world.rows.slice(0, limit),
        offset: 0,
        totalCount: 700,
        hiddenCount: 1,
        partialCount: 2,
        unrankedCount: 0,
      }),
    );
    await list.setFilter(filterFor({ address: treasury, chainId: null }));
    answer();
    await looking;
    expect(list).toMatchObject({ totalCount: 700, hiddenCount: 1, partialCount: 2, unrankedCount: 0 });
    expect(list.at(600)).toBeNull();
  });
});
