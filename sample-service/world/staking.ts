import { primarySubnetId, type Chain, type Network } from './chains.ts';
import { sampleNodeId } from './identifiers.ts';
import { below, mix } from './random.ts';

/** A stake with a beginning and an end, in days since 1970; the end is the first day without it. */
interface Stake {
  readonly fromDay: number;
  readonly toDay: number;
  /** In 1e-9 of the token. */
  readonly weight: bigint;
}

export interface Validator extends Stake {
  readonly nodeId: string;
  readonly subnetId: string;
  readonly network: Network;
  readonly delegations: readonly Stake[];
}

export const stakingMetrics = [
  'delegatorCount',
  'delegatorWeight',
  'validatorCount',
  'validatorWeight',
] as const;
export type StakingMetric = (typeof stakingMetrics)[number];

export interface Staking {
  readonly validators: readonly Validator[];
  /** A metric of one subnet of a network at the beginning of a day. */
  valueOn(metric: StakingMetric, network: Network, subnetId: string, day: number): bigint;
  /** What a validator paid on a day for its place in a subnet that charges for it, in 1e-9 of the token. */
  feesOn(nodeId: string, day: number): bigint;
  /** The first day on which a node paid; null for a node that is no validator. */
  firstDayOf(nodeId: string): number | null;
}

const tokenUnits = 1_000_000_000n;
/** Validators of the Primary Network; the first few of each network also serve the other subnets. */
const primaryCount: Readonly<Record<Network, number>> = { mainnet: 60, fuji: 14 };
const subnetCount = 6;

/** The validators of all subnets, over the days of the sample world. */
export function createStaking(seed: number, chains: readonly Chain[], genesisDay: number): Staking {
  function stakeOf(salt: number, index: number, smallest: number, spread: number): Stake {
    const fromDay = genesisDay - 30 + below(index < subnetCount ? 30 : 300, seed, salt, index, 1);
    const isBrief = index >= subnetCount && mix(seed, salt, index, 2) % 3 === 0;
    return {
      fromDay,
      toDay: isBrief ? fromDay + 30 + below(200, seed, salt, index, 3) : Number.MAX_SAFE_INTEGER,
      weight:
        BigInt(smallest + below(spread, seed, salt, index, 4)) * tokenUnits +
        BigInt(mix(seed, salt, index, 5) % 1e9),
    };
  }

  function validatorsOf(network: Network, subnetId: string, salt: number, count: number): Validator[] {
    const isPrimary = subnetId === primarySubnetId;
    return Array.from({ length: count }, (_, i) => {
      const stake = stakeOf(salt, i, isPrimary ? 2000 : 20, isPrimary ? 2_900_000 : 100);
      const delegators = isPrimary ? below(24, seed, salt, i, 6) : 0;
      return {
        ...stake,
        nodeId: sampleNodeId(seed, (network === 'mainnet' ? 0 : 1000) + i),
        subnetId,
        network,
        delegations: Array.from({ length: delegators }, (_, j) => {
          const delegation = stakeOf(salt + 0x1000, i * 100 + j + subnetCount, 25, 60_000);
          return {
            ...delegation,
            fromDay: Math.max(delegation.fromDay, stake.fromDay),
            toDay: Math.min(delegation.toDay, stake.toDay),
          };
        }),
      };
    });
  }

  const validators = [
    ...validatorsOf('mainnet', primarySubnetId, 0x7a1, primaryCount.mainnet),
    ...validatorsOf('fuji', primarySubnetId, 0x7a2, primaryCount.fuji),
    ...chains
      .filter((chain) => chain.subnetId !== primarySubnetId)
      .flatMap((chain) => validatorsOf(chain.network, chain.subnetId, 0x7b0 + chain.index, subnetCount)),
  ];
  const paying = validators.filter((validator) => validator.subnetId !== primarySubnetId);

  return {
    validators,
    valueOn(metric, network, subnetId, day) {
      let value = 0n;
      for (const validator of validators) {
        if (validator.network !== network || validator.subnetId !== subnetId) continue;
        const stakes = metric.startsWith('delegator') ? validator.delegations : [validator];
        for (const { fromDay, toDay, weight } of stakes) {
          if (day >= fromDay && day < toDay) value += metric.endsWith('Weight') ? weight : 1n;
        }
      }
      return value;
    },
    feesOn(nodeId, day) {
      let fees = 0n;
      for (const { nodeId: payer, fromDay, toDay } of paying) {
        if (payer !== nodeId || day < fromDay || day >= toDay) continue;
        fees += 42_000_000n + BigInt(below(4_000_000, seed, 0xfee5, day));
      }
      return fees;
    },
    firstDayOf(nodeId) {
      const days = validators
        .filter((validator) => validator.nodeId === nodeId)
        .map(({ fromDay }) => fromDay);
      return days.length === 0 ? null : Math.min(...days);
    },
  };
}
