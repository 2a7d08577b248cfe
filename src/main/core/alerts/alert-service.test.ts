import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../../../shared/settings.ts';
import { createAlertWorld, pass } from './testing/alert-world.ts';

const minuteMs = 60_000;
const hourMs = 3_600_000;

describe('an incident', () => {
  it('of twenty chains of one node is one message, and one that it is over', async () => {
    const world = await createAlertWorld();
    const chains = Array.from({ length: 20 }, (_, index) => `chain${index}`);
    const node = await world.addNode('node-1.example', chains);
    await world.time.advance(2 * minuteMs);
    for (const chain of chains) node.failing.add(chain);
    await world.time.advance(5 * minuteMs);
    expect(world.sent).toHaveLength(1);
    expect(world.titles()[0]).toMatch(/^chain\d+ and 19 more checks on node-1: chain\d+ is down$/);
    node.failing.clear();
    await world.time.advance(5 * minuteMs);
    expect(world.titles()[1]).toMatch(/^node-1: alert ended after \d+ min$/);
    await world.time.advance(3 * hourMs);
    expect(world.sent).toHaveLength(2);
  });

  it('is told of a node by the thresholds of that node, where it has its own', async () => {
    const world = await createAlertWorld();
    const [first, second] = [await world.addNode('node-1.example'), await world.addNode('node-2.example')];
    const { alerts } = world.settings.current();
    const ofNodes = [{ nodeId: 'id-2', failAfter: 20, recoverAfter: 2, silentSeconds: 90 }];
    world.settings.update({ alerts: { ...alerts, ofNodes } });
    await world.time.advance(2 * minuteMs);
    second.failing.add('C');
    await world.time.advance(minuteMs);
    first.failing.add('C');
    await world.time.advance(4 * minuteMs);
    expect(world.titles()).toEqual(['C-Chain on node-1: C is down']);
  });

  it('is told with the third failing run, and not before', async () => {
    const world = await createAlertWorld();
    const node = await world.addNode('node-1.example');
    await world.time.advance(2 * minuteMs);
    node.failing.add('C');
    const atMs = world.time.clock.nowMs();
    const thirdRunMs = (Math.floor(atMs / 30_000) + 2) * 30_000;
    await world.time.advance(thirdRunMs - atMs - 1_000);
    expect(world.sent).toEqual([]);
    await world.time.advance(35_000);
    expect(world.titles()).toEqual(['C-Chain on node-1: C is down']);
  });

  it('that has been told is not told again after a crash, and its end is', async () => {
    const world = await createAlertWorld();
    const node = await world.addNode('node-1.example');
    await world.time.advance(2 * minuteMs);
    node.failing.add('C');
    await world.time.advance(3 * minuteMs);
    expect(world.sent).toHaveLength(1);
    await world.crash();
    await world.time.advance(3 * minuteMs);
    expect(world.sent).toHaveLength(1);
    expect(world.alerts.openCount()).toBe(1);
    node.failing.clear();
    await world.time.advance(3 * minuteMs);
    expect(world.sent).toHaveLength(2);
    expect(world.alerts.openCount()).toBe(0);
  });

  it('is told while the disk is full, and stored when it is not any more', async () => {
    const world = await createAlertWorld();
    const node = await world.addNode('node-1.example');
    await world.time.advance(2 * minuteMs);
    world.channel.isDiskFull = true;
    node.failing.add('C');
    await world.time.advance(3 * minuteMs);
    expect(world.sent).toHaveLength(1);
    world.channel.isDiskFull = false;
    node.failing.clear();
    await world.time.advance(3 * minuteMs);
    expect((await world.stores.alerts.messages(10)).map((one) => one?.kind)).toEqual(['end', 'begin']);
  });

  it('is one message where another check begins to fail as the first one ends', async () => {
    const world = await createAlertWorld({ recoverAfter: 1 });
    const node = await world.addNode('node-1.example', ['C', 'P']);
    await world.time.advance(2 * minuteMs);
    node.failing.add('C');
    while (world.sent.length === 0) await world.time.advance(1_000);
    node.failing.add('P');
    node.failing.delete('C');
    await world.time.advance(5 * minuteMs);
    node.failing.clear();
    await world.time.advance(3 * minuteMs);
    expect(world.sent.map(({ id }) => id.split(' ').at(-2))).toEqual(['begin', 'end']);
  });

  it('that is over does not begin again with a single failed run of another check', async () => {
    const world = await createAlertWorld({ recoverAfter: 1 });
    const node = await world.addNode('node-1.example', ['C', 'P']);
    await world.time.advance(2 * minuteMs);
    node.failing.add('C');
    while (world.sent.length === 0) await world.time.advance(1_000);
    node.failing.clear();
    while (world.sent.length === 1) await world.time.advance(1_000);
    node.failing.add('P');
    await world.time.advance(40_000);
    expect(world.status('id-1').state).toBe('unhealthy');
    expect(world.sent).toHaveLength(2);
  });

  it('of a node that is paused ends without a word', async () => {
    const world = await createAlertWorld();
    const node = await world.addNode('node-1.example');
    await world.time.advance(2 * minuteMs);
    node.failing.add('C');
    await world.time.advance(3 * minuteMs);
    const { headerNames, addedAtMs, ...fields } = world.status('id-1').node;
    await world.service.update({ ...fields, headers: [], paused: true });
    await world.time.advance(minuteMs);
    expect(world.sent).toHaveLength(1);
    expect(world.alerts.openCount()).toBe(0);
    expect([headerNames, typeof addedAtMs]).toEqual([[], 'number']);
  });
});

