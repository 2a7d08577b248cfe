import { noAnswer } from '../src/shared/health/no-answer.ts';
import type { Incident, IncidentPart, NodeStatus, Uptime } from '../src/shared/health/types.ts';
import type { Host } from './network.ts';
import { beginningMs, type FailedStretch, type NodeTruth } from './node-truth.ts';
import { UptimeWatch } from './watch-uptime.ts';
import type { World } from './world.ts';

const second = 1_000;
const minute = 60 * second;
const day = 24 * 60 * minute;

/** How exactly the time of a node's run is known by our clock: clocks that agree to 10 s are taken as the same. */
const exactMs = 15 * second;

/** Doors behind which the node's own answer is heard as it is. */
const clear: readonly Host['door']['kind'][] = ['plain', 'idle-end', 'no-get'];

/** Compares what is shown and kept of nodes with what is so. */
export class NodeWatch {
  readonly #world: World;
  readonly #seenRequests = new Map<Host, number>();
  readonly #seenConnects = new Map<Host, number>();
  /** Stretches of failure that could be seen long enough. */
  readonly #visible = new Set<FailedStretch>();
  /** Ended parts of incidents, as they were when first told. */
  readonly #ended = new Map<string, IncidentPart>();

  /** The ids by which nodes were listed when they were last looked at. */
  readonly #ids = new Map<string, string>();
  /** Requests that a paused node had got when it was last looked at. */
  readonly #pausedCounts = new Map<string, number>();
  readonly #uptime: UptimeWatch;

  constructor(world: World) {
    this.#world = world;
    this.#uptime = new UptimeWatch(world);
  }

  /** After each step: nothing has been asked too often. */
  checkBudgets(): void {
    const { network, nodes, time } = this.#world;
    for (const host of network.hosts.values()) {
      const { requestsMs, connectsMs, name } = host;
      const [lastMs, beforeMs] = [connectsMs.at(-1), connectsMs.at(-2)];
      if (connectsMs.length !== this.#seenConnects.get(host)) {
        this.#seenConnects.set(host, connectsMs.length);
        if (lastMs !== undefined && beforeMs !== undefined && lastMs - beforeMs < 1_990)
          this.#world.broken(
            'connection-budget',
            `${name} got two connections within ${lastMs - beforeMs} ms`,
          );
      }
      if (host.requestCount === this.#seenRequests.get(host)) continue;
      this.#seenRequests.set(host, host.requestCount);
      const truth = nodes.find((node) => node.host === name);
      if (truth === undefined) continue;
      const fromMs = time.nowMs - 2 * minute;
      while ((requestsMs[0] ?? Infinity) <= fromMs) requestsMs.shift();
      const count = requestsMs.length;
      const most = this.#isAsked(name, 2 * minute + second) ? 13 : 10;
      if (count > most)
        this.#world.broken('request-budget', `${name} got ${count} requests within two minutes`);
    }
  }

  /** Now and then, after so much time: what is shown is so. */
  checkStates(forMs: number): void {
    const { machine, time } = this.#world;
    this.#uptime.look(forMs);
    const { app } = machine;
    // What came before the app ended was not looked at.
    if (app === null) this.#pausedCounts.clear();
    if (app === null || time.isAsleep || app.window() === null) return;
    const statuses = app.services().nodes.list();
    for (const truth of this.#world.nodes) {
      const status = statuses.find(({ node }) => node.url === truth.url);
      if (status === undefined || status.node.paused) {
        this.#world.disturb(truth.host);
        if (status !== undefined) this.#checkPaused(truth);
        continue;
      }
      this.#pausedCounts.delete(truth.host);
      // Removed and added again since then.
      if (this.#ids.get(truth.host) !== status.node.id) this.#world.disturb(truth.host);
      this.#ids.set(truth.host, status.node.id);
      this.#noteVisible(truth, status, forMs);
      const isOwn = status.state === 'unreachable' && this.#isPlainLoss(truth, status, statuses);
      if (isOwn)
        this.#world.broken('own-blindness', `${truth.host} is called unreachable; our own network is down`);
      const problem = this.#problemOf(truth, status);
      if (problem !== null) this.#world.broken('node-state', `${truth.host} ${problem}: ${status.reason}`);
    }
  }

  /** Whether the user has done something to the node lately that allows it more requests. */
  #isAsked(name: string, withinMs: number): boolean {
    const { user, time } = this.#world;
    return (user.askedMs.get(name) ?? []).some((atMs) => atMs > time.awakeMs - withinMs);
  }

