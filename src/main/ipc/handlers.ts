import { spellAddress } from '../../shared/address.ts';
import { unwrap } from '../../shared/errors.ts';
import type { AppSnapshot } from '../../shared/ipc/answers.ts';
import type { ArgsOf, DrawingError, InvokeChannel } from '../../shared/ipc/contract.ts';
import type { ApplicationServices } from '../application.ts';
import { withChoices } from '../core/alerts/forget-choices.ts';
import type { Diagnostics } from '../core/privacy/diagnostics.ts';
import type { ExternalLinks } from '../shell/external-links.ts';
import type { AppLinks } from '../shell/app-links.ts';
import type { Handlers } from './register.ts';

export interface Services extends ApplicationServices {
  version: string;
  dataFolder: string;
  locale: string;
  diagnostics: Diagnostics;
}

/** Functions of the shell that the page may not perform itself. */
export interface ShellServices {
  links: ExternalLinks;
  appLinks: AppLinks;
  /** Resolves when the system has taken the text. */
  copyText(text: string): Promise<void>;
  showDataFolder(): void;
  isSample: boolean;
  /** Opens sample data in a window of its own. */
  openSample(): Promise<void>;
  quit(): void;
  /** Logs the error; returns the reference of the entry. */
  drawingFailed(where: string, error: DrawingError): string;
}

type Answer<C extends InvokeChannel> = ReturnType<Handlers[C]>;

/** One line per channel: the service that implements it. */
const ofServices: {
  [C in Exclude<InvokeChannel, ShellChannel>]: (services: Services, args: ArgsOf<C>) => Answer<C>;
} = {
  'app.snapshot': (services) => snapshot(services),
  'settings.update': ({ settings }, patch) => settings.update(patch),
  'removals.settle': ({ removals }, { undoId, putBack }) => removals.settle(undoId, putBack),
  'secret.set': ({ secrets }, { key, storage }) => secrets.set(key, storage),
  'secret.remove': ({ secrets }) => secrets.remove(),
  'secret.test': async ({ keyTest }) => unwrap(await keyTest()),
  'proxy.logIn': ({ proxies }, login) => proxies.logIn(login),
  'proxy.forgetLogin': ({ proxies }, { proxy }) => proxies.forgetLogin(proxy),
  'endpoint.query': async ({ queries }, query) => unwrap(await queries.query(query)),
  'endpoint.cancel': ({ queries }, { requestId }) => queries.cancel(requestId),
  'runs.start': ({ runs }, args) => runs.start(args),
  'runs.continue': ({ runs }, args) => runs.continue(args),
  'runs.cancel': ({ runs }, { runId }) => runs.cancel(runId),
  'runs.list': ({ runs }, query) => runs.list(query),
  'runs.page': ({ runs }, args) => runs.page(args),
  'runs.text': ({ runs }, args) => runs.text(args),
  'runs.attempts': ({ runs }, { runId }) => runs.attempts(runId),
  'runs.remove': async ({ runs, removals }, { runId }) => removals.offer(await runs.remove(runId)),
  'runs.export': ({ runExport }, args) => runExport.export(args),
  'diagnostics.read': ({ diagnostics }, { withoutAddresses }) => diagnostics.read(withoutAddresses),
  'diagnostics.save': ({ diagnostics }) => diagnostics.save(),
  'updates.ask': ({ updates }) => updates.ask(),
  'updates.download': ({ updates }) => updates.download(),
  'updates.cancel': ({ updates }) => updates.cancelDownload(),
  'watchlist.add': ({ watchlist }, { address, label }) => watchlist.add(address, { label }),
  'watchlist.addMany': ({ addressLists }, { text }) => addressLists.addMany(text),
  'watchlist.export': ({ addressLists }, { format }) => addressLists.export(format),
  'watchlist.update': ({ watchlist }, { address, ...fields }) => watchlist.update(address, fields),
  'watchlist.remove': async ({ watchlist, removals, settings }, { address, keepData }) => {
    const removal = await watchlist.remove(address, keepData);
    const isBack = () => watchlist.fieldsOf(address) !== null;
    const id = spellAddress(address);
    return removals.offer(keepData ? removal : withChoices(removal, { id, settings, isBack }));
  },
  'watchlist.refreshChains': ({ watchlist }, { address }) => watchlist.refreshChains(address),
  'watchlist.showing': ({ watchlist }, { address, chainIds }) => watchlist.showing(address, chainIds),
  'book.put': ({ book }, { address, name, note }) => book.put(address, name, note),
  'book.remove': async ({ book, removals }, { address }) => removals.offer(await book.remove(address)),
  'activity.rows': ({ rows, preparation }, query) => {
    preparation.soon();
    return rows.read(query);
  },
  'activity.values': ({ store }, query) => store.activity.values(query),
  'activity.sync': ({ watchlist }, { scope, what }) => watchlist.sync(scope, what),
  'activity.cancel': ({ watchlist }, { scope }) => watchlist.cancelSync(scope),
  'activity.resume': ({ watchlist }, { scope }) => watchlist.resumeSync(scope),
  'activity.plan': ({ watchlist }, { scope, what }) => watchlist.plan(scope, what),
  'activity.ledger': ({ rows }, { address, chainId }) => rows.ledger(address, chainId),
  'activity.showing': ({ completion }, { rowIds }) => completion.showing(rowIds),
  'activity.completeAll': ({ completion }, { filter, run }) => completion.completeAll(filter, run),
  'activity.text': ({ rows }, { rowId }) => rows.text(rowId),
  'activity.versions': ({ store }, { rowId }) => store.activity.versions(rowId),
  'activity.audit': ({ rows }, { address, chainId }) => rows.audit(address, chainId),
  'activity.distrust': ({ rows }, blocks) => rows.distrust(blocks),
  'activity.pull': ({ completion }, gap) => completion.pull(gap),
  'activity.judge': ({ rows }, judgement) => rows.judge(judgement),
  'activity.otherHalf': ({ rows }, query) => rows.otherHalf(query),
  'activity.export': ({ activityExport }, args) => activityExport.start(args),
  'activity.cancelExport': ({ activityExport }) => activityExport.cancel(),
  'nodes.add': ({ nodes }, fields) => nodes.add(fields),
  'nodes.update': ({ nodes }, change) => nodes.update(change),
  'nodes.remove': async ({ nodes, recordings, removals, settings }, { id }) => {
    recordings.checkRemoval(id);
    return removals.offer(withChoices(await nodes.remove(id), { id, settings, isBack: () => false }));
  },
  'nodes.accept': ({ nodes }, { id }) => nodes.accept(id),
  'nodes.poll': ({ nodes }, { id }) => nodes.poll(id),
  'nodes.probe': ({ nodes, gate }, query) => gate.trying(query.url, () => nodes.probe(query)),
  'nodes.strips': ({ past }, query) => past.strips(query),
  'nodes.episodes': ({ past }, query) => past.episodes(query),
  'nodes.uptime': ({ past }, query) => past.uptime(query),
  'nodes.received': ({ nodes }, { id }) => nodes.received(id),
  'nodes.historyUse': ({ nodes }) => nodes.historyUse(),
  'nodes.moments': ({ past }, query) => past.moments(query),
  'nodes.reportAt': ({ past }, query) => past.reportAt(query),
  'nodes.forecasts': ({ past }, query) => past.forecasts(query),
  'incidents.list': ({ incidents }, query) => incidents.list(query),
  'incidents.find': ({ incidents }, { nodeId, id }) => incidents.find(nodeId, id),
  'incidents.note': ({ incidents }, args) => incidents.note(args),
  'incidents.export': ({ incidents }, args) => incidents.export(args),
  'incidents.postMortem': ({ incidents }, args) => incidents.postMortem(args),
  'alerts.list': ({ alerts }) => alerts.list(),
  'alerts.act': ({ alerts }, args) => alerts.act(args),
  'alerts.tryPast': ({ alerts }, args) => alerts.tryPast(args),
  'alerts.test': ({ alerts }, { channel }) => alerts.test(channel),
  'alerts.setWebhook': ({ webhook }, args) => webhook.set(args),
  'alerts.setHeartbeat': ({ heartbeat }, args) => heartbeat.set(args),
  'alerts.setMetrics': ({ metrics }, args) => metrics.set(args),
  'recordings.save': ({ recordings }, args) => recordings.save(args),
  'recordings.open': ({ recordings }) => recordings.open(),
  'recordings.close': ({ recordings, removals }, { id }) => removals.offer(recordings.close(id)),
  'recordings.cancel': ({ recordings }) => recordings.tasks.cancel(),
};

