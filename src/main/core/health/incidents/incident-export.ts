import { subjectOf } from '../../../../shared/health/no-answer.ts';
import type { Incident } from '../../../../shared/health/types.ts';
import { csvLine } from '../../../../shared/csv.ts';

export interface NamedIncident {
  nodeName: string;
  incident: Incident;
}

const columns = [
  'node',
  'started',
  'start known from',
  'ended',
  'end known from',
  'seconds',
  'leading check',
  'checks',
  'failures',
  'first error',
  'worst values',
  'note',
  'id',
] as const;

/** One line an incident, times in UTC; what lasts has no end. */
export async function* incidentsAsCsv(incidents: AsyncIterable<NamedIncident>): AsyncGenerator<string> {
  yield csvLine(columns);
  for await (const { nodeName, incident } of incidents) {
    const { startedAtMs, endedAtMs, parts, worst } = incident;
    const cells: Record<(typeof columns)[number], string> = {
      node: nodeName,
      started: new Date(startedAtMs).toISOString(),
      'start known from': incident.startKnownFrom,
      ended: endedAtMs === null ? '' : new Date(endedAtMs).toISOString(),
      'end known from': incident.endKnownFrom ?? '',
      seconds: endedAtMs === null ? '' : String((endedAtMs - startedAtMs) / 1_000),
      'leading check': subjectOf(incident.leadingCheck),
      checks: [...new Set(parts.map(({ check }) => subjectOf(check)))].join('; '),
      failures: String(parts.reduce((sum, { failures }) => sum + failures, 0)),
      'first error': incident.firstError ?? '',
      'worst values': worst.map(({ check, label, value }) => `${check}: ${label} ${value}`).join('; '),
      note: incident.note,
      id: incident.id,
    };
    yield csvLine(columns.map((column) => cells[column]));
  }
}

/** A list of incidents as they are, each with the name of its node; times are milliseconds since 1970. */
export async function* incidentsAsJson(incidents: AsyncIterable<NamedIncident>): AsyncGenerator<string> {
  let isFirst = true;
  yield '[';
  for await (const { nodeName, incident } of incidents) {
    yield `${isFirst ? '' : ','}\n${JSON.stringify({ nodeName, ...incident })}`;
    isFirst = false;
  }
  yield '\n]\n';
}
