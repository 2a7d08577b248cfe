import { describe, expect, it } from 'vitest';
import { jsonAnswer } from '../health/testing/fake-ports.ts';
import { createAlertWorld } from './testing/alert-world.ts';

const minuteMs = 60_000;
const hourMs = 3_600_000;

describe('a time in which this computer could not see its nodes', () => {
  it('is told of where its network was down', async () => {
    const world = await createAlertWorld();
    const hosts = ['a.example', 'b.example'];
    const nodes = await Promise.all(hosts.map((host) => world.addNode(host)));
    await world.time.advance(2 * minuteMs);
    world.online.isOnline = false;
    for (const host of hosts)
      world.http.serve(`http://${host}`, () => ({ kind: 'failure', reason: 'network', detail: '' }));
    await world.time.advance(10 * minuteMs);
    expect(world.sent).toEqual([]);
    world.online.isOnline = true;
    for (const [index, node] of nodes.entries()) world.up(hosts[index] ?? '', node);
    await world.time.advance(5 * minuteMs);
    expect(world.titles()).toEqual(['This computer couldn’t watch your nodes']);
  });

  it('is told of beside a node on this computer, which can be seen', async () => {
    const world = await createAlertWorld();
    await world.addNode('127.0.0.1:9650');
    const node = await world.addNode('a.example');
    await world.time.advance(2 * minuteMs);
    world.online.isOnline = false;
    world.http.serve('http://a.example', () => ({ kind: 'failure', reason: 'network', detail: '' }));
    await world.time.advance(10 * minuteMs);
    world.online.isOnline = true;
    world.up('a.example', node);
    await world.time.advance(5 * minuteMs);
    expect(world.titles()).toEqual(['This computer couldn’t watch your nodes']);
  });

  it('is none where it slept and no node was polled', async () => {
    const world = await createAlertWorld();
    await world.time.advance(2 * minuteMs);
    await world.sleep(8 * hourMs);
    await world.time.advance(5 * hourMs);
    await world.addNode('a.example');
    await world.time.advance(3 * minuteMs);
    expect(world.sent).toEqual([]);
  });

  it('ends when the node is asked, also where what answers is no report', async () => {
    const world = await createAlertWorld();
    await world.addNode('a.example');
    await world.time.advance(2 * minuteMs);
    world.http.serve('http://a.example', () => jsonAnswer(401, {}));
    await world.sleep(8 * hourMs);
    await world.time.advance(5 * minuteMs);
    expect(world.titles()).toEqual(['This computer couldn’t watch your nodes']);
  });
});

describe('a sleep that nobody has announced', () => {
  const stillIll = ['C-Chain on node-1: C is down'];

  it.each([
    ['no reminder', {}, [...stillIll, 'node-1: alert ended after 9 h']],
    ['no summary', { pausedUntilMs: 1_700_000_000_000 + hourMs }, ['While alerts were on hold: 1 ended']],
  ])('is followed by %s before its node is seen again, which has recovered', async (_what, changed, told) => {
    const world = await createAlertWorld(changed);
    const node = await world.addNode('node-1.example');
    await world.time.advance(2 * minuteMs);
    node.failing.add('C');
    await world.time.advance(5 * minuteMs);
    node.failing.clear();
    world.time.stepClock(9 * hourMs);
    await world.time.advance(5 * minuteMs);
    expect(world.titles()).toEqual(told);
  });
});

it('quiet hours that end while it sleeps are summed up in one message, once what is open was seen again', async () => {
  const startMs = new Date(1_700_000_000_000);
  const minute = startMs.getHours() * 60 + startMs.getMinutes();
  const quiet = { days: [0, 1, 2, 3, 4, 5, 6], fromMinute: minute, toMinute: (minute + 60) % 1_440 };
  const world = await createAlertWorld({ quiet: { ...quiet, wakePasses: true } });
  const nodes = [await world.addNode('a.example'), await world.addNode('b.example')];
  await world.time.advance(2 * minuteMs);
  for (const [index, node] of nodes.entries()) {
    node.failing.add('C');
    await world.time.advance(5 * minuteMs);
    if (index === 0) node.failing.clear();
    await world.time.advance(5 * minuteMs);
  }
  await world.sleep(8 * hourMs);
  await world.time.advance(10 * minuteMs);
  expect(world.titles()).toEqual([
    'This computer couldn’t watch your nodes',
    'While alerts were on hold: 1 still open, 1 ended',
  ]);
});
