import { overAfter } from '../shared/alerts/thresholds.ts';
import type {
  AlertChannel,
  FileOpener,
  FileSaver,
  HttpClient,
  MetricsServer,
  OpenNodeLine,
  Ports,
} from './core/ports.ts';
import type { OpenRecording } from './core/health-ports.ts';
import type { OpenedStore } from './adapters/storage/thread/open-store.ts';
import { createAlertService } from './core/alerts/alert-service.ts';
import type { NewsSource } from './core/alerts/address-news.ts';
import type { AppFacts } from './core/alerts/app-rule.ts';
import { createHeartbeat } from './core/alerts/heartbeat.ts';
import { createMetricsEndpoint } from './core/alerts/metrics-endpoint.ts';
import { createSecretUrls } from './core/alerts/secret-urls.ts';
import { createWebhook } from './core/alerts/webhook.ts';
import { BudgetMonitor } from './core/endpoints/budget-status.ts';
import { Scheduler } from './core/endpoints/scheduler.ts';
import { IncidentService } from './core/health/incidents/incident-service.ts';
import { createNodeService } from './core/health/node/node-service.ts';
import { HistoryService } from './core/health/history/history-service.ts';
import type { HistorySource } from './core/health/history/history-source.ts';
import { RecordingService } from './core/health/recordings/recording-service.ts';
import { RunExport } from './core/explore/run-export.ts';
import type { KnownAs } from './core/explore/run-search.ts';
import { RunService } from './core/explore/run-service.ts';
import type { Asking } from './core/explore/run-target.ts';
import type { Gate } from './core/privacy/gate.ts';
import type { Proxies } from './core/privacy/proxies.ts';
import { KeptSecrets } from './core/secrets/kept-secrets.ts';
import { SecretService } from './core/secrets/secret-service.ts';
import { tellingAnswers } from './core/remote-host.ts';
import { Removals } from './core/removals.ts';
import { UpdateService, type UpdateServiceDeps } from './core/updates/update-service.ts';
import type { SettingsService } from './core/settings/settings-service.ts';
import { answersBy, forecastsBy, reportsBy, type ReadingThread } from './readers.ts';

/** Everything that the services need from outside of the core, but for the stores. */
export interface System extends Ports {
  decoder: ReadingThread;
  /** Writes the text of an export, while the decoder goes on with answers. */
  writer: ReadingThread;
  /** This and `openLine` ask the gate before each request. */
  http: HttpClient;
  openLine: OpenNodeLine;
  files: FileSaver;
  opener: FileOpener;
  openRecording: OpenRecording;
  /** Where alerts are sent. */
  channels: readonly AlertChannel[];
  metricsServer: MetricsServer;
  updates: Pick<UpdateServiceDeps, 'source' | 'obstacle' | 'runningVersion'>;
}

/** The window draws what is stored before requests compete with it for the processor. */
export const firstRequestsAfterMs = 700;

interface ServiceInUse {
  /** Null while the service is being changed. */
  asking: Asking | null;
  /** The names of addresses and chains. */
  names: () => Iterable<KnownAs>;
  app: () => AppFacts | null;
  activity: NewsSource | null;
  /** The key is another than it was asked with. */
  keyChanged: () => void;
}

