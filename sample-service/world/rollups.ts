import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Chain } from './chains.ts';
import type { Entity } from './entities.ts';
import { feesOf } from './fees.ts';
import type { TransactionPlan } from './plan.ts';
import type { World } from './world.ts';

export const windowNames = [
  'lastHour',
  'lastDay',
  'lastWeek',
  'lastMonth',
  'last90Days',
  'lastYear',
  'allTime',
] as const;
export type WindowName = (typeof windowNames)[number];

const daySeconds = 86_400;
const windowSeconds: Readonly<Record<WindowName, number>> = {
  lastHour: 3600,
  lastDay: daySeconds,
  lastWeek: 7 * daySeconds,
  lastMonth: 30 * daySeconds,
  last90Days: 90 * daySeconds,
  lastYear: 365 * daySeconds,
  allTime: Infinity,
};
/** Windows in which active addresses are counted (specification, endpoint 15). */
const activityWindows: readonly WindowName[] = ['lastHour', 'lastDay', 'lastWeek'];

/** What happened on one chain in one window. */
export interface Rollup {
  readonly seconds: number;
  txCount: number;
  gasUsed: number;
  feesPaid: bigint;
  gasPriceSum: bigint;
  maxGasPrice: number;
  maxTps: number;
  maxGps: number;
  contracts: number;
  readonly deployers: Set<Entity>;
  /** Null in windows that are too long for it. */
  readonly addresses: Set<Entity> | null;
  readonly senders: Set<Entity> | null;
}

export interface Rollups {
  /** The windows of a chain up to the present. Takes a moment after the present or the chain has changed. */
  of(chain: Chain): Promise<Readonly<Record<WindowName, Rollup>>>;
}

/** Transactions looked at before others get their turn. */
const batchSize = 2000;
/** Beyond so many transactions, older ones are counted by sample; the world at its usual scale is counted in full. */
const countedInFull = 500_000;

/** Counts every transaction of a chain once and keeps the sums until something changes. */
export function createRollups(world: World): Rollups {
  const kept = new Map<number, { state: string; rollups: Promise<Readonly<Record<WindowName, Rollup>>> }>();
  return {
    of(chain) {
      const state = `${world.nowSeconds()} ${world.reorgs.version()}`;
      const known = kept.get(chain.index);
      if (known?.state === state) return known.rollups;
      const rollups = count(world, chain);
      kept.set(chain.index, { state, rollups });
      return rollups;
    },
  };
}

async function count(world: World, chain: Chain): Promise<Readonly<Record<WindowName, Rollup>>> {
  const now = world.nowSeconds();
  const head = world.headCount(chain);
  const rollups = {
    lastHour: emptyRollup('lastHour', world),
    lastDay: emptyRollup('lastDay', world),
    lastWeek: emptyRollup('lastWeek', world),
    lastMonth: emptyRollup('lastMonth', world),
    last90Days: emptyRollup('last90Days', world),
    lastYear: emptyRollup('lastYear', world),
    allTime: emptyRollup('allTime', world),
  };
  /** Transactions and gas of the second that is being counted. */
  let second = { at: -1, transactions: 0, gas: 0 };
  const stride = Math.max(1, Math.ceil((head - countedInFull) / countedInFull));
  for (let n = head - 1, done = 0; n >= 0; done += 1) {
    if (done % batchSize === batchSize - 1) await nextTurn();
    const weight = head - n > countedInFull ? stride : 1;
    const plan = world.transactions.plan(chain, n);
    n -= weight;
    if (world.reorgs.drops(plan)) continue;
    const at = world.timeline.blockSeconds(chain, world.timeline.blockOf(chain, plan.n).block);
    const fees = feesOf(world.seed, plan);
    second =
      second.at === at
        ? { at, transactions: second.transactions + 1, gas: second.gas + fees.gasUsed }
        : { at, transactions: 1, gas: fees.gasUsed };
    for (const name of windowNames) {
      if (now - at >= windowSeconds[name]) continue;
      const rollup = rollups[name];
      addTransaction(rollup, plan, fees, weight);
      rollup.maxTps = Math.max(rollup.maxTps, second.transactions);
      rollup.maxGps = Math.max(rollup.maxGps, second.gas);
    }
  }
  return rollups;
}

