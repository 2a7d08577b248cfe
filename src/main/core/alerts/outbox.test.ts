import { expect, it } from 'vitest';
import { createAlertWorld } from './testing/alert-world.ts';

const minuteMs = 60_000;

it.each(['at once', 'after a restart'])(
  'what waits for a channel that is switched off is not sent any more, %s, also once that is on again',
  async (when) => {
    const world = await createAlertWorld();
    const node = await world.addNode('node-1.example');
    const switched = (notifications: boolean) =>
      world.settings.update({ alerts: { ...world.settings.current().alerts, notifications } });
    await world.time.advance(2 * minuteMs);
    world.channel.isDown = true;
    node.failing.add('C');
    await world.time.advance(5 * minuteMs);
    switched(false);
    if (when === 'after a restart') await world.crash();
    await world.time.advance(minuteMs);
    world.channel.isDown = false;
    switched(true);
    await world.time.advance(5 * minuteMs);
    expect(world.titles()).toEqual([]);
    const [message] = (await world.alerts.list()).messages;
    expect(message?.sent).toMatchObject([{ channel: 'system', state: 'off', error: null }]);
  },
);
