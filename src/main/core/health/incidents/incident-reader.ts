import { parseStoredReport } from '../../../../shared/health/stored.ts';
import { piecesOf } from '../../../../shared/health/names.ts';
import { Recent } from '../../../../shared/recent.ts';
import type { Incident, IncidentPart } from '../../../../shared/health/types.ts';
import { WorstValues } from '../../../../shared/health/worst-values.ts';
import type { StoredPoll } from '../../health-ports.ts';
import { endOfTimeMs, scanPolls, type HistorySource } from '../history/history-source.ts';

/** What was collected from the check messages during an incident. */
interface Told {
  /** Polls up to this time were read. */
  doneMs: number;
  values: WorstValues;
  /** Node ids named in the messages. */
  nodeIds: Set<string>;
}

/** Limits memory: the messages are untrusted. */
const mostNodeIds = 1_000;
const mostKept = 1_000;

/** Caches what incidents' messages contain, so that each poll is read only once while an incident stays the same. */
export class ToldByIncidents {
  readonly #kept = new Recent<string, Told & { spans: string }>(mostKept);

  /** Reads further polls, a few at a time, until that is enough; `isWhole`: there are no more. */
  async of(
    source: HistorySource,
    incident: Incident,
    isEnough = (): boolean => false,
  ): Promise<Told & { isWhole: boolean }> {
    const key = `${source.id} ${incident.id}`;
    const spans = JSON.stringify(
      incident.parts.map(({ id, startedAtMs, endedAtMs }) => [id, startedAtMs, endedAtMs]),
    );
    let entry = this.#kept.get(key);
    if (entry?.spans !== spans) {
      entry = { spans, doneMs: incident.startedAtMs - 1, values: new WorstValues(), nodeIds: new Set() };
      this.#kept.set(key, entry);
    }
    const endMs = incident.endedAtMs ?? endOfTimeMs;
    if (entry.doneMs >= endMs) return { ...entry, isWhole: true };
    if (isEnough()) return { ...entry, isWhole: false };
    // By check: a hostile node has thousands.
    const parts = Map.groupBy(incident.parts, ({ check }) => check);
    for await (const poll of scanPolls(source, entry.doneMs, endMs)) {
      readPoll(parts, entry, poll);
      if (isEnough()) return { ...entry, isWhole: false };
    }
    // An ended incident is read only once.
    if (incident.endedAtMs !== null) entry.doneMs = endMs;
    return { ...entry, isWhole: true };
  }
}

/** Collects what one poll tells. */
function readPoll(parts: ReadonlyMap<string, readonly IncidentPart[]>, entry: Told, poll: StoredPoll): void {
  const inside = poll.runs.filter(({ check, ranAtMs }) => isInside(parts.get(check) ?? [], ranAtMs));
  const report = inside.length === 0 ? null : parseStoredReport(poll.reportJson);
  const messages = new Map(report?.checks.map(({ name, message }) => [name, message]));
  for (const { check } of inside) {
    const message = messages.get(check) ?? null;
    if (message === null) continue;
    entry.values.add(check, message);
    for (const { text, isNodeId } of piecesOf(JSON.stringify(message)))
      if (isNodeId && entry.nodeIds.size < mostNodeIds) entry.nodeIds.add(text);
  }
  entry.doneMs = Math.max(entry.doneMs, poll.polledAtMs);
}

const isInside = (parts: readonly IncidentPart[], atMs: number): boolean =>
  parts.some(({ startedAtMs, endedAtMs }) => atMs >= startedAtMs && (endedAtMs === null || atMs < endedAtMs));
