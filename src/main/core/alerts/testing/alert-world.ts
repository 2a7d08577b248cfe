import { createMemoryStores } from '../../../adapters/storage/testing/memory-stores.ts';
import { overAfter } from '../../../../shared/alerts/thresholds.ts';
import { AppFailure } from '../../../../shared/errors.ts';
import type { Forecast } from '../../../../shared/health/types.ts';
import { defaultSettings, type AlertSettings } from '../../../../shared/settings.ts';
import { createFakeRandom } from '../../health/testing/fake-ports.ts';
import { createFakeNode, createServiceWorld, type FakeNode } from '../../health/testing/service-world.ts';
import { KnownIncidents } from '../../health/incidents/known-incidents.ts';
import type { AlertChannel } from '../../ports.ts';
import { SettingsService } from '../../settings/settings-service.ts';
import type { NewsSource } from '../address-news.ts';
import type { AppFacts } from '../app-rule.ts';
import { createAlertService } from '../alert-service.ts';

/** The app itself, in good order. */
export const wellApp: AppFacts = {
  dataUrl: 'https://data.example',
  connection: { state: 'online', lastAnswerAtMs: null, error: null },
  storage: { state: 'ready', notKept: false, notices: [] },
  updates: { host: null, obstacle: null, state: { at: 'idle' } },
  asksForUpdates: true,
};

type Sent = Parameters<AlertChannel['send']>[0];

/** Watched nodes under a fake clock, with their alerts and a channel that records what it takes. */
export async function createAlertWorld(changed: Partial<AlertSettings> = {}) {
  const stores = createMemoryStores();
  const nodes = await createServiceWorld(stores.health);
  const { time, log } = nodes;
  const sent: Sent[] = [];
  const webhooked: Sent[] = [];
  const channel = {
    isDown: false,
    isDiskFull: false,
    isUnreadable: false,
    app: wellApp,
    activity: null as NewsSource | null,
    chains: new Map<string, string>(),
    /** Null: never made. */
    forecasts: [] as Forecast[] | null,
  };
  const settings = new SettingsService(
    {
      read: () => ({
        settings: { ...defaultSettings, alerts: { ...defaultSettings.alerts, ...changed } },
        notice: null,
      }),
      write: () => undefined,
    },
    log,
  );
  let failures = new KnownIncidents();
  const create = () =>
    createAlertService({
      emit: () => undefined,
      store: {
        past: stores.alerts.past,
        read: (sinceMs) =>
          channel.isUnreadable
            ? Promise.reject(new AppFailure({ code: 'storage', message: 'busy' }))
            : stores.alerts.read(sinceMs),
        ...{ waiting: stores.alerts.waiting, messages: stores.alerts.messages },
        put: (change) =>
          channel.isDiskFull
            ? Promise.reject(new AppFailure({ code: 'storage', message: 'full' }))
            : stores.alerts.put(change),
      },
      nodes: () => nodes.service.list(),
      sources: () => nodes.service.historySources(),
      failuresOf: (...args) => {
        world.looks += 1;
        return failures.failuresOf(...args);
      },
      forecasts: async () => channel.forecasts ?? (await new Promise(() => undefined)),
      app: () => channel.app,
      activity: () => channel.activity,
      chains: () => channel.chains,
      settings,
      channels: [
        {
          name: 'system',
          send: async (message) => {
            if (channel.isDown) throw new AppFailure({ code: 'unreachable', message: 'No server.' });
            sent.push(message);
          },
        },
        { name: 'webhook', send: async (message) => void webhooked.push(message) },
      ],
      clock: time.clock,
      timers: time.timers,
      random: createFakeRandom(),
      log,
    });
  const world = {
    ...nodes,
    stores,
    settings,
    channel,
    sent,
    webhooked,
    titles: (): string[] => sent.map(({ title }) => title),
    /** How often failures were asked for. */
    looks: 0,
    alerts: create(),
    async begin() {
      nodes.service.onPoll((poll) => {
        failures.changed(poll.nodeId, poll.episodes);
        world.alerts.pollRecorded(poll);
      });
      nodes.limits.recoverAfter = overAfter(settings.current());
      nodes.service.onUpkeep(() => failures.keep(new Set()));
      nodes.events.on('nodes.changed', () => world.alerts.nodesChanged());
      await world.alerts.start();
    },
    /** Ends without an orderly exit, and starts on the same store. */
    async crash() {
      void world.alerts.stop();
      failures = new KnownIncidents();
      world.alerts = create();
      await world.alerts.start();
    },
    async addNode(host: string, checks: readonly string[] = ['C'], nodeId?: string): Promise<FakeNode> {
      const fake = createFakeNode(time, checks, nodeId);
      nodes.http.serve(`http://${host}`, fake.server);
      await nodes.add(`http://${host}`, 30_000, { name: host.split('.')[0] ?? host });
      return fake;
    },
    /** The computer sleeps, in which only its clock goes on. */
    async sleep(forMs: number) {
      world.alerts.suspend();
      await time.settle();
      nodes.service.suspend();
      time.stepClock(forMs);
      world.alerts.resume();
      nodes.service.resume();
    },
    up(host: string, fake: FakeNode) {
      nodes.http.serve(`http://${host}`, fake.server);
    },
    down(host: string) {
      nodes.http.serve(`http://${host}`, () => ({ kind: 'failure', reason: 'refused', detail: '' }));
    },
  };
  await world.begin();
  return world;
}

/** So much time passes by the system's clock, of which the nodes are polled in the last minutes alone. */
export async function pass(
  { time }: Awaited<ReturnType<typeof createAlertWorld>>,
  ms: number,
): Promise<void> {
  const polledMs = 5 * 60_000;
  time.stepClock(ms - polledMs);
  await time.advance(polledMs);
}
