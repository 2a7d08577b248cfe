import { sampleServiceProfile } from '../../../../shared/settings.ts';
import { Scheduler } from '../../endpoints/scheduler.ts';
import { ServiceClient } from '../../endpoints/service-client.ts';
import { createFakeTime, type FakeTime } from '../../health/testing/fake-ports.ts';
import type { HttpClient, Log } from '../../ports.ts';

/** A service client with a fake network and a fake clock. */
export function createTestClient(
  http: HttpClient,
  time: FakeTime = createFakeTime(),
  life: AbortSignal = new AbortController().signal,
): ServiceClient {
  return new ServiceClient({
    http,
    scheduler: new Scheduler({ clock: time.clock, timers: time.timers }),
    keyHeaders: async () => ({}),
    profile: () => sampleServiceProfile,
    life,
    clock: time.clock,
    timers: time.timers,
    random: { fraction: () => 0.5, id: () => 'id' },
  });
}

export const silentLog: Log = {
  info: () => undefined,
  warn: () => undefined,
  error: () => 'ref',
};
