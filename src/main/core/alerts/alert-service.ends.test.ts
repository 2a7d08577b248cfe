import { describe, expect, it } from 'vitest';
import type { AlertSettings } from '../../../shared/settings.ts';
import { jsonAnswer } from '../health/testing/fake-ports.ts';
import type { FakeNode } from '../health/testing/service-world.ts';
import { createAlertWorld, pass } from './testing/alert-world.ts';

const minuteMs = 60_000;

type World = Awaited<ReturnType<typeof createAlertWorld>>;

/** A node with little room and few peers; one that has just started has run none of its checks. */
function serve(world: World, hasStarted: boolean): void {
  world.http.serve('http://node-1.example', () => {
    const timestamp = hasStarted
      ? new Date(Math.floor(world.time.clock.nowMs() / 30_000) * 30_000).toISOString()
      : '0001-01-01T00:00:00Z';
    const check = (message: object) =>
      hasStarted ? { message, timestamp, duration: 1 } : { error: 'not yet run', timestamp, duration: 0 };
    const checks = {
      diskspace: check({ availableDiskBytes: 8e9, availableDiskPercentage: 8 }),
      network: check({ connectedPeers: 2 }),
    };
    return jsonAnswer(hasStarted ? 200 : 503, { checks, healthy: hasStarted });
  });
}

function setRules(world: World, rules: Partial<AlertSettings['rules']>): void {
  const { alerts } = world.settings.current();
  world.settings.update({ alerts: { ...alerts, rules: { ...alerts.rules, ...rules } } });
}

describe('an alert whose rule is switched off', () => {
  it('is open no longer and is not told to be over, and goes on when the rule is on again', async () => {
    const world = await createAlertWorld();
    const node = await world.addNode('node-1.example');
    await world.time.advance(2 * minuteMs);
    node.failing.add('C');
    await world.time.advance(3 * minuteMs);
    expect(world.sent).toHaveLength(1);
    setRules(world, { incident: 'off' });
    await world.time.advance(3 * minuteMs);
    expect(world.alerts.openCount()).toBe(0);
    setRules(world, { incident: 'tell' });
    await world.time.advance(3 * minuteMs);
    expect(world.alerts.openCount()).toBe(1);
    node.failing.clear();
    await world.time.advance(3 * minuteMs);
    expect(world.titles()).toEqual([
      'C-Chain on node-1: C is down',
      expect.stringMatching(/^node-1: alert ended after \d+ min$/),
    ]);
  });

  it('stays so while its node does not answer', async () => {
    const world = await createAlertWorld();
    serve(world, true);
    await world.add('http://node-1.example', 30_000, { name: 'node-1' });
    await world.time.advance(2 * minuteMs);
    expect(world.alerts.openCount()).toBe(2);
    world.down('node-1.example');
    await world.time.advance(minuteMs);
    setRules(world, { disk: 'off', peers: 'off', incident: 'off' });
    await world.time.advance(5 * minuteMs);
    expect(world.alerts.openCount()).toBe(0);
    expect(world.sent).toHaveLength(2);
  });
});

it('an alert of a figure goes on while its check has not run yet since the node started', async () => {
  const world = await createAlertWorld();
  serve(world, true);
  await world.add('http://node-1.example', 30_000, { name: 'node-1' });
  await world.time.advance(2 * minuteMs);
  const told = ['node-1 has 8% of its disk space left', 'node-1 is connected to 2 peers'];
  expect(world.titles()).toEqual(told);
  serve(world, false);
  await world.time.advance(minuteMs);
  serve(world, true);
  await world.time.advance(5 * minuteMs);
  expect(world.titles()).toEqual(told);
});

describe('a paused node that is polled by hand', () => {
  it.each<[string, (world: World) => void]>([
    ['fails', () => undefined],
    ['does not answer', (world) => world.down('node-1.example')],
  ])('and %s begins no alert, which nothing would end', async (_what, change) => {
    const world = await createAlertWorld();
    const node = await world.addNode('node-1.example');
    await world.time.advance(2 * minuteMs);
    const fields = { ...world.status('id-1').node, headers: [] };
    await world.service.update({ ...fields, paused: true });
    node.failing.add('C');
    change(world);
    for (let time = 0; time < 5; time += 1) {
      void world.service.poll('id-1');
      await world.time.advance(30_000);
    }
    await world.time.advance(5 * minuteMs);
    expect(world.titles()).toEqual([]);
    expect(world.alerts.openCount()).toBe(0);
  });
});

it('a node of a network of five that starts is not told to lack peers, and one that lacks some has them again', async () => {
  const world = await createAlertWorld({ recoverAfter: 1 });
  let peers = [0];
  let startedMs = world.time.clock.nowMs();
  world.http.serve('http://node-1.example', () => {
    const round = Math.floor((world.time.clock.nowMs() - startedMs) / 30_000);
    const timestamp = new Date(startedMs + round * 30_000).toISOString();
    const network = { message: { connectedPeers: peers[round] ?? 4 }, timestamp, duration: 1 };
    return jsonAnswer(200, { checks: { network }, healthy: true });
  });
  await world.add('http://node-1.example', 30_000, { name: 'node-1' });
  await world.time.advance(5 * minuteMs);
  expect(world.titles()).toEqual([]);
  [peers, startedMs] = [[0, 2, 2, 2], world.time.clock.nowMs()];
  await world.time.advance(5 * minuteMs);
  expect(world.titles()).toEqual([
    'node-1 is connected to 2 peers',
    expect.stringMatching(/^node-1: alert ended after/),
  ]);
});

