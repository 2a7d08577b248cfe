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

const offsets = () => bridge.argsOf('runs.list').map(({ offset }) => offset);

/** The list on the screen, with what its rows were told to move by. */
async function open() {
  const past = new PastQueries();
  const shifts: (number | null)[] = [];
  const hide = past.show((replace, shift) => {
    shifts.push(shift);
    replace();
  });
  const end = past.follow();
  await past.find(everyRun);
  return { past, shifts, hide, end };
}

describe('the list of past queries', () => {
  it('has each of five thousand at its place, and reads only what is looked at', async () => {
    const { past } = await open();
    expect([past.totalCount, past.at(0)?.id, past.at(4_999)]).toEqual([5_000, 'r5000', null]);
    await past.look(4_960, 4_999);
    expect(past.at(4_999)?.id).toBe('r1');
    const before = offsets().length;
    await past.look(4_950, 4_990);
    expect(offsets()).toHaveLength(before);
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
    expect(offsets()).toEqual([]);
    await past.find({ ...everyRun, text: '  health ', states: ['failed'], beforeMs: 7 });
    expect(bridge.argsOf('runs.list')).toEqual([
      { filter: { ...everyRun, text: 'health', states: ['failed'], beforeMs: 7 }, offset: 0, limit: 50 },
    ]);
    expect(past.loaded).toBe(true);
  });

  it('stays at the queries that are read, also near its top, when another one comes above them', async () => {
    const { past, shifts } = await open();
    await past.look(3_000, 3_020);
    stored = [run(5_001), ...stored];
    bridge.emit('run.changed', run(5_001));
    await expect.poll(() => past.totalCount).toBe(5_001);
    expect([shifts.at(-1), past.at(3_001)?.id]).toEqual([1, 'r2000']);
    await past.look(0, 39);
    stored = [run(5_002), ...stored];
    bridge.emit('run.changed', run(5_002));
    await expect.poll(() => past.totalCount).toBe(5_002);
    expect(shifts.at(-1)).toBe(1);
  });

  it('shows a changed query as it is now, and of one state only those that are in it', async () => {
    const { past } = await open();
    stored[5] = { ...run(4_995), state: 'failed' };
    bridge.emit('run.changed', stored[5]);
    await expect.poll(() => past.at(5)?.state).toBe('failed');

    bridge.answer('runs.list', ({ filter }) => {
      const runs = stored.filter(({ state }) => filter.states.includes(state));
      return ok({ runs, totalCount: runs.length, unreadableCount: 0 });
    });
    stored = [];
    await past.find({ ...everyRun, states: ['complete'] });
    for (const state of ['running', 'complete', 'running', 'complete'] as const) {
      stored = [{ ...run(1), state }];
      bridge.emit('run.changed', { ...run(1), state });
      await expect.poll(() => past.totalCount).toBe(state === 'complete' ? 1 : 0);
    }
  });

  it('is read when it is shown again after a change, and not before', async () => {
    const { past, hide, end } = await open();
    hide();
    stored = [run(5_001), ...stored];
    const before = offsets().length;
    bridge.emit('run.changed', run(5_001));
    expect(offsets()).toHaveLength(before);
    past.show();
    await expect.poll(() => past.at(0)?.id).toBe('r5001');
    end();
  });

  it('shows another filter from its newest query on', async () => {
    const { past, shifts } = await open();
    await past.look(200, 220);
    await past.find({ ...everyRun, text: 'x' });
    expect(shifts.at(-1)).toBeNull();
  });

  it('is shorter by those that turn out to be unreadable when they come into view', async () => {
    const { past } = await open();
    bridge.answer('runs.list', ({ offset, limit }) =>
      ok({
        runs: stored.slice(offset, offset + limit).slice(0, 4_999 - offset),
        totalCount: 4_999,
        unreadableCount: 1,
      }),
    );
    await past.look(4_960, 4_998);
    expect([past.totalCount, past.answer?.unreadableCount]).toEqual([4_999, 1]);
  });

  it('shows what it had when it cannot be read again, and nothing of the filter before', async () => {
    const { past } = await open();
    bridge.answer('runs.list', () => err({ code: 'storage', message: 'disk full' }));
    await past.refresh();
    expect([past.error?.code, past.totalCount, past.at(0)?.id]).toEqual(['storage', 5_000, 'r5000']);
    await past.find({ ...everyRun, text: 'x' });
    expect([past.error?.code, past.loaded, past.totalCount, past.at(0)]).toEqual(['storage', false, 0, null]);
  });
});
