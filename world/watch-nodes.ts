import { noAnswer } from '../src/shared/health/no-answer.ts';
import type { Incident, IncidentPart, NodeStatus, Uptime } from '../src/shared/health/types.ts';
import type { Host } from './network.ts';
import { beginningMs, type FailedStretch, type NodeTruth } from './node-truth.ts';
import { watchUptime } from './watch-uptime.ts';
import type { World } from './world.ts';
import { day, minute, second } from './time.ts';

/** How exactly the time of a node's run is known by our clock: clocks that agree to 10 s are taken as the same. */
const exactMs = 15 * second;

/** Doors behind which the node's own answer is heard as it is. */
const clear: readonly Host['door']['kind'][] = ['plain', 'idle-end', 'no-get'];

/** Compares what is shown and kept of nodes with what is so. */
export function watchNodes(world: World) {
  const { broken } = world;
  const seenRequests = new Map<Host, number>();
  const seenConnects = new Map<Host, number>();
  /** Stretches of failure that could be seen long enough. */
  const visible = new Set<FailedStretch>();
  /** Ended parts of incidents, as they were when first told. */
  const ended = new Map<string, IncidentPart>();

  /** The ids by which nodes were listed when they were last looked at. */
  const ids = new Map<string, string>();
  /** Requests that a paused node had got when it was last looked at. */
  const pausedCounts = new Map<string, number>();
  const uptime = watchUptime(world);

  /** After each step: nothing has been asked too often. */
  function checkBudgets(): void {
    const { network, nodes, time } = world;
    for (const host of network.hosts.values()) {
      const { requestsMs, connectsMs, name } = host;
      const [lastMs, beforeMs] = [connectsMs.at(-1), connectsMs.at(-2)];
      if (connectsMs.length !== seenConnects.get(host)) {
        seenConnects.set(host, connectsMs.length);
        if (lastMs !== undefined && beforeMs !== undefined && lastMs - beforeMs < 1_990)
          broken('connection-budget', `${name} got two connections within ${lastMs - beforeMs} ms`);
      }
      if (host.requestCount === seenRequests.get(host)) continue;
      seenRequests.set(host, host.requestCount);
      const truth = nodes.find((node) => node.host === name);
      if (truth === undefined) continue;
      const fromMs = time.nowMs - 2 * minute;
      while ((requestsMs[0] ?? Infinity) <= fromMs) requestsMs.shift();
      const count = requestsMs.length;
      const most = isAsked(name, 2 * minute + second) ? 13 : 10;
      if (count > most) broken('request-budget', `${name} got ${count} requests within two minutes`);
    }
  }

  /** Now and then, after so much time: what is shown is so. */
  function checkStates(forMs: number): void {
    const { machine, time } = world;
    uptime.look(forMs);
    const { app } = machine;
    // What came before the app ended was not looked at.
    if (app === null) pausedCounts.clear();
    if (app === null || time.isAsleep || app.window() === null) return;
    const statuses = app.services().nodes.list();
    for (const truth of world.nodes) {
      const status = statuses.find(({ node }) => node.url === truth.url);
      if (status === undefined || status.node.paused) {
        world.disturb(truth.host);
        if (status !== undefined) checkPaused(truth);
        continue;
      }
      pausedCounts.delete(truth.host);
      // Removed and added again since then.
      if (ids.get(truth.host) !== status.node.id) world.disturb(truth.host);
      ids.set(truth.host, status.node.id);
      noteVisible(truth, status, forMs);
      const isOwn = status.state === 'unreachable' && isPlainLoss(truth, status, statuses);
      if (isOwn) broken('own-blindness', `${truth.host} is called unreachable; our own network is down`);
      const problem = problemOf(truth, status);
      if (problem !== null) broken('node-state', `${truth.host} ${problem}: ${status.reason}`);
    }
  }

  /** Whether the user has done something to the node lately that allows it more requests. */
  function isAsked(name: string, withinMs: number): boolean {
    const { user, time } = world;
    return (user.askedMs.get(name) ?? []).some((atMs) => atMs > time.awakeMs - withinMs);
  }

  /** A node that is paused is asked only when the user wants it, which takes a while where the network hangs. */
  function checkPaused({ url, host: name }: NodeTruth): void {
    const { network } = world;
    const count = network.hostOf(url)?.requestCount ?? 0;
    const before = pausedCounts.get(name);
    pausedCounts.set(name, count);
    if (before !== undefined && count > before && !isAsked(name, 2 * minute))
      broken('paused-is-quiet', `${name} was asked although it is paused`);
  }

  /** Whether it must be known that our own network is down: the system says so, or several sound nodes were lost at once. */
  function isPlainLoss(truth: NodeTruth, status: NodeStatus, statuses: readonly NodeStatus[]): boolean {
    const { network, time, nodes, disturbedMs, disturbedHostMs, machine, blind } = world;
    if (truth.plan.isLocal || network.isUp) return false;
    const lostForMs = time.nowMs - Math.max(disturbedMs, machine.startedMs);
    if (!network.isToldUp) return lostForMs > promisedMs(world, truth, status);
    const watched = nodes.filter(
      ({ url, plan }) => !plan.isLocal && statuses.some(({ node }) => node.url === url && !node.paused),
    );
    const isSound = ({ host, url, being }: NodeTruth): boolean => {
      const sinceMs = Math.max(disturbedHostMs.get(host) ?? 0, machine.startedMs);
      const isClear = clear.includes(network.hostOf(url)?.door.kind ?? 'dns') && being === 'alive';
      // One that is asked rarely may not have been heard since its trouble was over.
      const { intervalMs = 0 } = statuses.find(({ node }) => node.url === url)?.node ?? {};
      return isClear && (blind.at(-1)?.fromMs ?? 0) - sinceMs > 3 * minute + (intervalMs ?? 0);
    };
    return lostForMs > 2 * minute && watched.length > 1 && watched.every(isSound);
  }

  function problemOf(truth: NodeTruth, status: NodeStatus): string | null {
    const { time, network } = world;
    const host = network.hostOf(truth.url);
    const sinceMs = Math.max(world.lastDisturbedMs(truth.host), truth.steadySinceMs);
    // At any time: nothing else than that explains it.
    if (status.state === 'stalled' && !truth.hasStoodStill) return 'is called stalled, and runs its checks';
    if (host === undefined || time.nowMs - sinceMs < promisedMs(world, truth, status)) return null;
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
    if (truth.being === 'stalled') return problemOfStalled(truth, status, time.nowMs - sinceMs);
    const expected = truth.isHealthy ? ['healthy'] : ['unhealthy', 'starting'];
    return expected.includes(state) ? null : `is called ${state} and is ${expected.join(' or ')}`;
  }

  /** One that has passed and no longer runs its checks is called so, where its period is known. */
  function problemOfStalled(
    truth: NodeTruth,
    { state, periodMs, node }: NodeStatus,
    forMs: number,
  ): string | null {
    const patientMs = 4 * Math.max(periodMs ?? Infinity, node.intervalMs ?? 0, truth.plan.periodMs);
    const isLong = forMs > patientMs + truth.plan.lateMs + 5 * minute;
    if (!isLong || !truth.isHealthy || state === 'stalled') return null;
    return `is called ${state} and does not run its checks`;
  }

  function noteVisible(truth: NodeTruth, status: NodeStatus, forMs: number): void {
    const { time, network } = world;
    const host = network.hostOf(truth.url);
    const isOpen = host !== undefined && clear.includes(host.door.kind) && (host.isLocal || network.isUp);
    const clearMs = time.nowMs - world.lastDisturbedMs(truth.host);
    // What the disk refuses cannot be listed.
    if (!isOpen || truth.being !== 'alive' || world.machine.isDiskFull) return;
    if (clearMs > promisedMs(world, truth, status)) uptime.heard(truth, forMs);
    for (const stretch of truth.stretches) {
      if (stretch.endMs !== null || visible.has(stretch)) continue;
      const lastsMs = time.nowMs - stretch.fromMs;
      const isLong = Math.min(clearMs, lastsMs) > promisedMs(world, truth, status);
      if (isLong && stretch.runs > world.history.settings.failAfter) visible.add(stretch);
    }
  }

  /** Uptime of a node since the world began. */
  function checkUptime(status: NodeStatus, all: readonly Uptime[], spanMs: number): void {
    const truth = world.nodes.find(({ url }) => url === status.node.url);
    if (truth !== undefined && !world.hasDeed('remove-node') && !world.hasDeed('move-node'))
      uptime.check(truth, all, spanMs);
  }

  /** All incidents, as the window lists them. */
  function checkIncidents(incidents: readonly Incident[]): void {
    const parts = new Map(incidents.flatMap(({ parts }) => parts.map((part) => [part.id, part])));
    const fromMs = world.time.wallMs() - (world.history.settings.keepDays - 1) * day;
    for (const [id, was] of ended) {
      const now = parts.get(id);
      if (now === undefined) {
        if ((was.endedAtMs ?? 0) > fromMs && !world.hasDeed('remove-node'))
          broken('past-stays', `the failure of “${was.check}” that ended is not listed any more`);
      } else if (now.startedAtMs !== was.startedAtMs || now.endedAtMs !== was.endedAtMs) {
        broken('past-stays', `the failure of “${was.check}” was ${spanOf(was)} and is ${spanOf(now)} now`);
      }
    }
    for (const { parts: all, nodeId } of incidents) {
      for (const part of all) {
        // While the disk is full, it is lost with a crash.
        const isStored = part.endedAtMs !== null && !world.machine.isDiskFull;
        if (isStored && !ended.has(part.id)) ended.set(part.id, part);
        checkPart(nodeId, part);
      }
    }
    checkVisible(incidents);
  }

  /** Whether all nodes were watched without a break. */
  const isSteady = !world.has('restart', 'crash', 'sleep') && !world.hasDeed('remove-node', 'pause-node');

  function checkPart(nodeId: string, part: IncidentPart): void {
    const { machine, time, blind, nodes, network } = world;
    const statuses = machine.app?.services().nodes.list() ?? [];
    const status = statuses.find(({ node }) => node.id === nodeId);
    const truth = nodes.find(({ url }) => url === status?.node.url);
    if (truth === undefined || world.hasClockSteps || world.hasDeed('move-node')) return;
    if (part.check === noAnswer) {
      // Without a word of the system, it shows only where two nodes are lost together that were there before.
      const watched = nodes.filter(({ url }) => statuses.some(({ node }) => node.url === url));
      const remote = isSteady ? watched.filter((one) => !one.plan.isLocal && !hasOwnTrouble(one)).length : 0;
      const loss = blind.findLast(({ fromMs }) => part.startedAtMs > time.wallMs(fromMs));
      const { fromMs = 0, toMs = null, isTold = false } = loss ?? {};
      const isOwn =
        // Of a loss that is over at once, nobody else needs to have been asked meanwhile.
        (isTold || (remote > 1 && (toMs ?? time.nowMs) - fromMs > minute)) &&
        part.endedAtMs !== null &&
        toMs !== null &&
        part.endedAtMs < time.wallMs(toMs) + 30 * second;
      if (isOwn && network.hostOf(truth.url)?.isLocal === false && !hasOwnTrouble(truth))
        broken('own-blindness', `${truth.host} has an incident of a time when our own network was down`);
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
    const closed = world.history.happenings.flatMap((one) =>
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
      broken(
        'incident-times',
        `${truth.host}: “${part.check}” is said to have ended at ${clockOf(endMs ?? 0)} and goes on failing`,
      );
    const isHeard = clear.includes(network.hostOf(truth.url)?.door.kind ?? 'dns') && truth.being === 'alive';
    const quietMs = time.nowMs - Math.max(world.lastDisturbedMs(truth.host), truth.steadySinceMs);
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
      quietMs > promisedMs(world, truth, status) &&
      !names.includes(part.check)
    )
      broken(
        'incident-times',
        `${truth.host}: “${part.check}” goes on failing, and the node has no such check`,
      );
    if (!near)
      broken(
        'incident-times',
        `${truth.host}: “${part.check}” began to fail at ${starts.map((ms) => clockOf(time.wallMs(ms))).join(', ') || 'no time'}, and is said to at ${clockOf(part.startedAtMs)}`,
      );
  }

  function hasOwnTrouble(truth: NodeTruth): boolean {
    return world.history.happenings.some(
      (one) =>
        (one.it === 'door' && one.host === truth.host) ||
        (one.it === 'node' && world.nodes[one.node] === truth),
    );
  }

  function checkVisible(incidents: readonly Incident[]): void {
    if (world.hasClockSteps || world.hasDeed('move-node')) return;
    const statuses = world.machine.app?.services().nodes.list() ?? [];
    const keptFromMs = world.time.wallMs() - (world.history.settings.keepDays - 1) * day;
    for (const truth of world.nodes) {
      const status = statuses.find(({ node }) => node.url === truth.url);
      if (status === undefined) continue;
      const own = incidents.filter(({ nodeId }) => nodeId === status.node.id).flatMap(({ parts }) => parts);
      for (const stretch of truth.stretches) {
        if (!visible.has(stretch)) continue;
        const fromMs = world.time.wallMs(stretch.fromMs);
        const toMs = stretch.endMs === null ? Infinity : world.time.wallMs(stretch.endMs);
        if (toMs < keptFromMs) continue;
        const isTold = own.some(
          (part) =>
            part.check === stretch.check &&
            part.startedAtMs < toMs + exactMs &&
            (part.endedAtMs ?? Infinity) > fromMs,
        );
        if (!isTold && !world.hasDeed('remove-node'))
          broken(
            'incident-seen',
            `${truth.host}: “${stretch.check}” failed ${stretch.runs} runs and has no incident`,
          );
      }
    }
  }

  /** Polls of the days that the settings keep are there. */
  function checkKept(use: readonly { nodeId: string; pollCount: number }[]): void {
    const { time, history, machine } = world;
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
        broken('polls-kept', `${kept.length} polls should be kept, and ${pollCount} are`);
    }
  }

  return { checkBudgets, checkStates, checkUptime, checkIncidents, checkKept };
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
