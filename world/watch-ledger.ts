import { listIds, type ListId } from '../src/shared/activity/types.ts';
import { listSyncs } from '../src/main/adapters/storage/activity/activity-lists.ts';
import type { SqlDatabase } from '../src/main/adapters/storage/sqlite/sql.ts';
import { changesOf } from './in-thread.ts';
import type { Transaction } from './service-answers.ts';
import type { ServiceTruth } from './service-truth.ts';
import type { World } from './world.ts';
import { minute } from './time.ts';

/** A stored element, with the number of equal ones. */
interface Stored {
  block: number;
  blockHash: string | null;
  isGone: boolean;
  isComplete: boolean;
  count: number;
}

/** Compares histories in the stores with the chains. */
export function watchLedger(world: World) {
  const { broken } = world;
  /** No earlier than this each element was first called proven, by store, list and version of the transaction. */
  const firstProvenMs = new Map<string, number>();
  /** When it was looked last: what is proven now for the first time was not proven then. */
  let lookedMs = 0;

  /** The states of the stores and services that were compared last, by service. */
  const compared = new Map<string, string>();

  /** Now and then: what is called proven is stored, and nothing else is. */
  function check(): void {
    for (const service of world.services) {
      const tooEarly = world.network.hostOf(service.url)?.hold.tooEarly ?? 0;
      if (tooEarly > 0)
        broken('service-limit', `${service.name} was asked ${tooEarly} times before it allowed that`);
      const store = world.machine.chainStores.get(service.url);
      if (store === undefined || !hasChanged(service, store)) continue;
      checkOrigin(service, store);
      for (const { sync, address, chainId, list } of listSyncs(store)) {
        const stored = storedOf(store, { address, chainId, list });
        const covered = sync.covered.map(
          ({ fromBlock, toBlock }) => [Number(fromBlock), Number(toBlock)] as const,
        );
        for (const transaction of service.truth(chainId, address)) {
          if (!covered.some(([from, to]) => transaction.block >= from && transaction.block < to)) continue;
          const wanted = countIn(transaction, list);
          if (wanted === 0) continue;
          const keyOf = (one: ListId) =>
            `${service.url} ${address} ${chainId} ${one} ${transaction.hash} ${transaction.blockHash}`;
          const key = keyOf(list);
          const provenMs = firstProvenMs.get(key) ?? lookedMs;
          firstProvenMs.set(key, provenMs);
          if (isStored(stored.get(transaction.hash), transaction, wanted)) continue;
          // Only where it was there, unchanged, long before it was called proven.
          const sinceMs = service.visibleSinceMs(chainId, transaction, list);
          // What comes late into the newest block is seen when the list is asked for again, and kept where the disk is not full.
          const canBeKept =
            !world.machine.isDiskFull &&
            sinceMs > world.lastDisturbedMs(service.name) &&
            // A question that was given up waits there for its turn.
            service.plan.callsPerMinute === null;
          if (transaction.isLate === true && canBeKept) {
            const askedMs = service.askedMs.get(`${chainId} ${address.toLowerCase()} ${list}`) ?? Infinity;
            const storedMs = minute / 4 + 20 * world.machine.storeTakesMs.services;
            if (askedMs > sinceMs && world.time.nowMs > askedMs + storedMs)
              broken(
                'proven-is-stored',
                `${service.name}: block ${transaction.block} of ${list} got ${transaction.hash.slice(0, 12)}…, and was asked for again without it`,
              );
          }
          // While a list of transfers is walked down, only a walk of the transactions can see that the chain was reorganised.
          const newsMs = service.newsAskedMs.get(`${chainId} ${address.toLowerCase()}`) ?? -Infinity;
          const seenMs = Math.max(newsMs, firstProvenMs.get(keyOf('transactions')) ?? Infinity);
          const canBeKnown =
            list === 'transactions' ||
            (transaction.isLate !== true && newsMs > sinceMs && world.time.nowMs > seenMs + minute);
          if (sinceMs === 0 ? world.time.nowMs > 0 : provenMs > sinceMs + 2 * minute && canBeKnown)
            broken(
              'proven-is-stored',
              `${service.name}: block ${transaction.block} of ${list} is proven, and ${transaction.hash.slice(0, 12)}… of it is not stored`,
            );
        }
      }
    }
    lookedMs = world.time.nowMs;
  }

  /** How often paused addresses had been asked for when that was last looked at, by service, address and pause. */
  const pausedCounts = new Map<string, number>();

  /** Now and then: an address that is paused is asked for only when the user wants it. */
  function checkPaused(): void {
    const { user, serviceInUse: service } = world;
    if (service === undefined) return;
    for (const address of world.addresses) {
      const pausedMs = user.paused.get(address);
      if (pausedMs === undefined) continue;
      // What the user asks in Explore goes on.
      const key = `${service.name} ${address} ${pausedMs} ${user.questions}`;
      const count = service.addressAsked.get(address.toLowerCase()) ?? 0;
      const before = pausedCounts.get(key);
      pausedCounts.set(key, count);
      if (before !== undefined && count > before && user.openQuestions === 0)
        broken('paused-is-quiet', `${service.name} was asked for ${address.slice(0, 6)}…, which is paused`);
    }
  }

  /** Now and then: a complete list is asked for news at the user's interval. */
  function checkNews(): void {
    const { machine, time, network, history, serviceInUse: service } = world;
    const window = machine.app?.window();
    if (service === undefined || time.isAsleep || service.odd !== null) return;
    if (!network.isUp || network.hostOf(service.url)?.door.kind !== 'plain') return;
    // After a refusal without a limit, the app finds out slowly how much it may ask.
    if (
      history.happenings.some((one) => one.it === 'door' && 'status' in one.door && one.door.status === 429)
    )
      return;
    const { serviceChosenMs, stoppedMs } = world.user;
    const sinceMs = Math.max(world.lastDisturbedMs(service.name), serviceChosenMs, stoppedMs);
    // A check leaves out what was asked for just before it, and waits its turn where few calls are allowed.
    const { chains, transactions, pageRows, callsPerMinute } = service.plan;
    const pages = world.addresses.length * chains * Math.ceil(transactions / pageRows);
    const turnMs = callsPerMinute === null ? 0 : 2 * (pages / callsPerMinute) * minute;
    const slowMs = 3 * pages * machine.storeTakesMs.services;
    // By a clock that was set, what was asked for long ago may look as if that was just now.
    const intervals = world.hasClockSteps ? 2 : 1;
    const longestMs = intervals * history.settings.checkMinutes * minute + 3 * minute + turnMs + slowMs;
    for (const { address, paused, chains: watched, addedAtMs } of window?.watchlist ?? []) {
      for (const { chainId, sync } of watched) {
        if (paused || sync.state !== 'complete' || history.settings.checkMinutes === 0) continue;
        // Where the chain took all of them back, the address is not active on it any more.
        const truth = service.truth(chainId, address);
        if (truth.length === 0) continue;
        const askedMs = service.newsAskedMs.get(`${chainId} ${address.toLowerCase()}`) ?? -Infinity;
        // Where it has become active again since, that is found with its chains, which are asked for every 20 minutes.
        const isBack = truth.every(({ bornMs }) => bornMs !== null && bornMs > askedMs);
        const mostMs = longestMs + (isBack ? 20 * minute : 0);
        if (time.wallMs() - addedAtMs > mostMs && time.nowMs - Math.max(sinceMs, askedMs) > mostMs)
          broken(
            'checks-come',
            `${service.name} was not asked for news of ${address.slice(0, 6)}… on ${chainId} for ${Math.round((time.nowMs - askedMs) / minute)} minutes`,
          );
      }
    }
  }

  /** Whether anything is other than when it was last compared. */
  function hasChanged({ url, changedMs }: ServiceTruth, store: SqlDatabase): boolean {
    const state = `${changesOf(store)} ${changedMs}`;
    const isNew = compared.get(url) !== state;
    compared.set(url, state);
    return isNew;
  }

  function checkOrigin(service: ServiceTruth, store: SqlDatabase): void {
    for (const table of ['activity_row', 'activity_record'] as const) {
      for (const { tx_hash: hash } of store.all(`SELECT DISTINCT tx_hash FROM ${table}`)) {
        const told = String(hash).toLowerCase();
        if (service.told.has(told)) continue;
        const other = world.services.find((one) => one.told.has(told));
        if (other === undefined) broken('nothing-made-up', `${told} is stored and was on no chain`);
        else broken('one-service', `the store of ${service.name} has ${told.slice(0, 12)}… of ${other.name}`);
      }
    }
  }

  /** At the end, when nothing is wrong any more: everything that is watched is there, and the window says so. */
  function checkComplete(): void {
    const { machine, serviceInUse: service } = world;
    if (service === undefined) return;
    const store = machine.chainStore(service.url);
    for (const watched of machine.app?.window()?.watchlist ?? []) {
      for (const chain of service.chains) {
        const truth = service.truth(chain.id, watched.address);
        if (truth.length === 0) continue;
        const shown = watched.chains.find(({ chainId }) => chainId === chain.id);
        const name = `${watched.address.slice(0, 6)}… on ${chain.id} of ${service.name}`;
        // What is not fetched need not be there.
        if (watched.paused) continue;
        if (shown === undefined) {
          broken('becomes-complete', `${name}: the chain is not shown`);
          continue;
        }
        const isStopped = shown.sync.stoppedByUser && shown.sync.state === 'stopped';
        if (isStopped) continue;
        const stored = storedOf(store, { address: watched.address, chainId: chain.id, list: 'transactions' });
        const missing = truth.filter(
          (transaction) => !isStored(stored.get(transaction.hash), transaction, 1),
        );
        const gone = [...stored].filter(
          ([hash, row]) => !row.isGone && !truth.some((one) => one.hash === hash),
        );
        if (missing.length > 0 || gone.length > 0 || !['complete', 'running'].includes(shown.sync.state)) {
          const state = `${shown.sync.state}${shown.sync.stoppedByUser ? ', stopped by the user' : ''}`;
          broken(
            'becomes-complete',
            `${name} is called ${state}; ${missing.length} of ${truth.length} are missing, and ${gone.length} are there that the chain has not`,
          );
        }
        checkOthers(service, store, watched.address, chain.id);
        checkDetails(service, stored, name);
      }
    }
  }

  /** In the other lists: what is proven is stored, also what came or went after it had been proven. */
  function checkOthers(service: ServiceTruth, store: SqlDatabase, address: string, chainId: string): void {
    const syncs = listSyncs(store);
    for (const { sync, ...ref } of syncs) {
      if (ref.address !== address || ref.chainId !== chainId || sync.stoppedByUser) continue;
      const stored = storedOf(store, ref);
      const isProven = (block: number): boolean =>
        sync.covered.some(({ fromBlock, toBlock }) => block >= Number(fromBlock) && block < Number(toBlock));
      const truth = service
        .truth(chainId, address)
        .filter((one) => isProven(one.block) && countIn(one, ref.list) > 0);
      const missing = truth.filter(
        // When what came late into the newest block must have been seen, `check` knows.
        (one) => one.isLate !== true && !isStored(stored.get(one.hash), one, countIn(one, ref.list)),
      );
      // One that still shows what the transactions, behind it, no longer had is not asked again when it is gone as well.
      // Nor what the transactions never had, above all that they have proven: it is as old as the check of its list.
      const rows = storedOf(store, { address, chainId, list: 'transactions' });
      const [transactions] = syncs.filter(
        (one) => one.address === address && one.chainId === chainId && one.list === 'transactions',
      );
      const top = Number(transactions?.sync.covered.at(-1)?.toBlock ?? 0);
      const gone = [...stored].filter(
        ([hash, row]) =>
          !row.isGone &&
          isProven(row.block) &&
          rows.get(hash)?.isGone !== true &&
          (rows.has(hash) || row.block < top) &&
          !truth.some((one) => one.hash === hash),
      );
      if (missing.length > 0 || gone.length > 0)
        broken(
          'proven-is-stored',
          `${service.name}: the list ${ref.list} lacks ${missing.length} elements of blocks that are called proven, and has ${gone.length} that the chain took back`,
        );
    }
  }

  /** What the user wanted completed is complete, but for what cannot be. */
  function checkDetails(service: ServiceTruth, stored: ReadonlyMap<string, Stored>, name: string): void {
    const { user } = world;
    // What came after the wish is no part of it.
    const wantedMs = user.wantedDetailsMs;
    if (wantedMs === null || world.hasDeed('use-service', 'remove-address') || service.changedMs > 0) return;
    // At the rate that the service allows, less what news need of it.
    const { chains, transactions, callsPerMinute } = service.plan;
    const calls = world.addresses.length * chains * transactions;
    const passedMs = world.time.nowMs - wantedMs;
    if (callsPerMinute !== null && (calls / (callsPerMinute * 0.7)) * minute > passedMs) return;
    const partial = [...stored].filter(
      ([hash, { isComplete, isGone }]) =>
        !isComplete && !isGone && !service.poisoned.has(hash) && !service.toldOddly.has(hash),
    );
    if (partial.length > 0 && wasWhole)
      broken(
        'becomes-complete',
        `${name}: ${partial.length} details are not fetched, which the user asked for`,
      );
  }

  /** Whether all rows were there when the user wanted the details. */
  let wasWhole = false;

  let wishMs: number | null = null;

  /** After each step: what is there when the user wants the details. */
  function noteWish(): void {
    const { machine, user, serviceInUse: service } = world;
    if (user.wantedDetailsMs === wishMs) return;
    wishMs = user.wantedDetailsMs;
    const store = service && machine.chainStores.get(service.url);
    if (service === undefined || store === undefined) return;
    wasWhole = world.addresses.every((address) =>
      service.chains.every(({ id }) => {
        const stored = storedOf(store, { address, chainId: id, list: 'transactions' });
        return service.truth(id, address).every(({ hash }) => stored.has(hash));
      }),
    );
  }

  /** The numbers of requests to each service, to see what follows when nothing is left to do; none while details are. */
  function requestCounts(): Map<string, number> {
    if ((world.machine.app?.window()?.completion.waitingCount ?? 0) > 0) return new Map();
    return new Map([...world.network.hosts.values()].map(({ name, requestCount }) => [name, requestCount]));
  }

  /** At the end: no list was asked for more pages than it has, what happened to it, and looking for news cost. */
  function checkWalks(): void {
    const { history, machine, time } = world;
    const troubles = machine.starts + history.happenings.length;
    const looks = time.nowMs / (Math.max(1, history.settings.checkMinutes) * minute);
    for (const service of world.services) {
      for (const [key, count] of service.pagesAsked) {
        const [chainId = '', address = '', list] = key.split(' ');
        const elements = service.truth(chainId, address).reduce((sum, one) => sum + countIn(one, list), 0);
        const pages = Math.ceil(elements / service.plan.pageRows) + 1;
        const most = pages * (troubles + 2) + 3 * looks + 40;
        if (count > most)
          broken(
            'walk-is-short',
            `${service.name} was asked ${count} times for the list ${list}, which has ${pages} pages`,
          );
      }
    }
  }

  /** In the last minutes the services were asked only for news. */
  function checkQuiet(before: ReadonlyMap<string, number>, forMs: number): void {
    const { history, network, machine } = world;
    const addresses = machine.app?.window()?.watchlist.length ?? 0;
    const checks = forMs / (Math.max(1, history.settings.checkMinutes) * minute) + 2;
    for (const service of world.services) {
      const lists = addresses * service.plan.chains * listIds.length;
      // Historic prices are looked for when there may be some: once for each transaction of which details are wanted.
      const priced = world.hasDeed('complete-all') ? service.told.size : 0;
      const most = checks * (lists + addresses + 1) + service.poisoned.size * 20 + priced;
      const count = (network.hostOf(service.url)?.requestCount ?? 0) - (before.get(service.name) ?? Infinity);
      if (count > most)
        broken(
          'quiet-is-quiet',
          `${service.name} got ${count} requests in ${forMs / minute} minutes in which nothing was left to fetch`,
        );
    }
  }

  return { check, checkPaused, checkNews, checkComplete, noteWish, requestCounts, checkWalks, checkQuiet };
}

