import { expect } from 'playwright/test';
import type { RunningApp } from './running-app.ts';
import type { SampleService } from './sample-service.ts';

/**
 * For an app whose clock is held: time goes by in steps, for the app and for the service if there is one, until what is
 * to be seen is seen. `isSeen` fails while it is not; it is given a moment after each step, in which the app does what
 * has become due.
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