type ShellChannel = Exclude<Extract<InvokeChannel, `app.${string}`>, 'app.snapshot'>;

/** The first call starts the services, and calls wait until they are ready; the shell is ready from the start. */
export function createHandlers(services: () => Promise<Services>, shell: ShellServices): Handlers {
  const ofShell: Pick<Handlers, ShellChannel> = {
    'app.openExternal': ({ url }) => shell.links.open(url),
    'app.copyText': ({ text }) => shell.copyText(text),
    'app.showDataFolder': () => shell.showDataFolder(),
    'app.isSample': () => shell.isSample,
    'app.openSample': () => shell.openSample(),
    'app.quit': () => shell.quit(),
    'app.takeLink': () => shell.appLinks.take(),
    'app.drawingFailed': ({ where, error }) => ({ ref: shell.drawingFailed(where, error) }),
  };
  const waiting = Object.entries(ofServices).map(([channel, answer]) => [
    channel,
    // Each gets the arguments of its own channel.
    async (args: never) => await answer(await services(), args),
  ]);
  // The two parts together have all channels.
  return { ...Object.fromEntries(waiting), ...ofShell } as Handlers;
}

/** The state that the window starts with. */
export function snapshot(services: Services): AppSnapshot {
  const { version, dataFolder, locale, settings, secrets, storage, service, watchlist, nodes, budget } =
    services;
  const { book, completion, activityExport, recordings, gate, alerts, updates } = services;
  return {
    version,
    dataFolder,
    locale,
    settings: settings.current(),
    secret: secrets.status(),
    storage: storage.status(),
    connection: service.connection(),
    watchlist: watchlist.views(),
    book: book.list(),
    completion: completion.status(),
    activityExport: activityExport.task.current,
    nodes: nodes.list(),
    recordings: recordings.list(),
    recordingTask: recordings.tasks.current,
    budget: budget.status(),
    outbound: gate.status(),
    alerts: alerts.openCount(),
    updates: updates.status(),
  };
}
