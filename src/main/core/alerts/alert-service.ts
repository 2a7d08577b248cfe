import { plannedAt } from '../../../shared/alerts/planned.ts';
import { isHeldBack, tomorrowMs } from '../../../shared/alerts/quiet.ts';
import {
  groupOf,
  type Alert,
  type AlertCounts,
  type AlertMember,
  type AlertMessage,
} from '../../../shared/alerts/types.ts';
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
import type { AlertChannel, AlertStore, Clock, Emit, Log, Random, Timers } from '../ports.ts';
import type { AlertSettings } from '../../../shared/settings.ts';
import type { SettingsService } from '../settings/settings-service.ts';
import { createAddressNews, newestNews, type NewestNews, type NewsSource } from './address-news.ts';
import { appConditions, appId, type AppFacts } from './app-rule.ts';
import { decide, noAlerts, type AlertEvent, type AlertState } from './decide.ts';
import { createDiskForecasts, type DiskForecastDeps } from './disk-forecasts.ts';
import { listOf } from './list-of.ts';
import { createOutbox } from './outbox.ts';
import { readable } from './readable.ts';
import { conditionsOf } from './rules.ts';
import { tryPast } from './try-past.ts';
import { createSilences } from './silence.ts';

export interface AlertServiceDeps {
  emit: Emit;
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
  clock: Clock;
  timers: Timers;
  random: Random;
  log: Log;
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
export class AlertService {
  readonly #deps: AlertServiceDeps;
  readonly #outbox: ReturnType<typeof createOutbox>;
  readonly #turns = new Turns();
  readonly #news: ReturnType<typeof createAddressNews>;
  readonly #disks: ReturnType<typeof createDiskForecasts>;
  readonly #silences: ReturnType<typeof createSilences>;
  /** Not stored yet, since the disk refused it: it is stored with what comes next, or soon. */
  readonly #unsaved = { alerts: new Map<string, Alert>(), messages: new Map<string, AlertMessage>() };
  #state: AlertState = noAlerts;
  /** Asked for now and then: it takes all addresses to know them. */
  #chains: ChainNames = new Map();
  #isAsleep = false;
  #cancelTick: () => void = () => undefined;
  #isLoaded = false;

