import { plannedAt } from '../../../shared/alerts/planned.ts';
import { isHeldBack, tomorrowMs } from '../../../shared/alerts/quiet.ts';
import { groupOf, type Alert, type AlertMember, type AlertMessage } from '../../../shared/alerts/types.ts';
import { settingsOfNode, withThresholds } from '../../../shared/alerts/thresholds.ts';
import { AppFailure } from '../../../shared/errors.ts';
import { foldIncidents } from '../../../shared/health/incidents.ts';
import type { ChainNames } from '../../../shared/health/names.ts';
import { chainChecksOf } from '../../../shared/health/scope.ts';
import type { Incident, NodeStatus } from '../../../shared/health/types.ts';
import type { ArgsOf, ResultOf } from '../../../shared/ipc/contract.ts';
import { Turns } from '../../../shared/turns.ts';
import { endOfTimeMs, type HistorySource } from '../health/history/history-source.ts';
import type { IncidentService } from '../health/incidents/incident-service.ts';
import { ownNetworkReason } from '../health/node/node-intake.ts';
import type { StoredPoll } from '../health-ports.ts';
import type { AlertChannel, AlertStore, Ports } from '../ports.ts';
import type { AlertSettings } from '../../../shared/settings.ts';
import type { SettingsService } from '../settings/settings-service.ts';
import { createAddressNews, newestNews, type NewestNews, type NewsSource } from './address-news.ts';
import { appConditions, appId, type AppFacts } from './app-rule.ts';
import { decide, noAlerts, type AlertEvent, type AlertState } from './decide.ts';
import { createDiskForecasts, type DiskForecastDeps } from './disk-forecasts.ts';
import { createOutbox } from './outbox.ts';
import { conditionsOf } from './rules.ts';
import { tryPast } from './try-past.ts';
import { createSilences } from './silence.ts';

export interface AlertServiceDeps extends Pick<Ports, 'emit' | 'clock' | 'timers' | 'random' | 'log'> {
  store: AlertStore;
  nodes: () => readonly NodeStatus[];
  sources: () => readonly HistorySource[];
  failuresOf: IncidentService['failuresOf'];
  /** Null while they are not known. */
  app: () => AppFacts | null;
  /** Null while no service is in use. */
  activity: () => NewsSource | null;
  /** Names of chains, by their blockchain ids. */
  chains: () => ChainNames;
  forecasts: DiskForecastDeps['forecasts'];
  settings: SettingsService;
  channels: readonly AlertChannel[];
}

/** Reminders and ends of quiet hours are late by this at most. */
const tickMs = 30_000;
/** Failures that ended earlier, and before an alert that is open began, matter for none. */
const pastMs = 86_400_000;
/** Of those that are over: at least as many as the store keeps for longer than a day. */
const mostTold = 1_000;
const mostListed = 200;
/** How much of the past thresholds are tried on, and how many of its messages are named. */
const triedMs = 30 * 86_400_000;
const mostTried = 5;
/** Planned work ends when the node was healthy for so long. */
const healthyAgainMs = 300_000;

/** Channels by which the user wants messages. */
function channelsOn({ notifications, webhook }: AlertSettings): string[] {
  return [...(notifications ? ['system'] : []), ...(webhook === null ? [] : ['webhook'])];
}

