import { slotPlan, spamGroupSize, type Accounts, type Rhythm, type Track } from './accounts.ts';
import type { Chain } from './chains.ts';
import { cast, entityChain, entityIndex, entityKind, entityKinds, type Entity } from './entities.ts';
import { involves, type TransactionPlan } from './plan.ts';
import type { Catalogue } from './contracts.ts';
import type { Reorgs } from './reorgs.ts';
import { creationOf, type Transactions } from './transactions.ts';

/** A set of transaction numbers that can be entered anywhere; -1 where there is none. */
interface Candidates {
  atOrBelow(n: number): number;
  atOrAbove(n: number): number;
}

/** A part of a chain's transactions: from `first`, inclusive, to `end`, exclusive. */
export interface Range {
  readonly first: number;
  readonly end: number;
}

export type Order = 'asc' | 'desc';

export interface History {
  /** The transactions in which somebody takes part, in order of time or against it. */
  walk(chain: Chain, who: Entity, range: Range, order: Order): Generator<TransactionPlan, void>;
  /** All transactions. */
  all(chain: Chain, range: Range, order: Order): Generator<TransactionPlan, void>;
}

/**
 * Answers "which transactions concern this address" without an index: the rules that deal out roles in `accounts.ts` can
 * be turned round, which gives few candidates; each is then planned and checked, so the answer is exact.
 */
export function createHistory(
  accounts: Accounts,
  transactions: Transactions,
  catalogue: Catalogue,
  reorgs: Reorgs,
): History {
  function candidatesOf(chain: Chain, who: Entity): Candidates[] {
    switch (entityKind(who)) {
      case entityKinds.zero:
        return [everything(0)];
      case entityKinds.cast:
        return castCandidates(chain, who);
      case entityKinds.person:
        return personCandidates(chain, who);
      case entityKinds.contract: {
        const contract = catalogue[chain.index]?.[entityIndex(who)];
        if (entityChain(who) !== chain.index || contract === undefined) return [];
        return [everything(contract.epoch * chain.slotCount)];
      }
      case entityKinds.child:
        return entityChain(who) === chain.index ? [single(creationOf(who))] : [];
      case entityKinds.lookalike:
        return entityChain(who) === chain.index ? [single(entityIndex(who))] : [];
      default:
        return [];
    }
  }

  function castCandidates(chain: Chain, who: Entity): Candidates[] {
    const slots = slotPlan(chain);
    const found = accounts
      .tracksOf(chain.index)
      .flatMap((track) => (track.owner === who ? [onTrack(chain, track)] : []));
    if (who === cast.demo) {
      found.push(...messageSlots(chain, who), everyNth(chain, slots.spam, accounts.demoSpamRhythm(chain)));
    }
    if (who === cast.deployer || who === cast.secondDeployer)
      found.push(everyNth(chain, slots.deploy, always));
    if (who === cast.spammer) found.push(everyNth(chain, slots.spam, always));
    if (who === cast.relayer) {
      for (let slot = 0; slot < slots.incoming; slot += 1) found.push(everyNth(chain, slot, always));
    }
    return found;
  }

  function personCandidates(chain: Chain, who: Entity): Candidates[] {
    if (accounts.messageRhythm(who) !== null) return messageSlots(chain, who);
    const place = entityIndex(who) - chain.firstPerson;
    if (place < 0 || place >= chain.peopleCount) return [];
    const found = [inRounds(chain, 'sender', entityIndex(who)), inRounds(chain, 'peer', entityIndex(who))];
    const group = Math.floor(place / spamGroupSize);
    if (group < accounts.spamGroups(chain)) {
      const rhythm = { phase: group, stride: accounts.spamGroups(chain) };
      found.push(everyNth(chain, slotPlan(chain).spam, rhythm));
    }
    return found;
  }

  /** Slots of the messages that somebody sends, and one epoch later of those that arrive. */
  function messageSlots(chain: Chain, who: Entity): Candidates[] {
    const rhythm = accounts.messageRhythm(who);
    if (rhythm === null) return [];
    return chain.partners.flatMap((_, i) => [
      everyNth(chain, slotPlan(chain).firstOutgoing + i, rhythm),
      everyNth(chain, i, { phase: rhythm.phase + 1, stride: rhythm.stride }),
    ]);
  }

  function onTrack(chain: Chain, track: Track): Candidates {
    const nOf = (k: number) => accounts.trackEpoch(track, k) * chain.slotCount + track.slot;
    const nearest = (n: number) =>
      Math.floor((Math.floor((n - track.slot) / chain.slotCount) - track.startEpoch) / track.stride);
    return {
      atOrBelow(n) {
        let k = Math.min(nearest(n), track.count - 1);
        if (k >= 0 && nOf(k) > n) k -= 1;
        return k < 0 ? -1 : nOf(k);
      },
      atOrAbove(n) {
        let k = Math.max(0, nearest(n));
        if (nOf(k) < n) k += 1;
        return k >= track.count ? -1 : nOf(k);
      },
    };
  }

  function inRounds(chain: Chain, role: 'sender' | 'peer', person: number): Candidates {
    const nOf = (round: number) =>
      round * chain.peopleCount + accounts.positionInRound(chain, round, role, person);
    return {
      atOrBelow(n) {
        const round = Math.floor(n / chain.peopleCount);
        if (nOf(round) <= n) return nOf(round);
        return round === 0 ? -1 : nOf(round - 1);
      },
      atOrAbove(n) {
        const round = Math.floor(n / chain.peopleCount);
        return nOf(round) >= n ? nOf(round) : nOf(round + 1);
      },
    };
  }

  /** The transactions at the candidates' places that stand and are wanted. */
  function* through(
    chain: Chain,
    candidates: readonly Candidates[],
    range: Range,
    order: Order,
    isWanted: (plan: TransactionPlan) => boolean,
  ): Generator<TransactionPlan, void> {
    let n = order === 'asc' ? nextUp(candidates, range.first) : nextDown(candidates, range.end - 1);
    while (n >= range.first && n < range.end) {
      const plan = transactions.plan(chain, n);
      if (isWanted(plan) && !reorgs.drops(plan)) yield plan;
      n = order === 'asc' ? nextUp(candidates, n + 1) : nextDown(candidates, n - 1);
    }
  }

  return {
    walk: (chain, who, range, order) =>
      through(chain, candidatesOf(chain, who), range, order, (plan) => involves(plan, who)),
    all: (chain, range, order) => through(chain, [everything(0)], range, order, () => true),
  };
}

