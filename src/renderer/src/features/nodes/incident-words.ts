import type { Incident, IncidentFilter, NodeStatus } from '../../../../shared/health/types.ts';
import { shortName, type ChainNames } from './node-words.ts';

export type IncidentAge = 'any' | 'day' | 'week' | 'month' | 'year';

const dayMs = 86_400_000;
const agesMs: Readonly<Record<IncidentAge, number | null>> = {
  any: null,
  day: dayMs,
  week: 7 * dayMs,
  month: 30 * dayMs,
  year: 365 * dayMs,
};

export const ageOptions: readonly { value: IncidentAge; text: string }[] = [
  { value: 'any', text: 'any time' },
  { value: 'day', text: 'last 24 hours' },
  { value: 'week', text: 'last 7 days' },
  { value: 'month', text: 'last 30 days' },
  { value: 'year', text: 'last year' },
];

/** What the user has chosen to see of incidents. */
export interface IncidentChoice {
  nodeId: string | null;
  check: string | null;
  state: IncidentFilter['state'];
  age: IncidentAge;
  text: string;
}

export const everyIncident: IncidentChoice = {
  nodeId: null,
  check: null,
  state: 'all',
  age: 'any',
  text: '',
};

/** The filter of a choice; `fixedNodeId` is the node whose panel it is. */
export function filterOf(choice: IncidentChoice, fixedNodeId: string | null, nowMs: number): IncidentFilter {
  const ageMs = agesMs[choice.age];
  return {
    nodeId: fixedNodeId ?? choice.nodeId,
    check: choice.check,
    state: choice.state,
    fromMs: ageMs === null ? null : nowMs - ageMs,
    toMs: null,
    text: choice.text.trim(),
  };
}

export function isNarrowed(choice: IncidentChoice): boolean {
  return (
    choice.nodeId !== null ||
    choice.check !== null ||
    choice.state !== 'all' ||
    choice.age !== 'any' ||
    choice.text.trim() !== ''
  );
}

/** `diskspace`, `diskspace and 1 more`: the check that leads, and how many went with it. */
export function incidentTitle(
  { leadingCheck, parts }: Pick<Incident, 'leadingCheck' | 'parts'>,
  chains: ChainNames,
): string {
  const others = new Set(parts.map(({ check }) => check));
  others.delete(leadingCheck);
  const name = shortName(leadingCheck, chains);
  return others.size === 0 ? name : `${name} and ${others.size} more`;
}

/** Names of checks to choose from: those of the last reports and those of incidents, at most 300. */
export function checkOptions(statuses: readonly NodeStatus[], incidents: readonly Incident[]): string[] {
  const names = new Set<string>();
  for (const { parts } of incidents) for (const { check } of parts) names.add(check);
  for (const { report } of statuses) for (const { name } of report?.checks ?? []) names.add(name);
  return [...names].slice(0, 300).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}
