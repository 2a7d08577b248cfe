import { gasPriceOf, type Transaction } from './transaction.ts';
import type { World } from './world.ts';
import type { Chain } from './chains.ts';

const daySeconds = 86_400;
const windowSeconds = {
  lastHour: 3600,
  lastDay: daySeconds,
  lastWeek: 7 * daySeconds,
  lastMonth: 30 * daySeconds,
  last90Days: 90 * daySeconds,
  lastYear: 365 * daySeconds,
  allTime: Infinity,
} as const;

/** The transactions of chains in one window, the newest first, and how long it is. */
interface Window {
  readonly seed: number;
  readonly seconds: number;
  readonly transactions: readonly Transaction[];
}

const sum = ({ transactions }: Window, of: (transaction: Transaction) => number) =>
  transactions.reduce((total, transaction) => total + of(transaction), 0);

const gasUsed = ({ deed }: Transaction) => deed.gasUsed;
const one = () => 1;

const perSecond = (total: number, { seconds }: Window) => Math.round((total / seconds) * 1e6) / 1e6;

const largest = (values: readonly number[]) => values.reduce((most, value) => Math.max(most, value), 0);

/** The highest sum on one chain in one second. */
function mostInASecond({ transactions }: Window, of: (transaction: Transaction) => number): number {
  const totals = new Map<string, number>();
  for (const transaction of transactions) {
    const key = `${transaction.chain.index} ${transaction.seconds}`;
    totals.set(key, (totals.get(key) ?? 0) + of(transaction));
  }
  return largest([...totals.values()]);
}

const gasPrices = ({ seed, transactions }: Window) =>
  transactions.map((transaction) => {
    const { baseFee, tip } = gasPriceOf(seed, transaction);
    return baseFee + tip;
  });

/** The metrics of endpoint 15. */
const metrics: Readonly<Record<string, (window: Window) => number | bigint>> = {
  txCount: ({ transactions }) => transactions.length,
  gasUsed: (window) => sum(window, gasUsed),
  avgTps: (window) => perSecond(window.transactions.length, window),
  avgGps: (window) => perSecond(sum(window, gasUsed), window),
  maxTps: (window) => mostInASecond(window, one),
  maxGps: (window) => mostInASecond(window, gasUsed),
  avgGasPrice: (window) =>
    Math.floor(
      gasPrices(window).reduce((total, price) => total + price, 0) / window.transactions.length || 0,
    ),
  maxGasPrice: (window) => largest(gasPrices(window)),
  feesPaid(window) {
    const prices = gasPrices(window);
    return window.transactions.reduce(
      (total, { deed }, i) => total + BigInt(deed.gasUsed) * BigInt(prices[i] ?? 0),
      0n,
    );
  },
  contracts: (window) => sum(window, ({ deed }) => deed.created.length),
  deployers: ({ transactions }) =>
    new Set(transactions.filter(({ deed }) => deed.created.length > 0).map(({ sender }) => sender)).size,
  activeAddresses: ({ transactions }) =>
    new Set(transactions.flatMap(({ sender, deed }) => (deed.to === null ? [sender] : [sender, deed.to])))
      .size,
  activeSenders: ({ transactions }) => new Set(transactions.map(({ sender }) => sender)).size,
};

/** A metric of chains in each of its windows up to the present; null for an unknown one. */
export function rollingWindows(
  world: World,
  chains: readonly Chain[],
  name: string,
): Record<string, number | bigint> | null {
  const metric = metrics[name];
  if (metric === undefined) return null;
  const now = world.nowSeconds();
  const all = [...world.walk({ order: 'desc', from: null })].filter(({ chain }) => chains.includes(chain));
  const result: Record<string, number | bigint> = {};
  for (const [window, length] of Object.entries(windowSeconds)) {
    // Active addresses are counted in three windows (specification, endpoint 15).
    if (name.startsWith('active') && length > windowSeconds.lastWeek) continue;
    const transactions = all.filter((transaction) => now - transaction.seconds < length);
    const seconds = Math.min(length, now - world.timeline.genesisSeconds);
    result[window] = metric({ seed: world.seed, seconds, transactions });
  }
  return result;
}
