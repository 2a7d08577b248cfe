import type { ProbeAnswer } from '../../../../../shared/health/types.ts';
import type { Tone } from '../../../ui/text/tone.ts';

/** The node's own verdict, or why it could not be read. */
export const probeLabels: Readonly<Record<ProbeAnswer['says'], { tone: Tone; word: string }>> = {
  yes: { tone: 'pass', word: 'Yes' },
  no: { tone: 'fail', word: 'No' },
  'no-answer': { tone: 'gone', word: 'No response' },
};
