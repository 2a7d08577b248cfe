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
    ok({ runs: stored.slice(offset, offset + limit), totalCount: stored.length }),
  );
  installBridge(bridge);
});
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
    await past.find({ ...everyRun, text: 'x' });
    expect([past.error?.code, past.totalCount, past.at(0)?.id]).toEqual(['storage', 5_000, 'r5000']);
  });
});
