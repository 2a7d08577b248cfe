import { readFileSync } from 'node:fs';
import { cb58 } from '../world/identifiers.ts';
import { below, mix } from '../world/random.ts';

/** One check that a node runs in every round. */
export interface CheckDefinition {
  readonly name: string;
  /** How scenarios call it: its name, or `L1` for the chain whose name depends on the seed. */
  readonly key: string;
  readonly isChain: boolean;
  /** The subnet it belongs to; null for a global check, which every tag selects. */
  readonly subnetId: string | null;
  /** What it reports in a round when it passes. */
  message: (round: number) => unknown;
  /** The same when it fails, and the error that goes with it. */
  failing(round: number): { message: unknown; error: string };
  /** Nanoseconds that a run takes. */
  durationNs: (round: number) => number;
}

/** A chain that a node follows. */
export interface FollowedChain {
  /** `P`, `X`, `C`, or a blockchain id. */
  readonly alias: string;
  readonly subnetId: string;
  readonly startHeight: number;
  /** Blocks accepted in one round. */
  readonly blocksPerRound: number;
}

/** A check of a chain as a node reports it. */
interface ChainMessage {
  engine: { consensus: Record<string, unknown>; vm: null };
  networking: { disconnectedValidators: string[]; percentConnected: number };
}

/**
 * What checks of real nodes said (release 1.14.2, five of them in a network of their own), each once: `C` stands for all
 * chains. Heights, counts and durations move here; words and shapes are theirs.
 */
interface RealChecks {
  passing: { C: ChainMessage } & Record<'bls' | 'bootstrapped' | 'futureupgrade', unknown> &
    Record<'diskspace' | 'network' | 'router', Record<string, unknown>>;
  failing: { C: { error: string; message: ChainMessage } } & Record<
    'diskspace' | 'futureupgrade' | 'network',
    { error: string; message: unknown }
  >;
}

// Our own file, in this shape.
const real = JSON.parse(readFileSync(new URL('real-checks.json', import.meta.url), 'utf8')) as RealChecks;

/** A chain's check: how far it has come and how well it is connected. */
function chainCheck(seed: number, chain: FollowedChain, index: number): CheckDefinition {
  function consensus({ engine, networking }: ChainMessage, round: number): ChainMessage {
    const lastAcceptedHeight = chain.startHeight + round * chain.blocksPerRound;
    const lastAcceptedID = blockId(seed, index, round * chain.blocksPerRound);
    return {
      engine: { ...engine, consensus: { ...engine.consensus, lastAcceptedHeight, lastAcceptedID } },
      networking,
    };
  }
  const { passing, failing } = { passing: real.passing.C, failing: real.failing.C };
  const strangers = failing.message.networking.disconnectedValidators;
  return {
    name: chain.alias,
    key: chain.alias.length > 2 ? 'L1' : chain.alias,
    isChain: true,
    subnetId: chain.subnetId,
    message(round) {
      // Now and then one of many validators is away.
      const disconnectedValidators = strangers.slice(0, Math.max(0, below(12, seed, 0xc0, index, round) - 9));
      const percentConnected = 1 - disconnectedValidators.length / 128;
      return consensus({ ...passing, networking: { disconnectedValidators, percentConnected } }, round);
    },
    failing: (round) => ({ message: consensus(failing.message, round), error: failing.error }),
    durationNs: (round) => 15_000 + below(40_000, seed, 0xd0, index, round),
  };
}

function blockId(seed: number, chain: number, height: number): string {
  const bytes = new Uint8Array(32);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < 8; i += 1) view.setUint32(4 * i, mix(seed, chain, height, i));
  return cb58(bytes);
}

/** A Go duration string of some milliseconds. */
function goMilliseconds(seed: number, salt: number, round: number): string {
  return `${(below(900_000, seed, salt, round) / 1000 + 12).toFixed(3)}ms`;
}

/** The checks of a healthy, up-to-date node: one for each chain, and the global ones. */
export function standardChecks(seed: number, chains: readonly FollowedChain[]): readonly CheckDefinition[] {
  const steady = (salt: number, ns: number) => (round: number) => ns + below(ns, seed, salt, round);
  const freeBytes = (round: number) =>
    412_316_860_416 - round * 1_310_720 - below(2_000_000, seed, 0xd5, round);
  return [
    ...chains.map((chain, index) => chainCheck(seed, chain, index)),
    {
      name: 'bootstrapped',
      key: 'bootstrapped',
      isChain: false,
      subnetId: null,
      message: () => real.passing.bootstrapped,
      failing: () => ({
        message: [...new Set(chains.map((chain) => chain.subnetId))],
        error: 'subnets not bootstrapped',
      }),
      durationNs: steady(0xe1, 6_000),
    },
    {
      name: 'network',
      key: 'network',
      isChain: false,
      subnetId: null,
      message: (round) => ({
        ...real.passing.network,
        connectedPeers: 1240 + below(60, seed, 0xe2, round),
        sendFailRate: below(40, seed, 0xe3, round) / 10_000,
        timeSinceLastMsgReceived: goMilliseconds(seed, 0xe4, round),
        timeSinceLastMsgSent: goMilliseconds(seed, 0xe5, round),
      }),
      failing: () => real.failing.network,
      durationNs: steady(0xe6, 20_000),
    },
    {
      name: 'router',
      key: 'router',
      isChain: false,
      subnetId: null,
      message: (round) => ({
        ...real.passing.router,
        longestRunningRequest: goMilliseconds(seed, 0xe7, round),
        outstandingRequests: below(14, seed, 0xe8, round),
      }),
      failing: () => ({
        message: { longestRunningRequest: '5m12.44s', outstandingRequests: 4093 },
        error: 'time with outstanding requests 5m12.44s > 5m0s',
      }),
      durationNs: steady(0xe9, 9_000),
    },
    {
      name: 'database',
      key: 'database',
      isChain: false,
      subnetId: null,
      message: () => null,
      failing: () => ({ message: null, error: 'closed: database is not open' }),
      durationNs: steady(0xea, 4_000),
    },
    {
      name: 'diskspace',
      key: 'diskspace',
      isChain: false,
      subnetId: null,
      message: (round) => ({
        ...real.passing.diskspace,
        availableDiskBytes: freeBytes(round),
        availableDiskPercentage: 41,
      }),
      failing: () => real.failing.diskspace,
      durationNs: steady(0xeb, 5_000),
    },
    {
      name: 'futureupgrade',
      key: 'futureupgrade',
      isChain: false,
      subnetId: null,
      message: () => real.passing.futureupgrade,
      failing: () => real.failing.futureupgrade,
      durationNs: steady(0xed, 30_000),
    },
    {
      name: 'bls',
      key: 'bls',
      isChain: false,
      subnetId: null,
      message: () => real.passing.bls,
      failing: () => ({
        message: null,
        error: 'node has BLS key 0x9a.., but is registered to the validator set with 0xb1..',
      }),
      durationNs: steady(0xec, 5_000),
    },
  ];
}
