import type { Alert, AlertMessage } from '../../../shared/alerts/types.ts';

/** One alert of each group, and messages about the first. */
export function sampleAlerts(nowMs: number): { alerts: Alert[]; messages: AlertMessage[] } {
  const minuteMs = 60_000;
  const alert = (key: string, nodeName: string, changed: Partial<Alert>): Alert => ({
    ...{ key, level: 'tell', startedAtMs: nowMs - 90 * minuteMs, endedAtMs: null },
    members: [
      {
        ...{ ids: [`${key}-1`], rule: 'incident', level: 'tell', nodeId: 'n1', nodeName, subject: 'network' },
        ...{ words: `Network on ${nodeName}: too few peers`, because: [], endedAtMs: null },
        sinceMs: nowMs - 90 * minuteMs,
      },
    ],
    ...{ saidAtMs: nowMs - 89 * minuteMs, acknowledgedAtMs: null },
    ...{ snoozedUntilMs: null, isHeld: false, named: [], flapping: 'no' },
    ...changed,
  });
  const message = (id: string, changed: Partial<AlertMessage>): AlertMessage => ({
    ...{ id, alertKey: 'a', kind: 'begin', level: 'tell', atMs: nowMs - 89 * minuteMs, body: '', hidden: '' },
    ...{ title: 'Network on Frankfurt 1: too few peers', incident: null },
    sent: [{ channel: 'system', state: 'accepted', atMs: nowMs - 89 * minuteMs, error: null }],
    ...changed,
  });
  return {
    alerts: [
      alert('a', 'Frankfurt 1', { level: 'wake' }),
      alert('b', 'Ashburn 2', { acknowledgedAtMs: nowMs }),
      alert('c', 'Singapore 3', { snoozedUntilMs: nowMs + 60 * minuteMs }),
      alert('d', 'Basement', { endedAtMs: nowMs - 30 * minuteMs }),
    ],
    messages: [
      message('2', {
        kind: 'reminder',
        sent: [
          { channel: 'system', state: 'waiting', atMs: nowMs, error: 'No notification server.' },
          { channel: 'webhook', state: 'off', atMs: nowMs, error: null },
        ],
      }),
      message('1', {}),
    ],
  };
}
