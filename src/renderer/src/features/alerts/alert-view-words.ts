import type { AlertGroup, AlertMessage } from '../../../../shared/alerts/types.ts';

export const groupTitles: Readonly<Record<AlertGroup, string>> = {
  open: 'Open',
  acknowledged: 'Acknowledged',
  snoozed: 'Snoozed',
  past: 'Ended',
};

export const messageKinds: Readonly<Record<AlertMessage['kind'], string>> = {
  news: 'New activity',
  begin: 'Started',
  worse: 'Getting worse',
  end: 'Ended',
  reminder: 'Reminder',
  flapping: 'Flapping',
  settled: 'Stopped flapping',
  summary: 'Summary',
  blind: 'Couldn’t watch nodes',
  test: 'Test',
};

const channelNames: Readonly<Record<string, string>> = {
  system: 'the system',
  webhook: 'your webhook',
  heartbeat: 'your heartbeat monitor',
};

const offWords: Readonly<Record<string, string>> = {
  system: 'notifications were turned off before it could be sent',
  webhook: 'your webhook was turned off before it could be sent',
};

/** What became of a message. */
export function sentWords({ sent }: AlertMessage): string {
  if (sent.length === 0) return 'Not sent because notifications and the webhook were off';
  return sent
    .map(({ channel, state, error }) => {
      const name = channelNames[channel] ?? channel;
      if (state === 'accepted') return `Accepted by ${name}`;
      if (state === 'off')
        return `Not sent: ${offWords[channel] ?? `${name} was turned off before it could be sent`}`;
      const words = state === 'refused' ? `Refused by ${name}` : `Waiting for ${name}`;
      return error === null ? words : `${words}: ${error.replace(/\.$/, '')}`;
    })
    .join('. ');
}
