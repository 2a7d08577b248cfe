import type { Chain } from './chains.ts';
import { createPick, foundingShare, type Contract } from './contracts.ts';
import { sampleHash, zeroAddress } from './identifiers.ts';
import type { Cast } from './people.ts';
import { amount, below, fraction, mix } from './random.ts';
import { createStories, isTransfer, methods, storyOf, type Told } from './stories.ts';
import type { Timeline } from './timeline.ts';
import { Transaction, type Deed, type Event, type InternalCall, type Move } from './transaction.ts';

export interface TransactionSetup {
  readonly seed: number;
  /** The busiest account has 20,000 × scale transactions; no other has more, and small worlds have fewer messages. */
  readonly scale: number;
  readonly chains: readonly Chain[];
  readonly contracts: readonly Contract[];
  readonly cast: Cast;
  readonly people: readonly string[];
  readonly timeline: Timeline;
}

const busiest = 20_000;
/** Transactions of accounts with a role before the start, and whether more come as the clock moves on. */
const tracks = [
  { owner: 'demo', chain: 0, count: 1240, goesOn: true },
  { owner: 'one', chain: 0, count: 1, goesOn: false },
  { owner: 'thirty', chain: 0, count: 30, goesOn: false },
  { owner: 'busy', chain: 0, count: busiest, goesOn: true },
  { owner: 'busy', chain: 1, count: 300, goesOn: true },
  { owner: 'demo', chain: 2, count: 212, goesOn: true },
  { owner: 'demo', chain: 3, count: 57, goesOn: true },
  { owner: 'busy', chain: 5, count: 90, goesOn: true },
] as const;
/** Transactions of all others before the start: on the first chain, and on each of the others. */
const backgroundCounts = { first: 600, other: 200 } as const;
/** Messages from a chain to each of its partners before the start; the demo account sends every other one. */
const messageCount = 104;
/** Further messages by others, so that days differ. */
const otherMessageCount = 2_000;
const spamCount = 64;
const spamReceivers = 24;

