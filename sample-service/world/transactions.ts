import { slotPlan, type Accounts } from './accounts.ts';
import type { Chain } from './chains.ts';
import { createPick, type Catalogue, type Contract, type ContractRole } from './contracts.ts';
import { cast, entityIndex, entityKind, entityKinds, zeroEntity, type Entity } from './entities.ts';
import type { InternalCall, MessageHalf, Move, TransactionPlan } from './plan.ts';
import { amount, below, mix } from './random.ts';
import { createStories, isTransfer, methods, storyOf } from './stories.ts';

/** Before this epoch no messages are sent: their contracts are not there yet. */
const firstMessageEpoch = 24;

export interface Transactions {
  /** Transaction `n` of a chain, the same at every call; `n` is not compared with the head of the chain. */
  plan(chain: Chain, n: number): TransactionPlan;
  /** Whose address the lookalike in transaction `n` resembles. */
  imitated(chain: Chain, n: number): Entity;
  /** The catalogue contract deployed by transaction `n`, if that is what it does. */
  deployedBy(chain: Chain, n: number): Contract | null;
  /** Whether a message leaves `source` for `destination` in an epoch, and whether it will ever arrive. */
  messageSent(source: Chain, destination: Chain, epoch: number): boolean;
  messageArrives(source: Chain, destination: Chain, epoch: number): boolean;
}

