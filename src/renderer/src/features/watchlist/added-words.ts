import type { AddedLine } from '../../../../shared/activity/types.ts';
import type { Tone } from '../../ui/text/tone.ts';

/** What became of a line, for people. */
export const outcomeWords: Readonly<Record<AddedLine['outcome'], { word: string; tone: Tone }>> = {
  added: { word: 'added', tone: 'pass' },
  updated: { word: 'updated', tone: 'pass' },
  duplicate: { word: 'twice in the list', tone: 'idle' },
  'wrong-checksum': { word: 'wrong checksum', tone: 'fail' },
  'not-an-address': { word: 'not an address', tone: 'fail' },
};

/** `3 added, 1 updated, 2 refused`. */
export function addedSummary(lines: readonly AddedLine[]): string {
  const count = (...outcomes: AddedLine['outcome'][]): number =>
    lines.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const parts = [
    [count('added'), 'added'],
    [count('updated'), 'updated'],
    [count('duplicate'), 'twice in the list'],
    [count('wrong-checksum', 'not-an-address'), 'refused'],
  ] as const;
  const said = parts.filter(([number]) => number > 0).map(([number, word]) => `${number} ${word}`);
  return said.length === 0 ? 'There was no address in it.' : `${said.join(', ')}.`;
}
