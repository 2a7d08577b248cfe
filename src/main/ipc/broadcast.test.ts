import { describe, expect, it } from 'vitest';
import type { ConnectionStatus } from '../../shared/ipc/answers.ts';
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
    certificate: null,
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
  nodeIds: [],
  previousNodeId: null,
  readiness: null,
  liveness: null,
  disagreement: null,
  tagView: null,
  tagChecks: [],
  periodMs: null,
  keepsConnection: null,
  heldBackCount: 0,
  slowChecks: [],
  heights: [],
});

function setUp() {
  let visible = true;
  const sent: unknown[][] = [];
  const broadcaster = new Broadcaster();
  const attach = () =>
    broadcaster.attach({
      isVisible: () => visible,
      send: (channel, payloads) => sent.push([channel, JSON.parse(payloads)]),
    });
  attach();
  return { broadcaster, sent, attach, show: (value: boolean) => (visible = value) };
}

describe('Broadcaster', () => {
  it('sends together what comes in one go, each subject once, and in order between channels', async () => {
    const { broadcaster, sent } = setUp();
    broadcaster.send('connection.changed', online);
    broadcaster.send('node.changed', node('a', 'unknown'));
    broadcaster.send('node.changed', node('b', 'healthy'));
    broadcaster.send('node.changed', node('a', 'healthy'));
    broadcaster.send('nodes.changed', []);
    broadcaster.send('node.changed', node('c', 'healthy'));
    expect(sent).toEqual([]);
    await Promise.resolve();
    expect(sent).toEqual([
      ['connection.changed', [online]],
      ['node.changed', [node('b', 'healthy'), node('a', 'healthy')]],
      ['nodes.changed', [[]]],
      ['node.changed', [node('c', 'healthy')]],
    ]);
  });

  it('sends before the call from which the event comes is answered', async () => {
    const { broadcaster, sent } = setUp();
    const handler = async () => {
      await Promise.resolve();
      broadcaster.send('connection.changed', online);
    };
    await handler();
    expect(sent).toHaveLength(1);
  });

  it('keeps the last event a subject while it is hidden and delivers them once when it is shown', async () => {
    const { broadcaster, sent, show } = setUp();
    show(false);
    broadcaster.send('node.changed', node('a', 'healthy'));
    broadcaster.send('node.changed', node('b', 'healthy'));
    broadcaster.send('node.changed', node('a', 'unhealthy'));
    await Promise.resolve();
    expect(sent).toEqual([]);
    show(true);
    broadcaster.catchUp();
    broadcaster.catchUp();
    expect(sent).toEqual([['node.changed', [node('b', 'healthy'), node('a', 'unhealthy')]]]);
  });

  it('has nothing for a new page of what was meant for the one before, or came between them', () => {
    const { broadcaster, sent, attach, show } = setUp();
    show(false);
    broadcaster.send('connection.changed', online);
    broadcaster.detach();
    broadcaster.send('connection.changed', online);
    attach();
    show(true);
    broadcaster.catchUp();
    expect(sent).toEqual([]);
  });
});