  constructor(deps: AlertServiceDeps) {
    this.#deps = deps;
    this.#disks = createDiskForecasts(deps);
    this.#silences = createSilences({
      ...deps,
      dueMs: (nodeId) => settingsOfNode(deps.settings.current().alerts, nodeId).silentSeconds * 1_000,
      onDue: (nodeId) => void this.#take(() => this.#look(nodeId)),
      onSlept: () => void this.#take(() => ({ kind: 'slept' })),
    });
    this.#news = createAddressNews({ ...deps, source: deps.activity });
    this.#outbox = createOutbox({
      ...deps,
      isOn: (channel) => channelsOn(deps.settings.current().alerts).includes(channel),
      isHeldBack: ({ level }) => isHeldBack(deps.settings.current().alerts, level, deps.clock.nowMs()),
      isPrivate: () => deps.settings.current().privacy,
      onTried: (message) => void this.#turns.take(() => this.#save([], [message])),
    });
  }

  /** Loads what is stored; what was waiting for a channel is sent. Until then nothing is decided. */
  async start(): Promise<void> {
    await this.#turns.take(() => this.#load());
    this.#tick();
  }

  async #load(): Promise<void> {
    const { store, clock, log } = this.#deps;
    try {
      const alerts = readable(await store.read(clock.nowMs() - pastMs), log);
      // By their number too: the clock may be ahead of what it said when they were sent.
      const told = [...alerts, ...readable(await store.past(mostTold), log)];
      const waiting = readable(await store.waiting(), log);
      this.#state = { ...this.#state, alerts: new Map(alerts.map((alert) => [alert.key, alert])) };
      this.#news.remember(told.flatMap(({ members }) => members));
      this.#isLoaded = true;
      this.#outbox.add(waiting);
      this.nodesChanged();
    } catch (cause) {
      // The next tick tries again.
      log.error('alerts.load', cause);
    }
  }

  async stop(): Promise<void> {
    this.#cancelTick();
    this.#silences.clear();
    await this.#outbox.stop();
    // The disk may take by now what it has refused.
    await this.#turns.take(() => this.#save([], []));
  }

  /** Before the computer sleeps. */
  suspend(): void {
    this.#isAsleep = true;
    this.#silences.clear();
    void this.#take(() => this.#sight());
  }

  resume(): void {
    this.#isAsleep = false;
    this.#silences.clear();
  }

  /** Must be called for every poll once it is stored, or the disk has refused it. */
  pollRecorded({ nodeId, state }: Pick<StoredPoll, 'nodeId' | 'state'>): void {
    this.#silences.polled(nodeId, state === 'unreachable');
    void this.#take(() => this.#sight());
    void this.#take(() => this.#look(nodeId));
  }

  /** Must be called when nodes were added, changed or removed. */
  nodesChanged(): void {
    const polled = new Set([
      appId,
      ...this.#deps.nodes().flatMap(({ node }) => (node.paused ? [] : [node.id])),
    ]);
    const known = [...this.#state.alerts.values()].flatMap(({ members }) =>
      members.map(({ nodeId }) => nodeId),
    );
    for (const nodeId of new Set([...this.#state.seen.keys(), ...known])) {
      if (polled.has(nodeId)) continue;
      this.#silences.forget(nodeId);
      void this.#take(() => ({ kind: 'left', nodeId }));
    }
    void this.#take(() => this.#sight());
  }

  /** Must be called when rows of a watched address have been stored. */
  activityChanged(): void {
    this.#news.changed();
  }

  // ---- Calls --------------------------------------------------------------------------------------------------------

  counts(): AlertCounts {
    return { open: [...this.#state.alerts.values()].filter((alert) => groupOf(alert) === 'open').length };
  }

  /** Must be called when a channel is another one than before. */
  channelChanged(name: string): void {
    this.#outbox.tryAgain(name);
  }

  /** The newest activity of all watched addresses, in words. */
  async newest(): Promise<NewestNews | null> {
    const source = this.#deps.activity();
    return source === null ? null : await newestNews(source);
  }

  async list(): Promise<ResultOf<'alerts.list'>> {
    const { store, log } = this.#deps;
    const [past, messages] = await Promise.all([store.past(mostListed), store.messages(mostListed)]);
    const stored = { alerts: readable(past, log), messages: readable(messages, log) };
    return listOf(stored, this.#unsaved, this.#state.alerts);
  }

  async tryPast({ nodeId, ...thresholds }: ArgsOf<'alerts.tryPast'>): Promise<ResultOf<'alerts.tryPast'>> {
    const { sources, settings, clock } = this.#deps;
    const toMs = clock.nowMs();
    const span = { fromMs: toMs - triedMs, toMs };
    const tried = withThresholds({ ...settings.current().alerts, pausedUntilMs: null }, nodeId, thresholds);
    const meant = sources().filter(({ id }) => nodeId === null || id === nodeId);
    const told = await tryPast(meant, tried, span, { ...this.#deps, chains: this.#deps.chains() });
    const newest = told.slice(-mostTried).map(({ title, atMs, incident }) => ({ title, atMs, incident }));
    return { count: told.length, newest: newest.reverse() };
  }

  async act({ key, action }: ArgsOf<'alerts.act'>): Promise<null> {
    const nowMs = this.#deps.clock.nowMs();
    const until = { hour: nowMs + 3_600_000, tomorrow: tomorrowMs(nowMs), end: endOfTimeMs, wake: null };
    await this.#take(() =>
      action === 'acknowledge' ? { kind: action, key } : { kind: 'snooze', key, untilMs: until[action] },
    );
    return null;
  }

  /** Resolves when the channel has taken a message; throws why it has not. Either is in the log of messages. */
  async test(channel: string): Promise<null> {
    const atMs = this.#deps.clock.nowMs();
    const message: AlertMessage = {
      ...{ id: `test ${this.#deps.random.id()}`, alertKey: null, kind: 'test', level: 'tell', atMs },
      ...{ title: 'Watchkeeper can reach you', body: 'This is a test.', hidden: 'This is a test.' },
      ...{ incident: null, sent: [] },
    };
    const keep = (error: string | null) => {
      const state = error === null ? ('accepted' as const) : ('refused' as const);
      const tested = { ...message, sent: [{ channel, state, atMs, error }] };
      return this.#turns.take(() => this.#save([], [tested]));
    };
    try {
      await this.#outbox.test(channel, message);
    } catch (cause) {
      await keep(cause instanceof AppFailure ? cause.error.message : 'The message couldn’t be sent.');
      throw cause;
    }
    await keep(null);
    return null;
  }

  // ---- Events -------------------------------------------------------------------------------------------------------

  #tick(): void {
    this.#silences.runs();
    this.#chains = this.#deps.chains();
    if (!this.#isLoaded) void this.#turns.take(() => this.#load());
    void this.#take(() => ({ kind: 'tick' }));
    void this.#turns.take(() => this.#save([], []));
    this.#outbox.add([]);
    void this.#take(() => this.#lookAtApp());
    void this.#take(async () => {
      const members = await this.#news.look();
      return members.length === 0 ? null : { kind: 'news', members };
    });
    this.#cancelTick = this.#deps.timers.after(tickMs, () => this.#tick());
  }

  #take(event: () => AlertEvent | null | Promise<AlertEvent | null>): Promise<void> {
    return this.#turns.take(async () => {
      if (!this.#isLoaded) return;
      try {
        const given = await event();
        if (given !== null) await this.#decide(given);
      } catch (cause) {
        this.#deps.log.error('alerts.decide', cause);
      }
    });
  }

  async #decide(event: AlertEvent): Promise<void> {
    const { settings, clock } = this.#deps;
    const { alerts } = settings.current();
    const now = { atMs: clock.nowMs(), settings: alerts };
    const { state, changed, messages } = decide(this.#state, event, now);
    this.#state = state;
    if (changed.length === 0 && messages.length === 0) return;
    const addressed = messages.map((message) => ({
      ...message,
      sent: channelsOn(alerts).map((channel) => ({
        ...{ channel, state: 'waiting' as const, atMs: null, error: null },
      })),
    }));
    if (event.kind === 'news') this.#news.remember(event.members);
    // What is sent is stored before: after a crash it is known that it was to be sent.
    await this.#save(changed, addressed);
    this.#outbox.add(addressed);
  }

  async #save(alerts: readonly Alert[], messages: readonly AlertMessage[]): Promise<void> {
    const { store, log } = this.#deps;
    const unsaved = this.#unsaved;
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
    this.#deps.emit('alerts.changed', this.counts());
  }

  /** Planned work is over once the node was ill meanwhile, and then healthy for a while. */
  #endPlanned(nodeId: string, incidents: readonly Incident[]): void {
    const { settings, clock } = this.#deps;
    const { alerts } = settings.current();
    const atMs = clock.nowMs();
    const work = plannedAt(alerts.planned, nodeId, atMs);
    if (work === undefined) return;
    const ends = incidents.map(({ endedAtMs }) => endedAtMs ?? Infinity).filter((ms) => ms > work.fromMs);
    if (ends.length === 0 || atMs - Math.max(...ends) < healthyAgainMs) return;
    const planned = alerts.planned.map((one) => (one === work ? { ...one, untilMs: atMs } : one));
    settings.tryUpdate({ alerts: { ...alerts, planned } });
  }

  #lookAtApp(): AlertEvent | null {
    const facts = this.#deps.app();
    if (facts === null) return null;
    const open = this.#openMembers().filter(({ rule }) => rule === 'app');
    const now = { atMs: this.#deps.clock.nowMs(), settings: this.#deps.settings.current().alerts };
    return { kind: 'seen', nodeId: appId, conditions: appConditions(facts, open, now) };
  }

  #openMembers(): AlertMember[] {
    return [...this.#state.alerts.values()]
      .filter(({ endedAtMs }) => endedAtMs === null)
      .flatMap(({ members }) => members.filter(({ endedAtMs }) => endedAtMs === null));
  }

  /** Whether nodes that are polled are out of reach, and it is not their fault. */
  #sight(): AlertEvent {
    const polled = this.#deps.nodes().filter(({ node }) => !node.paused);
    const isBlind =
      polled.length > 0 && (this.#isAsleep || polled.some(({ reason }) => reason === ownNetworkReason));
    return { kind: 'blind', isBlind };
  }

  async #look(nodeId: string): Promise<AlertEvent | null> {
    const { nodes, sources, failuresOf, settings, clock } = this.#deps;
    const all = nodes();
    const status = all.find(({ node }) => node.id === nodeId);
    const source = sources().find(({ id }) => id === nodeId);
    // One that is paused may have been polled by hand.
    if (status === undefined || source === undefined || status.node.paused) {
      this.#silences.forget(nodeId);
      return { kind: 'left', nodeId };
    }
    // Nothing is known of it now.
    if (status.state === 'unknown') return null;
    const atMs = clock.nowMs();
    const alerts = settingsOfNode(settings.current().alerts, nodeId);
    const own = this.#openMembers().filter((member) => member.nodeId === nodeId);
    const held = new Set(own.flatMap(({ ids }) => ids));
    const sinceMs = own.flatMap((member) => (member.rule === 'incident' ? member.sinceMs : []));
    const episodes = await failuresOf(source, Math.min(atMs - pastMs, ...sinceMs));
    const fold = (failAfter: number) =>
      foldIncidents({
        ...{ nodeId, episodes, marks: [], chainChecks: new Set(chainChecksOf(status.report)) },
        thresholds: { failAfter, recoverAfter: alerts.recoverAfter },
      });
    const beginnings = fold(1);
    if (status.state === 'healthy') this.#endPlanned(nodeId, beginnings);
    const forecasts = this.#disks(status);
    const conditions = conditionsOf({
      ...{ status, nodes: all, atMs, settings: alerts },
      before: this.#state.seen.get(nodeId)?.conditions ?? [],
      ...{ incidents: fold(alerts.failAfter), beginnings, forecasts },
      // An answer may be there already that is not stored yet.
      silentMs: status.state === 'unreachable' ? this.#silences.ms(nodeId) : 0,
      holds: (id) => held.has(id),
      chains: this.#chains,
    });
    const checks = new Map(status.report?.checks.map(({ name, state }) => [name, state]));
    const missing = status.state === 'healthy' ? 'pass' : 'pending';
    // Of a node that does not answer, or has not run the check yet, nothing new is known, nor of a disk before its forecast.
    const isUnknown = ({ rule, subject }: AlertMember) =>
      rule !== 'incident' &&
      (status.state === 'unreachable' ||
        (checks.get(subject) ?? missing) === 'pending' ||
        (rule === 'disk' && forecasts === null));
    const kept = own.filter(isUnknown);
    const lasting = kept.map((member) => ({ ...member, isDue: true }));
    return { kind: 'seen', nodeId, conditions: [...conditions, ...lasting] };
  }
}
