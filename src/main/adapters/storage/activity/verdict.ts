import type { LookAlikes } from '../../../../shared/activity/look-alike.ts';
import type { HiddenReason, SpamRule, SpamVerdict } from '../../../../shared/activity/spam-types.ts';

/**
 * The bit in which each reason is stored, which never changes: a new rule takes the next one that is free. The order is that in
 * which a verdict names them; the first is the reason that is shown.
 */
const bitOf = {
  'zero-value': 1,
  'look-alike': 2,
  'fan-out': 4,
  'lure-text': 8,
  'remote-media': 16,
  user: 32,
} as const satisfies Record<HiddenReason, number>;

// The keys of the table above, as its type says.
const spamRules = (Object.keys(bitOf) as HiddenReason[]).filter((reason) => reason !== 'user');

export type Decision = 'show' | 'hide';

/** Places are the stored numbers. */
export const decisions: readonly Decision[] = ['show', 'hide'];

export function ruleBits(rules: readonly SpamRule[]): number {
  return rules.reduce((bits, rule) => bits | bitOf[rule], 0);
}

function rulesOfBits(bits: number): SpamRule[] {
  return spamRules.filter((rule) => (bits & bitOf[rule]) !== 0);
}

/**
 * What the decisions about single tokens mean for a row that moved them: a token that the user wants to see shows the
 * row; the row is hidden only where all that moved is hidden, so that nothing else is lost from sight with it.
 */
function tokenDecision(moved: readonly (Decision | undefined)[]): Decision | null {
  if (moved.includes('show')) return 'show';
  return moved.length > 0 && moved.every((decision) => decision === 'hide') ? 'hide' : null;
}

/** What a verdict depends on beside the row. */
export interface Judgement {
  lookAlikes: LookAlikes;
  /** By value of the token field. */
  tokenDecisions: ReadonlyMap<string, Decision>;
}

/** What of a row a verdict depends on. */
export interface JudgedRow {
  /** Bits of the rules that need nothing but the row itself. */
  rules: number;
  /** No rule hides it. */
  isOwnDoing: boolean;
  counterparty: string | null;
  /** Values of the token field; asked for only where the user has judged any. */
  tokens: () => readonly string[];
  /** About the row itself. */
  decision: Decision | null;
}

/** Why a row is hidden, if it is: the user's word about the row, or else about its tokens, or else the rules. */
export function judge(row: JudgedRow, { lookAlikes, tokenDecisions }: Judgement): SpamVerdict {
  const isLookAlike = !row.isOwnDoing && lookAlikes.of(row.counterparty) !== null;
  const moved = tokenDecisions.size === 0 ? [] : row.tokens().map((token) => tokenDecisions.get(token));
  return verdictOf(
    isLookAlike ? row.rules | bitOf['look-alike'] : row.rules,
    row.decision,
    tokenDecision(moved),
  );
}

function verdictOf(rules: number, forRow: Decision | null, forTokens: Decision | null): SpamVerdict {
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

/** The same as bits, which is how the store keeps them; 0 while the row is shown. */
export function reasonBits(verdict: SpamVerdict): number {
  if (verdict.hiddenReason === null) return 0;
  return verdict.hiddenReason === 'user' ? bitOf.user : ruleBits(verdict.rules);
}

/** Every reason for which a row is hidden, out of those bits. */
export function reasonsOfBits(bits: number): HiddenReason[] {
  return (bits & bitOf.user) === 0 ? rulesOfBits(bits) : ['user'];
}
