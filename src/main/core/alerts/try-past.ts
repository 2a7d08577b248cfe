import type { AlertMessage } from '../../../shared/alerts/types.ts';
import { settingsOfNode } from '../../../shared/alerts/thresholds.ts';
import { foldIncidents } from '../../../shared/health/incidents.ts';
import type { ChainNames } from '../../../shared/health/names.ts';
import { noAnswer } from '../../../shared/health/no-answer.ts';
import type { Incident } from '../../../shared/health/types.ts';
import type { AlertSettings } from '../../../shared/settings.ts';
import { chainChecksOfSource, endOfTimeMs, type HistorySource } from '../health/history/history-source.ts';
import type { IncidentService } from '../health/incidents/incident-service.ts';
import type { Timers } from '../ports.ts';
import { decide, noAlerts, type AlertState } from './decide.ts';
import { factsOf, type Condition } from './rules.ts';

/** What settles or waits for the end of quiet hours is noticed with this delay. */
const tickMs = 15 * 60_000;

/** Changes that are decided without a break: the app does nothing else meanwhile. */
const mostAtOnce = 200;

/** What begins something for the user, and not what ends, repeats or completes it. */
const counted: readonly AlertMessage['kind'][] = ['begin', 'flapping', 'summary'];

/**
 * Which alerts incidents of a span would have caused, by these settings: stored failures through the same `decide`,
 * oldest first. A failure is taken as known from its beginning on, and no answer once it has lasted.
 */
export async function tryPast(
  sources: readonly HistorySource[],
  settings: AlertSettings,
  { fromMs, toMs }: { fromMs: number; toMs: number },
  ports: TryPorts,
): Promise<AlertMessage[]> {
  const active = new Set<Known>();
  const changes: { atMs: number; known: Known[] }[] = [];
  for (let atMs = fromMs; atMs < toMs; atMs += tickMs) changes.push({ atMs, known: [] });
  for (const source of sources)
    for (const known of await knownOf(source, settingsOfNode(settings, source.id), fromMs, ports))
      for (const atMs of [Math.max(known.dueMs, fromMs), known.endsMs])
        if (atMs <= toMs) changes.push({ atMs, known: [known] });
  let state: AlertState = noAlerts;
  const told: AlertMessage[] = [];
  let count = 0;
  changes.sort((a, b) => a.atMs - b.atMs);
  for (const [atMs, same] of Map.groupBy(changes, (change) => change.atMs)) {
    const changed = same.flatMap(({ known }) => known);
    for (const known of changed) {
      count += 1;
      if (count % mostAtOnce === 0) await new Promise<void>((resolve) => ports.timers.after(0, resolve));
      if (known.endsMs > atMs) active.add(known);
      else active.delete(known);
    }
    const seen = [...new Set(changed.map(({ condition }) => condition.nodeId))].map((nodeId) => ({
      kind: 'seen' as const,
      nodeId,
      conditions: [...active].map(({ condition }) => condition).filter((one) => one.nodeId === nodeId),
    }));
    for (const event of [...seen, { kind: 'tick' as const }]) {
      const decision = decide(state, event, { atMs, settings });
      ({ state } = decision);
      // What was the case before the span was alerted to before it.
      if (atMs > fromMs) told.push(...decision.messages.filter(({ kind }) => counted.includes(kind)));
    }
  }
  return told;
}

interface TryPorts {
  failuresOf: IncidentService['failuresOf'];
  chains: ChainNames;
  timers: Timers;
}

interface Known {
  condition: Condition;
  /** From then until then it is the case and has reached its threshold. */
  dueMs: number;
  endsMs: number;
}

async function knownOf(
  source: HistorySource,
  settings: AlertSettings,
  fromMs: number,
  { failuresOf, chains }: TryPorts,
): Promise<Known[]> {
  const level = settings.rules.incident;
  if (level === 'off') return [];
  const { id: nodeId, name: nodeName } = source;
  const rest = { rule: 'incident' as const, level, nodeId, nodeName, because: [], endedAtMs: null };
  const [episodes, chainChecks] = await Promise.all([
    failuresOf(source, fromMs),
    chainChecksOfSource(source),
  ]);
  const fold = (failAfter: number): Incident[] =>
    foldIncidents({
      ...{ nodeId, episodes, marks: [], chainChecks },
      thresholds: { failAfter, recoverAfter: settings.recoverAfter },
    });
  // Of a node that does not answer, only for how long counts.
  return [
    ...fold(settings.failAfter).filter(({ leadingCheck }) => leadingCheck !== noAnswer),
    ...fold(1).filter(({ leadingCheck }) => leadingCheck === noAnswer),
  ]
    .map((incident) => {
      const waitsMs = incident.leadingCheck === noAnswer ? settings.silentSeconds * 1_000 : 0;
      return {
        condition: { ...factsOf(incident, { node: source.name, chains }), ...rest, isDue: true },
        dueMs: incident.startedAtMs + waitsMs,
        endsMs: incident.endedAtMs ?? endOfTimeMs,
      };
    })
    .filter(({ dueMs, endsMs }) => dueMs < endsMs);
}
