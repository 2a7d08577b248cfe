import { ServiceError } from './errors.ts';
import type { Entry, Handler, Lists } from './lists.ts';
import type { Cursor } from './paging.ts';
import type { Params } from './parameters.ts';
import { primarySubnetId, type Chain, type Network } from './world/chains.ts';
import { countMessages, messageRoutes, type Route } from './world/messages.ts';
import { createRollups, rollingMetrics, windowNames } from './world/rollups.ts';
import { createStaking, stakingMetrics, type Staking } from './world/staking.ts';
import { bucketAt, bucketStart, type Interval } from './world/buckets.ts';
import type { World } from './world/world.ts';

const daySeconds = 86_400;
/** The staking series ends so many days ago: on the public service it is never up to date (facts §3). */
const stakingLagDays = 2;

interface Point {
  readonly value: number | bigint;
  readonly timestamp: number;
}

/** The chain metrics interface, by the numbers of the specification. Values may be bigint. */
export function createMetricsHandlers(world: World, lists: Lists): Readonly<Record<number, Handler>> {
  const genesisDay = Math.floor(world.timeline.genesisSeconds / daySeconds);
  const staking = createStaking(world.seed, world.chains, genesisDay);
  const rollups = createRollups(world);
  const today = () => Math.floor(world.nowSeconds() / daySeconds);

  /** Days from the newest back, each with a value at its beginning. */
  function* daily(
    params: Params,
    from: Cursor | null,
    firstDay: number,
    lastDay: number,
    valueOn: (day: number) => bigint,
  ): Generator<Entry<Point>, void> {
    const { start, end } = timeRange(params);
    const last = Math.min(from?.n ?? lastDay, Math.ceil(end / daySeconds) - 1);
    for (let day = last; day >= firstDay && day * daySeconds >= start; day -= 1) {
      yield { at: { chain: 0, n: day, part: 0 }, item: { value: valueOn(day), timestamp: day * daySeconds } };
    }
  }

  return {
    14: (params, endpoint) => {
      const network = networkOf(params['network']);
      const metric = stakingMetrics.find((name) => name === params['metric']);
      if (network === null || metric === undefined) throw new ServiceError(404, 'Metric not found');
      // Without a subnet the figures are those of the Primary Network, as they are in practice (facts §3).
      const subnetId = params['subnetId'] ?? primarySubnetId;
      const isKnown = staking.validators.some(
        (validator) => validator.network === network && validator.subnetId === subnetId,
      );
      return lists.page(params, endpoint, (from) =>
        isKnown
          ? daily(params, from, genesisDay, today() - stakingLagDays, (day) =>
              staking.valueOn(metric, network, subnetId, day),
            )
          : [],
      );
    },

    15: async (params) => {
      const metric = rollingMetrics[params['metric'] ?? ''];
      if (metric === undefined) throw new ServiceError(404, 'Metric not found');
      const windows = await Promise.all(
        chainsOf(world, params['chainId'] ?? '').map((chain) => rollups.of(chain)),
      );
      const result: Record<string, number | bigint> = {};
      for (const name of windowNames) {
        const value = metric(windows.map((window) => window[name]));
        if (value !== null) result[name] = value;
      }
      return { result };
    },

    16: (params) => {
      const nodeId = params['nodeId'] ?? '';
      const firstDay = staking.firstDayOf(nodeId);
      if (firstDay === null) throw new ServiceError(404, `Node ${nodeId} not found`);
      const valueOn =
        params['metric'] === 'perNodeDailyFeesPaid'
          ? (day: number) => staking.feesOn(nodeId, day)
          : cumulativeFees(staking, nodeId, firstDay, today());
      const points = [...daily(params, null, firstDay, today(), valueOn)].map((entry) => entry.item);
      // It takes no paging parameters, so everything is on one page, whose token is empty.
      return { nextPageToken: '', results: points };
    },

    17: (params, endpoint) => lists.page(params, endpoint, (from) => icmPoints(world, params, from)),
  };
}

