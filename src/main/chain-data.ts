import type { NativeToken } from '../shared/activity/legs.ts';
import type { ServiceProfile } from '../shared/settings.ts';
import { firstRequestsAfterMs, type createAppServices } from './app-services.ts';
import type { OpenedStore } from './adapters/storage/thread/open-store.ts';
import { ActivityRowsService } from './core/activity/completion/activity-rows.ts';
import { AddressLists } from './core/activity/watchlist/address-lists.ts';
import { BookService } from './core/activity/watchlist/book-service.ts';
import { CheckSchedule } from './core/activity/watchlist/check-schedule.ts';
import { CompletionService } from './core/activity/completion/completion-service.ts';
import { newestStoredAnswerMs } from './core/activity/watchlist/watchlist-views.ts';
import { exportNames } from './core/activity/export/export-names.ts';
import { ActivityExport } from './core/activity/export/export-service.ts';
import { keptCompletion } from './core/activity/completion/kept-completion.ts';
import { createPreparation } from './core/activity/completion/prepare-later.ts';
import { SyncService } from './core/activity/sync/sync-service.ts';
import { WatchlistService } from './core/activity/watchlist/watchlist-service.ts';
import { createKeyTest } from './core/endpoints/key-test.ts';
import { QueryEngine } from './core/endpoints/query-engine.ts';
import { ServiceClient } from './core/endpoints/service-client.ts';
import type { Emit } from './core/ports.ts';
import type { KnownAs } from './core/explore/run-search.ts';
import { moveRuns } from './core/explore/move-runs.ts';
import { withoutEcho } from './core/secrets/without-echo.ts';
import { ownProfile } from './core/settings/own-profile.ts';
import { loadOrClose } from './core/settings/service-change.ts';
import { answersBy, exportTextBy } from './readers.ts';

/** The names that the user gave to addresses, and those of chains. */
function* namesOf(watchlist: WatchlistService, book: BookService): Generator<KnownAs> {
  for (const { address, name } of book.list()) yield { name, value: address };
  for (const { address, label, chains } of watchlist.views()) {
    if (label !== null) yield { name: label, value: address };
    for (const { chainId, blockchainId, name } of chains) {
      yield { name, value: chainId };
      if (blockchainId !== null) yield { name, value: blockchainId };
    }
  }
}

/** A service, and its store while that is being opened. */
export interface Opening {
  profile: ServiceProfile;
  store: Promise<OpenedStore>;
}

/**
 * Data of one service, in a store of its own: coverage proven with one service says nothing about another, and sample
 * data must never be mixed with real data. So everything here asks this service alone, whatever is configured
 * meanwhile, and nothing once its life has ended.
 */
export async function openChainData(
  common: ReturnType<typeof createAppServices>,
  opening: Opening,
  onStorageStatus: () => void,
) {
  const { clock, timers, random, log, decoder } = common;
  const { settings, secrets, http, budget, files, gate, removals, runs, nodeStore, inUse } = common;
  const store = await opening.store;
  const life = new AbortController();
  const decode = answersBy(decoder);
  const service = new ServiceClient({
    ...common,
    http: withoutEcho(http),
    decode,
    keyHeaders: (url, forProfile) => secrets.headersFor(url, forProfile),
    profile: ownProfile(settings, opening.profile),
    life: life.signal,
    offReason: (api) => gate.offReason(api),
  });
  const queries = new QueryEngine({ service, answers: store.answers, clock, log, decode });
  const native = (chainId: string): NativeToken => watchlist.native(chainId);
  let isOpen = false;
  const emit: Emit = (channel, payload) => {
    // While it opens, the window still shows the service before; once it is closed, another one.
    if (isOpen) common.emit(channel, payload);
    if (channel === 'activity.changed') {
      completion.rowsChanged();
      common.alerts.activityChanged();
    }
    if (channel === 'watchlist.changed' || channel === 'book.changed') names.forget();
  };
  const activity = { store: store.activity, service, clock, timers, log, native, emit };
  const sync = new SyncService({
    ...{ ...activity, random, life: life.signal },
    mayFetch: (address, initiator) => watchlist.mayFetch(address, initiator),
  });
  const rows = new ActivityRowsService({ ...activity, sync, answers: store.answers });
  const kept = keptCompletion(settings, opening.profile.dataUrl);
  const completion = new CompletionService({ ...activity, rows, sync, kept });
  const limits = () => ({ share: budget.status().data, callUnits: budget.callUnits() });
  const watchlist = new WatchlistService({ ...activity, store: store.watchlist, sync, limits });
  const book = new BookService({ ...activity, store: store.book });
  const names = exportNames(watchlist, book);
  const addressLists = new AddressLists({ watchlist, files });
  const textOf = exportTextBy(common.writer);
  const activityExport = new ActivityExport({ ...activity, files, names: names.written, textOf });
  const minutes = () => settings.current().activityCheckMinutes;
  const checks = new CheckSchedule({ timers, minutes, check: () => void watchlist.refreshAll() });
  const keyTest = createKeyTest({ secrets, service, clock });

  queries.onAnswer((answer) => {
    rows.takeAnswer(answer).catch((cause: unknown) => log.error('activity.complete-failed', cause));
  });
  store.onStatus(onStorageStatus);
  service.onConnectionChange((status) => emit('connection.changed', status));

  // Earlier versions had the queries of a service in its store.
  const earlierRuns = { load: () => moveRuns(store.runs, nodeStore, log) };
  await loadOrClose(store, [earlierRuns, sync, watchlist, book, completion]);
  isOpen = true;
  inUse.asking = { service, queries };
  inUse.activity = {
    ...{ rows, names },
    addedAtMs: (wanted) => watchlist.views().find(({ address }) => address === wanted)?.addedAtMs ?? null,
  };
  inUse.names = () => namesOf(watchlist, book);
  inUse.keyChanged = () => {
    service.keyChanged();
    completion.keyChanged();
    void watchlist.refreshAll();
  };
  const newestAnswerMs = newestStoredAnswerMs(watchlist.views());
  if (newestAnswerMs !== null) service.rememberAnswer(newestAnswerMs);
  // An address that is added meanwhile is asked about when it is added.
  const stored = watchlist.views().map(({ address }) => address);
  const cancelFirstCheck = timers.after(firstRequestsAfterMs, () => void watchlist.refreshAll(stored));
  checks.plan();
  const forgetSettings = settings.onChange(() => checks.plan());
  const preparation = createPreparation(activity);

  const close = async () => {
    life.abort();
    forgetSettings();
    cancelFirstCheck();
    preparation.stop();
    checks.stop();
    inUse.asking = null;
    inUse.activity = null;
    inUse.keyChanged = () => undefined;
    try {
      await Promise.all([
        watchlist.stop(),
        completion.stop(),
        activityExport.cancel(),
        runs.stop('of-service'),
      ]);
      await removals.finishAll();
      await store.close();
    } finally {
      isOpen = false;
    }
  };
  return {
    store,
    service,
    queries,
    keyTest,
    watchlist,
    addressLists,
    book,
    rows,
    preparation,
    completion,
    activityExport,
    close,
  };
}
