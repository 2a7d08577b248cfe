import { describe, expect, it } from 'vitest';
import type { AppFacts } from './app-rule.ts';
import { createAlertWorld, wellApp } from './testing/alert-world.ts';

const minuteMs = 60_000;
const hourMs = 3_600_000;

describe('the app itself', () => {
  const refused = { code: 'unauthorized', message: 'No.' } as const;

  it('is told of when its key is refused or nothing is saved, and when that is over', async () => {
    const world = await createAlertWorld();
    await world.time.advance(minuteMs);
    const { connection } = wellApp;
    world.channel.app = { ...wellApp, connection: { ...connection, error: refused } };
    await world.time.advance(minuteMs);
    // Nothing new is known of the key.
    world.channel.app = { ...wellApp, connection: { ...connection, state: 'offline' } };
    await world.time.advance(minuteMs);
    world.channel.app = { ...wellApp, storage: { state: 'ready', notKept: true, notices: [] } };
    await world.time.advance(minuteMs);
    world.channel.app = wellApp;
    await world.time.advance(minuteMs);
    expect(world.titles()).toEqual([
      'The service refuses your API key',
      'Watchkeeper: alert ended after 2 min',
      'Nothing new is being saved on this computer',
      'Watchkeeper: alert ended after 1 min',
    ]);
    expect(world.sent[0]?.link).toEqual({ view: 'alerts' });
  });

  it('is named also while amounts and labels are hidden', async () => {
    const world = await createAlertWorld();
    world.settings.update({ privacy: true });
    const state = { at: 'available', version: '9.9.9' } as const;
    world.channel.app = { ...wellApp, updates: { host: null, obstacle: null, state } };
    await world.time.advance(minuteMs);
    expect(world.titles()).toEqual(['Version 9.9.9 is available']);
  });

  it('is over when another service is chosen, of which nothing is known yet', async () => {
    const world = await createAlertWorld();
    const { connection } = wellApp;
    world.channel.app = { ...wellApp, connection: { ...connection, error: refused } };
    await world.time.advance(minuteMs);
    const unknown = { ...connection, state: 'unknown' } as const;
    world.channel.app = { ...wellApp, connection: unknown };
    await world.time.advance(minuteMs);
    expect(world.alerts.openCount()).toBe(1);
    world.channel.app = { ...wellApp, dataUrl: 'https://other.example', connection: unknown };
    await world.time.advance(minuteMs);
    expect(world.alerts.openCount()).toBe(0);
  });

  it('tells once of a newer version, also over restarts, and nothing where that is switched off', async () => {
    const world = await createAlertWorld();
    const at = (state: AppFacts['updates']['state']) => {
      world.channel.app = { ...wellApp, updates: { ...wellApp.updates, state } };
    };
    at({ at: 'available', version: '0.3.0' });
    await world.time.advance(minuteMs);
    expect(world.titles()).toEqual(['Version 0.3.0 is available']);
    at({ at: 'idle' });
    await world.crash();
    await world.time.advance(26 * hourMs);
    at({ at: 'ready', version: '0.3.0' });
    await world.time.advance(minuteMs);
    at({ at: 'newest', askedAtMs: 0 });
    await world.time.advance(minuteMs);
    expect(world.sent).toHaveLength(1);
    expect(world.alerts.openCount()).toBe(0);
    at({ at: 'available', version: '0.4.0' });
    await world.time.advance(minuteMs);
    expect([world.sent.length, world.alerts.openCount()]).toEqual([2, 1]);
    // Updates are switched off, and the version is not known any more.
    world.channel.app = { ...wellApp, asksForUpdates: false };
    await world.time.advance(minuteMs);
    expect([world.sent.length, world.alerts.openCount()]).toEqual([2, 0]);
    const { alerts } = world.settings.current();
    world.settings.update({ alerts: { ...alerts, rules: { ...alerts.rules, app: 'off' } } });
    at({ at: 'available', version: '0.5.0' });
    await world.time.advance(minuteMs);
    expect(world.sent).toHaveLength(2);
  });
});