export function createTransactions(
  seed: number,
  chains: readonly Chain[],
  catalogue: Catalogue,
  accounts: Accounts,
): Transactions {
  const deployments = catalogue.map(
    (contracts) => new Map(contracts.map((contract) => [contract.epoch, contract])),
  );
  const pick = createPick(catalogue);
  const stories = createStories(seed, pick);

  function deployedBy(chain: Chain, n: number): Contract | null {
    if (n % chain.slotCount !== slotPlan(chain).deploy) return null;
    return deployments[chain.index]?.get(Math.floor(n / chain.slotCount)) ?? null;
  }

  function messageSent(source: Chain, destination: Chain, epoch: number): boolean {
    if (epoch < firstMessageEpoch || !source.partners.includes(destination.index)) return false;
    if (accounts.messageSender(source, epoch) === cast.demo) return true;
    return mix(seed, 0x1c3, epoch, source.index * 16 + destination.index) % 3 === 0;
  }

  function messageArrives(source: Chain, destination: Chain, epoch: number): boolean {
    if (!messageSent(source, destination, epoch)) return false;
    return mix(seed, 0x1c4, epoch, source.index * 16 + destination.index) % 23 !== 0;
  }

  function imitated(chain: Chain, n: number): Entity {
    const epoch = Math.floor(n / chain.slotCount);
    const slot = n % chain.slotCount;
    const track = accounts.tracksOf(chain.index).find((candidate) => candidate.slot === slot);
    if (track === undefined) return accounts.peerOf(chain, n);
    const k = Math.floor((epoch - track.startEpoch) / track.stride) - 1;
    return accounts.peerOf(
      chain,
      Math.max(0, accounts.trackEpoch(track, Math.max(0, k))) * chain.slotCount + slot,
    );
  }

  function plan(chain: Chain, n: number): TransactionPlan {
    const epoch = Math.floor(n / chain.slotCount);
    const slot = n % chain.slotCount;
    const slots = slotPlan(chain);
    const base = { chain, n, success: true, value: 0n, moves: [], internals: [], created: [], message: null };

    const contract = deployedBy(chain, n);
    if (contract !== null) {
      const via = contract.createdBy;
      return {
        ...base,
        sender: contract.deployer,
        to: via ?? null,
        nonce: contract.index,
        method: via === undefined ? methods.create : methods.lab,
        gasUsed: 1_800_000 + below(2_000_000, seed, 0x6a5, n, chain.index),
        internals:
          via === undefined
            ? []
            : [{ type: 'CREATE2', from: via, to: contract.entity, value: 0n, reverted: false }],
        created: [contract.entity],
      };
    }
    if (slot < slots.incoming) {
      const source = chains[chain.partners[slot] ?? -1];
      if (source !== undefined && messageArrives(source, chain, epoch - 1))
        return arrival(base, source, epoch);
    }
    if (slot >= slots.firstOutgoing) {
      const destination = chains[chain.partners[slot - slots.firstOutgoing] ?? -1];
      if (destination !== undefined && messageSent(chain, destination, epoch)) {
        return departure(base, destination, epoch);
      }
    }
    if (slot === slots.spam && mix(seed, 0x59a, n, chain.index) % 4 === 0) {
      const token = pick(chain, epoch, 'spam', 0);
      const disperser = pick(chain, epoch, 'disperser', 0);
      if (token !== null && disperser !== null) return spam(base, token, disperser, epoch);
    }
    return ordinary(chain, n, epoch, slot);
  }

  type Base = Omit<TransactionPlan, 'sender' | 'to' | 'nonce' | 'method' | 'gasUsed'>;

  function half(
    direction: MessageHalf['direction'],
    source: Chain,
    destination: Chain,
    epoch: number,
  ): MessageHalf {
    const slot = slotPlan(source).firstOutgoing + source.partners.indexOf(destination.index);
    return { direction, source, destination, sourceN: epoch * source.slotCount + slot };
  }

  /** A contract that is there from the very beginning, so in every epoch with messages. */
  function founding(chain: Chain, role: ContractRole): Contract {
    const contract = pick(chain, firstMessageEpoch, role, 0);
    if (contract === null) throw new Error(`chain ${chain.chainId} has no ${role} contract`);
    return contract;
  }

  function departure(base: Base, destination: Chain, epoch: number): TransactionPlan {
    const { chain, n } = base;
    const sender = accounts.messageSender(chain, epoch);
    const messenger = founding(chain, 'messenger').entity;
    const token = founding(chain, 'bridged');
    const moves: Move[] = [
      { kind: 'erc20', token, from: sender, to: messenger, value: amount(18, seed, n, 0x1c0 + chain.index) },
    ];
    const internals: InternalCall[] = [
      { type: 'STATICCALL', from: messenger, to: token.entity, value: 0n, reverted: false },
    ];
    if (sender === cast.demo) {
      // The demo account's messages show every part that a transaction detail can have.
      const vault = founding(chain, 'vault').entity;
      moves.push(...stories.rewards(chain, n, epoch, vault, sender));
      internals.push({
        type: 'CALL',
        from: vault,
        to: sender,
        value: amount(18, seed, n, 0x1d0 + chain.index),
        reverted: false,
      });
    }
    return {
      ...base,
      sender,
      to: messenger,
      nonce: accounts.ordinal(chain, sender, n),
      method: methods.send,
      gasUsed: 190_000 + below(90_000, seed, 0x6a6, n, chain.index) + 60_000 * moves.length,
      moves,
      internals,
      message: half('SOURCE_TRANSACTION', chain, destination, epoch),
    };
  }

  function arrival(base: Base, source: Chain, epoch: number): TransactionPlan {
    const { chain, n } = base;
    const message = half('DESTINATION_TRANSACTION', source, chain, epoch - 1);
    const messenger = founding(chain, 'messenger').entity;
    const token = founding(chain, 'bridged');
    return {
      ...base,
      sender: cast.relayer,
      to: messenger,
      nonce: epoch * chain.partners.length + (n % chain.slotCount),
      method: methods.receive,
      gasUsed: 310_000 + below(120_000, seed, 0x6a7, n, chain.index),
      moves: [
        {
          kind: 'erc20',
          token,
          from: zeroEntity,
          to: accounts.messageSender(source, epoch - 1),
          value: amount(18, seed, message.sourceN, 0x1c0 + source.index),
        },
      ],
      internals: [{ type: 'CALL', from: messenger, to: token.entity, value: 0n, reverted: false }],
      message,
    };
  }

  function spam(base: Base, token: Contract, disperser: Contract, epoch: number): TransactionPlan {
    const receivers = accounts.spamReceivers(base.chain, epoch);
    return {
      ...base,
      sender: cast.spammer,
      to: disperser.entity,
      nonce: epoch,
      method: methods.spam,
      gasUsed: 60_000 + 31_000 * receivers.length,
      // More than 2^53 and up to 78 digits: the kind of number that spam comes with.
      moves: receivers.map((to, i) => ({
        kind: 'erc20' as const,
        token,
        from: disperser.entity,
        to,
        value: i === 0 ? 2n ** 256n - 1n : amount(18, seed, base.n, i) * 10n ** 9n,
      })),
    };
  }

  function ordinary(chain: Chain, n: number, epoch: number, slot: number): TransactionPlan {
    const draw = (salt: number) => mix(seed, n, 0x0d + chain.index, salt);
    const owned = accounts.ownerAt(chain, epoch, slot);
    const stranger = accounts.senderOf(chain, n);
    const story = storyOf(chain, draw(1) % 1000);
    const isIncoming = owned !== null && isTransfer(story) && draw(2) % 10 < 4;
    // Poison is sent by a stranger too, and before there is a token for it becomes a transfer to the owner.
    const isFromStranger = owned === null || isIncoming || story === 'poison';
    const sender = isFromStranger ? stranger : owned.owner;
    const peer = owned !== null && isFromStranger ? owned.owner : accounts.peerOf(chain, n);
    const told = stories.tell(story, chain, n, epoch, sender, peer, owned?.owner ?? null);
    const success = isIncoming || story === 'poison' || draw(3) % 25 !== 0;
    const isUnverified = told.method.callType === 'CONTRACT_CALL' && draw(4) % 17 === 0;
    return {
      chain,
      n,
      success,
      sender,
      to: told.to,
      value: told.value ?? 0n,
      nonce: sender === owned?.owner ? accounts.ordinal(chain, sender, n) : Math.floor(n / chain.peopleCount),
      method: isUnverified ? { callType: 'CONTRACT_CALL', hash: told.method.hash ?? '0x' } : told.method,
      gasUsed: told.gas + (told.gas === 21_000 ? 0 : below(told.gas, seed, 0x6a8, n, chain.index) >> 2),
      moves: success ? (told.moves ?? []) : [],
      internals: (told.internals ?? []).map((internal) =>
        success ? internal : { ...internal, reverted: true },
      ),
      created: success ? (told.created ?? []) : [],
      message: null,
    };
  }

  return { plan, imitated, deployedBy, messageSent, messageArrives };
}

/** The transaction that created a child contract. */
export function creationOf(child: Entity): number {
  return entityKind(child) === entityKinds.child ? Math.floor(entityIndex(child) / 4) : -1;
}