it('what ended early in a pause until tomorrow is summed up at its end, also after a restart', async () => {
  const world = await createAlertWorld();
  const node = await world.addNode('node-1.example');
  await world.time.advance(2 * minuteMs);
  // Begun shortly after midnight.
  const pausedUntilMs = world.time.clock.nowMs() + 31 * 60 * minuteMs;
  world.settings.update({ alerts: { ...world.settings.current().alerts, pausedUntilMs } });
  node.failing.add('C');
  await world.time.advance(5 * minuteMs);
  node.failing.clear();
  await pass(world, 26 * 60 * minuteMs);
  await world.crash();
  await pass(world, 5 * 60 * minuteMs);
  expect(world.titles()).toEqual(['While alerts were on hold: 1 ended']);
});

it('that a check no longer comes and goes is said also after two days in which the app was not running', async () => {
  const world = await createAlertWorld();
  const node = await world.addNode('node-1.example');
  await world.time.advance(2 * minuteMs);
  for (let time = 0; time < 2; time += 1) {
    node.failing.add('C');
    await world.time.advance(3 * minuteMs);
    node.failing.clear();
    await world.time.advance(3 * minuteMs);
  }
  world.time.stepClock(48 * 60 * minuteMs);
  await world.crash();
  await world.time.advance(5 * minuteMs);
  expect(world.titles().slice(2)).toEqual([
    'node-1: flapping between failing and passing',
    'node-1: no longer flapping, alert ended',
  ]);
});

it('an alert of a chain that stands still goes on while the node that it was compared with does not answer', async () => {
  const world = await createAlertWorld();
  const startedMs = world.time.clock.nowMs();
  let standsAt: number | null = 5;
  const serveChain = (host: string, heightOf: (round: number) => number) =>
    world.http.serve(`http://${host}`, () => {
      const round = Math.floor((world.time.clock.nowMs() - startedMs) / 30_000);
      const timestamp = new Date(startedMs + round * 30_000).toISOString();
      const message = { engine: { consensus: { lastAcceptedHeight: heightOf(round) } } };
      return jsonAnswer(200, { checks: { C: { message, timestamp, duration: 1 } }, healthy: true });
    });
  const serveBoth = () => {
    serveChain('node-1.example', (round) => 1_000 + (standsAt ?? round));
    serveChain('node-2.example', (round) => 1_000 + round);
  };
  serveBoth();
  for (const name of ['node-1', 'node-2']) await world.add(`http://${name}.example`, 30_000, { name });
  await world.time.advance(5 * minuteMs);
  const told = [
    expect.stringMatching(/^C-Chain on node-1 has stalled at 1,005, while node-2 is making progress$/),
  ];
  expect(world.titles()).toEqual(told);
  for (let time = 0; time < 5; time += 1) {
    world.down('node-2.example');
    await world.time.advance(minuteMs);
    serveBoth();
    await world.time.advance(minuteMs);
  }
  await world.service.remove('id-2');
  await world.time.advance(minuteMs);
  expect(world.titles().filter((title) => !/^Getting worse/.test(title))).toEqual(told);
  standsAt = null;
  await world.time.advance(2 * minuteMs);
  expect(world.titles().at(-1)).toMatch(/^node-1: alert ended after/);
});

it('a node that stops running its checks is told of, and once, also where the computer sleeps meanwhile', async () => {
  const world = await createAlertWorld();
  let stopsMs = Infinity;
  const node: FakeNode = {
    failing: new Set(),
    server: () => {
      const ranMs = Math.floor(Math.min(world.time.clock.nowMs(), stopsMs) / 30_000) * 30_000;
      const run = { timestamp: new Date(ranMs).toISOString(), duration: ranMs % 1_009 };
      return jsonAnswer(200, { checks: { C: run, network: run }, healthy: true });
    },
  };
  world.up('node-1.example', node);
  await world.add('http://node-1.example', 30_000, { name: 'node-1' });
  await world.time.advance(5 * minuteMs);
  stopsMs = world.time.clock.nowMs();
  await world.time.advance(3 * minuteMs);
  const told = ['node-1 has stopped running its checks'];
  expect(world.titles()).toEqual(told);
  await world.sleep(minuteMs);
  await world.time.advance(minuteMs);
  world.down('node-1.example');
  await world.time.advance(minuteMs);
  expect(world.titles()).toEqual(told);
  world.up('node-1.example', node);
  stopsMs = Infinity;
  await world.time.advance(2 * minuteMs);
  expect(world.titles().slice(1)).toEqual([expect.stringMatching(/^node-1: alert ended after/)]);
});

it('an alert of a check that never passes twice in a row lasts for longer than the history is kept', async () => {
  const world = await createAlertWorld();
  world.limits.keepDays = 1;
  const node = await world.addNode('node-1.example');
  await world.time.advance(2 * minuteMs);
  node.failing.add('C');
  await world.time.advance(3 * minuteMs);
  await world.service.update({ ...world.status('id-1').node, headers: [], intervalMs: 10 * minuteMs });
  for (let poll = 0; poll < 50 * 6; poll += 1) {
    if (poll % 2 === 0) node.failing.delete('C');
    else node.failing.add('C');
    await world.time.advance(10 * minuteMs);
  }
  expect(world.titles().filter((title) => !title.startsWith('Still'))).toEqual([
    'C-Chain on node-1: C is down',
  ]);
  expect(world.alerts.openCount()).toBe(1);
});
