import { cb58 } from '../world/identifiers.ts';
import { below, mix } from '../world/random.ts';
import realChecks from './real-checks.json' with { type: 'json' };

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
  /** What it reports when it fails, with the error. */
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
 * Messages of real nodes' checks (release 1.14.2, five nodes in a private network), each once: `C` stands for all
 * chains. Heights, counts and durations change here; texts and shapes are theirs.
 */
const { passing, failing } = realChecks;

/** A chain's check: its height and its connections. */
function chainCheck(seed: number, chain: FollowedChain, index: number): CheckDefinition {
  function consensus({ engine, networking }: ChainMessage, round: number): ChainMessage {
    const lastAcceptedHeight = chain.startHeight + round * chain.blocksPerRound;
    const lastAcceptedID = blockId(seed, index, round * chain.blocksPerRound);
    return {
      engine: { ...engine, consensus: { ...engine.consensus, lastAcceptedHeight, lastAcceptedID } },
      networking,
    };
  }
  const strangers = failing.C.message.networking.disconnectedValidators;
  return {
    name: chain.alias,
    key: chain.alias.length > 2 ? 'L1' : chain.alias,
    isChain: true,
    subnetId: chain.subnetId,
    message(round) {
      // Now and then one of many validators is away.
      const disconnectedValidators = strangers.slice(0, Math.max(0, below(12, seed, 0xc0, index, round) - 9));
      const percentConnected = 1 - disconnectedValidators.length / 128;
      return consensus({ ...passing.C, networking: { disconnectedValidators, percentConnected } }, round);
    },
    failing: (round) => ({ message: consensus(failing.C.message, round), error: failing.C.error }),
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

const diskBytes = 1_000_000_000_000;

/** The checks of a healthy, up-to-date node: one for each chain, and the global ones. */
export function standardChecks(seed: number, chains: readonly FollowedChain[]): readonly CheckDefinition[] {
  // One node in three fills its disk fast enough for a forecast. Space is freed now and then.
  const bytesPerRound = seed % 3 === 1 ? 4_000_000 : 1_300_000;
  const freeBytes = (round: number) => {
    const sincePruned = (((round + 122_000) % 150_000) + 150_000) % 150_000;
    return 900_000_000_000 - sincePruned * bytesPerRound - below(2_000_000, seed, 0xd5, round);
  };

  /** A check that belongs to no subnet; a run takes `ns` nanoseconds or up to twice as many. */
  function global(
    name: string,
    ns: number,
    message: CheckDefinition['message'],
    failed: { message: unknown; error: string },
  ): CheckDefinition {
    const durationNs = (round: number) => ns + below(ns, seed, 0x1e0 + name.length, round);
    return { name, key: name, isChain: false, subnetId: null, message, failing: () => failed, durationNs };
  }

  return [
    ...chains.map((chain, index) => chainCheck(seed, chain, index)),
    global('bootstrapped', 6_000, () => passing.bootstrapped, {
      message: [...new Set(chains.map((chain) => chain.subnetId))],
      error: 'subnets not bootstrapped',
    }),
    global(
      'network',
      20_000,
      (round) => ({
        ...passing.network,
        connectedPeers: 1240 + below(60, seed, 0xe2, round),
        sendFailRate: below(40, seed, 0xe3, round) / 10_000,
        timeSinceLastMsgReceived: goMilliseconds(seed, 0xe4, round),
        timeSinceLastMsgSent: goMilliseconds(seed, 0xe5, round),
      }),
      failing.network,
    ),
    global(
      'router',
      9_000,
      (round) => ({
        ...passing.router,
        longestRunningRequest: goMilliseconds(seed, 0xe7, round),
        outstandingRequests: below(14, seed, 0xe8, round),
      }),
      {
        message: { longestRunningRequest: '5m12.44s', outstandingRequests: 4093 },
        error: 'time with outstanding requests 5m12.44s > 5m0s',
      },
    ),
    global('database', 4_000, () => null, { message: null, error: 'closed: database is not open' }),
    global(
      'diskspace',
      5_000,
      (round) => ({
        ...passing.diskspace,
        availableDiskBytes: freeBytes(round),
        availableDiskPercentage: Math.floor((100 * freeBytes(round)) / diskBytes),
      }),
      failing.diskspace,
    ),
    global('futureupgrade', 30_000, () => passing.futureupgrade, failing.futureupgrade),
    global('bls', 5_000, () => passing.bls, {
      message: null,
      error: 'node has BLS key 0x9a.., but is registered to the validator set with 0xb1..',
    }),
  ];
}
