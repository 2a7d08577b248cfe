import { expect, it } from 'vitest';
import { createAlertWorld } from './testing/alert-world.ts';

const minuteMs = 60_000;
const hourMs = 3_600_000;

it.each(['start of the app', 'sleep'])(
  'after a night that ends with a %s nothing is called still failing before its node was asked',
  async (how) => {
    const world = await createAlertWorld();
    const node = await world.addNode('node-1.example');
    await world.time.advance(2 * minuteMs);
    node.failing.add('C');
    await world.time.advance(3 * minuteMs);
    node.failing.clear();
    if (how === 'sleep') await world.sleep(9 * hourMs);
    else {
      world.time.stepClock(9 * hourMs);
      await world.crash();
    }
    await world.time.advance(10 * minuteMs);
    expect(world.titles()).toEqual([
      'C-Chain on node-1: C is down',
      ...(how === 'sleep' ? ['This computer couldn’t watch your nodes'] : []),
      expect.stringMatching(/^node-1: alert ended after/),
    ]);
  },
);
