import type { HiddenReason, SpamRule, SpamVerdict } from '../../../shared/activity/spam-types.ts';

/** Places are the bits in which rules are stored; a verdict names them in this order. */
export const spamRules: readonly SpamRule[] = [
  'zero-value',
  'look-alike',
  'fan-out',
  'lure-text',
  'remote-media',
];

export type Decision = 'show' | 'hide';

/** Places are the stored numbers. */
export const decisions: readonly Decision[] = ['show', 'hide'];

const lookAlikeBit = 1 << spamRules.indexOf('look-alike');

export function ruleBits(rules: readonly SpamRule[]): number {
  return rules.reduce((bits, rule) => bits | (1 << spamRules.indexOf(rule)), 0);
}

function rulesOfBits(bits: number): SpamRule[] {
  return spamRules.filter((_rule, place) => (bits & (1 << place)) !== 0);
}

export function withLookAlike(bits: number, isLookAlike: boolean): number {
  return isLookAlike ? bits | lookAlikeBit : bits;
}

/**
 * What the decisions about single tokens mean for a row that moved them: a token that the user wants to see shows the
 * row; the row is hidden only where all that moved is hidden, so that nothing else is lost from sight with it.
 */
export function tokenDecision(moved: readonly (Decision | undefined)[]): Decision | null {
  if (moved.includes('show')) return 'show';
  return moved.length > 0 && moved.every((decision) => decision === 'hide') ? 'hide' : null;
}

/** The user's word about the row, or else about its tokens, or else the rules. */
export function verdictOf(rules: number, forRow: Decision | null, forTokens: Decision | null): SpamVerdict {
  const key = `${rules} ${forRow} ${forTokens}`;
  const known = verdicts.get(key);
  if (known !== undefined) return known;
  const named = rulesOfBits(rules);
  const decision = forRow ?? forTokens;
  const verdict: SpamVerdict = {
    rules: named,
    decision,
    decidedFor: forRow !== null ? 'row' : forTokens !== null ? 'token' : null,
    hiddenReason: decision === 'show' ? null : decision === 'hide' ? 'user' : (named[0] ?? null),
  };
  verdicts.set(key, verdict);
  return verdict;
}

/** Each once: rows that go from thread to thread then share theirs. There are at most 9 × 2^rules of them. */
const verdicts = new Map<string, SpamVerdict>();

/** Every reason for which a row is hidden; none while it is shown. */
export function hiddenReasons({ rules, hiddenReason }: SpamVerdict): HiddenReason[] {
  if (hiddenReason === null) return [];
  return hiddenReason === 'user' ? ['user'] : rules;
}

/** Tells addresses that look like one that the user knows: same first and last four digits, but another address. */
export class LookAlikes {
  /** Known addresses in lower case, by what is seen of them. */
  readonly #known = new Map<string, Set<string>>();

  constructor(known: Iterable<string>) {
    for (const address of known) {
      const lower = address.toLowerCase();
      const ends = endsOf(lower);
      if (ends === null) continue;
      const same = this.#known.get(ends) ?? new Set();
      this.#known.set(ends, same.add(lower));
    }
  }

  has(address: string | null): boolean {
    if (address === null) return false;
    const lower = address.toLowerCase();
    const ends = endsOf(lower);
    const same = ends === null ? undefined : this.#known.get(ends);
    return same !== undefined && !same.has(lower);
  }
}

function endsOf(lower: string): string | null {
  return lower.length === 42 && lower.startsWith('0x') ? lower.slice(2, 6) + lower.slice(-4) : null;
}
