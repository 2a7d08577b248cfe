import { expect, it } from 'vitest';
import { avalancheService, defaultSettings, sampleServiceProfile } from '../../../shared/settings.ts';
import { ownProfile } from './own-profile.ts';

it('a service stays the one that was opened, with what the settings last said about it', () => {
  const settings = { ...defaultSettings, service: avalancheService };
  const own = ownProfile({ current: () => settings }, avalancheService);
  settings.service = { ...avalancheService, keyHeader: 'x-other-key' };
  expect(own()).toEqual({ ...avalancheService, keyHeader: 'x-other-key' });
  settings.service = sampleServiceProfile;
  expect(own()).toEqual({ ...avalancheService, keyHeader: 'x-other-key' });
  settings.service = avalancheService;
  expect(own()).toEqual(avalancheService);
});
