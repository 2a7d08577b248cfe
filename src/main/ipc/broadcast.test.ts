import { describe, expect, it } from 'vitest';
import type { ConnectionStatus } from '../../shared/ipc/contract.ts';
import type { NodeStatus } from '../../shared/health/types.ts';
import { Broadcaster } from './broadcast.ts';

const online: ConnectionStatus = { state: 'online', lastAnswerAtMs: 1, error: null };
const node = (id: string, state: NodeStatus['state']): NodeStatus => ({
  node: {
    id,
    name: id,
    url: 'http://127.0.0.1',
    intervalMs: null,
    tags: [],
    headerNames: [],
    paused: false,
    addedAtMs: 0,
  },
  state,
  reason: '',
  report: null,
  reportAtMs: null,
  lastPollAtMs: null,
  nextPollAtMs: null,
  polling: false,
  error: null,
  nodeId: null,
  previousNodeId: null,
  readiness: null,
  liveness: null,
  disagreement: null,
  tagView: null,
  tagChecks: [],
  periodMs: null,
  keepsConnection: null,
  slowChecks: [],
});

function setUp() {
  let visible = true;
  const sent: unknown[][] = [];
  const broadcaster = new Broadcaster();
  broadcaster.attach({ isVisible: () => visible, send: (channel, payload) => sent.push([channel, payload]) });
  return { broadcaster, sent, show: (value: boolean) => (visible = value) };
}

describe('Broadcaster', () => {
  it('sends at once while the window is visible', () => {
    const { broadcaster, sent } = setUp();
    broadcaster.send('connection.changed', online);
    expect(sent).toEqual([['connection.changed', online]]);
  });

  it('keeps the last event a subject while it is hidden and delivers them once when it is shown', () => {
    const { broadcaster, sent, show } = setUp();
    show(false);
    broadcaster.send('node.changed', node('a', 'healthy'));
    broadcaster.send('node.changed', node('b', 'healthy'));
    broadcaster.send('node.changed', node('a', 'unhealthy'));
    expect(sent).toEqual([]);
    show(true);
    broadcaster.catchUp();
    broadcaster.catchUp();
    expect(sent).toEqual([
      ['node.changed', node('b', 'healthy')],
      ['node.changed', node('a', 'unhealthy')],
    ]);
  });

  it('forgets what was meant for a page that is gone', () => {
    const { broadcaster, sent, show } = setUp();
    show(false);
    broadcaster.send('connection.changed', online);
    broadcaster.detach();
    broadcaster.send('connection.changed', online);
    show(true);
    broadcaster.catchUp();
    expect(sent).toEqual([]);
  });
});
