import { spellAddress } from '../../../../../shared/address.ts';
import { hiddenNames } from '../../../../../shared/activity/filter.ts';
import type { HiddenReason } from '../../../../../shared/activity/spam-types.ts';
import type { ActivityRow } from '../../../../../shared/activity/types.ts';

const hiddenExplanations: Readonly<Record<HiddenReason, string>> = {
  'zero-value': 'A zero-value token transfer in a transaction that someone else sent.',
  'look-alike': 'One side looks like an address you know: same first and last digits, different in between.',
  'fan-out': 'A token without a price, sent to many recipients at once.',
  'lure-text': 'The token’s name contains a link or an invitation.',
  'remote-media': 'The NFT’s image is on a stranger’s server, so the app didn’t fetch it.',
  user: 'You hid this row or its token.',
};

/** Why a row is hidden, in two words and in a sentence. */
export function hiddenWords(reason: HiddenReason): { word: string; explanation: string } {
  return { word: hiddenNames[reason], explanation: hiddenExplanations[reason] };
}

/** A remark about a row: a shape, a word or two, and a sentence. */
export interface RowMark {
  shape: 'look-alike' | 'hidden' | 'shown' | 'integrity' | 'reorganised' | 'missing';
  word: string;
  explanation: string;
}

/** The counterparty's address looks like that of `name`. */
export function lookAlikeMark(address: string, name: string): RowMark {
  return {
    shape: 'look-alike',
    word: `Looks like ${name}`,
    explanation: `${spellAddress(address)} starts and ends like ${name}, but is a different address. Compare every digit before you send anything to it.`,
  };
}

/** All remarks about a row apart from its completeness; most rows have none. */
export function marksOf({ marks }: ActivityRow): RowMark[] {
  const { spam, integrityNote, reorg, versionCount } = marks;
  const found: RowMark[] = [];
  if (spam.hiddenReason !== null) found.push({ shape: 'hidden', ...hiddenWords(spam.hiddenReason) });
  else if (spam.decision === 'show' && spam.rules[0] !== undefined) {
    const rule = hiddenWords(spam.rules[0]);
    found.push({
      shape: 'shown',
      word: 'Shown by you',
      explanation: `A rule would hide this row (${rule.word.toLowerCase()}). ${rule.explanation}`,
    });
  }
  const kept = versionCount > 0 ? ' The earlier version is kept.' : '';
  if (integrityNote !== null) {
    found.push({ shape: 'integrity', word: 'Differs', explanation: `${integrityNote}${kept}` });
  }
  if (reorg === 'reorganised') {
    const explanation = `Another block at the same height replaced this transaction’s block.${kept}`;
    found.push({ shape: 'reorganised', word: 'Reorganised', explanation });
  }
  if (reorg === 'gone') {
    const explanation = `A later check no longer found this transaction in its block.${kept}`;
    found.push({ shape: 'missing', word: 'Gone', explanation });
  }
  return found;
}
