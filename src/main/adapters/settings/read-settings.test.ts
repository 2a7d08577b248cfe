import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../../../shared/settings.ts';
import { readSettings, withUnknown } from './read-settings.ts';

const rule = (last: string) => ({ address: `0x${'0'.repeat(39)}${last}`, sinceMs: 1, about: ['failed'] });

describe('settings with values that cannot be used', () => {
  it('lose of a list within others the wrong element alone', () => {
    const addresses = [rule('1'), { ...rule('2'), about: 'failed', sinceMs: -1 }, rule('3')];
    const planned = [
      { nodeId: 'n1', fromMs: 1, untilMs: 2 },
      { nodeId: 5, fromMs: 1, untilMs: 2 },
    ];
    const alerts = { ...defaultSettings.alerts, addresses, planned };
    const { settings, wrong } = readSettings({ alerts });
    expect(settings.alerts.addresses).toEqual([rule('1'), rule('3')]);
    expect(settings.alerts.planned).toEqual(planned.slice(0, 1));
    expect(wrong.map((line) => line.split(' (')[0])).toEqual(['alerts addresses 1', 'alerts planned 1']);
  });

  it('lose of a list that is too long its first elements alone', () => {
    const planned = Array.from({ length: 502 }, (_, place) => ({
      nodeId: 'n1',
      fromMs: place,
      untilMs: 600,
    }));
    const wrongOne = planned.with(400, { nodeId: 'n1', fromMs: -1, untilMs: 600 });
    const filter = { pills: [], text: '', showHidden: false };
    const savedViews = Array.from({ length: 201 }, (_, place) => ({
      ...{ id: String(place), name: 'View' },
      filter,
    }));
    const stored = { alerts: { ...defaultSettings.alerts, planned: wrongOne }, savedViews };
    const { settings, wrong } = readSettings(stored);
    expect(settings.alerts.planned).toEqual(planned.filter(({ fromMs }) => fromMs >= 2 && fromMs !== 400));
    expect(settings.savedViews).toEqual(savedViews.slice(1));
    expect(wrong.toSorted()).toEqual([
      expect.stringMatching(/^alerts planned \(the last 500 of 502 are used\)$/),
      expect.stringMatching(/^alerts planned 398 /),
      expect.stringMatching(/^savedViews \(the last 200 of 201 are used\)$/),
    ]);
  });

  it('lose of a group within others the wrong field alone', () => {
    const { alerts } = defaultSettings;
    const rules = { ...alerts.rules, incident: 'shout', disk: 'wake' };
    const quiet = { ...alerts.quiet, days: [1, 9, 2], fromMinute: 'late', toMinute: 60 };
    const webhook = { shape: 'telegram', origin: 'https://hooks.example' };
    const { settings } = readSettings({ alerts: { ...alerts, rules, quiet, webhook } });
    expect(settings.alerts).toEqual({
      ...alerts,
      rules: { ...alerts.rules, disk: 'wake' },
      quiet: { ...alerts.quiet, days: [1, 2], toMinute: 60 },
      webhook: null,
    });
  });
});

it('what another version knows stays at its place, but not in a list, whose elements may have moved', () => {
  const { alerts } = defaultSettings;
  const addresses = [{ ...rule('1'), sound: 'bell' }, rule('2')];
  const { settings, wrong, unknown } = readSettings({ alerts: { ...alerts, addresses, sound: 'horn' } });
  expect(wrong).toEqual([]);
  const left = settings.alerts.addresses.slice(1);
  const moved = { ...settings, alerts: { ...settings.alerts, addresses: left } };
  expect(withUnknown(moved, unknown)['alerts']).toEqual({ ...alerts, addresses: [rule('2')], sound: 'horn' });
});
