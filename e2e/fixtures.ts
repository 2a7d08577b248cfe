import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, type TestInfo } from 'playwright/test';
import type { SampleServiceOptions } from '../sample-service/options.ts';
import { Profile, type RunningApp } from './running-app.ts';
import { SampleService } from './sample-service.ts';
import { SharedApp } from './shared-app.ts';

interface Fixtures {
  /** Options of `service`; by default its busiest address has some hundred rows. */
  serviceOptions: SampleServiceOptions;
  service: SampleService;
  /** A fresh profile folder. */
  profile: Profile;
  /** A second one, as on another computer. */
  otherProfile: Profile;
  /** The app as with a fresh profile that points at `service`. It is shared with other tests, so it must not be quit. */
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

/** After a failed test the runner ends the worker, and its shared app with it. */
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
