import { expect, it } from 'vitest';
import { jsonAnswer } from '../health/testing/fake-ports.ts';
import { createAlertWorld, pass } from './testing/alert-world.ts';

const minuteMs = 60_000;
const hourMs = 3_600_000;
const gone = 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ';

/** Two nodes, of which the first says in its failing check that it misses the second. */
async function buildPair() {
  const world = await createAlertWorld();
  const node = await world.addNode('node-1.example', ['C', 'database']);
  await world.addNode('node-2.example', ['C'], gone);
  world.http.serve('http://node-1.example', (request) => {
    const answer = node.server(request);
    if (answer === 'hang' || answer.kind === 'failure') return answer;
    // What the chain alone says of the stake that it lacks.
    const message = JSON.stringify({ networking: { disconnectedValidators: [gone] } });
    return { ...answer, body: answer.body.replace('"error":"C', `"message":${message},"error":"C`) };
  });
  await world.time.advance(2 * minuteMs);
  world.down('node-2.example');
  await world.time.advance(25_000);
  node.failing.add('C');
  await world.time.advance(30 * minuteMs);
  return { ...world, node };
}

it('a check that fails beside one that misses a watched node is told of by itself', async () => {
  const world = await buildPair();
  world.node.failing.add('database');
  await world.time.advance(5 * minuteMs);
  expect(world.titles()).toEqual([
    'node-2 isn’t responding; node-1 is failing as a result',
    'Database on node-1: database is down',
  ]);
});

it('a node that others depend on is not told of again when it was paused for a while', async () => {
  const world = await buildPair();
  const config = world.status('id-2').node;
  for (const paused of [true, false]) {
    await world.service.update({ ...config, headers: [], paused });
    await world.time.advance(30 * minuteMs);
  }
  expect(world.titles()).toEqual(['node-2 isn’t responding; node-1 is failing as a result']);
});

it('a node that fails together with others is named also where it is polled only after their message', async () => {
  const world = await createAlertWorld();
  const nodes = [];
  for (const number of [1, 2, 3]) {
    nodes.push(await world.addNode(`node-${number}.example`));
    const config = world.status(`id-${number}`).node;
    await world.service.update({ ...config, headers: [], intervalMs: 2 * minuteMs });
    await world.time.advance(25_000);
  }
  await world.time.advance(20 * minuteMs);
  for (const node of nodes) node.failing.add('C');
  await world.time.advance(20 * minuteMs);
  for (const node of nodes) node.failing.clear();
  await world.time.advance(20 * minuteMs);
  expect(world.titles()).toEqual([
    'C-Chain on node-2: C is down; node-1 is also affected',
    'Getting worse: C-Chain on node-2: C is down; node-1 and node-3 are also affected',
    expect.stringMatching(/^node-2, node-1 and node-3: alert ended after/),
  ]);
});

it('a node whose failing check names the node itself is told of when it does not answer later', async () => {
  const world = await createAlertWorld();
  const node = await world.addNode('node-1.example', ['C'], gone);
  await world.addNode('127.0.0.1:9650');
  await world.addNode('node-2.example');
  world.http.serve('http://node-1.example', (request) => {
    const answer = node.server(request);
    if (answer === 'hang' || answer.kind === 'failure') return answer;
    const message = JSON.stringify({ self: gone });
    return { ...answer, body: answer.body.replace('"error":"C', `"message":${message},"error":"C`) };
  });
  await world.time.advance(2 * minuteMs);
  node.failing.add('C');
  await world.time.advance(30 * minuteMs);
  world.down('node-1.example');
  await world.time.advance(5 * minuteMs);
  expect(world.titles()).toEqual([expect.stringMatching(/^C-Chain on node-1/), 'node-1 isn’t responding']);
});

it('a reminder names what still lasts, and nothing that has ended meanwhile', async () => {
  const world = await createAlertWorld();
  const [first] = [await world.addNode('node-1.example'), await world.addNode('node-2.example')];
  await world.addNode('127.0.0.1:9650');
  await world.time.advance(2 * minuteMs);
  for (const number of [1, 2]) world.down(`node-${number}.example`);
  // That it is not our own network is known from this one.
  await world.addNode('node-3.example');
  await world.time.advance(5 * minuteMs);
  expect(world.titles()).toEqual(['node-1 and node-2 aren’t responding']);
  world.up('node-1.example', first);
  await world.time.advance(5 * minuteMs);
  await pass(world, 4 * hourMs - 5 * minuteMs);
  expect(world.titles().slice(1)).toEqual(['Still open after 4 h: node-2 isn’t responding']);
  expect(world.sent[1]?.link).toMatchObject({ view: 'incident', nodeId: world.status('id-2').node.id });
  world.settings.update({ privacy: true });
  await pass(world, 4 * hourMs);
  expect(world.titles().at(-1)).toBe('1 node: alert still open after 8 h');
});

it('chains of a node that stand still together are one message, and so is their end', async () => {
  const world = await createAlertWorld();
  const startedMs = world.time.clock.nowMs();
  let stands = true;
  for (const number of [1, 2, 3]) {
    world.http.serve(`http://node-${number}.example`, () => {
      const round = Math.floor((world.time.clock.nowMs() - startedMs) / 30_000);
      const timestamp = new Date(startedMs + round * 30_000).toISOString();
      const lastAcceptedHeight = 1_000 + (stands && number < 3 ? 5 : round);
      const run = { message: { engine: { consensus: { lastAcceptedHeight } } }, timestamp, duration: 1 };
      return jsonAnswer(200, { checks: { C: run, P: run, X: run }, healthy: true });
    });
    await world.add(`http://node-${number}.example`, 30_000, { name: `node-${number}` });
  }
  await world.time.advance(8 * minuteMs);
  expect(world.titles()).toEqual(
    ['node-1', 'node-2'].map(
      (name) =>
        `C-Chain on ${name} has stalled at 1,005, while node-3 is making progress (and 2 more problems)`,
    ),
  );
  stands = false;
  await world.time.advance(2 * minuteMs);
  expect(world.titles().slice(2)).toEqual(
    [1, 2].map((one) => expect.stringMatching(`^node-${one}: alert ended after`)),
  );
});

it('a disk that its own check finds too full is one message, and one that it is over', async () => {
  const world = await createAlertWorld();
  let share = 30;
  world.http.serve('http://node-1.example', () => {
    const timestamp = new Date(Math.floor(world.time.clock.nowMs() / 30_000) * 30_000).toISOString();
    const message = { availableDiskBytes: share * 1e9, availableDiskPercentage: share };
    const error = `remaining available disk space percentage (${share}%) is below minimum required available space percentage (10%)`;
    const diskspace = { message, timestamp, duration: 1, ...(share < 10 ? { error } : {}) };
    return jsonAnswer(share < 10 ? 503 : 200, { checks: { diskspace }, healthy: share >= 10 });
  });
  await world.add('http://node-1.example', 30_000, { name: 'node-1' });
  await world.time.advance(3 * minuteMs);
  share = 9;
  await world.time.advance(5 * minuteMs);
  share = 30;
  await world.time.advance(5 * minuteMs);
  expect(world.titles()).toEqual([
    'Disk space on node-1: 9% of the disk is free; 10% required',
    expect.stringMatching(/^node-1: alert ended after/),
  ]);
});
