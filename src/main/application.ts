import type { OpenedStore } from './adapters/storage/thread/open-store.ts';
import { mergeStatuses } from './adapters/storage/activity/merge-statuses.ts';
import { createAppServices, firstRequestsAfterMs, type System } from './app-services.ts';
import { openChainData } from './chain-data.ts';
import { moveRuns } from './core/explore/move-runs.ts';
import type { Gate } from './core/privacy/gate.ts';
import type { Proxies } from './core/privacy/proxies.ts';
import { ServiceChange, unopened } from './core/settings/service-change.ts';
import type { SettingsService } from './core/settings/settings-service.ts';
import type { ServiceProfile } from '../shared/settings.ts';

export interface ApplicationParts {
  settings: SettingsService;
  gate: Gate;
  proxies: Proxies;
  openNodeStore: () => Promise<OpenedStore>;
  /** Opens the store of a service; one in memory where what is stored is `unusable`, for the reason given. */
  openChainStore: (service: ServiceProfile, unusable?: string) => Promise<OpenedStore>;
  /** Opens each store of another service that may still have queries, which earlier versions kept there. */
  eachEarlierStore: (use: (store: OpenedStore) => Promise<void>) => Promise<void>;
  /** Further notices for the user; `noticesChanged` tells of new ones. */
  notices: () => readonly string[];
  /** All that is shown is obsolete: another service's data is open. */
  reload: () => void;
}

/** The services but for what only Electron can tell. */
export type ApplicationServices = ReturnType<Awaited<ReturnType<typeof startApplication>>['services']>;

/** The longest that a computer takes to sleep once it has said so. */
const asleepWithinMs = 60_000;

/**
 * The whole app without Electron: services.ts runs it in the app, the simulated world in `world/` under ports of its
 * own. Loads what is stored; anything that needs the network starts afterwards, without being awaited.
 */
export async function startApplication(system: System, parts: ApplicationParts) {
  const { timers, log, emit } = system;
  const { settings, gate, proxies, openNodeStore, openChainStore, reload } = parts;
  let isOpen = false;
  // Events while the stores are opening would be redundant: the window's first snapshot has their content.
  const tellStorage = () => {
    if (isOpen) emit('storage.changed', storage.status());
  };
  const openConfigured = () => {
    const profile = settings.current().service;
    return { profile, store: openChainStore(profile) };
  };
  // Each store opens in a thread of its own.
  const opening = { nodes: openNodeStore(), chainData: openConfigured() };
  const nodeStore = await opening.nodes;
  const common = createAppServices(system, nodeStore, settings, gate, proxies);
  // Not needed for them to be read: a query that nothing fetches is never called running.
  await common.runs.load().catch((cause: unknown) => log.error('runs.load-failed', cause));
  let chainData = await openChainData(common, opening.chainData, tellStorage).catch((cause: unknown) => {
    // Nodes are watched, and other services can be chosen.
    const { profile } = opening.chainData;
    const why = unopened(profile, cause, log);
    return openChainData(common, { profile, store: openChainStore(profile, why) }, tellStorage);
  });
  if (nodeStore.status.state === 'ready') {
    await parts
      .eachEarlierStore((store) => moveRuns(store.runs, nodeStore, log))
      .catch((cause: unknown) => log.error('runs.move-failed', cause));
  }
  const storage = {
    status: () => {
      const status = mergeStatuses([nodeStore.status, chainData.store.status, change.status]);
      return { ...status, others: [...parts.notices()].concat(common.metrics.notice() ?? []) };
    },
  };
  nodeStore.onStatus(tellStorage);
  const change = new ServiceChange({
    settings,
    log,
    close: () => chainData.close(),
    open: async () => void (chainData = await openChainData(common, openConfigured(), tellStorage)),
    changed: () => {
      emit('watchlist.changed', chainData.watchlist.views());
      reload();
    },
  });
  isOpen = true;
  common.inUse.app = () => ({
    dataUrl: settings.current().service.dataUrl,
    connection: chainData.service.connection(),
    storage: storage.status(),
    updates: common.updates.status(),
    asksForUpdates: settings.current().updates !== 'off',
  });

  const forgetSettings = settings.onChange(({ settings: now, previous }) => {
    if (now.requestsOff.includes('data') !== previous.requestsOff.includes('data')) {
      chainData.service.switched();
      if (!now.requestsOff.includes('data')) void chainData.watchlist.refreshAll();
    }
    if (now.alerts.metrics !== previous.alerts.metrics) tellStorage();
    if (JSON.stringify(now.service) === JSON.stringify(previous.service)) return;
    common.budget.refresh();
    void common.secrets.load();
    if (now.service.dataUrl === previous.service.dataUrl) {
      // The service may not have seen the key before.
      if (now.service.keyHeader !== previous.service.keyHeader) {
        common.scheduler.keyChanged();
        chainData.completion.keyChanged();
      }
      chainData.service.resetConnection();
      void chainData.watchlist.serviceChanged();
      return;
    }
    change.from(previous.service);
  });

  const forgetProxies = proxies.onOtherWay(() => void chainData.watchlist.refreshAll());

  let cancelResume: () => void = () => undefined;
  const close = async () => {
    cancelResume();
    forgetSettings();
    forgetProxies();
    common.heartbeat.stop();
    await common.metrics.stop();
    await change.settled();
    await Promise.all([change.end(), common.nodes.stop(), common.runs.stop('all')]);
    // One that was under way has been offered by now.
    await common.removals.finishAll();
    await common.alerts.stop();
    await nodeStore.close();
  };
  try {
    common.nodes.suspend();
    await common.nodes.start();
    await common.alerts.start();
    common.heartbeat.start();
    await common.metrics.start();
  } catch (cause) {
    // The start can be tried again, and stores that stay open would be locked for it.
    await close();
    throw cause;
  }
  cancelResume = timers.after(firstRequestsAfterMs, () => common.nodes.resume());
  void common.secrets.load();
  const resume = () => {
    cancelResume();
    common.alerts.resume();
    common.nodes.resume();
    common.updates.resume();
    void chainData.watchlist.refreshAll();
  };

  return {
    /** Looked up at each call, because the service may change. */
    services: () => ({ ...common, ...chainData, storage }),
    noticesChanged: tellStorage,
    /** Before the computer sleeps. */
    suspend: () => {
      cancelResume();
      common.nodes.suspend();
      common.alerts.suspend();
      // It may not sleep after all, or nobody says that it is awake again: no timer ends while it sleeps.
      cancelResume = timers.after(asleepWithinMs, resume);
    },
    /** After it slept. */
    resume,
    /** Resolves when everything is stored. */
    close,
  };
}
