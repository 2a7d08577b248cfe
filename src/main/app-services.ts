import { app, dialog, net } from 'electron';
import type { Clock, Keychain, Log, Random, Timers } from './core/ports.ts';
import { createFileOpener } from './adapters/export/file-opener.ts';
import { createFileSaver } from './adapters/export/file-saver.ts';
import { createHttpClient } from './adapters/http/http-client.ts';
import { openNodeLine } from './adapters/http/node-line.ts';
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
import { SecretService } from './core/secrets/secret-service.ts';
import type { SettingsService } from './core/settings/settings-service.ts';
import type { Broadcaster } from './ipc/broadcast.ts';
import { forecastsBy, reportsBy, type ReadingThread } from './readers.ts';

/** What all services need of the system. */
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

/** What does not depend on which service is asked: the key, the budget, nodes and their history. */
export function createAppServices(system: System, store: OpenedStore, settings: SettingsService) {
  const { clock, timers, decoder, broadcaster, keychain } = system;
  const profile = () => settings.current().service;
  const healthSettings = () => settings.current().health;
  const downloads = () => app.getPath('downloads');
  const http = tellingAnswers(createHttpClient(), () => nodes.remoteAnswered());
  const secrets = new SecretService({ keychain, profile });
  const scheduler = new Scheduler({ clock, timers });
  const budget = new BudgetMonitor({ scheduler, profile, clock, timers });
  const nodes = createNodeService({
    ...system,
    store: store.health,
    http,
    reader: reportsBy(decoder),
    openLine: openNodeLine,
    isOnline: () => net.isOnline(),
    remoteServiceUrl: () => profile().dataUrl,
    limits: healthSettings,
  });
  const files = createFileSaver(dialog, downloads);
  // The history of nodes that are watched, and of recordings that are open.
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

  settings.onChange(({ settings: now, previous }) => {
    broadcaster.send('settings.changed', now);
    if (JSON.stringify(now.health) === JSON.stringify(previous.health)) return;
    nodes.limitsChanged();
    incidents.thresholdsChanged();
  });
  secrets.onChange((status) => broadcaster.send('secret.changed', status));
  nodes.onRecorded((poll) => incidents.pollRecorded(poll));
  nodes.onListChanged((list) => broadcaster.send('nodes.changed', list));
  nodes.onNodeChanged((status) => broadcaster.send('node.changed', status));
  budget.onChange((status) => broadcaster.send('budget.changed', status));
  incidents.onChange((change) => broadcaster.send('incidents.changed', change));
  recordings.tasks.onChange((task) => broadcaster.send('recordingTask.changed', task));
  const ofNodes = { nodes, past, incidents, recordings };
  return { ...system, ...ofNodes, settings, secrets, scheduler, http, budget, files };
}
