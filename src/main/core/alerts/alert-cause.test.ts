import { expect, it } from 'vitest';
import { createAlertWorld } from './testing/alert-world.ts';

const minuteMs = 60_000;
const gone = 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ';

it('a check that fails beside one that misses a watched node is told of by itself', async () => {
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
  node.failing.add('database');
  await world.time.advance(5 * minuteMs);
  expect(world.titles()).toEqual([
    'node-2 does not answer; node-1 fails because of it',
    'Database on node-1: database is down',
  ]);
});
