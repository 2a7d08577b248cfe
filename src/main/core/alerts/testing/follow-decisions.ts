import { defaultSettings, type AlertSettings } from '../../../../shared/settings.ts';
import { decide, noAlerts, type AlertEvent, type AlertState, type Decision } from '../decide.ts';
import type { Condition } from '../rules.ts';

export const minuteMs = 60_000;
export const hourMs = 3_600_000;
/** Local noon, so that the quiet hours of the tests are the same everywhere. */
export const noonMs = new Date(2026, 5, 3, 12).getTime();

export function condition(nodeId: string, sinceMs: number, changed: Partial<Condition> = {}): Condition {
  const nodeName = nodeId;
  return {
    ...{ ids: [`${nodeId}-${sinceMs}`], rule: 'incident', level: 'tell', nodeId, nodeName, subject: 'C' },
    ...{ words: `C on ${nodeId} fails`, because: [], sinceMs, endedAtMs: null, isDue: true },
    ...changed,
  };
}

/** Takes events one after the other. */
export function follow(settings: Partial<AlertSettings> = {}) {
  let state: AlertState = noAlerts;
  const kinds: string[] = [];
  const all: Decision[] = [];
  const take = (afterNoonMs: number, event: AlertEvent): Decision => {
    const decision = decide(state, event, {
      atMs: noonMs + afterNoonMs,
      settings: { ...defaultSettings.alerts, ...settings },
    });
    state = decision.state;
    kinds.push(...decision.messages.map(({ kind }) => kind));
    all.push(decision);
    return decision;
  };
  return {
    kinds,
    all,
    take,
    see: (afterNoonMs: number, nodeId: string, ...conditions: Condition[]) =>
      take(afterNoonMs, { kind: 'seen', nodeId, conditions }),
    key: () => [...state.alerts.keys()].at(-1) ?? '',
    open: () => [...state.alerts.values()].filter(({ endedAtMs }) => endedAtMs === null),
  };
}
