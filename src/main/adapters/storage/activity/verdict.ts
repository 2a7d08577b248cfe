import type { LookAlikes } from '../../../../shared/activity/look-alike.ts';
import type { HiddenReason, SpamRule, SpamVerdict } from '../../../../shared/activity/spam-types.ts';
import { orAdd } from '../../../../shared/or-add.ts';

/**
 * The bit that stores each reason; these never change, and a new rule takes the next free one. Their order is that in
 * which a verdict lists them: the first is the reason shown.
 */
const bitOf = {
  'zero-value': 1,
  'look-alike': 2,
  'fan-out': 4,
  'lure-text': 8,
  'remote-media': 16,
  user: 32,
} as const satisfies Record<HiddenReason, number>;

// `Object.keys` loses the type of the keys.
const spamRules = (Object.keys(bitOf) as HiddenReason[]).filter((reason) => reason !== 'user');

export type Decision = 'show' | 'hide';

/** Positions are stored: only append. */
export const decisions: readonly Decision[] = ['show', 'hide'];

export function ruleBits(rules: readonly SpamRule[]): number {
  return rules.reduce((bits, rule) => bits | bitOf[rule], 0);
}

function rulesOfBits(bits: number): SpamRule[] {
  return spamRules.filter((rule) => (bits & bitOf[rule]) !== 0);
}

/**
 * The effect of decisions about tokens on a row that moved them: the row is shown if the user wants to see any of its
 * tokens, and hidden only if all of them are hidden, so that nothing else is hidden with them.
 */
function tokenDecision(moved: readonly (Decision | undefined)[]): Decision | null {
  if (moved.includes('show')) return 'show';
  return moved.length > 0 && moved.every((decision) => decision === 'hide') ? 'hide' : null;
}

/** What a verdict depends on besides the row. */
export interface Judgement {
  lookAlikes: LookAlikes;
  /** By token, in the form of the filter's field. */
  tokenDecisions: ReadonlyMap<string, Decision>;
}

/** The parts of a row that a verdict depends on. */
export interface JudgedRow {
  /** Bits of the rules that depend on the row alone. */
  rules: number;
  /** True when no rule may hide it. */
  isOwnDoing: boolean;
  /** The counterparty and all other sides; called only if a rule may hide the row. */
  sides: () => readonly (string | null)[];
  /** In the form of the filter's field; called only if the user has judged any token. */
  tokens: () => readonly string[];
  /** The user's decision about this row. */
  decision: Decision | null;
}

/** Whether and why a row is hidden: the user's decision about the row, else about its tokens, else the rules. */
export function judge(row: JudgedRow, { lookAlikes, tokenDecisions }: Judgement): SpamVerdict {
  const isLookAlike = !row.isOwnDoing && row.sides().some((side) => lookAlikes.of(side) !== null);
  const moved = tokenDecisions.size === 0 ? [] : row.tokens().map((token) => tokenDecisions.get(token));
  return verdictOf(
    isLookAlike ? row.rules | bitOf['look-alike'] : row.rules,
    row.decision,
    tokenDecision(moved),
  );
}

function verdictOf(rules: number, forRow: Decision | null, forTokens: Decision | null): SpamVerdict {
  return orAdd(verdicts, `${rules} ${forRow} ${forTokens}`, () => {
    const named = rulesOfBits(rules);
    const decision = forRow ?? forTokens;
    return {
      rules: named,
      decision,
      decidedFor: forRow !== null ? 'row' : forTokens !== null ? 'token' : null,
      hiddenReason: decision === 'show' ? null : decision === 'hide' ? 'user' : (named[0] ?? null),
    };
  });
}

/** One object per verdict, so that rows sent between threads share it. There are at most 9 × 2^rules of them. */
const verdicts = new Map<string, SpamVerdict>();

/** A verdict as stored bits; 0 while the row is shown. */
export function reasonBits(verdict: SpamVerdict): number {
  if (verdict.hiddenReason === null) return 0;
  return verdict.hiddenReason === 'user' ? bitOf.user : ruleBits(verdict.rules);
}

/** All reasons for hiding a row, from its stored bits. */
export function reasonsOfBits(bits: number): HiddenReason[] {
  return (bits & bitOf.user) === 0 ? rulesOfBits(bits) : ['user'];
}

/** In SQL, the reason shown for stored bits; null for none. */
export function firstReason<Column extends string>(column: Column) {
  const cases = [...spamRules, 'user' as const].map(
    (reason) => `WHEN ${column} & ${bitOf[reason]} THEN '${reason}'`,
  );
  return `CASE ${cases.join(' ')} END` as const;
}
