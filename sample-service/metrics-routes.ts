import { ServiceError } from './errors.ts';
import { chainOf, type Entry, type Handler, type Lists } from './lists.ts';
import type { Cursor } from './paging.ts';
import type { Params } from './parameters.ts';
import { bucketAt, bucketStart, type Interval } from './world/buckets.ts';
import { primarySubnetId, type Chain, type Network } from './world/chains.ts';
import { rollingWindows } from './world/rollups.ts';
import { createStaking } from './world/staking.ts';
import type { World } from './world/world.ts';

const daySeconds = 86_400;
/** How many days ago the staking series ends: on the public service it is never up to date (service-and-node.md §3). */
const stakingLagDays = 2;

interface Point {
  readonly value: number | bigint;
  readonly timestamp: number;
}

/** The chain metrics interface, by the numbers of the specification. Values may be bigint. */
export function createMetricsHandlers(world: World, lists: Lists): Readonly<Record<number, Handler>> {
  const genesisDay = Math.floor(world.timeline.genesisSeconds / daySeconds);
  const staking = createStaking(world.seed, world.chains, genesisDay);
  const today = () => Math.floor(world.nowSeconds() / daySeconds);

  /** Days from the newest back, each with a value at its beginning. */
  function* daily(
    params: Params,
    { first, last }: { first: number; last: number },
    valueOn: (day: number) => bigint,
  ): Generator<Point, void> {
    const { start, end } = timeRange(params);
    for (let day = Math.min(last, Math.ceil(end / daySeconds) - 1); day >= first; day -= 1) {
      if (day * daySeconds >= start) yield { value: valueOn(day), timestamp: day * daySeconds };
    }
  }

  return {
    14: (params, endpoint) => {
      const { metric = '', subnetId = primarySubnetId } = params;
      const network = networkOf(params['network']);
      if (network === null) throw new ServiceError(404, 'Metric not found');
      // Without a subnet the figures are those of the Primary Network, as in practice (service-and-node.md §3).
      const valueOn = staking.series(metric, network, subnetId);
      return lists.page(params, endpoint, function* (from): Generator<Entry, void> {
        if (valueOn === null) return;
        const last = Math.min(from?.at ?? Infinity, today() - stakingLagDays);
        for (const point of daily(params, { first: genesisDay, last }, valueOn)) {
          yield { at: point.timestamp / daySeconds, part: 0, write: () => point };
        }
      });
    },

    15: (params) => {
      const { chainId = '', metric = '' } = params;
      const result = rollingWindows(world, chainsOf(world, chainId, params), metric);
      if (result === null) throw new ServiceError(404, 'Metric not found');
      return { result };
    },

    16: (params) => {
      const nodeId = params['nodeId'] ?? '';
      const first = staking.firstDayOf(nodeId);
      if (first === null) throw new ServiceError(404, `Node ${nodeId} not found`);
      const sums = new Map<number, bigint>();
      let total = 0n;
      for (let day = first; day <= today(); day += 1) {
        total += staking.feesOn(nodeId, day);
        sums.set(day, total);
      }
      const sumOn = (day: number) => sums.get(day) ?? 0n;
      const isDaily = params['metric'] === 'perNodeDailyFeesPaid';
      const valueOn = isDaily ? (day: number) => sumOn(day) - sumOn(day - 1) : sumOn;
      // It takes no paging parameters, so everything is on one page, whose token is empty.
      return { nextPageToken: '', results: [...daily(params, { first, last: today() }, valueOn)] };
    },

    17: (params, endpoint) => lists.page(params, endpoint, (from) => messagePoints(world, params, from)),
  };
}

/** The message series: one point for each time bucket and group, newest bucket first, groups in a fixed order. */
function* messagePoints(world: World, params: Params, from: Cursor | null): Generator<Entry, void> {
  const { srcBlockchainId, destBlockchainId, groupBy = '' } = params;
  const interval = intervalOf(params['timeInterval']);
  const network = params['network'] === undefined ? null : networkOf(params['network']);
  // A point names a dimension when the series is split or filtered by it.
  const showsSource = groupBy.includes('srcBlockchainId') || srcBlockchainId !== undefined;
  const showsDestination = groupBy.includes('destBlockchainId') || destBlockchainId !== undefined;
  const labelOf = (source: Chain, destination: Chain) => ({
    ...(showsSource ? { srcBlockchainId: source.blockchainId } : {}),
    ...(showsDestination ? { destBlockchainId: destination.blockchainId } : {}),
  });
  const isWanted = (source: Chain, destination: Chain) =>
    (srcBlockchainId === undefined || source.blockchainId === srcBlockchainId) &&
    (destBlockchainId === undefined || destination.blockchainId === destBlockchainId) &&
    (network === null || source.network === network);

  const labels = new Map<string, object>();
  for (const source of world.chains) {
    for (const destination of world.chains.filter(({ index }) => source.partners.includes(index))) {
      const label = labelOf(source, destination);
      if (isWanted(source, destination)) labels.set(JSON.stringify(label), label);
    }
  }
  /** Messages by bucket and label. */
  const counts = new Map<string, number>();
  for (const { message, seconds } of world.walk({ order: 'desc', from: null })) {
    if (message?.direction !== 'SOURCE_TRANSACTION') continue;
    const { source, destination } = message;
    const key = `${bucketAt(interval, seconds)} ${JSON.stringify(labelOf(source, destination))}`;
    if (isWanted(source, destination)) counts.set(key, (counts.get(key) ?? 0) + 1);
  }

  const { start, end } = timeRange(params);
  const first = bucketAt(interval, Math.max(start, world.timeline.genesisSeconds));
  const last = bucketAt(interval, Math.min(end - 1, world.nowSeconds()));
  for (let at = from?.at ?? last; at >= first; at -= 1) {
    const timestamp = bucketStart(interval, at);
    // Timestamps of points are compared, so a bucket that began before `startTimestamp` is left out.
    if (timestamp < start) return;
    let part = 0;
    for (const [key, label] of labels) {
      const value = counts.get(`${at} ${key}`) ?? 0;
      const isBefore = at === from?.at && part < from.part;
      if (!isBefore) yield { at, part, write: () => ({ value, timestamp, ...label }) };
      part += 1;
    }
  }
}

/** `startTimestamp` works as inclusive and `endTimestamp` as exclusive (service-and-node.md §3). */
function timeRange(params: Params): { start: number; end: number } {
  return { start: Number(params['startTimestamp'] ?? 0), end: Number(params['endTimestamp'] ?? Infinity) };
}

function intervalOf(text: string | undefined): Interval {
  return text === 'hour' || text === 'week' || text === 'month' ? text : 'day';
}

function networkOf(text: string | undefined): Network | null {
  if (text === 'mainnet') return 'mainnet';
  return text === 'fuji' || text === 'testnet' ? 'fuji' : null;
}

/** The chains of endpoint 15: one, all, or those of a network. */
function chainsOf(world: World, id: string, params: Params): readonly Chain[] {
  const served = world.chains.filter((chain) => chain.status === 'OK');
  if (id === 'total') return served;
  const network = networkOf(id);
  return network === null ? [chainOf(world, params)] : served.filter((chain) => chain.network === network);
}
