import type { ProbeAnswer } from '../../../../../shared/health/types.ts';
import type { Tone } from '../../../ui/text/tone.ts';

/** The node's own verdict, or why it could not be read. */
export const probeWords: Readonly<Record<ProbeAnswer['says'], string>> = {
  yes: 'Yes',
  no: 'No',
  'no-answer': 'No response',
};

export const probeTones: Readonly<Record<ProbeAnswer['says'], Tone>> = {
  yes: 'pass',
  no: 'fail',
  'no-answer': 'gone',
};
