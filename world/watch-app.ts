import { isDeepStrictEqual } from 'node:util';
import type { AppSnapshot } from '../src/shared/ipc/answers.ts';
import { hourMs } from '../src/shared/time.ts';
import type { World } from './world.ts';

type Parts = Pick<AppSnapshot, 'nodes' | 'watchlist' | 'completion' | 'connection'>;

const momentMs = 300;

/** Errors after which the same request may succeed. */
const passing: readonly string[] = ['unreachable', 'timeout', 'bad-response', 'rate-limited'];

/** Compares the window, the lists and what is left behind with what should be. */
export function watchApp(world: World) {
  const { broken } = world;
  /** What the window knows from events equals what it would be told anew: now, or a moment later, in which the computer is awake. */
  function checkWindow(
    parts: readonly (keyof Parts)[] = ['nodes', 'watchlist', 'completion', 'connection'],
  ): void {
    for (const differs of differencesIn(parts)) {
      world.time.inside(momentMs, () => {
        if (differencesIn(parts).includes(differs)) broken('window-agrees', differs);
      });
    }
  }

  function differencesIn(parts: readonly (keyof Parts)[]): string[] {
    const { app } = world.machine;
    const window = app?.window();
    if (app?.isShown() !== true || window === null || window === undefined) return [];
    const services = app.services();
    const now: Parts = {
      nodes: services.nodes.list(),
      watchlist: services.watchlist.views(),
      completion: services.completion.status(),
      connection: services.service.connection(),
    };
    return parts.flatMap((part) => {
      const [shown, told] = [crossing[part](window), crossing[part](now)].map((one) => JSON.stringify(one));
      // What cannot cross the bridge is lost on both sides.
      if (shown === told) return [];
      const where = difference(JSON.parse(shown ?? 'null'), JSON.parse(told ?? 'null'));
      return where === '' ? [] : [`${part} in the window: ${where}`];
    });
  }

  let before: AppSnapshot['completion'] | null = null;

  /** After each step: the wish for all details does not end while they are being fetched. */
  function checkWish(): void {
    const completion = world.machine.app?.window()?.completion ?? null;
    if (completion === before) return;
    const wasWished = before?.isAll === true;
    before = completion;
    // Prices that are known by now are no part of it, such as after a step of the clock by days, or after a night.
    const { hasClockSteps, sleptMs } = world;
    const areWaiting = completion !== null && completion.waitingCount > 0 && completion.partialCount > 0;
    if (wasWished && areWaiting && !completion.isAll && !hasClockSteps && sleptMs < hourMs)
      broken('window-agrees', `${completion.waitingCount} details are fetched and no wish shown`);
  }

  /** The service is one that the user has chosen, with all that belongs to it. */
  function checkService(): void {
    const { machine, services } = world;
    const chosen = machine.app?.window()?.settings.service;
    if (chosen === undefined) return;
    if (!services.some((_one, which) => isDeepStrictEqual(machine.profile(which), chosen)))
      broken('lists-agree', `the service is ${JSON.stringify(chosen)}, which nobody has chosen`);
  }

  /** What failed in a way that may pass is tried again, and the window says when. */
  function checkRetries(): void {
    for (const { chains } of world.machine.app?.window()?.watchlist ?? []) {
      for (const { chainId, sync, otherLists } of chains) {
        for (const { state, error, stoppedByUser } of [sync, ...otherLists.map((one) => one.sync)]) {
          if (error === null || state === 'running' || stoppedByUser) continue;
          if (passing.includes(error.code) && !('retryAtMs' in error))
            broken('becomes-complete', `${chainId}: ${error.code} is shown and no retry planned`);
        }
      }
    }
  }

  /** What the user has added and not removed is listed, and nothing else is stored. */
  function checkLists(): void {
    const { machine, user, services } = world;
    const window = machine.app?.window();
    if (window === null || window === undefined) return;
    const listed = window.nodes.map(({ node }) => node.url);
    compare('nodes', [...user.nodes], listed);
    const ids = new Set(window.nodes.map(({ node }) => node.id));
    const storedIds = machine.nodeStore
      .all('SELECT node_id FROM health_node')
      .map((row) => String(row['node_id']));
    const left = storedIds.filter((id) => !ids.has(id));
    if (left.length > 0) broken('lists-agree', `${left.length} nodes are stored that are not listed`);
    const { dataUrl } = window.settings.service;
    const prefix = `${dataUrl} `;
    const wanted = [...user.addresses].filter(([key]) => key.startsWith(prefix));
    compare(
      'addresses',
      wanted.map(([key, is]) => [key.slice(prefix.length), is]),
      window.watchlist.map(({ address }) => address),
    );
    const service = services.find(({ url }) => url === dataUrl);
    if (service === undefined) return;
    const kept = world.history.happenings.some(
      (one) => one.it === 'user' && one.deed.does === 'remove-address' && one.deed.keep,
    );
    const watched = new Set(window.watchlist.map(({ address }) => address));
    const data = machine
      .chainStore(dataUrl)
      .all('SELECT address FROM watch_address')
      .map((row) => String(row['address']));
    const leftData = data.filter((address) => !watched.has(address));
    if (!kept && leftData.length > 0)
      broken('lists-agree', `data of ${leftData.join(', ')} is left, which was removed`);
  }

  function compare(
    what: string,
    wanted: readonly (readonly [string, boolean | null])[],
    listed: readonly string[],
  ): void {
    for (const [name, isThere] of wanted) {
      if (isThere !== null && listed.includes(name) !== isThere)
        broken('lists-agree', `${name} ${isThere ? 'is missing from' : 'is still in'} the list of ${what}`);
    }
    if (new Set(listed).size < listed.length) broken('lists-agree', `the list of ${what} has an entry twice`);
  }

  /** Calls of the window that have waited for long. */
  function checkCalls(longestMs: number): void {
    const { machine, time } = world;
    for (const { channel, atMs } of machine.openCalls.values()) {
      if (time.awakeMs - atMs > longestMs)
        broken(
          'calls-end',
          `${channel} was called ${Math.round((time.awakeMs - atMs) / 1_000)} s ago and has no answer`,
        );
    }
  }

  /** While nothing happens, no more timers are planned than nodes, lists and the app itself need. */
  function checkTimers(): void {
    const { machine, nodes, services, addresses } = world;
    const lists = services.reduce((sum, { plan }) => sum + plan.chains * 5, 0) * addresses.length;
    const most = 20 + 8 * nodes.length + 3 * lists;
    const count = machine.app?.timerCount() ?? 0;
    if (count > most) broken('no-growth', `${count} timers are planned`);
  }

  return {
    checkWindow,
    checkWish,
    checkService,
    checkRetries,
    checkLists,
    checkCalls,
    checkTimers,
  };
}

/** The parts that the window shows, as they cross the bridge; without what is only told with the next poll. */
const crossing: { [P in keyof Parts]: (parts: Parts) => unknown } = {
  nodes: ({ nodes }) =>
    nodes.map(({ polling, nextPollAtMs, liveness, keepsConnection, heldBackCount, ...rest }) => rest),
  watchlist: ({ watchlist }) => watchlist,
  // While details are fetched, what came of them is told a little later.
  completion: ({ completion }) => (completion.waitingCount > 0 ? { isAll: completion.isAll } : completion),
  connection: ({ connection }) => connection.state,
};

/** The first place where two values differ. */
function difference(shown: unknown, now: unknown, path = ''): string {
  if (isDeepStrictEqual(shown, now)) return '';
  if (typeof shown !== 'object' || typeof now !== 'object' || shown === null || now === null) {
    return `${path} is ${JSON.stringify(shown)} and should be ${JSON.stringify(now)}`;
  }
  const [one, other] = [new Map(Object.entries(shown)), new Map(Object.entries(now))];
  for (const key of new Set([...one.keys(), ...other.keys()])) {
    const found = difference(one.get(key), other.get(key), `${path}.${key}`);
    if (found !== '') return found;
  }
  return '';
}