  /** A node that is paused is asked only when the user wants it, which takes a while where the network hangs. */
  #checkPaused({ url, host: name }: NodeTruth): void {
    const { network } = this.#world;
    const count = network.hostOf(url)?.requestCount ?? 0;
    const before = this.#pausedCounts.get(name);
    this.#pausedCounts.set(name, count);
    if (before !== undefined && count > before && !this.#isAsked(name, 2 * minute))
      this.#world.broken('paused-is-quiet', `${name} was asked although it is paused`);
  }

  /** Whether it must be known that our own network is down: the system says so, or several sound nodes were lost at once. */
  #isPlainLoss(truth: NodeTruth, status: NodeStatus, statuses: readonly NodeStatus[]): boolean {
    const { network, time, nodes, disturbedMs, disturbedHostMs, machine, blind } = this.#world;
    if (truth.plan.isLocal || network.isUp) return false;
    const lostForMs = time.nowMs - Math.max(disturbedMs, machine.startedMs);
    if (!network.isToldUp) return lostForMs > promisedMs(this.#world, truth, status);
    const watched = nodes.filter(
      ({ url, plan }) => !plan.isLocal && statuses.some(({ node }) => node.url === url && !node.paused),
    );
    const isSound = ({ host, url, being }: NodeTruth): boolean => {
      const sinceMs = Math.max(disturbedHostMs.get(host) ?? 0, machine.startedMs);
      const isClear = clear.includes(network.hostOf(url)?.door.kind ?? 'dns') && being === 'alive';
      return isClear && (blind.at(-1)?.fromMs ?? 0) - sinceMs > 3 * minute;
    };
    return lostForMs > 2 * minute && watched.length > 1 && watched.every(isSound);
  }

