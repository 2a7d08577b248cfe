import type { Chain } from './chains.ts';
import { cast, entity, entityKinds, type Entity } from './entities.ts';
import { below, mix } from './random.ts';

/** Slots with a fixed purpose, the same rule on every chain: messages come first and go last in an epoch. */
export interface SlotPlan {
  /** Slot in which messages from `partners[i]` arrive is `i`. */
  readonly incoming: number;
  readonly deploy: number;
  readonly spam: number;
  /** First slot of outgoing messages: to `partners[i]` in slot `firstOutgoing + i`. */
  readonly firstOutgoing: number;
}

export function slotPlan(chain: Chain): SlotPlan {
  const incoming = chain.partners.length;
  return {
    incoming,
    deploy: incoming,
    spam: incoming + 1,
    firstOutgoing: chain.slotCount - chain.partners.length,
  };
}

/** Who owns a slot again and again: exactly one transaction in each stretch of `stride` epochs. */
export interface Track {
  readonly chain: number;
  readonly slot: number;
  readonly owner: Entity;
  readonly startEpoch: number;
  readonly stride: number;
  /** How many transactions it ever holds. */
  readonly count: number;
}

/** Chain, slot after the spam slot, transactions before the start, and whether more come as the clock moves on. */
const trackSettings = [
  { owner: cast.demo, chain: 0, place: 1, count: 1240, goesOn: true },
  { owner: cast.one, chain: 0, place: 2, count: 1, goesOn: false },
  { owner: cast.thirty, chain: 0, place: 3, count: 30, goesOn: false },
  { owner: cast.busy, chain: 0, place: 4, count: 20_000, goesOn: true },
  { owner: cast.busy, chain: 1, place: 1, count: 300, goesOn: true },
  { owner: cast.demo, chain: 2, place: 1, count: 212, goesOn: true },
  { owner: cast.whale, chain: 2, place: 2, count: Infinity, goesOn: true },
  { owner: cast.demo, chain: 3, place: 1, count: 57, goesOn: true },
  { owner: cast.busy, chain: 5, place: 1, count: 90, goesOn: true },
] as const;

/** Accounts that send messages between chains: numbers beyond those of all chains' background accounts. */
const firstBridger = 10_000;
const bridgerCount = 31;
/** About so many times before the start the demo account sends messages, and is among those that spam may reach. */
const demoMessageTimes = 52;
const demoSpamTimes = 206;
/** Receivers of one spam transaction. */
export const spamGroupSize = 24;
/** The epochs `phase`, `phase + stride`, and so on. */
export interface Rhythm {
  readonly phase: number;
  readonly stride: number;
}

export interface Accounts {
  tracksOf(chain: number): readonly Track[];
  /** The epoch of a track's transaction number `k`. */
  trackEpoch(track: Track, k: number): number;
  /** The owner of a slot in an epoch and the number of the transaction on its track. */
  ownerAt(chain: Chain, epoch: number, slot: number): { owner: Entity; k: number } | null;
  /** The background account that sends transaction `n`, and the one that it deals with. */
  senderOf(chain: Chain, n: number): Entity;
  peerOf(chain: Chain, n: number): Entity;
  /** The transaction within a round of `peopleCount` in which a background account has the role. */
  positionInRound(chain: Chain, round: number, role: 'sender' | 'peer', person: number): number;
  /** When somebody sends messages; null for those who never do. */
  messageRhythm(who: Entity): Rhythm | null;
  /** When spam, if there is any, reaches the demo account too. */
  demoSpamRhythm(chain: Chain): Rhythm;
  /** Who sends the messages that leave a chain in an epoch. */
  messageSender(chain: Chain, epoch: number): Entity;
  /** How many transactions an account with tracks or messages may have sent before transaction `n`. */
  ordinal(chain: Chain, who: Entity, n: number): number;
  spamGroups(chain: Chain): number;
  spamReceivers(chain: Chain, epoch: number): Entity[];
}

