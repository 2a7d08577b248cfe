import { expect, it } from 'vitest';
import { defaultSettings, sampleServiceProfile } from '../../../../shared/settings.ts';
import { SettingsService } from '../../settings/settings-service.ts';
import { keptCompletion } from './kept-completion.ts';
import { silentLog } from '../testing/harness.ts';

const filter = { pills: [], text: 'swap', showHidden: false };

it('what is to be completed is kept for the service that it was asked of, and for no other', () => {
  const store = { read: () => ({ settings: defaultSettings, notice: null }), write: () => undefined };
  const settings = new SettingsService(store, silentLog);
  const one = keptCompletion(settings, settings.current().service.dataUrl);
  expect(one.read()).toBeNull();
  one.write(filter);
  expect(one.read()).toEqual(filter);

  settings.update({ service: sampleServiceProfile });
  const other = keptCompletion(settings, settings.current().service.dataUrl);
  expect(other.read()).toBeNull();
  // What ends there leaves alone what is wanted of the first.
  other.write(null);
  expect(one.read()).toEqual(filter);
  one.write(null);
  expect(one.read()).toBeNull();
  expect(settings.current().completing).toBeNull();
});
