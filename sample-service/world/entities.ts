import { toChecksumAddress } from '../../src/shared/activity/address.ts';
import { decodeIdentifier, encodeIdentifier } from './identifiers.ts';
import { hexToWords, mix, scramble, unscramble, wordsToHex } from './random.ts';

/**
 * Whoever can stand in a `from` or `to`, as one number: kind, chain and index packed. Comparing two is comparing numbers;
 * the address is made only when a record is written.
 */
export type Entity = number;

export const entityKinds = {
  zero: 1,
  /** An account with a written role: see `cast`. */
  cast: 2,
  /** A background account; the same on every chain. */
  person: 3,
  /** A contract of a chain's catalogue. */
  contract: 4,
  /** A contract that transaction `n` created: index is `4 * n + which`. */
  child: 5,
  /** The address that imitates the peer of transaction `n` of a chain: same beginning and end. */
  lookalike: 6,
} as const;

export function entity(kind: number, chain: number, index: number): Entity {
  return (kind * 0x100 + chain) * 0x1_0000_0000 + index;
}

export function entityKind(value: Entity): number {
  return Math.floor(value / 0x100_0000_0000);
}

export function entityChain(value: Entity): number {
  return Math.floor(value / 0x1_0000_0000) % 0x100;
}

export function entityIndex(value: Entity): number {
  return value % 0x1_0000_0000;
}

export const zeroEntity: Entity = entity(entityKinds.zero, 0, 0);

function castMember(index: number): Entity {
  return entity(entityKinds.cast, 0, index);
}

/** Accounts with a role, the same on every chain. */
export const cast = {
  /** Active on several chains with every kind of record: the address to look at. */
  demo: castMember(0),
  empty: castMember(1),
  /** Exactly one transaction, ever. */
  one: castMember(2),
  /** Exactly thirty. */
  thirty: castMember(3),
  /** One transaction in every epoch: 20,000 at scale 1. */
  busy: castMember(4),
  /** The same on another chain, so that a large `--scale` leaves `busy` as it is: 20,000 × scale. */
  whale: castMember(5),
  deployer: castMember(6),
  secondDeployer: castMember(7),
  relayer: castMember(8),
  spammer: castMember(9),
} as const;

const addressSalt = 0xadd4;
const lookalikeSalt = 0x100c;
/** Checksummed addresses kept; more are made again when needed. */
const addressCacheSize = 60_000;

export interface AddressBook {
  /** The checksummed address (EIP-55). */
  addressOf(who: Entity): string;
  /** Who an address belongs to, or null when nobody in this world has it. Any letter case. */
  entityAt(address: string): Entity | null;
}

/** `imitated` tells whose address the lookalike of a transaction resembles. */
export function createAddressBook(seed: number, imitated: (chain: number, n: number) => Entity): AddressBook {
  const cache = new Map<Entity, string>();

  function digitsOf(who: Entity): string {
    const kind = entityKind(who);
    if (kind === entityKinds.zero) return '0'.repeat(40);
    const payload = [kind * 0x100 + entityChain(who), entityIndex(who)] as const;
    if (kind !== entityKinds.lookalike) return encodeIdentifier(seed, addressSalt, payload, 5);
    const original = digitsOf(imitated(entityChain(who), entityIndex(who)));
    const [high, low] = scramble(seed ^ lookalikeSalt, payload);
    const middle = [
      high,
      low,
      mix(seed ^ lookalikeSalt, high, low, 2),
      mix(seed ^ lookalikeSalt, high, low, 3),
    ];
    return original.slice(0, 4) + wordsToHex(middle) + original.slice(-4);
  }

  function decodeLookalike(digits: string): Entity | null {
    const [high, low, third, fourth] = hexToWords(digits.slice(4, 36));
    if (high === undefined || low === undefined) return null;
    if (third !== mix(seed ^ lookalikeSalt, high, low, 2)) return null;
    if (fourth !== mix(seed ^ lookalikeSalt, high, low, 3)) return null;
    const [head, n] = unscramble(seed ^ lookalikeSalt, [high, low]);
    return entity(head >>> 8, head & 0xff, n);
  }

  return {
    addressOf(who) {
      let address = cache.get(who);
      if (address === undefined) {
        if (cache.size >= addressCacheSize) cache.clear();
        address = toChecksumAddress(`0x${digitsOf(who)}`);
        cache.set(who, address);
      }
      return address;
    },
    entityAt(address) {
      const digits = address.slice(2).toLowerCase();
      if (/^0{40}$/.test(digits)) return zeroEntity;
      const payload = decodeIdentifier(seed, addressSalt, digits);
      if (payload === null) return decodeLookalike(digits);
      return entity(payload[0] >>> 8, payload[0] & 0xff, payload[1]);
    },
  };
}