/** All transactions of all chains in order of time, including the prepared future. */
export function createTransactions(setup: TransactionSetup): readonly Transaction[] {
  const { seed, scale, chains, contracts, cast, people, timeline } = setup;
  const pick = createPick(contracts);
  const stories = createStories(seed, pick);
  const size = Math.round(busiest * scale);
  const all: Transaction[] = [];
  const somebody = (chain: Chain, id: number, salt: number) =>
    people[below(people.length, seed, id, salt, chain.index)] ?? zeroAddress;
  /** Whether the demo account is active on a chain. */
  const hasDemo = (chain: Chain) =>
    tracks.some((track) => track.owner === 'demo' && track.chain === chain.index);

  /** Adds an event to the block of its time. */
  function happen(
    chain: Chain,
    seconds: number,
    rest: Omit<Event, 'chain' | 'seconds'>,
    tell: () => Told,
  ): void {
    const blockSeconds = timeline.blockSeconds(chain, timeline.blockAt(chain, seconds));
    all.push(new Transaction({ ...rest, chain, seconds: blockSeconds }, () => finished(tell())));
  }

  /** `count` times between the founding and the start, distributed like all activity, and as dense after the start. */
  function* moments(count: number, kind: number, goesOn = true) {
    for (let k = 0; k < (goesOn ? Infinity : count); k += 1) {
      const id = kind * 0x10_0000 + k;
      const share = foundingShare + ((k + fraction(seed, 0x7ac, id)) / count) * (1 - foundingShare);
      if (share >= timeline.lastShare) return;
      yield { k, id, share };
    }
  }

  function deploy({ chain, index: id, seconds, deployer, createdBy: from, address }: Contract): void {
    happen(chain, seconds, { id, sender: deployer, others: [] }, () => ({
      to: from ?? null,
      method: from === undefined ? methods.create : methods.lab,
      gas: 1_800_000 + below(2_000_000, seed, 0x6a5, id, chain.index),
      internals: from === undefined ? [] : [{ type: 'CREATE2', from, to: address, value: 0n }],
      created: [address],
    }));
  }

  function spam(chain: Chain, id: number, seconds: number, k: number): void {
    const token = contracts.find((contract) => contract.chain === chain && contract.role === 'spam');
    if (token === undefined || seconds <= token.seconds) return;
    const first = (k * spamReceivers) % (people.length - spamReceivers);
    const receivers = people.slice(first, first + spamReceivers);
    if (hasDemo(chain)) receivers.push(cast.demo);
    const from = pick(chain, 'disperser', seconds).address;
    happen(chain, seconds, { id, sender: cast.spammer, others: receivers }, () => ({
      to: from,
      method: methods.spam,
      gas: 60_000 + 31_000 * receivers.length,
      // More than 2^53 and up to 78 digits, as in real spam.
      moves: receivers.map((to, i) => ({
        kind: 'erc20',
        token,
        from,
        to,
        value: i === 0 ? 2n ** 256n - 1n : amount(18, seed, id, i) * 10n ** 9n,
      })),
    }));
  }

  /** A message that leaves one chain and mostly arrives on another. */
  function send(source: Chain, destination: Chain, id: number, seconds: number, isDemos: boolean): void {
    const isDemo = isDemos && hasDemo(source);
    const sender = isDemo ? cast.demo : somebody(source, id, 0x5e0);
    const message = { source, destination, id: sampleHash(seed, 0x3e00 + source.index, id) };
    const value = amount(18, seed, id, 0x1c00 + source.index);
    const sent = { ...message, direction: 'SOURCE_TRANSACTION' } as const;
    happen(source, seconds, { id, sender, others: [], message: sent }, () => {
      const messenger = pick(source, 'messenger', seconds).address;
      const token = pick(source, 'bridged', seconds);
      const moves: Move[] = [{ kind: 'erc20', token, from: sender, to: messenger, value }];
      const internals: InternalCall[] = [
        { type: 'STATICCALL', from: messenger, to: token.address, value: 0n },
      ];
      if (isDemo) {
        // The demo account's messages show every part that a transaction detail can have.
        const from = pick(source, 'vault', seconds).address;
        moves.push(...stories.rewards({ chain: source, id, seconds, sender }));
        internals.push({ type: 'CALL', from, to: sender, value: amount(18, seed, id, 0x1d0) });
      }
      const gas = 190_000 + below(90_000, seed, 0x6a6, id, source.index) + 60_000 * moves.length;
      return { to: messenger, method: methods.send, gas, moves, internals };
    });
    if (mix(seed, 0x1c4, id, source.index) % 23 === 0) return;
    const arrival = seconds + 30 + below(600, seed, 0x1c5, id, source.index);
    const received = { ...message, direction: 'DESTINATION_TRANSACTION' } as const;
    const receipt = { id: id + 0x8_0000, sender: cast.relayer, others: [sender], message: received };
    happen(destination, arrival, receipt, () => {
      const messenger = pick(destination, 'messenger', arrival).address;
      const token = pick(destination, 'bridged', arrival);
      return {
        to: messenger,
        method: methods.receive,
        gas: 310_000 + below(120_000, seed, 0x6a7, id, destination.index),
        moves: [{ kind: 'erc20', token, from: zeroAddress, to: sender, value }],
        internals: [{ type: 'CALL', from: messenger, to: token.address, value: 0n }],
      };
    });
  }

  /**
   * An ordinary transaction; `owner` is the account with a role that it belongs to, if any, and `friend` an account that
   * it has paid before. Returns the friend from now on.
   */
  function live(
    chain: Chain,
    id: number,
    seconds: number,
    owner: string | null,
    friend: string | null,
  ): string | null {
    const draw = (salt: number) => mix(seed, id, 0x0d + chain.index, salt);
    const [stranger, acquaintance] = [somebody(chain, id, 0x5e0), somebody(chain, id, 0x9e0)];
    const story = storyOf(chain, draw(1) % 1000);
    const isIncoming = owner !== null && isTransfer(story) && draw(2) % 10 < 4;
    // Address poisoning is sent by a stranger, and without a friend to imitate it becomes a transfer to the owner.
    const isFromStranger = owner === null || isIncoming || story === 'poison';
    const sender = isFromStranger ? stranger : owner;
    const peer = owner !== null && isFromStranger ? owner : acquaintance;
    const poisoned = owner === null || friend === null ? null : { owner, friend };
    happen(chain, seconds, { id, sender, others: [peer] }, () => {
      const told = stories.tell(story, { chain, id, seconds, sender, peer, poisoned });
      const { method, gas } = told;
      const isUnverified = method.callType === 'CONTRACT_CALL' && draw(4) % 17 === 0;
      return {
        ...told,
        method: isUnverified ? { callType: 'CONTRACT_CALL', hash: method.hash ?? '0x' } : method,
        gas: gas + (gas === 21_000 ? 0 : below(gas, seed, 0x6a8, id, chain.index) >> 2),
        hasFailed: !isIncoming && story !== 'poison' && draw(3) % 25 === 0,
      };
    });
    return story === 'native' && peer === acquaintance ? peer : friend;
  }

  contracts.forEach(deploy);
  for (const chain of chains) {
    tracks.forEach((track, index) => {
      if (track.chain !== chain.index) return;
      const count = Math.min(track.count, size);
      let friend: string | null = null;
      for (const { id, share } of moments(count, 1 + index, track.goesOn)) {
        friend = live(chain, id, timeline.secondsAt(share), cast[track.owner], friend);
      }
    });
    let last = 0;
    for (const { k, id, share } of moments(
      chain.index === 0 ? backgroundCounts.first : backgroundCounts.other,
      16,
    )) {
      // The number of people grows; some of their transactions share a block.
      if (k % 4 !== 3) last = timeline.secondsAt(share < 1 ? 1 - (1 - share) ** 3 : share);
      live(chain, id, last, null, null);
    }
    for (const { k, id, share } of moments(Math.min(spamCount, size / 50), 17))
      spam(chain, id, timeline.secondsAt(share), k);
    for (const destination of chains.filter(({ index }) => chain.partners.includes(index))) {
      for (const { k, id, share } of moments(
        Math.min(messageCount, size / 30),
        32 + 8 * chain.index + destination.index,
      )) {
        send(chain, destination, id, timeline.secondsAt(share), k % 2 === 0);
      }
      for (const { id, share } of moments(
        Math.min(otherMessageCount, size / 10),
        96 + 8 * chain.index + destination.index,
      )) {
        send(chain, destination, id, timeline.secondsAt(share), false);
      }
    }
  }

  // So that the first rows of the demo account include a message with all its parts.
  const [first, , third] = chains;
  if (first !== undefined && third !== undefined) {
    send(first, third, 31 * 0x10_0000, timeline.secondsAt(1) - 3600, true);
  }
  return numbered(all);
}