function addTransaction(
  rollup: Rollup,
  plan: TransactionPlan,
  fees: { gasUsed: number; gasPrice: number },
  weight: number,
): void {
  rollup.txCount += weight;
  rollup.gasUsed += weight * fees.gasUsed;
  rollup.feesPaid += BigInt(weight * fees.gasUsed) * BigInt(fees.gasPrice);
  rollup.gasPriceSum += BigInt(weight * fees.gasPrice);
  rollup.maxGasPrice = Math.max(rollup.maxGasPrice, fees.gasPrice);
  if (plan.created.length > 0) {
    rollup.contracts += weight * plan.created.length;
    rollup.deployers.add(plan.sender);
  }
  rollup.senders?.add(plan.sender);
  if (rollup.addresses === null) return;
  rollup.addresses.add(plan.sender);
  if (plan.to !== null) rollup.addresses.add(plan.to);
}

function emptyRollup(name: WindowName, world: World): Rollup {
  const seconds = Math.min(windowSeconds[name], world.nowSeconds() - world.timeline.genesisSeconds);
  const isShort = activityWindows.includes(name);
  return {
    seconds,
    txCount: 0,
    gasUsed: 0,
    feesPaid: 0n,
    gasPriceSum: 0n,
    maxGasPrice: 0,
    maxTps: 0,
    maxGps: 0,
    contracts: 0,
    deployers: new Set(),
    addresses: isShort ? new Set() : null,
    senders: isShort ? new Set() : null,
  };
}

type Metric = (rollups: readonly Rollup[]) => number | bigint | null;

const sum = (rollups: readonly Rollup[], of: (rollup: Rollup) => number) =>
  rollups.reduce((total, rollup) => total + of(rollup), 0);
const largest = (rollups: readonly Rollup[], of: (rollup: Rollup) => number) =>
  rollups.reduce((most, rollup) => Math.max(most, of(rollup)), 0);
const perSecond = (total: number, rollups: readonly Rollup[]) =>
  Math.round((total / (rollups[0]?.seconds ?? 1)) * 1e6) / 1e6;

/** How many different members the sets have together; null when one of them was not kept. */
function union(rollups: readonly Rollup[], of: (rollup: Rollup) => Set<Entity> | null): number | null {
  const all = new Set<Entity>();
  for (const rollup of rollups) {
    const members = of(rollup);
    if (members === null) return null;
    for (const member of members) all.add(member);
  }
  return all.size;
}

/** The metrics of endpoint 15, each from the rollups of one or several chains; null where a window is not supported. */
export const rollingMetrics: Readonly<Record<string, Metric>> = {
  txCount: (rollups) => sum(rollups, (rollup) => rollup.txCount),
  gasUsed: (rollups) => sum(rollups, (rollup) => rollup.gasUsed),
  avgTps: (rollups) =>
    perSecond(
      sum(rollups, (rollup) => rollup.txCount),
      rollups,
    ),
  avgGps: (rollups) =>
    perSecond(
      sum(rollups, (rollup) => rollup.gasUsed),
      rollups,
    ),
  maxTps: (rollups) => largest(rollups, (rollup) => rollup.maxTps),
  maxGps: (rollups) => largest(rollups, (rollup) => rollup.maxGps),
  avgGasPrice: (rollups) => {
    const transactions = BigInt(sum(rollups, (rollup) => rollup.txCount));
    const prices = rollups.reduce((total, rollup) => total + rollup.gasPriceSum, 0n);
    return transactions === 0n ? 0 : prices / transactions;
  },
  maxGasPrice: (rollups) => largest(rollups, (rollup) => rollup.maxGasPrice),
  feesPaid: (rollups) => rollups.reduce((total, rollup) => total + rollup.feesPaid, 0n),
  contracts: (rollups) => sum(rollups, (rollup) => rollup.contracts),
  deployers: (rollups) => union(rollups, (rollup) => rollup.deployers),
  activeAddresses: (rollups) => union(rollups, (rollup) => rollup.addresses),
  activeSenders: (rollups) => union(rollups, (rollup) => rollup.senders),
};
