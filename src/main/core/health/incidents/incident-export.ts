import { subjectOf } from '../../../../shared/health/no-answer.ts';
import type { Incident } from '../../../../shared/health/types.ts';
import { csvLine } from '../../../../shared/csv.ts';

export type NamedIncident = { nodeName: string } & Incident;

const columns: readonly (readonly [name: string, cell: (of: NamedIncident) => string])[] = [
  ['node', ({ nodeName }) => nodeName],
  ['started', ({ startedAtMs }) => new Date(startedAtMs).toISOString()],
  ['start known from', ({ startKnownFrom }) => startKnownFrom],
  ['ended', ({ endedAtMs }) => (endedAtMs === null ? '' : new Date(endedAtMs).toISOString())],
  ['end known from', ({ endKnownFrom }) => endKnownFrom ?? ''],
  [
    'seconds',
    ({ startedAtMs, endedAtMs }) => (endedAtMs === null ? '' : `${(endedAtMs - startedAtMs) / 1_000}`),
  ],
  ['leading check', ({ leadingCheck }) => subjectOf(leadingCheck)],
  ['checks', ({ parts }) => [...new Set(parts.map(({ check }) => subjectOf(check)))].join('; ')],
  ['failures', ({ parts }) => String(parts.reduce((sum, { failures }) => sum + failures, 0))],
  ['first error', ({ firstError }) => firstError ?? ''],
  [
    'worst values',
    ({ worst }) => worst.map(({ check, label, value }) => `${check}: ${label} ${value}`).join('; '),
  ],
  ['gone nodes', ({ gone }) => gone.join('; ')],
  ['note', ({ note }) => note],
  ['id', ({ id }) => id],
];

/** One line per incident, times in UTC; an open incident has no end. */
export async function* incidentsAsCsv(incidents: AsyncIterable<NamedIncident>): AsyncGenerator<string> {
  yield csvLine(columns.map(([name]) => name));
  for await (const incident of incidents) yield csvLine(columns.map(([, cell]) => cell(incident)));
}

/** The incidents as JSON, each with the name of its node; times are milliseconds since 1970. */
export async function* incidentsAsJson(incidents: AsyncIterable<NamedIncident>): AsyncGenerator<string> {
  let isFirst = true;
  yield '[';
  for await (const incident of incidents) {
    yield `${isFirst ? '' : ','}\n${JSON.stringify(incident)}`;
    isFirst = false;
  }
  yield '\n]\n';
}
