import { sampleAddress } from './identifiers.ts';

/** Accounts with a role, the same on every chain. */
const roles = [
  /** Active on several chains, with every kind of record. */
  'demo',
  'empty',
  /** Exactly one transaction, ever. */
  'one',
  /** Exactly thirty. */
  'thirty',
  /** 20,000 transactions on the first chain at scale 1. */
  'busy',
  'deployer',
  'secondDeployer',
  'relayer',
  'spammer',
] as const;

export type Cast = Readonly<Record<(typeof roles)[number], string>>;

/** The addresses of the accounts with a role. */
export function createCast(seed: number): Cast {
  const entries = roles.map((role, index) => [role, sampleAddress(seed, 1, index)]);
  // Every role is included.
  return Object.fromEntries(entries) as Cast;
}

/** The addresses of all others, the same on every chain. */
export function createPeople(seed: number): readonly string[] {
  return Array.from({ length: 300 }, (_, index) => sampleAddress(seed, 2, index));
}