export function createAccounts(seed: number, startEpoch: number, chains: readonly Chain[]): Accounts {
  const tracks = chains.map((chain) =>
    trackSettings
      .filter((track) => track.chain === chain.index)
      .map((track): Track => {
        const before = Math.min(track.count, startEpoch);
        const stride = Math.floor(startEpoch / before);
        return {
          chain: chain.index,
          slot: slotPlan(chain).spam + track.place,
          owner: track.owner,
          startEpoch: startEpoch - stride * before,
          stride,
          count: track.goesOn ? Infinity : before,
        };
      }),
  );

  function trackEpoch(track: Track, k: number): number {
    const jitter =
      track.stride === 1 ? 0 : below(track.stride, seed, 0x7ac, track.owner % 997, track.chain * 1e7 + k);
    return track.startEpoch + k * track.stride + jitter;
  }

  /** Each round deals the background accounts out once, in the order of an affine map. */
  function deal(chain: Chain, round: number, role: 'sender' | 'peer') {
    const salt = (role === 'sender' ? 0x5e0 : 0x9e0) + chain.index;
    return {
      factor: 1 + below(chain.peopleCount - 1, seed, salt, round, 1),
      shift: below(chain.peopleCount, seed, salt, round, 2),
    };
  }

  function dealt(chain: Chain, n: number, role: 'sender' | 'peer'): Entity {
    const round = Math.floor(n / chain.peopleCount);
    const { factor, shift } = deal(chain, round, role);
    const position = n - round * chain.peopleCount;
    return entity(
      entityKinds.person,
      0,
      chain.firstPerson + ((factor * position + shift) % chain.peopleCount),
    );
  }

  const demoMessages: Rhythm = { phase: 7, stride: Math.max(61, Math.floor(startEpoch / demoMessageTimes)) };
  const demoSpamStride = Math.max(97, Math.floor(startEpoch / demoSpamTimes));

  function messageRhythm(who: Entity): Rhythm | null {
    if (who === cast.demo) return demoMessages;
    const index = who - bridger(0);
    return index >= 0 && index < bridgerCount ? { phase: index, stride: bridgerCount } : null;
  }

  function demoSpamRhythm(chain: Chain): Rhythm {
    return { phase: mix(seed, chain.index, 0x5a) % demoSpamStride, stride: demoSpamStride };
  }

  return {
    tracksOf: (chain) => tracks[chain] ?? [],
    trackEpoch,
    ownerAt(chain, epoch, slot) {
      for (const track of tracks[chain.index] ?? []) {
        if (track.slot !== slot || epoch < track.startEpoch) continue;
        const k = Math.floor((epoch - track.startEpoch) / track.stride);
        if (k < track.count && trackEpoch(track, k) === epoch) return { owner: track.owner, k };
      }
      return null;
    },
    senderOf: (chain, n) => dealt(chain, n, 'sender'),
    peerOf: (chain, n) => dealt(chain, n, 'peer'),
    positionInRound(chain, round, role, person) {
      const { factor, shift } = deal(chain, round, role);
      const value = (person - chain.firstPerson - shift + 2 * chain.peopleCount) % chain.peopleCount;
      return (inverse(factor, chain.peopleCount) * value) % chain.peopleCount;
    },
    messageRhythm,
    demoSpamRhythm,
    messageSender: (chain, epoch) =>
      hasDemo(chain) && isIn(demoMessages, epoch) ? cast.demo : bridger(epoch % bridgerCount),
    ordinal(chain, who, n) {
      const epoch = Math.floor(n / chain.slotCount);
      const slot = n % chain.slotCount;
      let total = 0;
      for (const track of tracks[chain.index] ?? []) {
        if (track.owner !== who || epoch < track.startEpoch) continue;
        const k = Math.floor((epoch - track.startEpoch) / track.stride);
        const hasPassed = trackEpoch(track, k) * chain.slotCount + track.slot < n;
        total += Math.min(track.count, hasPassed ? k + 1 : k);
      }
      const rhythm = messageRhythm(who);
      if (rhythm === null) return total;
      const earlierEpochs = countBefore(epoch, rhythm);
      return (
        total + earlierEpochs * chain.partners.length + Math.max(0, slot - slotPlan(chain).firstOutgoing)
      );
    },
    spamGroups,
    spamReceivers(chain, epoch) {
      const first = chain.firstPerson + (epoch % spamGroups(chain)) * spamGroupSize;
      const receivers = Array.from({ length: spamGroupSize }, (_, i) =>
        entity(entityKinds.person, 0, first + i),
      );
      if (hasDemo(chain) && isIn(demoSpamRhythm(chain), epoch)) receivers.push(cast.demo);
      return receivers;
    },
  };
}

/** The demo account stays away from chains where it has no track. */
function hasDemo(chain: Chain): boolean {
  return trackSettings.some((track) => track.chain === chain.index && track.owner === cast.demo);
}

function bridger(index: number): Entity {
  return entity(entityKinds.person, 0, firstBridger + index);
}

function isIn({ phase, stride }: Rhythm, epoch: number): boolean {
  return epoch % stride === phase;
}

/** How many epochs of a rhythm are below `epoch`. */
function countBefore(epoch: number, { phase, stride }: Rhythm): number {
  return Math.max(0, Math.ceil((epoch - phase) / stride));
}

function spamGroups(chain: Chain): number {
  return Math.floor(chain.peopleCount / spamGroupSize);
}

/** The inverse of `value` modulo a prime (extended Euclid). */
function inverse(value: number, prime: number): number {
  let [a, b, x, y] = [value, prime, 1, 0];
  while (b !== 0) {
    const quotient = Math.floor(a / b);
    [a, b, x, y] = [b, a - quotient * b, y, x - quotient * y];
  }
  return ((x % prime) + prime) % prime;
}
