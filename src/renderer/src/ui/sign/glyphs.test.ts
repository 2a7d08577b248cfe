import { describe, expect, it } from 'vitest';
import { runTones } from '../../features/explore/query/run-words.ts';
import { checkTones, failureTone, nodeTones } from '../../features/nodes/words/node-words.ts';
import { probeLabels } from '../../features/nodes/words/probe-words.ts';
import { syncMark } from '../../features/watchlist/sync-words.ts';
import { noAnswer } from '../../../../shared/health/no-answer.ts';
import { neverSynced } from '../../testing/sample-world.ts';
import { glyphs } from './glyphs.ts';

describe('the sign of a state', () => {
  it('is the same wherever that state is shown', () => {
    const sync = (state: 'running' | 'failed' | 'complete') => syncMark({ ...neverSynced, state }).tone;
    expect(new Set([sync('running'), runTones.running])).toEqual(new Set(['running']));
    expect(new Set([sync('failed'), runTones.failed, checkTones.fail, failureTone('C')])).toEqual(
      new Set(['fail']),
    );
    expect(new Set([nodeTones.unreachable, probeLabels['no-answer'].tone, failureTone(noAnswer)])).toEqual(
      new Set(['gone']),
    );
  });

  it('is no other state’s', () => {
    const shapes = Object.values(glyphs).map((shape) => JSON.stringify({ ...shape, colour: '' }));
    expect(new Set(shapes).size).toBe(shapes.length);
  });
});
