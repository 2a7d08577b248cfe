import type { RuleName } from '../../../../shared/alerts/types.ts';
import type { AlertSettings } from '../../../../shared/settings.ts';
import { numberOf } from './number-fields.ts';

export const ruleWords: Readonly<Record<RuleName, readonly [name: string, words: string]>> = {
  incident: ['Incidents', 'Failing checks and nodes that aren’t responding.'],
  standstill: [
    'Stalled chains and nodes',
    'A chain stalls on one node for 3 minutes while another node makes progress (urgent after 10 minutes), or a node stops running its checks.',
  ],
  disk: [
    'Free disk',
    'Less than 10% of the disk is free, or at the current rate the node will reach its disk limit in less than 7 days.',
  ],
  peers: ['Peers', 'A node has fewer than 3 peers in two check runs in a row.'],
  app: [
    'The app',
    'The service refuses your API key, the app can’t save new data, or a newer version is available.',
  ],
};

export const levelWords = { off: 'Off', tell: 'Normal', wake: 'Urgent' } as const;

export const shapeWords = { json: 'JSON', ntfy: 'ntfy', slack: 'Slack', discord: 'Discord' } as const;

export const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

/** The port that a text names; null for none that is allowed. */
export const portOf = (text: string): number | null => numberOf(text, { min: 1_024, max: 65_535 });

/** `22:00` for minutes since midnight. */
export function minuteText(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}

/** Minutes since midnight; null for a text that is no time of day. */
export function minuteOf(text: string): number | null {
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text.trim()) ?? [];
  return hours === undefined || minutes === undefined ? null : Number(hours) * 60 + Number(minutes);
}

export function withDay(days: AlertSettings['quiet']['days'], day: number, isOn: boolean): number[] {
  return [...days.filter((each) => each !== day), ...(isOn ? [day] : [])].sort((a, b) => a - b);
}
