import type { Alert, AlertMessage } from '../src/shared/alerts/types.ts';
import type { NodeTruth } from './node-truth.ts';
import type { Message } from './notifications.ts';
import { promisedMs } from './watch-nodes.ts';
import type { World } from './world.ts';
import { hour, minute, second } from './time.ts';

/** A message that the user has seen. */
interface Shown {
  id: string;
  incident: string | null;
  /** True time, and that of the computer. */
  atMs: number;
  wallMs: number;
  isFull: boolean;
}

/** Compares what the user is told with what is so. */
export function watchAlerts(world: World) {
  const { broken } = world;
  const shown: Shown[] = [];
  /** As what each node is shown, and since when. */
  const states = new Map<string, { state: string; sinceMs: number }>();

  /** Now and then: how nodes are shown. */
  function look(): void {
    const { machine, nodes, time } = world;
    // Until it has started, it shows nothing.
    const statuses = machine.isStarted ? machine.app?.services().nodes.list() : [];
    for (const { host, url } of nodes) {
      const status = statuses?.find(({ node }) => node.url === url && !node.paused);
      const state = status === undefined ? 'none' : `${status.state} ${status.node.id}`;
      if (states.get(host)?.state !== state) states.set(host, { state, sinceMs: time.nowMs });
    }
  }

  /** One message for one failure, and none of a node that has none. */
  function checkMessage(message: Message): void {
    const { title, link } = message;
    const { machine, nodes, blind, time } = world;
    checkOnce(message);
    checkWaits(message);
    shown.push({
      id: message.id,
      incident: link.view === 'incident' ? link.id : null,
      atMs: time.nowMs,
      wallMs: time.wallMs(),
      isFull: machine.isDiskFull,
    });
    // While the app starts, its nodes are not known yet.
    if (!machine.isStarted || link.view !== 'incident') return;
    const status = machine.app
      ?.services()
      .nodes.list()
      .find(({ node }) => node.id === link.nodeId);
    const which = nodes.findIndex(({ url }) => url === status?.node.url);
    const truth = nodes[which];
    // Of a loss of our own network without a word of the system, one node alone cannot be cleared.
    const isUnclear = truth?.plan.isLocal === false && blind.some(({ isTold }) => !isTold);
    if (truth !== undefined && isSound(truth, which) && !isUnclear)
      broken('told-truly', `“${title}” was told, and ${truth.host} had no trouble`);
  }

  function checkWaits({ id, title, link }: Message): void {
    const { user, time, machine, hasClockSteps } = world;
    if (hasClockSteps || !machine.isStarted) return;
    if (time.wallMs() < user.alertsWaitUntilMs)
      broken('told-later', `“${title}” was told while alerts were paused`);
    // What could not be shown before the work began is shown later.
    if (link.view !== 'incident' || world.has('channel')) return;
    const planned = machine.app?.services().settings.current().alerts.planned ?? [];
    const isPlanned = planned.some(
      ({ nodeId, fromMs, untilMs }) =>
        nodeId === link.nodeId && time.wallMs() >= fromMs && time.wallMs() < untilMs,
    );
    if (isPlanned && / begin $/.test(id))
      broken('told-later', `“${title}” was told while that node was worked on`);
  }

  function checkOnce({ id, title, link }: Message): void {
    const before = shown.findLast((one) => one.id === id);
    if (before !== undefined && !mayRepeat(before)) broken('told-once', `“${title}” was told twice (${id})`);
    if (link.view !== 'incident' || !/ begin $/.test(id)) return;
    const begun = shown.findLast((one) => one.incident === link.id && / begin $/.test(one.id));
    const isOver = shown.some((one) => one.id === begun?.id.replace(/ begin $/, ' end '));
    if (begun !== undefined && !isOver && !mayRepeat(begun))
      broken('told-once', `“${title}” was told as ${begun.id}, and again as ${id}`);
  }

  /** It was not stored, its node was paused for so long that it is told again, or the clock was wrong by days. */
  function mayRepeat({ atMs, wallMs, isFull }: Shown): boolean {
    const { machine, time } = world;
    // Where the store is slow, others wait before it.
    const storedMs = minute + 200 * machine.storeTakesMs.nodes;
    const hasCrashed = machine.crashedMs >= atMs && machine.crashedMs - atMs < storedMs;
    return (
      isFull ||
      hasCrashed ||
      machine.crashedFullMs >= atMs ||
      isClockSetByDays ||
      (isLeft && Math.abs(time.wallMs() - wallMs) > 2 * hour)
    );
  }

  /** What the window lists of alerts and messages: of what is so now, and has been for long enough to be told. */
  function check(alerts: readonly Alert[]): void {
    const { machine, nodes, time, notifications, user } = world;
    if (machine.isDiskFull || machine.storeTakesMs.nodes > 0 || notifications.isDown) return;
    const statuses = machine.app?.services().nodes.list() ?? [];
    for (const truth of nodes) {
      const status = statuses.find(({ node }) => node.url === truth.url && !node.paused);
      if (status === undefined) continue;
      const { planned } = world.machine.app?.services().settings.current().alerts ?? {};
      const worked = (planned ?? []).filter(({ nodeId }) => nodeId === status.node.id);
      const waitsMs = Math.max(user.alertsWaitUntilMs, ...worked.map(({ untilMs }) => untilMs));
      const shownSinceMs = states.get(truth.host)?.sinceMs ?? time.nowMs;
      const sinceMs = Math.max(world.lastDisturbedMs(truth.host), truth.steadySinceMs, shownSinceMs);
      const forMs = time.nowMs - sinceMs;
      const own = alerts.filter(({ members }) =>
        members.some(({ nodeId, rule }) => nodeId === status.node.id && rule === 'incident'),
      );
      const open = own.filter(
        ({ members, endedAtMs }) =>
          endedAtMs === null &&
          members.some((one) => one.nodeId === status.node.id && one.endedAtMs === null),
      );
      const longMs = promisedMs(world, truth, status);
      const failsLong = truth.stretches.some(({ endMs, runs }) => endMs === null && runs > 5);
      const isDue =
        (status.state === 'unreachable' && forMs > (status.node.intervalMs ?? 0) + 4 * minute) ||
        (status.state === 'unhealthy' && forMs > longMs && failsLong);
      const isSaid = open.some(({ saidAtMs, isHeld }) => saidAtMs !== null && !isHeld);
      // One that came and went before is silent until it settles.
      const isFlapping = own.some(({ flapping }) => flapping === 'said');
      if (isDue && !isSaid && !isFlapping && time.wallMs() > waitsMs + 4 * minute)
        broken('told-in-time', `${truth.host} is ${status.state}, and nothing was told of it`);
      // One that names no checks does not say that they pass.
      const isWell = status.state === 'healthy' && truth.checkNames.length > 0;
      if (isWell && open.length > 0 && forMs > longMs + 3 * truth.plan.periodMs)
        broken('told-truly', `${truth.host} is healthy, and its alert goes on: ${open[0]?.key}`);
    }
  }

  /** Of an address, only what came while it was watched, and once. */
  function checkNews(alerts: readonly Alert[]): void {
    const told = new Set<string>();
    for (const { members } of alerts)
      for (const { rule, ids, words } of members) {
        if (rule !== 'address') continue;
        for (const id of ids) {
          const hash = id.split(' ')[1] ?? '';
          if (told.has(id)) broken('told-once', `“${words}” was told twice`);
          if (!world.services.some((one) => one.born.has(hash)))
            broken('told-truly', `“${words}” was told, and is old`);
          told.add(id);
        }
      }
    checkAllNews(told);
  }

  /** All that came lately to an address that the user has always watched, once everything is complete again. */
  function checkAllNews(told: ReadonlySet<string>): void {
    const { machine, history, quietSinceMs, time, serviceInUse: service } = world;
    const chosen = machine.app?.window()?.settings.alerts.addresses ?? [];
    const isPlain =
      !world.has('clock', 'restart', 'sleep', 'odd', 'disk') &&
      !world.hasDeed('use-service', 'remove-address', 'pause-address', 'stop');
    if (service === undefined || quietSinceMs === null || !isPlain || history.clock.offMs !== 0) return;
    for (const { address, sinceMs } of chosen)
      for (const { id } of service.chains)
        for (const { hash, bornMs } of service.truth(id, address)) {
          if (bornMs === null || time.wallMs(bornMs) < sinceMs + minute) continue;
          if (!told.has(`${id} ${hash} ${address}`))
            broken('told-in-time', `${hash.slice(0, 12)}… came to ${address.slice(0, 6)}…, and was not told`);
        }
  }

  /** When all trouble is over: everything was shown, and the end of each alert that was. */
  function checkEnd(alerts: readonly Alert[], messages: readonly AlertMessage[]): void {
    const { time, user } = world;
    const isPaused = time.wallMs() < user.alertsWaitUntilMs;
    const waiting = messages.find(
      // One of this moment is still being shown.
      ({ sent, atMs }) => atMs < time.wallMs() - second && sent.some(({ state }) => state === 'waiting'),
    );
    if (waiting !== undefined && !isPaused) broken('told-in-time', `“${waiting.title}” is not shown yet`);
    const ids = new Set(messages.map(({ id }) => id));
    for (const { key, endedAtMs, saidAtMs, snoozedUntilMs, members, flapping } of alerts) {
      const isOfNode = members.every(({ rule }) => rule === 'incident');
      const cameAndWent = flapping !== 'no' || messages.some(({ kind }) => kind === 'flapping');
      if (!isOfNode || endedAtMs === null || saidAtMs === null || cameAndWent || isLeft) continue;
      if (snoozedUntilMs !== null || world.hasDeed('pause-alerts', 'plan')) continue;
      if (!ids.has(`${key} end `))
        broken('told-in-time', `“${members[0]?.words}” is over, and it was not told`);
    }
  }

  function isSound({ host }: NodeTruth, which: number): boolean {
    return !world.history.happenings.some(
      (one) =>
        (one.it === 'door' && one.host === host) ||
        ('node' in one && one.node === which) ||
        (one.it === 'user' && one.deed.does === 'move-node'),
    );
  }

  /** What has ended in days to come begins again when the clock is right again. */
  const isClockSetByDays = world.history.happenings.some(
    (one) =>
      (one.it === 'clock' && Math.abs(one.stepMs) >= 24 * hour) ||
      (one.it === 'restart' && Math.abs(one.clockMs) >= 24 * hour),
  );

  /** A node was not watched for a while, so that nobody knows the end of what was told. */
  const isLeft = world.hasDeed('pause-node', 'remove-node', 'move-node');

  world.notifications.onShown = (message) => checkMessage(message);
  return { look, check, checkNews, checkEnd };
}
