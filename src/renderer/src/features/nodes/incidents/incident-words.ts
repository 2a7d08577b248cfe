import type { Incident, NodeStatus } from '../../../../../shared/health/types.ts';
import type { IncidentFilter } from '../../../../../shared/ipc/contract.ts';
import { spanOfDays } from '../../../ui/text/days.ts';
import { dayMs } from '../../../../../shared/time.ts';

/** How old an incident may be; `days` is from one day to another. */
export const ageOptions = [
  { value: 'any', text: 'Any time', days: null },
  { value: 'day', text: 'Last 24 hours', days: 1 },
  { value: 'week', text: 'Last 7 days', days: 7 },
  { value: 'month', text: 'Last 30 days', days: 30 },
  { value: 'year', text: 'Past year', days: 365 },
  { value: 'days', text: 'Custom dates', days: null },
] as const;

export type IncidentAge = (typeof ageOptions)[number]['value'];

/** Which incidents the user has chosen to see. */
export interface IncidentChoice {
  nodeId: string | null;
  check: string | null;
  state: IncidentFilter['state'];
  age: IncidentAge;
  /** First and last day of `days` as `2026-09-16`, in the zone that is shown; empty: open. */
  fromDay: string;
  toDay: string;
  text: string;
}

export const everyIncident: IncidentChoice = {
  nodeId: null,
  check: null,
  state: 'all',
  age: 'any',
  fromDay: '',
  toDay: '',
  text: '',
};

/** The filter of a choice; `fixedNodeId` is the node whose panel it is. */
export function filterOf(choice: IncidentChoice, fixedNodeId: string | null, nowMs: number): IncidentFilter {
  return {
    nodeId: fixedNodeId ?? choice.nodeId,
    check: choice.check,
    state: choice.state,
    ...spanOfAge(choice, nowMs),
    text: choice.text.trim(),
  };
}

function spanOfAge(
  { age, fromDay, toDay }: IncidentChoice,
  nowMs: number,
): Pick<IncidentFilter, 'fromMs' | 'toMs'> {
  if (age !== 'days') {
    const days = ageOptions.find(({ value }) => value === age)?.days ?? null;
    return { fromMs: days === null ? null : nowMs - days * dayMs, toMs: null };
  }
  const { fromMs, beforeMs } = spanOfDays(fromDay, toDay);
  return { fromMs, toMs: beforeMs === null ? null : beforeMs - 1 };
}

/** True when the last day is before the first, so that there can be no incident between them. */
export function isBackwards({ age, fromDay, toDay }: IncidentChoice): boolean {
  return age === 'days' && fromDay !== '' && toDay !== '' && toDay < fromDay;
}

export const isNarrowed = (choice: IncidentChoice): boolean =>
  choice.nodeId !== null ||
  choice.check !== null ||
  choice.state !== 'all' ||
  choice.age !== 'any' ||
  choice.text.trim() !== '';

/** Names of checks to choose from: those of the last reports and those of incidents, at most 300. */
export function checkOptions(statuses: readonly NodeStatus[], incidents: readonly Incident[]): string[] {
  const names = new Set<string>();
  for (const { parts } of incidents) for (const { check } of parts) names.add(check);
  for (const { report } of statuses) for (const { name } of report?.checks ?? []) names.add(name);
  return [...names].slice(0, 300).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}