/** Services that do not depend on the configured service: API key, budget, nodes with their history, past queries. */
export function createAppServices(
  system: System,
  store: OpenedStore,
  settings: SettingsService,
  gate: Gate,
  proxies: Proxies,
) {
  const { clock, timers, decoder, emit, keychain, files } = system;
  const profile = () => settings.current().service;
  const health = () => settings.current().health;
  const http = tellingAnswers(system.http, () => nodes.remoteAnswered());
  const scheduler = new Scheduler({ clock, timers });
  const keyChanged = () => {
    scheduler.keyChanged();
    inUse.keyChanged();
  };
  const secrets = new SecretService({ keychain, profile, emit, keyChanged });
  const budget = new BudgetMonitor({ scheduler, profile, clock, timers, emit });
  const nodes = createNodeService({
    ...system,
    emit: (channel, payload) => {
      if (channel === 'nodes.changed') alerts.nodesChanged();
      emit(channel, payload);
      // The hosts that may be asked have changed.
      if (channel === 'nodes.changed') tellOutbound();
    },
    store: store.health,
    http,
    reader: reportsBy(decoder),
    remoteServiceUrl: () => profile().dataUrl,
    limits: () => ({ ...health(), recoverAfter: overAfter(settings.current()) }),
  });
  gate.knowNodes(() => nodes.urls());
  gate.knowProxies(proxies);
  const historySources = (): HistorySource[] => [...nodes.historySources(), ...recordings.sources()];
  const findSource = (id: string) => historySources().find((source) => source.id === id) ?? null;
  const recordings = new RecordingService({ ...system, thresholds: health, findSource, saver: files });
  const incidents = new IncidentService({
    ...system,
    sources: { all: () => nodes.historySources(), every: historySources, find: findSource },
    thresholds: health,
    saver: files,
  });
  const past = new HistoryService({ find: findSource }, forecastsBy(decoder));
  const alertSecrets = new KeptSecrets(keychain);
  const urls = createSecretUrls({ ...system, kept: alertSecrets });
  const webhook = createWebhook({ urls, settings, onSet: () => alerts.channelChanged('webhook') });
  const heartbeat = createHeartbeat({ ...system, urls, settings, nodes: () => nodes.list() });
  const alerts = createAlertService({
    ...system,
    channels: [...system.channels, webhook, heartbeat],
    store: store.alerts,
    nodes: () => nodes.list(),
    sources: () => nodes.historySources(),
    failuresOf: (source, fromMs) => incidents.failuresOf(source, fromMs),
    forecasts: (call) => past.forecasts(call),
    app: () => inUse.app(),
    activity: () => inUse.activity,
    chains: () => new Map([...inUse.names()].map(({ name, value }) => [value, name])),
    settings,
  });
  const metrics = createMetricsEndpoint({
    ...system,
    kept: alertSecrets,
    server: system.metricsServer,
    settings,
    facts: async () => {
      const any = { nodeId: null, check: null, fromMs: null, toMs: null, text: '' };
      const { totalCount } = await incidents.list({ filter: { ...any, state: 'open' }, offset: 0, limit: 1 });
      return { nodes: nodes.list(), openAlerts: alerts.openCount(), openIncidents: totalCount };
    },
  });
  const updates = new UpdateService({ ...system, ...system.updates, settings });

  const tellOutbound = () => emit('outbound.changed', gate.status());
  settings.onChange(({ settings: now, previous }) => {
    emit('settings.changed', now);
    // The hosts that may be asked have changed.
    tellOutbound();
    if (JSON.stringify(now.health) === JSON.stringify(previous.health)) return;
    nodes.limitsChanged();
    incidents.readAnew();
  });
  nodes.onUpkeep(() => incidents.readAnew());
  nodes.onPoll((poll) => {
    incidents.pollRecorded(poll);
    if (poll.isStored) heartbeat.pollRecorded(poll.nodeId);
    alerts.pollRecorded(poll);
  });
  gate.onChange(tellOutbound);
  proxies.onChange(tellOutbound);
  const inUse: ServiceInUse = {
    ...{ asking: null, names: () => [], app: () => null, activity: null },
    keyChanged: () => undefined,
  };
  const runs = new RunService({
    ...system,
    store: store.runs,
    asking: () => inUse.asking,
    nodes: () => nodes.list().map(({ node }) => node),
    names: function* () {
      yield* nodes.list().map(({ node: { name, url } }) => ({ name, value: url }));
      yield* inUse.names();
    },
    accessTo: (id) => nodes.accessTo(id),
    decode: answersBy(decoder),
    http,
    reader: reportsBy(decoder),
  });
  const runExport = new RunExport({ runs, files });
  const removals = new Removals(system);
  const ofAlerts = { alerts, webhook, heartbeat, metrics, alertSecrets };
  const ofNodes = { nodes, past, incidents, ...ofAlerts, recordings, removals, updates, runs, runExport };
  return {
    ...system,
    ...ofNodes,
    settings,
    gate,
    proxies,
    secrets,
    scheduler,
    http,
    budget,
    inUse,
    nodeStore: store,
  };
}
