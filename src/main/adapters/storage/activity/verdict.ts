import type { LookAlikes } from '../../../../shared/activity/look-alike.ts';
import type { HiddenReason, SpamRule, SpamVerdict } from '../../../../shared/activity/spam-types.ts';

/** Places are the bits in which rules are stored; a verdict names them in this order. */
const spamRules: readonly SpamRule[] = ['zero-value', 'look-alike', 'fan-out', 'lure-text', 'remote-media'];

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
  return verdictOf(isLookAlike ? row.rules | lookAlikeBit : row.rules, row.decision, tokenDecision(moved));
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

/** Bit of a row's reasons behind those of the rules: the user's word. */
const userReason = 1 << spamRules.length;

/** The same as bits, which is how the store keeps them; 0 while the row is shown. */
export function reasonBits(verdict: SpamVerdict): number {
  if (verdict.hiddenReason === null) return 0;
  return verdict.hiddenReason === 'user' ? userReason : ruleBits(verdict.rules);
}

/** Every reason for which a row is hidden, out of those bits. */
export function reasonsOfBits(bits: number): HiddenReason[] {
  return (bits & userReason) === 0 ? rulesOfBits(bits) : ['user'];
}
