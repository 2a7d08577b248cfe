import type { AlertGroup, AlertMessage } from '../../../../shared/alerts/types.ts';

export const groupTitles: Readonly<Record<AlertGroup, string>> = {
  open: 'Open',
  acknowledged: 'Acknowledged',
  snoozed: 'Snoozed',
  past: 'Past',
};

export const groupNothing: Readonly<Record<AlertGroup, string>> = {
  open: 'Nothing needs your attention.',
  acknowledged: 'No alert is acknowledged.',
  snoozed: 'No alert is snoozed.',
  past: 'No alert has ended yet.',
};

export const messageKinds: Readonly<Record<AlertMessage['kind'], string>> = {
  begin: 'Begin',
  worse: 'Getting worse',
  end: 'End',
  reminder: 'Reminder',
  flapping: 'Comes and goes',
  settled: 'Settled',
  summary: 'Summary',
  blind: 'Not seen',
  test: 'Test',
};

/** What became of a message. */
export function sentWords({ sent }: AlertMessage): string {
  const [first] = sent;
  if (first === undefined) return 'Not sent: notifications were off';
  if (first.state === 'accepted') return 'Accepted by the system';
  return `${first.state === 'refused' ? 'Refused' : 'Waiting'}${first.error === null ? '' : `: ${first.error.replace(/\.$/, '')}`}`;
}
