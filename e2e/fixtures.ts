import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, type TestInfo } from 'playwright/test';
import type { SampleServiceOptions } from '../sample-service/options.ts';
import { Profile, type RunningApp } from './running-app.ts';
import { SampleService } from './sample-service.ts';
import { SharedApp } from './shared-app.ts';

interface Fixtures {
  /** How `service` is started: where nothing else is said, in a world of some hundred rows for the busiest address. */
  serviceOptions: SampleServiceOptions;
  service: SampleService;
  /** A fresh profile folder. */
  profile: Profile;
  /** Another one, as on another computer. */
  otherProfile: Profile;
  /** The app as it is with a fresh profile that points at `service`. Others have used it, and will: it must not be quit. */
  running: RunningApp;
}

interface WorkerFixtures {
  sharedApp: SharedApp;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  serviceOptions: [{ scale: 0.02 }, { option: true }],
  service: async ({ serviceOptions }, use) => {
    const service = await SampleService.start(serviceOptions);
    await use(service);
    await service.stop();
  },
  // Playwright reads the dependencies of a fixture from this pattern, so it has to be one.
  profile: async ({}, use, testInfo) => {
    await withProfile(async (profile) => {
      await use(profile);
      if (hasFailed(testInfo)) await profile.keepEvidence(testInfo);
    });
  },
  otherProfile: async ({}, use, testInfo) => {
    await withProfile(async (profile) => {
      await use(profile);
      if (hasFailed(testInfo)) await profile.keepEvidence(testInfo);
    });
  },
  sharedApp: [
    async ({}, use) => {
      await withProfile(async (profile) => {
        await use(await SharedApp.start(profile));
      });
    },
    { scope: 'worker' },
  ],
  running: async ({ sharedApp, service }, use, testInfo) => {
    const running = await sharedApp.handOver(service);
    await use(running);
    if (hasFailed(testInfo)) await running.keepEvidence(testInfo);
    else await sharedApp.takeBack();
  },
});

/** A worker whose test has failed is ended by the runner, and its shared app with it. */
const hasFailed = ({ status, expectedStatus }: TestInfo) => status !== expectedStatus;

async function withProfile(use: (profile: Profile) => Promise<void>): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'watchkeeper-profile-'));
  const profile = new Profile(dir);
  try {
    await use(profile);
  } finally {
    await profile.closeAll();
    await rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

export { expect } from 'playwright/test';
