import { describe, expect, it } from 'vitest';
import { AppFailure } from '../../../shared/errors.ts';
import { defaultSettings, type Settings } from '../../../shared/settings.ts';
import { SettingsService } from './settings-service.ts';

function setUp(write: (settings: Settings) => void = () => undefined) {
  const log = { info: () => undefined, warn: () => undefined, error: () => 'ref-7' };
  return new SettingsService({ read: () => ({ settings: defaultSettings, notice: null }), write }, log);
}

describe('SettingsService', () => {
  it('keeps what a change does not name, and tells of the change with what was before', () => {
    const written: Settings[] = [];
    const service = setUp((settings) => void written.push(settings));
    const changes: unknown[] = [];
    service.onChange((change) => changes.push(change));

    const result = service.update({ theme: 'dark' });

    const expected = { ...defaultSettings, theme: 'dark' };
    expect(result).toEqual(expected);
    expect(written).toEqual([expected]);
    expect(service.current()).toEqual(expected);
    expect(changes).toEqual([{ settings: expected, previous: defaultSettings }]);
  });

  it('stays as it was when the settings cannot be written', () => {
    const service = setUp(() => {
      throw new Error('EROFS');
    });
    const changes: unknown[] = [];
    service.onChange((change) => changes.push(change));

    expect(() => service.update({ theme: 'dark' })).toThrow(/ref-7/);
    service.tryUpdate({ theme: 'dark' });
    expect(service.current()).toEqual(defaultSettings);
    expect(changes).toEqual([]);
  });

  it('says why they cannot be written, where that is known', () => {
    const message = 'The settings couldn’t be saved, so nothing has changed. The disk is full.';
    const service = setUp(() => {
      throw new AppFailure({ code: 'storage', message });
    });
    expect(() => service.update({ theme: 'dark' })).toThrow(message);
  });

  it('hides no fault of who hears of a change', () => {
    const service = setUp();
    service.onChange(() => {
      throw new TypeError('a fault');
    });
    expect(() => service.tryUpdate({ theme: 'dark' })).toThrow('a fault');
  });
});
