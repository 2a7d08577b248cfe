import { expect } from 'playwright/test';
import type { RunningApp } from './running-app.ts';
import type { SampleService } from './sample-service.ts';

/**
 * For a held clock: time passes in steps, for the app and for the service if there is one, until `isSeen`
 * succeeds. It has to throw until then, and has some real time after each step, in which the app does what
 * is due.
 */
export async function passTimeUntil(
  isSeen: (moment: { timeout: number }) => Promise<void>,
  { app, service, stepMs }: { app: RunningApp; service?: SampleService; stepMs: number },
): Promise<void> {
  await expect(async () => {
    service?.control.advanceClock(stepMs);
    await app.passTime(stepMs);
    await isSeen({ timeout: 300 });
  }).toPass({ intervals: [1] });
}
