import { describe, expect, it } from 'vitest';
import type { Incident, NodeStatus, RecordingInfo } from '../../../../../shared/health/types.ts';
import { sampleNodes } from '../../../testing/sample-health.ts';
import { sampleIncidents } from '../../../testing/sample-past.ts';
import { incidentLasted } from './node-words.ts';

const nowMs = Date.UTC(2026, 8, 16, 14, 5, 7);
const dayMs = 86_400_000;

describe('how long an incident lasts', () => {
  const [open, over] = sampleIncidents(nowMs);
  const lasted = (
    incident: Incident | undefined,
    change: Partial<NodeStatus>,
    recordings: RecordingInfo[],
  ) => {
    const nodes = sampleNodes(nowMs).map((status) => ({ ...status, ...change }));
    return incident && incidentLasted(incident, { nodes, recordings }, nowMs);
  };
  it('is known only until the node was last heard', () => {
    expect(lasted(open, {}, [])).toBe('for 55 min now');
    expect(lasted(open, { state: 'unreachable', reportAtMs: nowMs - 40 * 60_000 }, [])).toBe(
      'at least 15 min',
    );
    expect(lasted(over, { state: 'unreachable' }, [])).toBe('24 min');
  });
  it('is only bounded where the end was not seen, as of its parts', () => {
    expect(lasted(over && { ...over, endKnownFrom: 'inferred' }, {}, [])).toBe('at most 24 min');
    expect(lasted(over && { ...over, endKnownFrom: 'unreported' }, {}, [])).toBe('at most 24 min');
  });
  it('ends with the recording that it is in', () => {
    const [fromMs, toMs] = [nowMs - 3 * dayMs, nowMs - 50 * 60_000];
    const recording = { id: 'r1', nodeName: 'a', fromMs, toMs, reportCount: 2, path: '/r' };
    expect(lasted(open && { ...open, nodeId: 'r1' }, {}, [recording])).toBe('at least 5 min');
  });
});