/** Sorted by time; each gets its index in its block, its sender's nonce, and its place among all. */
function numbered(all: Transaction[]): Transaction[] {
  all.sort((a, b) => a.seconds - b.seconds);
  const newest = new Map<Chain, Transaction>();
  const nonces = new Map<Chain, Map<string, number>>();
  for (const [place, transaction] of all.entries()) {
    const { chain, seconds, sender } = transaction;
    const before = newest.get(chain);
    newest.set(chain, transaction);
    const counts = nonces.get(chain) ?? new Map<string, number>();
    nonces.set(chain, counts);
    transaction.indexInBlock = before?.seconds === seconds ? before.indexInBlock + 1 : 0;
    transaction.nonce = counts.get(sender) ?? 0;
    transaction.place = place;
    counts.set(sender, transaction.nonce + 1);
  }
  return all;
}

/** The outcome of a transaction: a failed one only costs its fee. */
function finished(told: Told): Deed {
  const { hasFailed = false, to, method, gas, value = 0n, moves = [], internals = [], created = [] } = told;
  const gasLimit = gas === 21_000 ? gas : Math.ceil(gas * 1.2);
  return {
    to,
    success: !hasFailed,
    value,
    method,
    gasUsed: hasFailed ? Math.min(gasLimit, Math.ceil(gas * 1.1)) : gas,
    gasLimit,
    moves: hasFailed ? [] : moves,
    internals: hasFailed ? internals.map((call) => ({ ...call, isReverted: true })) : internals,
    created: hasFailed ? [] : created,
  };
}
