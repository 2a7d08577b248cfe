import { describe, expect, it } from 'vitest';
import { dayMs } from '../../../shared/time.ts';
import { AppFailure } from '../../../shared/errors.ts';
import { createFakeLog, createFakeTime } from '../health/testing/fake-ports.ts';
import { createDiskForecasts } from './disk-forecasts.ts';
import { createAlertWorld } from './testing/alert-world.ts';

const minuteMs = 60_000;

describe('a forecast of a full disk', () => {
  it('is told once, holds while the node fails, over a restart too, and is over when there is room again', async () => {
    const world = await createAlertWorld();
    const node = await world.addNode('node-1.example');
    const fullAtMs = world.time.clock.nowMs() + 3 * dayMs;
    world.channel.forecasts = [
      {
        ...{ check: 'disk', field: 'availableDiskBytes', label: 'Free', now: '1 TB', threshold: '100 GB' },
        ...{ atMs: fullAtMs, earliestMs: fullAtMs, latestMs: fullAtMs },
      },
    ];
    await world.time.advance(2 * minuteMs);
    expect(world.titles()).toEqual(['node-1 will reach its disk limit of 100 GB in 2 d at this rate']);
    node.failing.add('C');
    await world.time.advance(minuteMs);
    await world.crash();
    await world.time.advance(2 * minuteMs);
    node.failing.clear();
    world.channel.forecasts = [];
    expect(world.titles().filter((title) => title.includes('ended'))).toEqual([]);
    await world.time.advance(3 * minuteMs);
    expect(world.sent.map(({ body }) => body)).toContainEqual(
      expect.stringContaining('The alert was: node-1 will reach its disk limit'),
    );
  });

  it.each([
    ['not-found', []],
    ['storage', ['alerts.forecast']],
  ] as const)(
    'that cannot be made (%s) is logged, but for one of a node that was removed meanwhile',
    async (code, events) => {
      const { clock, settle } = createFakeTime();
      const log = createFakeLog();
      const forecasts = async () => Promise.reject(new AppFailure({ code, message: 'No.' }));
      const disks = createDiskForecasts({ forecasts, clock, log });
      const world = await createAlertWorld();
      await world.addNode('node-1.example');
      const [status] = world.service.list();
      if (status !== undefined) disks({ ...status, state: 'healthy' });
      await settle();
      expect(log.entries.map(({ event }) => event)).toEqual(events);
    },
  );

  it('that takes for ever holds up no alert, and no end of the app', async () => {
    const world = await createAlertWorld();
    const node = await world.addNode('node-1.example');
    world.channel.forecasts = null;
    await world.time.advance(minuteMs);
    node.failing.add('C');
    await world.time.advance(3 * minuteMs);
    expect(world.titles()).toHaveLength(1);
    await expect(world.alerts.stop()).resolves.toBeUndefined();
  });
});
