import { describe, expect, it } from 'vitest';
import type { ConnectionStatus } from '../../shared/ipc/answers.ts';
import type { NodeStatus } from '../../shared/health/types.ts';
import { createFakeTime } from '../core/health/testing/fake-ports.ts';
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
  silentAtMs: null,
  nextPollAtMs: null,
  polling: false,
  error: null,
  nodeId: null,
  nodeIds: [],
  previousNodeId: null,
  readiness: null,
  liveness: null,
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
  const time = createFakeTime();
  const broadcaster = new Broadcaster(time.timers);
  const attach = () =>
    broadcaster.attach({
      isVisible: () => visible,
      send: (events) => sent.push(JSON.parse(events)),
    });
  attach();
  return { broadcaster, time, sent, attach, show: (value: boolean) => (visible = value) };
}

describe('Broadcaster', () => {
  it('sends what comes within 50 ms as one message, each subject once, and in order', async () => {
    const { broadcaster, time, sent } = setUp();
    broadcaster.send('connection.changed', online);
    broadcaster.send('node.changed', node('a', 'unknown'));
    broadcaster.send('node.changed', node('b', 'healthy'));
    broadcaster.send('node.changed', node('a', 'healthy'));
    await time.advance(49);
    broadcaster.send('nodes.changed', []);
    broadcaster.send('node.changed', node('c', 'healthy'));
    expect(sent).toEqual([]);
    await time.advance(1);
    expect(sent).toEqual([
      [
        ['connection.changed', online],
        ['node.changed', node('b', 'healthy')],
        ['node.changed', node('a', 'healthy')],
        ['nodes.changed', []],
        ['node.changed', node('c', 'healthy')],
      ],
    ]);
  });

  it('sends at once what is asked for, and what comes afterwards 50 ms later', async () => {
    const { broadcaster, time, sent } = setUp();
    broadcaster.send('connection.changed', online);
    broadcaster.catchUp();
    expect(sent).toEqual([[['connection.changed', online]]]);
    await time.advance(30);
    broadcaster.send('nodes.changed', []);
    await time.advance(49);
    expect(sent).toHaveLength(1);
    await time.advance(1);
    expect(sent.slice(1)).toEqual([[['nodes.changed', []]]]);
  });

  it('sends figures that change with each request at once, and then twice a second, others meanwhile', async () => {
    const { broadcaster, time, sent } = setUp();
    const budget = (left: number) => {
      const share = { remainingThisMinute: left, limitPerMinute: null, remainingToday: null };
      const whole = { ...share, limitPerDay: null, heldUntilMs: null };
      broadcaster.send('budget.changed', { data: whole, metrics: whole });
      const task = { kind: 'save', done: 20 - left, share: 0 } as const;
      broadcaster.send('activityExport.changed', task);
      broadcaster.send('recordingTask.changed', task);
    };
    for (let left = 20; left > 0; left -= 1) {
      budget(left);
      if (left === 15) broadcaster.send('connection.changed', online);
      await time.advance(50);
    }
    await time.advance(1_000);
    const figures = sent.map((events) =>
      events.flatMap((event) => {
        const [channel, payload] = event as [string, { data: { remainingThisMinute: number } }];
        return channel === 'budget.changed' ? payload.data.remainingThisMinute : channel;
      }),
    );
    const tasks = ['activityExport.changed', 'recordingTask.changed'];
    const each = (left: number) => [left, ...tasks];
    expect(figures).toEqual([each(20), ['connection.changed'], each(10), each(1)]);
    await time.advance(1_000);
    expect(sent).toHaveLength(4);
  });

  it('keeps the last event a subject while it is hidden and delivers them once when it is shown', async () => {
    const { broadcaster, time, sent, show } = setUp();
    show(false);
    broadcaster.send('node.changed', node('a', 'healthy'));
    broadcaster.send('node.changed', node('b', 'healthy'));
    await time.advance(50);
    broadcaster.send('node.changed', node('a', 'unhealthy'));
    await time.advance(50);
    expect(sent).toEqual([]);
    show(true);
    broadcaster.catchUp();
    broadcaster.catchUp();
    expect(sent).toEqual([
      [
        ['node.changed', node('b', 'healthy')],
        ['node.changed', node('a', 'unhealthy')],
      ],
    ]);
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

  it('has nothing for a page that was loaded again while it was hidden, with other data', () => {
    const { broadcaster, sent, attach, show } = setUp();
    show(false);
    broadcaster.send('watchlist.changed', []);
    attach();
    show(true);
    broadcaster.catchUp();
    expect(sent).toEqual([]);
  });
});
