import { describe, expect, it } from 'vitest';
import { createAlertWorld, pass } from './testing/alert-world.ts';

const minuteMs = 60_000;
const hourMs = 3_600_000;

describe('planned work', () => {
  const plan = (world: Awaited<ReturnType<typeof createAlertWorld>>, hours: number) => {
    const { alerts } = world.settings.current();
    const fromMs = world.time.clock.nowMs();
    const planned = [{ nodeId: 'id-1', fromMs, untilMs: fromMs + hours * hourMs }];
    world.settings.update({ alerts: { ...alerts, planned } });
    return fromMs;
  };

  it('tells nothing of its node, but of others, and ends when the node was healthy for five minutes', async () => {
    const world = await createAlertWorld();
    const node = await world.addNode('node-1.example');
    await world.addNode('127.0.0.1:9650');
    await world.time.advance(2 * minuteMs);
    const fromMs = plan(world, 8);
    // A node that is healthy at first is not yet done.
    await world.time.advance(20 * minuteMs);
    node.failing.add('C');
    await world.time.advance(30 * minuteMs);
    world.down('127.0.0.1:9650');
    await world.time.advance(5 * minuteMs);
    expect(world.titles()).toEqual(['127 isn’t responding']);
    node.failing.clear();
    await world.time.advance(4 * minuteMs);
    const end = () => world.settings.current().alerts.planned[0]?.untilMs;
    expect(end()).toBe(fromMs + 8 * hourMs);
    await world.crash();
    await world.time.advance(3 * minuteMs);
    expect(end()).toBeLessThan(world.time.clock.nowMs());
    node.failing.add('C');
    await world.time.advance(3 * minuteMs);
    expect(world.titles()).toHaveLength(2);
  });

  it('tells at its end of a node that is still ill, and of no reminder before', async () => {
    const world = await createAlertWorld();
    const node = await world.addNode('node-1.example');
    await world.time.advance(2 * minuteMs);
    node.failing.add('C');
    await world.time.advance(3 * minuteMs);
    expect(world.sent).toHaveLength(1);
    plan(world, 6);
    await world.time.advance(6 * hourMs - minuteMs);
    expect(world.sent).toHaveLength(1);
    await world.time.advance(2 * minuteMs);
    expect(world.titles()[1]).toMatch(/^Still open after 6 h/);
    const other = await createAlertWorld();
    const ill = await other.addNode('node-1.example');
    await other.time.advance(2 * minuteMs);
    plan(other, 1);
    ill.failing.add('C');
    await other.time.advance(hourMs - minuteMs);
    expect(other.sent).toEqual([]);
    await other.time.advance(2 * minuteMs);
    expect(other.titles()).toEqual(['C-Chain on node-1: C is down']);
  });

  it('tells at its end of a node that was ill before it, however short it was', async () => {
    const world = await createAlertWorld();
    const node = await world.addNode('node-1.example');
    await world.time.advance(2 * minuteMs);
    node.failing.add('C');
    await world.time.advance(3 * minuteMs);
    plan(world, 1);
    await world.time.advance(hourMs - minuteMs);
    expect(world.sent).toHaveLength(1);
    await world.time.advance(3 * hourMs);
    expect(world.titles().slice(1)).toEqual(['Still open after 1 h: C-Chain on node-1: C is down']);
  });

  it('is not told of in a message about other nodes, nor once these are well again', async () => {
    const world = await createAlertWorld();
    await world.addNode('node-1.example');
    const second = await world.addNode('node-2.example');
    for (const host of ['node-3.example', '127.0.0.1:9650']) await world.addNode(host);
    await world.time.advance(2 * minuteMs);
    for (const number of [1, 2]) world.down(`node-${number}.example`);
    await world.time.advance(5 * minuteMs);
    plan(world, 24);
    await pass(world, 4 * hourMs);
    expect(world.titles()).toEqual([
      'node-1 and node-2 aren’t responding',
      'Still open after 4 h: node-2 isn’t responding',
    ]);
    expect(world.sent[1]?.link).toMatchObject({ nodeId: 'id-2' });
    world.up('node-2.example', second);
    await world.time.advance(5 * minuteMs);
    await pass(world, 5 * hourMs);
    expect(world.sent).toHaveLength(2);
  });
});
