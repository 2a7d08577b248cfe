import { beforeEach, describe, expect, it } from 'vitest';
import { err, ok } from '../../../shared/errors.ts';
import type { RunSummary } from '../../../shared/explore/types.ts';
import { FakeBridge, installBridge } from '../testing/fake-bridge.ts';
import { SampleRuns } from '../testing/sample-runs.ts';
import { emptyWorld } from '../testing/sample-world.ts';
import { everyRun, PastQueries } from './past-queries.svelte.ts';

const sample = new SampleRuns(0, () => undefined).start(
  { kind: 'node', nodeId: 'n', callId: 'get-ext-health', tags: [] },
  'one',
);
const run = (id: number): RunSummary => ({ ...sample, id: `r${id}` });

let bridge: FakeBridge;
/** What is stored, the newest first. */
let stored: RunSummary[];
beforeEach(() => {
  bridge = new FakeBridge(emptyWorld(0));
  stored = Array.from({ length: 5_000 }, (_, index) => run(5_000 - index));
  bridge.answer('runs.list', ({ offset, limit }) =>
    ok({ runs: stored.slice(offset, offset + limit), totalCount: stored.length, unreadableCount: 0 }),
  );
  installBridge(bridge);
});
/** From now on the list is answered only when that is called, each question by what is stored then. */
function holdAnswers(): () => void {
  const held: (() => void)[] = [];
  bridge.answer('runs.list', async ({ offset, limit }) => {
    await new Promise<void>((done) => held.push(done));
    return ok({ runs: stored.slice(offset, offset + limit), totalCount: stored.length, unreadableCount: 0 });
  });
  return () => held.splice(0).forEach((answer) => answer());
}
const offsets = () => bridge.argsOf('runs.list').map(({ offset }) => offset);