/** Sums from the first day on, worked out once for all days of a call. */
function cumulativeFees(staking: Staking, nodeId: string, firstDay: number, lastDay: number) {
  const sums = new Map<number, bigint>();
  let total = 0n;
  for (let day = firstDay; day <= lastDay; day += 1) {
    total += staking.feesOn(nodeId, day);
    sums.set(day, total);
  }
  return (day: number) => sums.get(day) ?? 0n;
}

/** The message series: one point for each time bucket and group, newest bucket first, groups in a fixed order. */
function* icmPoints(world: World, params: Params, from: Cursor | null): Generator<Entry<object>, void> {
  const { srcBlockchainId, destBlockchainId, groupBy = '' } = params;
  const interval = intervalOf(params['timeInterval']);
  const network = params['network'] === undefined ? null : networkOf(params['network']);
  const routes = messageRoutes(world).filter(
    ({ source, destination }) =>
      (srcBlockchainId === undefined || source.blockchainId === srcBlockchainId) &&
      (destBlockchainId === undefined || destination.blockchainId === destBlockchainId) &&
      (network === null || source.network === network),
  );
  // A dimension is named in a point when it is split by, or fixed by a filter.
  const showsSource = groupBy.includes('srcBlockchainId') || srcBlockchainId !== undefined;
  const showsDestination = groupBy.includes('destBlockchainId') || destBlockchainId !== undefined;
  const groups = new Map<string, { label: object; routes: Route[] }>();
  for (const route of routes) {
    const label = {
      ...(showsSource ? { srcBlockchainId: route.source.blockchainId } : {}),
      ...(showsDestination ? { destBlockchainId: route.destination.blockchainId } : {}),
    };
    const group = groups.get(JSON.stringify(label)) ?? { label, routes: [] };
    group.routes.push(route);
    groups.set(JSON.stringify(label), group);
  }
  const { start, end } = timeRange(params);
  const first = bucketAt(interval, Math.max(start, world.timeline.genesisSeconds));
  const last = bucketAt(interval, Math.min(end - 1, world.nowSeconds()));
  for (let bucket = from?.n ?? last; bucket >= first; bucket -= 1) {
    const timestamp = bucketStart(interval, bucket);
    // Timestamps of points are compared, so a bucket that began before `startTimestamp` is left out.
    if (timestamp < start) return;
    const bucketEnd = bucketStart(interval, bucket + 1);
    let part = 0;
    for (const { label, routes: members } of groups.values()) {
      if (from === null || bucket < from.n || part >= from.part) {
        const value = members.reduce(
          (sum, route) => sum + countMessages(world, route, timestamp, bucketEnd),
          0,
        );
        yield { at: { chain: 0, n: bucket, part }, item: { value, timestamp, ...label } };
      }
      part += 1;
    }
  }
}

/** `startTimestamp` works as inclusive and `endTimestamp` as exclusive (facts §3). */
function timeRange(params: Params): { start: number; end: number } {
  return {
    start: Number(params['startTimestamp'] ?? 0),
    end: params['endTimestamp'] === undefined ? Infinity : Number(params['endTimestamp']),
  };
}

function intervalOf(text: string | undefined): Interval {
  return text === 'hour' || text === 'week' || text === 'month' ? text : 'day';
}

function networkOf(text: string | undefined): Network | null {
  if (text === 'mainnet') return 'mainnet';
  return text === 'fuji' || text === 'testnet' ? 'fuji' : null;
}

/** The chains of endpoint 15: one, all, or those of a network. */
function chainsOf(world: World, id: string): readonly Chain[] {
  const served = world.chains.filter((chain) => chain.status === 'OK');
  if (id === 'total') return served;
  if (id === 'mainnet' || id === 'testnet') {
    return served.filter((chain) => chain.network === networkOf(id));
  }
  const chain = world.findChain(id);
  if (chain === null) throw new ServiceError(404, `Chain ${id} not found`);
  if (chain.status !== 'OK') throw new ServiceError(503, `Chain ${id} is currently unavailable`);
  return [chain];
}