  #problemOf(truth: NodeTruth, status: NodeStatus): string | null {
    const { time, network } = this.#world;
    const host = network.hostOf(truth.url);
    const sinceMs = Math.max(this.#world.lastDisturbedMs(truth.host), truth.steadySinceMs);
    // At any time: nothing else than that explains it.
    if (status.state === 'stalled' && !truth.hasStoodStill) return 'is called stalled, and runs its checks';
    if (host === undefined || time.nowMs - sinceMs < promisedMs(this.#world, truth, status)) return null;
    const { state } = status;
    const isCut = !host.isLocal && !network.isUp;
    const { kind } = host.door;
    const isOpen = clear.includes(kind) && !isCut;
    const isSilent =
      isCut ||
      truth.being === 'dead' ||
      truth.being === 'hung' ||
      (!isOpen && kind !== 'slow' && kind !== 'two-backends');
    if (isSilent)
      return state === 'unreachable' || state === 'unknown' ? null : `is called ${state} and does not answer`;
    if (kind === 'two-backends')
      return state === 'unknown' ? null : `is called ${state}, and two nodes answer`;
    if (!isOpen) return null;
    if (truth.being === 'stalled') return this.#problemOfStalled(truth, status, time.nowMs - sinceMs);
    const expected = truth.isHealthy ? ['healthy'] : ['unhealthy', 'starting'];
    return expected.includes(state) ? null : `is called ${state} and is ${expected.join(' or ')}`;
  }

  /** One that has passed and no longer runs its checks is called so, where its period is known. */
  #problemOfStalled(truth: NodeTruth, { state, periodMs, node }: NodeStatus, forMs: number): string | null {
    const patientMs = 4 * Math.max(periodMs ?? Infinity, node.intervalMs ?? 0, truth.plan.periodMs);
    const isLong = forMs > patientMs + truth.plan.lateMs + 5 * minute;
    if (!isLong || !truth.isHealthy || state === 'stalled') return null;
    return `is called ${state} and does not run its checks`;
  }

  #noteVisible(truth: NodeTruth, status: NodeStatus, forMs: number): void {
    const { time, network } = this.#world;
    const host = network.hostOf(truth.url);
    const isOpen = host !== undefined && clear.includes(host.door.kind) && (host.isLocal || network.isUp);
    const clearMs = time.nowMs - this.#world.lastDisturbedMs(truth.host);
    // What the disk refuses cannot be listed.
    if (!isOpen || truth.being !== 'alive' || this.#world.machine.isDiskFull) return;
    if (clearMs > promisedMs(this.#world, truth, status)) this.#uptime.heard(truth, forMs);
    for (const stretch of truth.stretches) {
      if (stretch.endMs !== null || this.#visible.has(stretch)) continue;
      const lastsMs = time.nowMs - stretch.fromMs;
      const isLong = Math.min(clearMs, lastsMs) > promisedMs(this.#world, truth, status);
      if (isLong && stretch.runs > this.#world.history.settings.failAfter) this.#visible.add(stretch);
    }
  }

  /** Uptime of a node since the world began. */
  checkUptime(status: NodeStatus, all: readonly Uptime[], spanMs: number): void {
    const truth = this.#world.nodes.find(({ url }) => url === status.node.url);
    if (truth !== undefined && !this.#are('removed') && !this.#are('moved'))
      this.#uptime.check(truth, all, spanMs);
  }

  /** All incidents, as the window lists them. */
  checkIncidents(incidents: readonly Incident[]): void {
    const parts = new Map(incidents.flatMap(({ parts }) => parts.map((part) => [part.id, part])));
    const fromMs = this.#world.time.wallMs() - (this.#world.history.settings.keepDays - 1) * day;
    for (const [id, was] of this.#ended) {
      const now = parts.get(id);
      if (now === undefined) {
        if ((was.endedAtMs ?? 0) > fromMs && !this.#are('removed'))
          this.#world.broken('past-stays', `the failure of “${was.check}” that ended is not listed any more`);
      } else if (now.startedAtMs !== was.startedAtMs || now.endedAtMs !== was.endedAtMs) {
        this.#world.broken(
          'past-stays',
          `the failure of “${was.check}” was ${spanOf(was)} and is ${spanOf(now)} now`,
        );
      }
    }
    for (const { parts: all, nodeId } of incidents) {
      for (const part of all) {
        // While the disk is full, it is lost with a crash.
        const isStored = part.endedAtMs !== null && !this.#world.machine.isDiskFull;
        if (isStored && !this.#ended.has(part.id)) this.#ended.set(part.id, part);
        this.#checkPart(nodeId, part);
      }
    }
    this.#checkVisible(incidents);
  }

  /** Whether all nodes were watched without a break. */
  get #isSteady(): boolean {
    const breaks = ['remove-node', 'pause-node'];
    return !this.#world.history.happenings.some(
      (one) =>
        ['restart', 'crash', 'sleep'].includes(one.it) ||
        (one.it === 'user' && breaks.includes(one.deed.does)),
    );
  }

  #are(what: 'removed' | 'moved'): boolean {
    const deed = what === 'removed' ? 'remove-node' : 'move-node';
    return this.#world.history.happenings.some((one) => one.it === 'user' && one.deed.does === deed);
  }

  #checkPart(nodeId: string, part: IncidentPart): void {
    const { machine, time, blind, nodes, network } = this.#world;
    const statuses = machine.app?.services().nodes.list() ?? [];
    const status = statuses.find(({ node }) => node.id === nodeId);
    const truth = nodes.find(({ url }) => url === status?.node.url);
    if (truth === undefined || this.#world.hasClockSteps || this.#are('moved')) return;
    if (part.check === noAnswer) {
      // Without a word of the system, it shows only where two nodes are lost together that were there before.
      const watched = nodes.filter(({ url }) => statuses.some(({ node }) => node.url === url));
      const remote = this.#isSteady ? watched.filter(({ plan }) => !plan.isLocal).length : 0;
      const isOwn = blind.some(
        ({ fromMs, toMs, isTold }) =>
          // Of a loss that is over at once, nobody else needs to have been asked meanwhile.
          (isTold || (remote > 1 && (toMs ?? time.nowMs) - fromMs > minute)) &&
          part.startedAtMs > time.wallMs(fromMs) &&
          part.endedAtMs !== null &&
          toMs !== null &&
          part.endedAtMs < time.wallMs(toMs) + 30 * second,
      );
      if (isOwn && network.hostOf(truth.url)?.isLocal === false && !this.#hasOwnTrouble(truth))
        this.#world.broken(
          'own-blindness',
          `${truth.host} has an incident of a time when our own network was down`,
        );
      return;
    }
    if (part.check === '') return;
    const starts = truth.stretches
      .filter(({ check }) => check === part.check)
      .flatMap(({ startsMs }) => startsMs);
    // As late as the poll that first showed it, where the node's clock is not known better; nothing is known of the clock
    // of one that stands still.
    const lateMs =
      truth.hasStoodStill || truth.hasSlept
        ? Infinity
        : Math.max(status?.node.intervalMs ?? 30 * second, truth.plan.periodMs) + truth.plan.lateMs + exactMs;
    const near = starts.some((atMs) => {
      const afterMs = part.startedAtMs - time.wallMs(atMs);
      return afterMs > -exactMs && afterMs < lateMs;
    });
    // An incident that is over is not of a failure that goes on.
    const endMs = part.endedAtMs;
    // Where a node restarts while it is not heard, its first failure since then is taken for another one.
    const closed = this.#world.history.happenings.flatMap((one) =>
      one.it === 'restart' ? [{ fromMs: one.atMs, toMs: one.atMs + one.offMs }] : [],
    );
    const isUnheard = (atMs: number): boolean =>
      [...blind, ...closed].some(({ fromMs, toMs }) => atMs > fromMs && atMs < (toMs ?? Infinity) + minute);
    const isInferred = part.endKnownFrom === 'inferred';
    const goesOn = truth.stretches.some(
      (one) =>
        endMs !== null &&
        one.check === part.check &&
        !(isInferred && one.startsMs.slice(1).some(isUnheard)) &&
        time.wallMs(one.fromMs) < endMs - lateMs - minute &&
        time.wallMs(one.endMs ?? time.nowMs) > endMs + lateMs + minute,
    );
    if (goesOn)
      this.#world.broken(
        'incident-times',
        `${truth.host}: “${part.check}” is said to have ended at ${clockOf(endMs ?? 0)} and goes on failing`,
      );
    const isHeard = clear.includes(network.hostOf(truth.url)?.door.kind ?? 'dns') && truth.being === 'alive';
    const quietMs = time.nowMs - Math.max(this.#world.lastDisturbedMs(truth.host), truth.steadySinceMs);
    const names = [...truth.checkStates()].map(([name]) => name);
    // A healthy node without the check says that it does not fail any more.
    if (
      endMs === null &&
      isHeard &&
      !machine.isDiskFull &&
      (network.isUp || truth.plan.isLocal) &&
      names.length > 0 &&
      truth.isHealthy &&
      status !== undefined &&
      quietMs > promisedMs(this.#world, truth, status) &&
      !names.includes(part.check)
    )
      this.#world.broken(
        'incident-times',
        `${truth.host}: “${part.check}” goes on failing, and the node has no such check`,
      );
    if (!near)
      this.#world.broken(
        'incident-times',
        `${truth.host}: “${part.check}” began to fail at ${starts.map((ms) => clockOf(time.wallMs(ms))).join(', ') || 'no time'}, and is said to at ${clockOf(part.startedAtMs)}`,
      );
  }

  #hasOwnTrouble(truth: NodeTruth): boolean {
    return this.#world.history.happenings.some(
      (one) =>
        (one.it === 'door' && one.host === truth.host) ||
        (one.it === 'node' && this.#world.nodes[one.node] === truth),
    );
  }

  #checkVisible(incidents: readonly Incident[]): void {
    if (this.#world.hasClockSteps || this.#are('moved')) return;
    const statuses = this.#world.machine.app?.services().nodes.list() ?? [];
    const keptFromMs = this.#world.time.wallMs() - (this.#world.history.settings.keepDays - 1) * day;
    for (const truth of this.#world.nodes) {
      const status = statuses.find(({ node }) => node.url === truth.url);
      if (status === undefined) continue;
      const own = incidents.filter(({ nodeId }) => nodeId === status.node.id).flatMap(({ parts }) => parts);
      for (const stretch of truth.stretches) {
        if (!this.#visible.has(stretch)) continue;
        const fromMs = this.#world.time.wallMs(stretch.fromMs);
        const toMs = stretch.endMs === null ? Infinity : this.#world.time.wallMs(stretch.endMs);
        if (toMs < keptFromMs) continue;
        const isTold = own.some(
          (part) =>
            part.check === stretch.check &&
            part.startedAtMs < toMs + exactMs &&
            (part.endedAtMs ?? Infinity) > fromMs,
        );
        if (!isTold && !this.#are('removed'))
          this.#world.broken(
            'incident-seen',
            `${truth.host}: “${stretch.check}” failed ${stretch.runs} runs and has no incident`,
          );
      }
    }
  }

  /** Polls of the days that the settings keep are there. */
  checkKept(use: readonly { nodeId: string; pollCount: number }[]): void {
    const { time, history, machine } = this.#world;
    const keptFromMs = time.nowMs - history.settings.keepDays * day;
    // A clock that is set by days more than once cannot be told from days that pass.
    if (history.happenings.filter((one) => one.it === 'restart' && Math.abs(one.clockMs) >= day).length > 1)
      return;
    for (const { nodeId, pollCount } of use) {
      const polls = machine.recorded.get(nodeId) ?? [];
      // Those that were stamped by a clock that was about right.
      const kept = polls.filter(
        ({ atMs, stampMs }) =>
          atMs > keptFromMs && Math.abs(stampMs - beginningMs - history.clock.offMs - atMs) < 2 * minute,
      );
      if (pollCount < kept.length)
        this.#world.broken('polls-kept', `${kept.length} polls should be kept, and ${pollCount} are`);
    }
  }
}

/** Within which time what is shown of a node must be right. */
export function promisedMs(world: World, truth: NodeTruth, status: NodeStatus): number {
  const intervalMs = status.node.intervalMs ?? Math.max(30 * second, truth.plan.periodMs);
  const hadSeveral = world.history.happenings.some(
    (one) => one.it === 'door' && one.host === truth.host && one.door.kind === 'two-backends',
  );
  // One of several nodes is judged when it has answered alone for five minutes.
  const aloneMs = hadSeveral ? 5 * minute : 0;
  return 3 * Math.max(intervalMs, truth.plan.periodMs + truth.plan.lateMs) + 2.5 * minute + aloneMs;
}

function clockOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 19).replace('T', ' ');
}

function spanOf({ startedAtMs, endedAtMs }: IncidentPart): string {
  return `${clockOf(startedAtMs)} to ${endedAtMs === null ? 'now' : clockOf(endedAtMs)}`;
}
