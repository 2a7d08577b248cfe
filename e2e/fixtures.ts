import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from 'playwright/test';
import { Profile, type RunningApp } from './running-app.ts';
import { SampleService } from './sample-service.ts';

interface Fixtures {
  /** Added to the command line of `service`. */
  serviceArgs: readonly string[];
  service: SampleService;
  /** A fresh profile folder. */
  profile: Profile;
  /** Another one, as on another computer. */
  otherProfile: Profile;
  /** The app with a fresh profile that points at `service`. */
  running: RunningApp;
}

export const test = base.extend<Fixtures>({
  serviceArgs: [[], { option: true }],
  service: async ({ serviceArgs }, use) => {
    const service = await SampleService.start(serviceArgs);
    await use(service);
    await service.stop();
  },
  // Playwright reads the dependencies of a fixture from this pattern, so it has to be one.
  profile: async ({}, use) => {
    await withProfile(use);
  },
  otherProfile: async ({}, use) => {
    await withProfile(use);
  },
  running: async ({ profile, service }, use) => {
    await profile.useService(service);
    await use(await profile.launch());
  },
});

async function withProfile(use: (profile: Profile) => Promise<void>): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'watchkeeper-profile-'));
  const profile = new Profile(dir);
  await use(profile);
  await profile.closeAll();
  await rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

export { expect } from 'playwright/test';