/** The candidate at or below `n`; -1 where there is none. */
function nextDown(candidates: readonly Candidates[], n: number): number {
  let found = -1;
  if (n < 0) return found;
  for (const candidate of candidates) found = Math.max(found, candidate.atOrBelow(n));
  return found;
}

/** The candidate at or above `n`; -1 where there is none. */
function nextUp(candidates: readonly Candidates[], n: number): number {
  let found = -1;
  for (const candidate of candidates) {
    const next = candidate.atOrAbove(n);
    if (next >= 0 && (found < 0 || next < found)) found = next;
  }
  return found;
}

function everything(first: number): Candidates {
  return {
    atOrBelow: (n) => (n < first ? -1 : n),
    atOrAbove: (n) => Math.max(n, first),
  };
}

function single(only: number): Candidates {
  return {
    atOrBelow: (n) => (only <= n ? only : -1),
    atOrAbove: (n) => (only >= n ? only : -1),
  };
}

const always: Rhythm = { phase: 0, stride: 1 };

/** One slot of the epochs of a rhythm. */
function everyNth(chain: Chain, slot: number, { phase, stride }: Rhythm): Candidates {
  const nOf = (epoch: number) => epoch * chain.slotCount + slot;
  return {
    atOrBelow(n) {
      const epoch = Math.floor((n - slot) / chain.slotCount);
      if (epoch < phase) return -1;
      return nOf(epoch - ((epoch - phase) % stride));
    },
    atOrAbove(n) {
      const epoch = Math.max(phase, Math.ceil((n - slot) / chain.slotCount));
      return nOf(phase + Math.ceil((epoch - phase) / stride) * stride);
    },
  };
}
