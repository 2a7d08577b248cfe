import type { Alert, AlertMessage } from '../../../shared/alerts/types.ts';
import type { ResultOf } from '../../../shared/ipc/contract.ts';

/** Open alerts, then those that are over, and messages, the newest first; what the disk has refused in place of what it has. */
export function listOf(
  stored: ResultOf<'alerts.list'>,
  unsaved: { alerts: ReadonlyMap<string, Alert>; messages: ReadonlyMap<string, AlertMessage> },
  current: ReadonlyMap<string, Alert>,
): ResultOf<'alerts.list'> {
  const isOver = ({ endedAtMs }: Alert): number => (endedAtMs === null ? 0 : 1);
  const open = [...current.values()].filter((alert) => isOver(alert) === 0);
  const alerts = [...stored.alerts, ...unsaved.alerts.values(), ...open.reverse()];
  return {
    alerts: [...new Map(alerts.map((alert) => [alert.key, alert])).values()].sort(
      (a, b) => isOver(a) - isOver(b) || b.startedAtMs - a.startedAtMs,
    ),
    messages: [
      ...[...unsaved.messages.values()].reverse(),
      ...stored.messages.filter(({ id }) => !unsaved.messages.has(id)),
    ],
  };
}
