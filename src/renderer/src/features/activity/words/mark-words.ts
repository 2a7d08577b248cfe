import { spellAddress } from '../../../../../shared/address.ts';
import { hiddenWords } from '../../../../../shared/activity/spam-types.ts';
import type { ActivityRow } from '../../../../../shared/activity/types.ts';

/** A remark about a row: a shape, a word or two, and a sentence. */
export interface RowMark {
  shape: 'look-alike' | 'hidden' | 'shown' | 'integrity' | 'reorganised' | 'missing';
  word: string;
  explanation: string;
}

/** The counterparty's address looks like that of `name`. */
export const lookAlikeMark = (address: string, name: string): RowMark => ({
  shape: 'look-alike',
  word: `Looks like ${name}`,
  explanation: `${spellAddress(address)} starts and ends like ${name}, but is a different address. Compare every digit before you send anything to it.`,
});

/** All remarks about a row apart from its completeness; most rows have none. */
export function marksOf({ marks }: ActivityRow): RowMark[] {
  const { spam, integrityNote, reorg, versionCount } = marks;
  const found: RowMark[] = [];
  if (spam.hiddenReason !== null) found.push({ shape: 'hidden', ...hiddenWords[spam.hiddenReason] });
  else if (spam.decision === 'show' && spam.rules[0] !== undefined) {
    const rule = hiddenWords[spam.rules[0]];
    found.push({
      shape: 'shown',
      word: 'Shown by you',
      explanation: `A spam rule would hide this row, but you chose to show it. ${rule.word}: ${rule.explanation}`,
    });
  }
  const kept = versionCount > 0 ? ' See “Older versions” in the transaction’s details.' : '';
  if (integrityNote !== null) {
    found.push({ shape: 'integrity', word: 'Data differs', explanation: `${integrityNote}${kept}` });
  }
  if (reorg === 'reorganised') {
    const explanation = `Another block at the same height replaced this transaction’s block.${kept}`;
    found.push({ shape: 'reorganised', word: 'Reorganised', explanation });
  }
  if (reorg === 'gone') {
    const explanation = `A later check found that this transaction is no longer in its block.${kept}`;
    found.push({ shape: 'missing', word: 'Gone', explanation });
  }
  return found;
}
