import { app, dialog, net } from 'electron';
import type { Clock, Keychain, Log, Random, Timers } from './core/ports.ts';
import { join } from 'node:path';
import { readResource } from './adapters/electron/resource.ts';
import { createFileOpener } from './adapters/export/file-opener.ts';
import { createFileSaver } from './adapters/export/file-saver.ts';
import { createHttpClient } from './adapters/http/http-client.ts';
import { createNodeLines } from './adapters/http/node-line.ts';
import { createUpdater } from './adapters/http/updater.ts';
import { createRecordingOpener } from './adapters/storage/thread/open-recording.ts';
import type { OpenedStore } from './adapters/storage/thread/open-store.ts';
import { BudgetMonitor } from './core/endpoints/budget-status.ts';
import { Scheduler } from './core/endpoints/scheduler.ts';
import { tellingAnswers } from './core/health/ask/node-network.ts';
import { IncidentService } from './core/health/incidents/incident-service.ts';
import { createNodeService } from './core/health/node/node-service.ts';
import { HistoryService } from './core/health/history/history-service.ts';
import type { HistorySource } from './core/health/history/history-source.ts';
import { RecordingService } from './core/health/recordings/recording-service.ts';
import type { Gate } from './core/privacy/gate.ts';
import { SecretService } from './core/secrets/secret-service.ts';
import { Removals } from './core/removals.ts';
import { parseUpdatePlace, updateObstacle } from './core/updates/update-place.ts';
import { UpdateService } from './core/updates/update-service.ts';
import type { SettingsService } from './core/settings/settings-service.ts';
import type { Broadcaster } from './ipc/broadcast.ts';
import { forecastsBy, reportsBy, type ReadingThread } from './readers.ts';

/** The parts of the system that all services need. */
export interface System {
  clock: Clock;
  timers: Timers;
  random: Random;
  log: Log;
  keychain: Keychain;
  decoder: ReadingThread;
  broadcaster: Broadcaster;
  storageWorkerUrl: URL;
}

/** The window draws what is stored before requests compete with it for the processor. */
export const firstRequestsAfterMs = 700;

/** Services that do not depend on the configured service: API key, budget, nodes and their history. */
export function createAppServices(system: System, store: OpenedStore, settings: SettingsService, gate: Gate) {
  const { clock, timers, decoder, broadcaster, keychain } = system;
  const profile = () => settings.current().service;
  const healthSettings = () => settings.current().health;
  const downloads = () => app.getPath('downloads');
  const http = tellingAnswers(createHttpClient(gate), () => nodes.remoteAnswered());
  const secrets = new SecretService({ keychain, profile });
  const scheduler = new Scheduler({ clock, timers });
  const budget = new BudgetMonitor({ scheduler, profile, clock, timers });
  const nodes = createNodeService({
    ...system,
    store: store.health,
    http,
    reader: reportsBy(decoder),
    openLine: createNodeLines(gate),
    isOnline: () => net.isOnline(),
    remoteServiceUrl: () => profile().dataUrl,
    limits: healthSettings,
  });
  gate.knowNodes(() => nodes.urls());
  const files = createFileSaver(dialog, downloads);
  // The history of watched nodes and open recordings.
  const historySources = (): HistorySource[] => [...nodes.historySources(), ...recordings.sources()];
  const findSource = (id: string) => historySources().find((source) => source.id === id) ?? null;
  const recordings = new RecordingService({
    ...system,
    findSource,
    openRecording: createRecordingOpener({ workerUrl: system.storageWorkerUrl, log: system.log }),
    saver: files,
    opener: createFileOpener(dialog, downloads),
  });
  const incidents = new IncidentService({
    sources: { all: () => nodes.historySources(), every: historySources, find: findSource },
    thresholds: healthSettings,
    saver: files,
    clock,
  });
  const past = new HistoryService({ find: findSource }, forecastsBy(decoder));
  const updates = createUpdates(system, settings, gate);

  const tellOutbound = () => broadcaster.send('outbound.changed', gate.status());
  settings.onChange(({ settings: now, previous }) => {
    broadcaster.send('settings.changed', now);
    // The hosts that may be asked have changed.
    tellOutbound();
    if (JSON.stringify(now.health) === JSON.stringify(previous.health)) return;
    nodes.limitsChanged();
    incidents.thresholdsChanged();
  });
  secrets.onChange((status) => broadcaster.send('secret.changed', status));
  nodes.onRecorded((poll) => incidents.pollRecorded(poll));
  nodes.onListChanged((list) => {
    broadcaster.send('nodes.changed', list);
    tellOutbound();
  });
  nodes.onNodeChanged((status) => broadcaster.send('node.changed', status));
  gate.onChange(tellOutbound);
  updates.onChange((status) => broadcaster.send('updates.changed', status));
  budget.onChange((status) => broadcaster.send('budget.changed', status));
  incidents.onChange((change) => broadcaster.send('incidents.changed', change));
  recordings.tasks.onChange((task) => broadcaster.send('recordingTask.changed', task));
  const removals = new Removals(system);
  const ofNodes = { nodes, past, incidents, recordings, removals, updates };
  return { ...system, ...ofNodes, settings, gate, secrets, scheduler, http, budget, files };
}

/** A build knows whom to ask for newer ones only if electron-builder has written it down beside the app. */
function createUpdates(system: System, settings: SettingsService, gate: Gate): UpdateService {
  const { resourcesPath } = process;
  const config = readResource(resourcesPath, 'app-update.yml');
  const place = config === null ? null : parseUpdatePlace(config);
  gate.knowUpdates(place?.origins ?? []);
  const packageType = readResource(resourcesPath, 'package-type');
  const configPath = join(resourcesPath, 'app-update.yml');
  return new UpdateService({
    ...system,
    settings,
    source: place && { host: place.host, updater: createUpdater({ gate, feed: place.feed, configPath }) },
    obstacle: updateObstacle(process.platform, process.env['APPIMAGE'], packageType),
    runningVersion: app.getVersion(),
  });
}