/** Follows the nodes and tells of what the user should know. Events are taken one at a time, in order. */
export function createAlertService(deps: AlertServiceDeps) {
  const { emit, store, nodes, sources, failuresOf, app, activity, chains } = deps;
  const { settings, clock, timers, random, log } = deps;
  const turns = new Turns();
  /** Not stored yet, since the disk refused it: it is stored with what comes next, or soon. */
  const unsaved = { alerts: new Map<string, Alert>(), messages: new Map<string, AlertMessage>() };
  let state: AlertState = noAlerts;
  /** Asked for now and then: it takes all addresses to know them. */
  let chainNames: ChainNames = new Map();
  let isAsleep = false;
  let cancelTick = (): void => undefined;
  let isLoaded = false;
  const alertSettings = () => settings.current().alerts;
  const disks = createDiskForecasts(deps);
  const silences = createSilences({
    ...deps,
    dueMs: (nodeId) => settingsOfNode(alertSettings(), nodeId).silentSeconds * 1_000,
    onDue: (nodeId) => void take(() => look(nodeId)),
    onSlept: () => void take(() => ({ kind: 'slept' })),
  });
  const news = createAddressNews({ ...deps, source: activity });
  const outbox = createOutbox({
    ...deps,
    isOn: (channel) => channelsOn(alertSettings()).includes(channel),
    isHeldBack: ({ level }) => isHeldBack(alertSettings(), level, clock.nowMs()),
    isPrivate: () => settings.current().privacy,
    onTried: (message) => void turns.take(() => save([], [message])),
  });

  /** Loads what is stored; what was waiting for a channel is sent. Until then nothing is decided. */
  async function start(): Promise<void> {
    await turns.take(load);
    tick();
  }

  /** Without what cannot be read, which must not silence all other alerts: one that is still open is sent again. */
  function readable<T>(stored: readonly (T | null)[]): T[] {
    const all = stored.filter((one) => one !== null);
    if (all.length < stored.length) log.warn('alerts.unreadable', { count: stored.length - all.length });
    return all;
  }

  async function load(): Promise<void> {
    try {
      const alerts = readable(await store.read(clock.nowMs() - pastMs));
      // By their number too: the clock may be ahead of what it said when they were sent.
      const told = [...alerts, ...readable(await store.past(mostTold))];
      const waiting = readable(await store.waiting());
      state = { ...state, alerts: new Map(alerts.map((alert) => [alert.key, alert])) };
      news.remember(told.flatMap(({ members }) => members));
      isLoaded = true;
      outbox.add(waiting);
      nodesChanged();
    } catch (cause) {
      // The next tick tries again.
      log.error('alerts.load', cause);
    }
  }

  async function stop(): Promise<void> {
    cancelTick();
    silences.clear();
    await outbox.stop();
    // The disk may take by now what it has refused.
    await turns.take(() => save([], []));
  }

  function suspend(): void {
    isAsleep = true;
    silences.clear();
    void take(sight);
  }

  function resume(): void {
    isAsleep = false;
    silences.clear();
  }

  /** Must be called for every poll once it is stored, or the disk has refused it. */
  function pollRecorded({ nodeId, state: seen }: Pick<StoredPoll, 'nodeId' | 'state'>): void {
    silences.polled(nodeId, seen === 'unreachable');
    void take(sight);
    void take(() => look(nodeId));
  }

  /** Must be called when nodes were added, changed or removed. */
  function nodesChanged(): void {
    const polled = new Set([appId, ...nodes().flatMap(({ node }) => (node.paused ? [] : [node.id]))]);
    const known = [...state.alerts.values()].flatMap(({ members }) => members.map(({ nodeId }) => nodeId));
    for (const nodeId of new Set([...state.seen.keys(), ...known])) {
      if (polled.has(nodeId)) continue;
      silences.forget(nodeId);
      void take(() => ({ kind: 'left', nodeId }));
    }
    void take(sight);
  }

  // ---- Calls --------------------------------------------------------------------------------------------------------

  function openCount(): number {
    return [...state.alerts.values()].filter((alert) => groupOf(alert) === 'open').length;
  }

  /** The newest activity of all watched addresses, in words. */
  async function newest(): Promise<NewestNews | null> {
    const source = activity();
    return source && (await newestNews(source));
  }

  /** Open alerts, then those that are over, and messages, the newest first; what the disk has refused in place of what it has. */
  async function list(): Promise<ResultOf<'alerts.list'>> {
    const [past, stored] = await Promise.all([store.past(mostListed), store.messages(mostListed)]);
    const known = [...unsaved.alerts.values(), ...[...state.alerts.values()].reverse()];
    const alerts = new Map([...readable(past), ...known].map((alert) => [alert.key, alert]));
    const isOver = ({ endedAtMs }: Alert): number => (endedAtMs === null ? 0 : 1);
    return {
      alerts: [...alerts.values()].sort((a, b) => isOver(a) - isOver(b) || b.startedAtMs - a.startedAtMs),
      messages: [
        ...[...unsaved.messages.values()].reverse(),
        ...readable(stored).filter(({ id }) => !unsaved.messages.has(id)),
      ],
    };
  }

  async function tryThresholds({
    nodeId,
    ...thresholds
  }: ArgsOf<'alerts.tryPast'>): Promise<ResultOf<'alerts.tryPast'>> {
    const toMs = clock.nowMs();
    const span = { fromMs: toMs - triedMs, toMs };
    const tried = withThresholds({ ...alertSettings(), pausedUntilMs: null }, nodeId, thresholds);
    const meant = sources().filter(({ id }) => nodeId === null || id === nodeId);
    const told = await tryPast(meant, tried, span, { failuresOf, timers, chains: chains() });
    const newest = told.slice(-mostTried).map(({ title, atMs, incident }) => ({ title, atMs, incident }));
    return { count: told.length, newest: newest.reverse() };
  }

  async function act({ key, action }: ArgsOf<'alerts.act'>): Promise<void> {
    const nowMs = clock.nowMs();
    const until = { hour: nowMs + 3_600_000, tomorrow: tomorrowMs(nowMs), end: endOfTimeMs, wake: null };
    await take(() =>
      action === 'acknowledge' ? { kind: action, key } : { kind: 'snooze', key, untilMs: until[action] },
    );
  }

  /** Resolves when the channel has taken a message; throws why it has not. Either is in the log of messages. */
  async function test(channel: string): Promise<void> {
    const atMs = clock.nowMs();
    const message: AlertMessage = {
      ...{ id: `test ${random.id()}`, alertKey: null, kind: 'test', level: 'tell', atMs },
      ...{ title: 'Watchkeeper can reach you', body: 'This is a test.', hidden: 'This is a test.' },
      ...{ incident: null, sent: [] },
    };
    const keep = (outcome: 'accepted' | 'refused', error: string | null) => {
      const tested = { ...message, sent: [{ channel, state: outcome, atMs, error }] };
      return turns.take(() => save([], [tested]));
    };
    try {
      await outbox.test(channel, message);
    } catch (cause) {
      const words = cause instanceof AppFailure ? cause.error.message : 'The message couldn’t be sent.';
      await keep('refused', words);
      throw cause;
    }
    await keep('accepted', null);
  }

  // ---- Events -------------------------------------------------------------------------------------------------------

  function tick(): void {
    silences.runs();
    chainNames = chains();
    if (!isLoaded) void turns.take(load);
    void take(() => ({ kind: 'tick' }));
    void turns.take(() => save([], []));
    outbox.add([]);
    void take(lookAtApp);
    void take(async () => {
      const members = await news.look();
      return members.length === 0 ? null : { kind: 'news', members };
    });
    cancelTick = timers.after(tickMs, tick);
  }

  function take(event: () => AlertEvent | null | Promise<AlertEvent | null>): Promise<void> {
    return turns.take(async () => {
      if (!isLoaded) return;
      try {
        const given = await event();
        if (given !== null) await decideOn(given);
      } catch (cause) {
        log.error('alerts.decide', cause);
      }
    });
  }

  async function decideOn(event: AlertEvent): Promise<void> {
    const alerts = alertSettings();
    const decision = decide(state, event, { atMs: clock.nowMs(), settings: alerts });
    ({ state } = decision);
    const { changed, messages } = decision;
    if (changed.length === 0 && messages.length === 0) return;
    const addressed = messages.map((message) => ({
      ...message,
      sent: channelsOn(alerts).map((channel) => ({
        ...{ channel, state: 'waiting' as const, atMs: null, error: null },
      })),
    }));
    if (event.kind === 'news') news.remember(event.members);
    // What is sent is stored before: after a crash it is known that it was to be sent.
    await save(changed, addressed);
    outbox.add(addressed);
  }

  async function save(alerts: readonly Alert[], messages: readonly AlertMessage[]): Promise<void> {
    for (const alert of alerts) unsaved.alerts.set(alert.key, alert);
    for (const message of messages) unsaved.messages.set(message.id, message);
    if (unsaved.alerts.size + unsaved.messages.size === 0) return;
    try {
      await store.put({ alerts: [...unsaved.alerts.values()], messages: [...unsaved.messages.values()] });
      unsaved.alerts.clear();
      unsaved.messages.clear();
    } catch (cause) {
      // A watcher whose disk is full still tells; after a crash it may tell again.
      log.error('alerts.put', cause);
    }
    emit('alerts.changed', openCount());
  }

  /** Planned work is over once the node was ill meanwhile, and then healthy for a while. */
  function endPlanned(nodeId: string, incidents: readonly Incident[]): void {
    const alerts = alertSettings();
    const atMs = clock.nowMs();
    const work = plannedAt(alerts.planned, nodeId, atMs);
    if (work === undefined) return;
    const ends = incidents.map(({ endedAtMs }) => endedAtMs ?? Infinity).filter((ms) => ms > work.fromMs);
    if (ends.length === 0 || atMs - Math.max(...ends) < healthyAgainMs) return;
    const planned = alerts.planned.map((one) => (one === work ? { ...one, untilMs: atMs } : one));
    settings.tryUpdate({ alerts: { ...alerts, planned } });
  }

  function lookAtApp(): AlertEvent | null {
    const facts = app();
    if (facts === null) return null;
    const open = openMembers().filter(({ rule }) => rule === 'app');
    const now = { atMs: clock.nowMs(), settings: alertSettings() };
    return { kind: 'seen', nodeId: appId, conditions: appConditions(facts, open, now) };
  }

  function openMembers(): AlertMember[] {
    return [...state.alerts.values()]
      .filter(({ endedAtMs }) => endedAtMs === null)
      .flatMap(({ members }) => members.filter(({ endedAtMs }) => endedAtMs === null));
  }

  /** Whether nodes that are polled are out of reach, and it is not their fault. */
  function sight(): AlertEvent {
    const polled = nodes().filter(({ node }) => !node.paused);
    const isBlind =
      polled.length > 0 && (isAsleep || polled.some(({ reason }) => reason === ownNetworkReason));
    return { kind: 'blind', isBlind };
  }

  async function look(nodeId: string): Promise<AlertEvent | null> {
    const all = nodes();
    const status = all.find(({ node }) => node.id === nodeId);
    const source = sources().find(({ id }) => id === nodeId);
    // One that is paused may have been polled by hand.
    if (status === undefined || source === undefined || status.node.paused) {
      silences.forget(nodeId);
      return { kind: 'left', nodeId };
    }
    // Nothing is known of it now.
    if (status.state === 'unknown') return null;
    const atMs = clock.nowMs();
    const alerts = settingsOfNode(alertSettings(), nodeId);
    const own = openMembers().filter((member) => member.nodeId === nodeId);
    const held = new Set(own.flatMap(({ ids }) => ids));
    const sinceMs = own.flatMap((member) => (member.rule === 'incident' ? member.sinceMs : []));
    const episodes = await failuresOf(source, Math.min(atMs - pastMs, ...sinceMs));
    const fold = (failAfter: number) =>
      foldIncidents({
        ...{ nodeId, episodes, marks: [], chainChecks: new Set(chainChecksOf(status.report)) },
        thresholds: { failAfter, recoverAfter: alerts.recoverAfter },
      });
    const beginnings = fold(1);
    if (status.state === 'healthy') endPlanned(nodeId, beginnings);
    const forecasts = disks(status);
    const conditions = conditionsOf({
      ...{ status, nodes: all, atMs, settings: alerts },
      before: state.seen.get(nodeId)?.conditions ?? [],
      ...{ incidents: fold(alerts.failAfter), beginnings, forecasts },
      // An answer may be there already that is not stored yet.
      silentMs: status.state === 'unreachable' ? silences.ms(nodeId) : 0,
      holds: (id) => held.has(id),
      chains: chainNames,
    });
    const checks = new Map(status.report?.checks.map(({ name, state }) => [name, state]));
    const missing = status.state === 'healthy' ? 'pass' : 'pending';
    // Of a node that does not answer, or has not run the check yet, nothing new is known, nor of a disk before its forecast.
    const isUnknown = ({ rule, subject }: AlertMember) =>
      rule !== 'incident' &&
      (status.state === 'unreachable' ||
        (checks.get(subject) ?? missing) === 'pending' ||
        (rule === 'disk' && forecasts === null));
    const lasting = own.filter(isUnknown).map((member) => ({ ...member, isDue: true }));
    return { kind: 'seen', nodeId, conditions: [...conditions, ...lasting] };
  }

  return {
    ...{ start, stop, suspend, resume, pollRecorded, nodesChanged },
    ...{ openCount, newest, list, tryPast: tryThresholds, act, test },
    /** Must be called when rows of a watched address have been stored. */
    activityChanged: () => news.changed(),
    /** Must be called with the name of a channel that is another one than before. */
    channelChanged: outbox.tryAgain,
  };
}
