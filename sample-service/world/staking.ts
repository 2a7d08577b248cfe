import { primarySubnetId, type Chain, type Network } from './chains.ts';
import { sampleNodeId } from './identifiers.ts';
import { below, mix } from './random.ts';

/** A stake with a beginning and an end, in days since 1970; the end is the first day without it. */
interface Stake {
  readonly kind: 'validator' | 'delegator';
  /** The validator that owns it or received its delegation. */
  readonly nodeId: string;
  readonly subnetId: string;
  readonly network: Network;
  readonly fromDay: number;
  readonly toDay: number;
  /** In 1e-9 of the token. */
  readonly weight: bigint;
}

/** Validators of the Primary Network; the first few of each network also serve the other subnets. */
const primaryCount: Readonly<Record<Network, number>> = { mainnet: 60, fuji: 14 };
const subnetCount = 6;

/** The stakes of all subnets, over the days of the sample world. */
export function createStaking(seed: number, chains: readonly Chain[], genesisDay: number) {
  const stakes: Stake[] = [];

  function stake(
    kind: Stake['kind'],
    of: Pick<Stake, 'nodeId' | 'subnetId' | 'network'>,
    salt: number,
    i: number,
  ) {
    const isPrimary = of.subnetId === primarySubnetId;
    const tokens = isPrimary ? (kind === 'validator' ? 2_900_000 : 60_000) : 100;
    const fromDay = genesisDay - 30 + below(i < subnetCount ? 30 : 300, seed, salt, i, 1);
    const isBrief = i >= subnetCount && mix(seed, salt, i, 2) % 3 === 0;
    const toDay = isBrief ? fromDay + 30 + below(200, seed, salt, i, 3) : Infinity;
    const weight = BigInt(25 + below(tokens, seed, salt, i, 4)) * 1_000_000_000n;
    stakes.push({ kind, ...of, fromDay, toDay, weight: weight + BigInt(mix(seed, salt, i, 5) % 1e9) });
  }

  function validate(network: Network, subnetId: string, salt: number, count: number) {
    for (let i = 0; i < count; i += 1) {
      const of = { nodeId: sampleNodeId(seed, (network === 'mainnet' ? 0 : 1000) + i), subnetId, network };
      stake('validator', of, salt, i);
      const delegators = subnetId === primarySubnetId ? below(24, seed, salt, i, 6) : 0;
      for (let j = 0; j < delegators; j += 1)
        stake('delegator', of, salt + 0x1000, i * 100 + j + subnetCount);
    }
  }

  validate('mainnet', primarySubnetId, 0x7a1, primaryCount.mainnet);
  validate('fuji', primarySubnetId, 0x7a2, primaryCount.fuji);
  for (const { network, subnetId, index } of chains) {
    if (subnetId !== primarySubnetId) validate(network, subnetId, 0x7b0 + index, subnetCount);
  }

  const on = (day: number) => (stake: Stake) => day >= stake.fromDay && day < stake.toDay;

  return {
    /** A metric of one subnet of a network at the beginning of each day; null without validators. */
    series(metric: string, network: Network, subnetId: string): ((day: number) => bigint) | null {
      const own = stakes.filter(
        (stake) => stake.network === network && stake.subnetId === subnetId && metric.startsWith(stake.kind),
      );
      if (!stakes.some((stake) => stake.network === network && stake.subnetId === subnetId)) return null;
      return (day) =>
        own.filter(on(day)).reduce((sum, { weight }) => sum + (metric.endsWith('Weight') ? weight : 1n), 0n);
    },
    /** The first day on which a node validated; null for a node that never did. */
    firstDayOf(nodeId: string): number | null {
      const days = stakes.filter((stake) => stake.kind === 'validator' && stake.nodeId === nodeId);
      return days.length === 0 ? null : Math.min(...days.map(({ fromDay }) => fromDay));
    },
    /** The fees that a validator paid on a day to subnets that charge them, in 1e-9 of the token. */
    feesOn(nodeId: string, day: number): bigint {
      const paying = stakes.filter(
        (stake) => stake.nodeId === nodeId && stake.subnetId !== primarySubnetId && on(day)(stake),
      );
      return BigInt(paying.length) * BigInt(42_000_000 + below(4_000_000, seed, 0xfee5, day));
    },
  };
}