describe('what has one cause', () => {
  it('at five nodes, two of them dead, is one message with the cause first', async () => {
    const world = await createAlertWorld();
    const dead = ['NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ', 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'];
    const hosts = [1, 2, 3, 4, 5].map((number) => `node-${number}.example`);
    const nodes = await Promise.all(hosts.map((host, index) => world.addNode(host, ['C'], dead[index - 3])));
    const serveAll = () => {
      for (const [index, node] of nodes.entries()) {
        world.http.serve(`http://${hosts[index]}`, (request) => {
          const answer = node.server(request);
          if (answer === 'hang' || answer.kind === 'failure') return answer;
          // What a chain says of the stake that it lacks.
          const message = `"message":${JSON.stringify({ networking: { disconnectedValidators: dead } })},"error"`;
          return { ...answer, body: answer.body.replaceAll('"error"', message) };
        });
      }
    };
    serveAll();
    await world.time.advance(2 * minuteMs);
    for (const host of hosts.slice(3)) world.down(host);
    await world.time.advance(25_000);
    for (const node of nodes.slice(0, 3)) node.failing.add('C');
    await world.time.advance(6 * minuteMs);
    expect(world.titles()).toEqual([
      'node-4 and node-5 aren’t responding; node-1, node-2 and node-3 are failing as a result',
    ]);
    for (const node of nodes) node.failing.clear();
    serveAll();
    await world.time.advance(6 * minuteMs);
    expect(world.titles()[1]).toMatch(/^node-4, node-5, node-1 and 2 more: alert ended after/);
    expect(world.sent).toHaveLength(2);
    expect((await world.alerts.list()).alerts[0]?.members).toHaveLength(5);
  });
});

describe('our own trouble', () => {
  it('is never a node’s: sleep, a network that is down, a step of the clock', async () => {
    const world = await createAlertWorld();
    const hosts = ['a.example', 'b.example', 'c.example'];
    const nodes = await Promise.all(hosts.map((host) => world.addNode(host)));
    await world.time.advance(2 * minuteMs);
    for (let round = 0; round < 8; round += 1) {
      // Before it is known that the network is gone, two polls may have failed.
      for (const host of hosts) world.down(host);
      await world.time.advance(20_000);
      await world.sleep(8 * hourMs);
      await world.time.advance(30_000);
      world.time.stepClock(round % 2 === 0 ? hourMs : -hourMs);
      for (const [index, host] of hosts.entries())
        world.http.serve(`http://${host}`, nodes[index]?.server ?? (() => 'hang'));
      await world.time.advance(3 * minuteMs);
    }
    expect(world.titles().filter((title) => title !== 'This computer couldn’t watch your nodes')).toEqual([]);
    expect(world.sent).toHaveLength(8);
    expect(world.sent[0]?.body).toMatch(/^From .* to .*, this computer was asleep or offline/);
  });
});

describe('a store that cannot be read at the start', () => {
  it('is read later, and what was told before is not told again', async () => {
    const world = await createAlertWorld();
    const node = await world.addNode('node-1.example');
    await world.time.advance(2 * minuteMs);
    node.failing.add('C');
    await world.time.advance(3 * minuteMs);
    world.channel.isUnreadable = true;
    await world.crash();
    await world.time.advance(minuteMs);
    world.channel.isUnreadable = false;
    await world.time.advance(2 * minuteMs);
    expect(world.sent).toHaveLength(1);
    expect(world.alerts.openCount()).toBe(1);
  });

  it('has no open alerts of nodes that were removed while the app was closed', async () => {
    const world = await createAlertWorld();
    const node = await world.addNode('node-1.example');
    await world.time.advance(2 * minuteMs);
    node.failing.add('C');
    await world.time.advance(3 * minuteMs);
    await world.alerts.stop();
    await world.service.remove('id-1');
    await world.crash();
    await world.time.settle();
    expect(world.alerts.openCount()).toBe(0);
  });
});

describe('quiet hours', () => {
  it('are summed up at their end, also after a crash, and then it is quiet', async () => {
    const nowMinute = ((at) => at.getHours() * 60 + at.getMinutes())(new Date(1_700_000_000_000));
    const toMinute = (nowMinute + 200) % 1_440;
    const quiet = { days: [0, 1, 2, 3, 4, 5, 6], fromMinute: nowMinute, toMinute, wakePasses: true };
    const world = await createAlertWorld({ quiet });
    const node = await world.addNode('node-1.example');
    await world.time.advance(2 * minuteMs);
    node.failing.add('C');
    await world.time.advance(5 * minuteMs);
    node.failing.clear();
    await world.time.advance(150 * minuteMs);
    await world.crash();
    await world.time.advance(60 * minuteMs);
    expect(world.sent.map(({ title, body }) => [title, body])).toEqual([
      ['While alerts were on hold: 1 ended', 'Ended: C-Chain on node-1: C is down'],
    ]);
  });
});

describe('the outbox', () => {
  it('keeps what a channel does not take, over a restart, and delivers within 60 s of its return', async () => {
    const world = await createAlertWorld();
    const node = await world.addNode('node-1.example');
    await world.time.advance(2 * minuteMs);
    world.channel.isDown = true;
    node.failing.add('C');
    await world.time.advance(5 * minuteMs);
    node.failing.clear();
    await world.time.advance(5 * minuteMs);
    await world.crash();
    await world.time.advance(minuteMs);
    expect(world.sent).toEqual([]);
    expect((await world.alerts.list()).messages.map(({ sent }) => sent[0]?.error)).toContain('No server.');
    world.channel.isDown = false;
    await world.time.advance(minuteMs);
    expect(world.sent.map(({ id }) => id.split(' ').at(-2))).toEqual(['begin', 'end']);
    expect(world.sent[0]?.body).toMatch(/^Delayed message from \d\d:\d\d\. Since/);
    await world.time.advance(10 * minuteMs);
    expect(world.sent).toHaveLength(2);
  });

  it('has each channel get all messages, whatever becomes of the others', async () => {
    const world = await createAlertWorld({ webhook: { shape: 'json', origin: 'https://hooks.example' } });
    world.channel.isDown = true;
    const node = await world.addNode('node-1.example');
    await world.time.advance(2 * minuteMs);
    node.failing.add('C');
    await world.time.advance(3 * minuteMs);
    expect(world.webhooked.map(({ title }) => title)).toEqual(['C-Chain on node-1: C is down']);
    const [message] = (await world.alerts.list()).messages;
    expect(message?.sent.map(({ channel, state }) => [channel, state])).toEqual([
      ['system', 'waiting'],
      ['webhook', 'accepted'],
    ]);
  });

  it('names nothing while names are hidden', async () => {
    const world = await createAlertWorld();
    world.settings.update({ privacy: true });
    const node = await world.addNode('node-1.example');
    await world.time.advance(2 * minuteMs);
    node.failing.add('C');
    await world.time.advance(3 * minuteMs);
    expect(world.sent.map(({ title, body }) => [title, body])).toEqual([['1 node: new alert', '']]);
  });

  it('says whether the system takes a test, and keeps it in the log', async () => {
    const world = await createAlertWorld();
    await world.alerts.test('system');
    expect(world.titles()).toEqual(['Watchkeeper can reach you']);
    world.channel.isDown = true;
    await expect(world.alerts.test('system')).rejects.toThrow();
    const { messages } = await world.alerts.list();
    expect(messages.map(({ sent }) => sent[0]?.state).sort()).toEqual(['accepted', 'refused']);
  });

  it('sends nothing while notifications are off, and lists the alert all the same', async () => {
    const world = await createAlertWorld({ notifications: false });
    const node = await world.addNode('node-1.example');
    await world.time.advance(2 * minuteMs);
    node.failing.add('C');
    await world.time.advance(3 * minuteMs);
    expect(world.sent).toEqual([]);
    expect((await world.alerts.list()).alerts).toHaveLength(1);
  });
});

describe('what the user does', () => {
  it('acknowledges, snoozes and ends that', async () => {
    const world = await createAlertWorld();
    const node = await world.addNode('node-1.example');
    await world.time.advance(2 * minuteMs);
    node.failing.add('C');
    await world.time.advance(3 * minuteMs);
    const [alert] = (await world.alerts.list()).alerts;
    const key = alert?.key ?? '';
    await world.alerts.act({ key, action: 'hour' });
    expect(world.alerts.openCount()).toBe(0);
    await pass(world, hourMs + minuteMs);
    expect(world.titles()[1]).toBe('Still open after 1 h: C-Chain on node-1: C is down');
    await world.alerts.act({ key, action: 'acknowledge' });
    await pass(world, 9 * hourMs);
    expect(world.sent).toHaveLength(2);
    node.failing.clear();
    await world.time.advance(3 * minuteMs);
    expect(world.titles()[2]).toBe('node-1: alert ended after 10 h');
  });

  it('is reminded every four hours', async () => {
    const world = await createAlertWorld();
    const node = await world.addNode('node-1.example');
    await world.time.advance(2 * minuteMs);
    node.failing.add('C');
    await world.time.advance(5 * minuteMs);
    for (let reminders = 0; reminders < 2; reminders += 1) await pass(world, 4 * hourMs);
    expect(world.titles().slice(1)).toEqual([
      'Still open after 4 h: C-Chain on node-1: C is down',
      'Still open after 8 h: C-Chain on node-1: C is down',
    ]);
    expect(defaultSettings.alerts.quiet.days).toEqual([]);
  });
});
