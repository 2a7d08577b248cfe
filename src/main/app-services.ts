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
import { createHistoryServices } from './core/health/history-services.ts';
import { createNodeService } from './core/health/node/node-service.ts';
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
  const health = () => settings.current().health;
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
    limits: health,
  });
  const files = createFileSaver(dialog, downloads);
  const history = createHistoryServices({
    ...system,
    nodes,
    thresholds: health,
    openRecording: createRecordingOpener({ workerUrl: system.storageWorkerUrl, log: system.log }),
    forecaster: forecastsBy(decoder),
    saver: files,
    opener: createFileOpener(dialog, downloads),
  });
  settings.onChange(({ settings: now, previous }) => {
    broadcaster.send('settings.changed', now);
    if (JSON.stringify(now.health) === JSON.stringify(previous.health)) return;
    nodes.limitsChanged();
    history.incidents.thresholdsChanged();
  });
  secrets.onChange((status) => broadcaster.send('secret.changed', status));
  nodes.onListChanged((list) => broadcaster.send('nodes.changed', list));
  nodes.onNodeChanged((status) => broadcaster.send('node.changed', status));
  budget.onChange((status) => broadcaster.send('budget.changed', status));
  history.incidents.onChange((change) => broadcaster.send('incidents.changed', change));
  history.recordings.tasks.onChange((task) => broadcaster.send('recordingTask.changed', task));
  return { ...system, settings, secrets, scheduler, http, nodes, budget, files, history };
}
