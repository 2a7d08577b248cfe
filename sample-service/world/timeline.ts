import type { Chain } from './chains.ts';
import { mix } from './random.ts';

const hourSeconds = 3600;
const pastHours = 400 * 24;
/** How far the world goes on after the start, for clocks that are stepped forward. */
const futureHours = 120 * 24;

/**
 * Where transactions lie in time. The world is cut into epochs of equal activity: in busy hours epochs are short. Each
 * chain has the same number of blocks and of transactions in every epoch, so block numbers, times and transaction
 * numbers turn into each other without a table.
 */
export interface Timeline {
  /** Epochs before the start of the service; later ones come into being as the clock moves on. */
  readonly startEpoch: number;
  readonly genesisSeconds: number;
  /** Seconds since 1970 of a point given in epochs since genesis. */
  secondsAt(position: number): number;
  positionAt(seconds: number): number;
  blocksPerEpoch(chain: Chain): number;
  /** Block number and place in it of transaction `n` of a chain. */
  blockOf(chain: Chain, n: number): { block: number; indexInBlock: number };
  blockSeconds(chain: Chain, block: number): number;
  /** The first transaction at or after a block. */
  firstInBlock(chain: Chain, block: number): number;
  /** A transaction's block as a position in epochs since genesis: orders the transactions of all chains. */
  positionOf(chain: Chain, n: number): number;
  /** How many transactions of a chain lie before a position. */
  countBefore(chain: Chain, position: number): number;
  /** How many transactions, and blocks, of a chain have happened at a point in time. */
  headCount(chain: Chain, nowSeconds: number): number;
  headBlock(chain: Chain, nowSeconds: number): number;
}

/** `nowSeconds` is when the service starts: the newest transaction lies shortly before it. */
export function createTimeline(seed: number, nowSeconds: number, startEpoch: number): Timeline {
  const genesisSeconds = nowSeconds - pastHours * hourSeconds;
  const cumulative = new Float64Array(pastHours + futureHours + 1);
  for (let hour = 0; hour < pastHours + futureHours; hour += 1) {
    cumulative[hour + 1] = at(cumulative, hour) + activity(seed, genesisSeconds / hourSeconds + hour);
  }
  const weightPerEpoch = at(cumulative, pastHours) / startEpoch;

  function secondsAt(position: number): number {
    const weight = position * weightPerEpoch;
    let low = 0;
    let high = cumulative.length - 2;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (at(cumulative, middle) <= weight) low = middle;
      else high = middle - 1;
    }
    const base = at(cumulative, low);
    const hours = low + (weight - base) / (at(cumulative, low + 1) - base);
    return genesisSeconds + hours * hourSeconds;
  }

  function positionAt(seconds: number): number {
    const hours = Math.max(0, (seconds - genesisSeconds) / hourSeconds);
    const hour = Math.min(Math.floor(hours), cumulative.length - 2);
    const base = at(cumulative, hour);
    const weight = base + (at(cumulative, hour + 1) - base) * (hours - hour);
    // Rounded so that the start is exactly `startEpoch`, whatever the sums of fractions came to.
    return Math.round((weight / weightPerEpoch) * 1e7) / 1e7;
  }

  const epochSeconds = (pastHours * hourSeconds) / startEpoch;
  function blocksPerEpoch(chain: Chain): number {
    return Math.max(4 * chain.slotCount, Math.round(epochSeconds / chain.blockSeconds));
  }

  /** Slots of an epoch come in groups of four; some share the block of the slot before them. */
  function place(chain: Chain, epoch: number, slot: number): { offset: number; indexInBlock: number } {
    let leader = slot;
    while (leader % 4 !== 0 && mix(seed, epoch, leader, 0xb0 + chain.index) % 4 === 0) leader -= 1;
    const width = blocksPerEpoch(chain) / chain.slotCount;
    const jitter = mix(seed, epoch, leader, 0xc0 + chain.index) % Math.floor(width);
    return { offset: Math.floor(leader * width) + jitter, indexInBlock: slot - leader };
  }

  function blockOf(chain: Chain, n: number): { block: number; indexInBlock: number } {
    const epoch = Math.floor(n / chain.slotCount);
    const { offset, indexInBlock } = place(chain, epoch, n % chain.slotCount);
    return { block: chain.firstBlock + epoch * blocksPerEpoch(chain) + offset, indexInBlock };
  }

  function firstWhere(chain: Chain, position: number, isPast: (offset: number, limit: number) => boolean) {
    const epoch = Math.max(0, Math.floor(position));
    const limit = (position - epoch) * blocksPerEpoch(chain);
    for (let slot = 0; slot < chain.slotCount; slot += 1) {
      if (isPast(place(chain, epoch, slot).offset, limit)) return epoch * chain.slotCount + slot;
    }
    return (epoch + 1) * chain.slotCount;
  }

  function countBefore(chain: Chain, position: number): number {
    return firstWhere(chain, position, (offset, limit) => offset >= limit);
  }

  return {
    startEpoch,
    genesisSeconds,
    secondsAt,
    positionAt,
    blocksPerEpoch,
    blockOf,
    blockSeconds: (chain, block) => Math.floor(secondsAt((block - chain.firstBlock) / blocksPerEpoch(chain))),
    firstInBlock(chain, block) {
      if (block <= chain.firstBlock) return 0;
      const perEpoch = blocksPerEpoch(chain);
      const epoch = Math.floor((block - chain.firstBlock) / perEpoch);
      const wanted = block - chain.firstBlock - epoch * perEpoch;
      return firstWhere(chain, epoch, (offset) => offset >= wanted);
    },
    positionOf(chain, n) {
      const epoch = Math.floor(n / chain.slotCount);
      return epoch + place(chain, epoch, n % chain.slotCount).offset / blocksPerEpoch(chain);
    },
    countBefore,
    headCount: (chain, now) => countBefore(chain, positionAt(now)),
    headBlock: (chain, now) =>
      chain.firstBlock + Math.ceil(positionAt(now) * blocksPerEpoch(chain) - 1e-6) - 1,
  };
}

/** Relative activity of an hour, counted from 1970: day and night, working days, slow waves, a few busy days. */
function activity(seed: number, hour: number): number {
  const hourOfDay = hour % 24;
  const day = Math.floor(hour / 24);
  const daily = 1 + 0.55 * Math.sin(((hourOfDay - 9) / 24) * 2 * Math.PI);
  const weekly = (day + 3) % 7 < 5 ? 1 : 0.7;
  const slow = 1 + 0.35 * Math.sin(day / 41) + 0.15 * Math.sin(day / 11);
  const draw = mix(seed, Math.floor(day), 0xac7) / 0x1_0000_0000;
  const busy = draw > 0.97 ? 2.5 : 0.8 + 0.4 * draw;
  return daily * weekly * slow * busy;
}

function at(values: Float64Array, index: number): number {
  const value = values[index];
  if (value === undefined) throw new RangeError(`no hour ${index} in the sample world`);
  return value;
}
