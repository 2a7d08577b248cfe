import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from 'playwright/test';
import { Profile, type RunningApp } from './running-app.ts';
import { SampleService } from './sample-service.ts';

interface Fixtures {
  service: SampleService;
  /** A fresh profile folder. */
  profile: Profile;
  /** The app with a fresh profile that points at `service`. */
  running: RunningApp;
}

export const test = base.extend<Fixtures>({
  // Playwright reads the dependencies of a fixture from this pattern, so it has to be one.
  service: async ({}, use) => {
    const service = await SampleService.start();
    await use(service);
    await service.stop();
  },
  profile: async ({}, use) => {
    const dir = await mkdtemp(join(tmpdir(), 'watchkeeper-profile-'));
    const profile = new Profile(dir);
    await use(profile);
    await profile.closeAll();
    await rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  },
  running: async ({ profile, service }, use) => {
    await profile.useService(service);
    await use(await profile.launch());
  },
});

export { expect } from 'playwright/test';