describe('the list of past queries', () => {
  it('has each of five thousand at its place, and reads only what is looked at', async () => {
    const past = new PastQueries();
    await past.find(everyRun);
    expect([past.totalCount, past.at(0)?.id, past.at(4_999)]).toEqual([5_000, 'r5000', null]);
    await past.look(4_960, 4_999);
    expect(past.at(4_999)?.id).toBe('r1');
    expect(offsets()).toEqual([0, 4_950]);
    await past.look(4_940, 4_960);
    await past.look(4_940, 4_960);
    expect(offsets()).toEqual([0, 4_950, 4_900]);
  });

  it('is shorter by those that turn out to be unreadable when they come into view', async () => {
    const past = new PastQueries();
    await past.find(everyRun);
    bridge.answer('runs.list', ({ offset }) =>
      ok({ runs: stored.slice(offset, offset + 49), totalCount: 4_999, unreadableCount: 1 }),
    );
    await past.look(4_990, 4_999);
    expect([past.totalCount, past.unreadableCount]).toEqual([4_999, 1]);
  });

  it('stays where it is, as long as it is, when one is asked again', async () => {
    const past = new PastQueries();
    const added: number[] = [];
    past.onAdded = (count) => added.push(count);
    await past.find(everyRun);
    await past.look(3_000, 3_020);
    stored = [run(5_001), ...stored];
    past.changed(run(5_001));
    await expect.poll(() => past.totalCount).toBe(5_001);
    expect(added).toEqual([1]);
    // What was at 3,000 is one place further down.
    expect(past.at(3_001)?.id).toBe('r2000');
    past.changed({ ...run(2_000), state: 'failed' });
    expect(past.at(3_001)?.state).toBe('failed');
    expect(offsets()).toEqual([0, 3_000, 3_000]);
  });

  it('shows what it had when it cannot be read again, and says why', async () => {
    const past = new PastQueries();
    await past.find(everyRun);
    bridge.answer('runs.list', () => err({ code: 'storage', message: 'disk full' }));
    await past.refresh();
    expect([past.error?.code, past.totalCount, past.at(0)?.id]).toEqual(['storage', 5_000, 'r5000']);
  });

  it('shows nothing of the filter before where that of a new one cannot be read', async () => {
    const past = new PastQueries();
    await past.find(everyRun);
    bridge.answer('runs.list', () => err({ code: 'storage', message: 'disk full' }));
    await past.find({ ...everyRun, text: 'x' });
    expect([past.error?.code, past.loaded, past.totalCount, past.at(0)]).toEqual(['storage', false, 0, null]);
    stored = stored.slice(0, 60);
    const answer = holdAnswers();
    const found = past.refresh();
    answer();
    await found;
    expect([past.error, past.loaded, past.totalCount, past.at(0)?.id]).toEqual([null, true, 60, 'r5000']);
  });

  it('begins with every query, asks for no more than what a filter says, and trims what is searched', async () => {
    const past = new PastQueries();
    expect(past).toMatchObject({
      loaded: false,
      totalCount: 0,
      days: { from: '', to: '' },
      filter: everyRun,
    });
    expect(everyRun).toMatchObject({ text: '', states: [] });
    past.changed(run(1));
    expect(offsets()).toEqual([]);
    await past.find({ ...everyRun, text: '  health ', states: ['failed'], beforeMs: 7 });
    expect(bridge.argsOf('runs.list')).toEqual([
      { filter: { ...everyRun, text: 'health', states: ['failed'], beforeMs: 7 }, offset: 0, limit: 50 },
    ]);
    expect(past.loaded).toBe(true);
  });

  it('shows another filter from its newest query on, which are not said to be added', async () => {
    const past = new PastQueries();
    const added: number[] = [];
    let found = 0;
    past.onAdded = (count) => added.push(count);
    past.onFound = () => (found += 1);
    await past.find({ ...everyRun, text: 'few' });
    await past.look(200, 220);
    stored = [run(5_002), run(5_001), ...stored];
    const finding = past.find(everyRun);
    expect(found).toBe(1);
    // A query that has changed meanwhile lets the list be read again.
    past.changed(run(9_000));
    await finding;
    await expect.poll(() => [found, offsets().at(-1), past.at(0)?.id]).toEqual([2, 0, 'r5002']);
    await past.refresh();
    expect([found, added]).toEqual([2, []]);
    // Nor are those of a list that could not be read before.
    const late = new PastQueries();
    late.onAdded = past.onAdded;
    await late.refresh();
    expect([late.totalCount, added]).toEqual([5_002, []]);
  });

  it('reads a page once, however often it is looked at before it is there', async () => {
    const past = new PastQueries();
    await past.find(everyRun);
    const answer = holdAnswers();
    const looks = [past.look(100, 120), past.look(101, 121), past.look(102, 122)];
    answer();
    await Promise.all(looks);
    expect(offsets()).toEqual([0, 100]);
    expect(past.at(100)?.id).toBe('r4900');
  });

  it('shows where the view is after a scroll while the list was read again', async () => {
    const past = new PastQueries();
    await past.find(everyRun);
    let answerFirst: () => void = () => undefined;
    bridge.answer('runs.list', async ({ offset, limit }) => {
      if (offset === 0) await new Promise<void>((done) => (answerFirst = done));
      return ok({
        runs: stored.slice(offset, offset + limit),
        totalCount: stored.length,
        unreadableCount: 0,
      });
    });
    const refreshed = past.refresh();
    await past.look(1_000, 1_020);
    stored = [run(5_001), ...stored];
    answerFirst();
    await refreshed;
    expect(past.at(1_000)?.id).toBe('r4001');
  });

  it('drops what was asked for another filter, whether it came or failed', async () => {
    const past = new PastQueries();
    await past.find(everyRun);
    const answer = holdAnswers();
    const looked = past.look(100, 120);
    const found = past.find({ ...everyRun, text: 'x' });
    bridge.answer('runs.list', () => err({ code: 'storage', message: 'disk full' }));
    stored = Array.from({ length: 300 }, (_, index) => run(300 - index));
    const other = past.find({ ...everyRun, text: 'y' });
    answer();
    await Promise.all([looked, found, other]);
    expect([past.error?.code, past.totalCount, past.at(100)]).toEqual(['storage', 0, null]);

    let fail: () => void = () => undefined;
    bridge.answer('runs.list', async ({ filter, offset, limit }) => {
      if (filter.text === 'y') await new Promise<void>((done) => (fail = done));
      return filter.text === 'y'
        ? err({ code: 'storage', message: 'disk full' })
        : ok({ runs: stored.slice(offset, offset + limit), totalCount: 300, unreadableCount: 0 });
    });
    const failing = past.refresh();
    await past.find(everyRun);
    fail();
    await failing;
    expect([past.error, past.totalCount, past.at(100)?.id]).toEqual([null, 300, 'r200']);
  });

  it('tells queries apart wherever they stand, also one that two pages have', async () => {
    const past = new PastQueries();
    await past.find(everyRun);
    const key = past.keyOf(10);
    expect([past.keyOf(11) === key, past.keyOf(60)]).toEqual([false, '60']);
    // Of a query that is added elsewhere the second page knows first.
    stored = [run(5_001), ...stored];
    await past.look(0, 60);
    expect(past.at(50)?.id).toBe(past.at(49)?.id);
    expect(past.keyOf(50)).not.toBe(past.keyOf(49));
    await past.refresh();
    expect([past.keyOf(11), past.keyOf(51)]).toEqual([key, past.at(51)?.id]);
  });

  it('holds two thousand queries around the view, and reads the others again', async () => {
    const past = new PastQueries();
    await past.find(everyRun);
    for (let place = 0; place < 5_000; place += 50) await past.look(place, place + 20);
    const held = Array.from({ length: 5_000 }, (_, place) => past.at(place)).filter(Boolean);
    expect(held).toHaveLength(2_000);
    await past.look(0, 20);
    expect(past.at(0)?.id).toBe('r5000');
  });

  it('reads a page again whose answer is still to come from before the list was read again', async () => {
    const past = new PastQueries();
    await past.find(everyRun);
    bridge.answer('runs.list', () => new Promise(() => undefined));
    void past.look(100, 120);
    await past.look(0, 20);
    const answer = holdAnswers();
    const refreshed = past.refresh();
    answer();
    await refreshed;
    const looked = past.look(100, 120);
    answer();
    await looked;
    expect(past.at(100)?.id).toBe('r4900');
  });

  it('tries a page again that could not be read', async () => {
    const past = new PastQueries();
    await past.find(everyRun);
    bridge.answer('runs.list', () => err({ code: 'storage', message: 'disk full' }));
    await past.look(100, 220);
    expect([past.error?.code, offsets()]).toEqual(['storage', [0, 100]]);
    const answer = holdAnswers();
    const looked = past.look(100, 120);
    answer();
    await looked;
    expect(past.at(100)?.id).toBe('r4900');
  });

  it('reads the list again without a removed query, and not when the removal failed', async () => {
    const past = new PastQueries();
    await past.find(everyRun);
    bridge.answer('runs.remove', ({ runId }) => {
      stored = stored.filter(({ id }) => id !== runId);
      return ok({ undoId: `run ${runId}` });
    });
    expect(await past.remove('r5000')).toEqual(ok({ undoId: 'run r5000' }));
    expect([past.totalCount, past.at(0)?.id]).toEqual([4_999, 'r4999']);
    const before = offsets().length;
    bridge.answer('runs.remove', () => err({ code: 'storage', message: 'disk full' }));
    expect((await past.remove('r4999')).ok).toBe(false);
    expect(offsets()).toHaveLength(before);
  });

  it('of one state has a query once it is in it, and no longer than that', async () => {
    const past = new PastQueries();
    const news = (state: RunSummary['state']) => {
      stored = [{ ...run(1), state }];
      past.changed({ ...run(1), state });
    };
    bridge.answer('runs.list', ({ filter }) => {
      const runs = stored.filter(({ state }) => filter.states.includes(state));
      return ok({ runs, totalCount: runs.length, unreadableCount: 0 });
    });
    stored = [];
    await past.find({ ...everyRun, states: ['complete'] });
    for (const state of ['running', 'complete', 'running', 'complete'] as const) {
      news(state);
      await expect.poll(() => past.totalCount).toBe(state === 'complete' ? 1 : 0);
    }
  });

  it('asks once whether a new query passes the filter, again with another filter, and after a failure', async () => {
    const past = new PastQueries();
    await past.find(everyRun);
    await past.look(0, 120);
    const other = run(9_000);
    const asked = async () => {
      const before = offsets().length;
      past.changed(other);
      await new Promise((done) => setTimeout(done));
      return offsets().length > before;
    };
    expect([await asked(), await asked()]).toEqual([true, false]);
    const before = offsets().length;
    past.changed(run(4_990));
    expect(offsets()).toHaveLength(before);
    await past.find({ ...everyRun, text: 'x' });
    bridge.answer('runs.list', () => err({ code: 'storage', message: 'disk full' }));
    expect([await asked(), await asked()]).toEqual([true, true]);
    // Of one that is listed the event says all.
    past.changed({ ...run(4_995), state: 'failed' });
    expect(past.at(5)?.state).toBe('failed');
  });
});