function countIn(transaction: Transaction, list: string | undefined): number {
  if (list === 'transactions' || list === 'native') return 1;
  return list === 'erc20' ? transaction.transfers : 0;
}

function isStored(stored: Stored | undefined, { block, blockHash }: Transaction, count: number): boolean {
  if (stored === undefined || stored.isGone) return false;
  const isSameBlock = stored.blockHash === null || stored.blockHash.toLowerCase() === blockHash;
  return stored.block === block && isSameBlock && stored.count >= count;
}

function storedOf(
  store: SqlDatabase,
  ref: { address: string; chainId: string; list: ListId },
): Map<string, Stored> {
  const params = [ref.address, ref.chainId, listIds.indexOf(ref.list)];
  const from =
    `FROM watched JOIN activity_list ON activity_list.address_ref = watched.id JOIN chain ON chain.id = activity_list.chain_ref` as const;
  const where = `WHERE watched.address = ? AND chain.chain_id = ? AND activity_list.list = ?` as const;
  const rows =
    ref.list === 'transactions'
      ? store.all(
          `SELECT tx_hash, block_number, block_hash, reorg, is_complete, 1 AS count ${from} JOIN activity_row ON activity_row.list_ref = activity_list.id ${where}`,
          params,
        )
      : store.all(
          `SELECT tx_hash, block_number, NULL AS block_hash, NULL AS reorg, 1 AS is_complete, count(*) AS count ${from} JOIN activity_record ON activity_record.list_ref = activity_list.id ${where} GROUP BY tx_hash, block_number`,
          params,
        );
  return new Map(
    rows.map((row) => [
      String(row['tx_hash']).toLowerCase(),
      {
        block: Number(row['block_number']),
        blockHash: typeof row['block_hash'] === 'string' ? row['block_hash'] : null,
        isGone: row['reorg'] !== null && Number(row['reorg']) === 1,
        isComplete: Number(row['is_complete']) === 1,
        count: Number(row['count']),
      },
    ]),
  );
}
