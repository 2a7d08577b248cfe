import { foldIncidents, type Thresholds } from '../../../../shared/health/incidents.ts';
import { parseStoredReport } from '../../../../shared/health/stored.ts';
import { piecesOf } from '../../../../shared/health/names.ts';
import type {
  FailureEpisode,
  Incident,
  IncidentMark,
  IncidentPart,
} from '../../../../shared/health/types.ts';
import { WorstValues } from '../../../../shared/health/worst-values.ts';
import type { StoredPoll } from '../../health-ports.ts';
import { chainChecksOfSource, endOfTimeMs, type HistorySource } from '../history/history-source.ts';

/** The incidents of one source, and the data they were computed from. */
export interface SourceIncidents {
  source: HistorySource;
  /** Newest start first; their worst values are not filled in. */
  incidents: readonly Incident[];
  marks: readonly IncidentMark[];
  chainChecks: ReadonlySet<string>;
}

/** The store's limit for one read. */
const mostEpisodes = 20_000;
const pageSize = 500;

/** Like the store's `readEpisodesIn`, but without its limit; newest start first. */
export async function allEpisodesIn(
  { id, store }: HistorySource,
  fromMs: number,
  toMs: number,
): Promise<FailureEpisode[]> {
  const all = new Map<string, FailureEpisode>();
  let beforeMs = toMs;
  for (;;) {
    const page = await store.readEpisodesIn(id, fromMs, beforeMs, mostEpisodes);
    for (const episode of page) all.set(episode.id, episode);
    const last = page.at(-1);
    if (page.length < mostEpisodes || last === undefined) return [...all.values()];
    // Reads the last start's millisecond again, as more may have begun in it; beyond a full page they are lost.
    beforeMs = Math.min(beforeMs - 1, last.startedAtMs + 1);
  }
}

/** Computes the incidents of a source from the store. */
export async function readIncidents(source: HistorySource, thresholds: Thresholds): Promise<SourceIncidents> {
  const { id, store } = source;
  const [episodes, marks, chainChecks] = await Promise.all([
    allEpisodesIn(source, -endOfTimeMs, endOfTimeMs),
    store.readIncidentMarks(id),
    chainChecksOfSource(source),
  ]);
  const incidents = foldIncidents({
    nodeId: id,
    episodes,
    marks,
    chainChecks,
    thresholds,
  });
  return { source, incidents, marks, chainChecks };
}

/** Stored polls with `afterMs < polledAtMs <= toMs`, oldest first, read in pages. */
export async function* scanPolls(
  { id, store }: HistorySource,
  afterMs: number,
  toMs: number,
  size = pageSize,
): AsyncGenerator<StoredPoll> {
  let doneMs = afterMs;
  for (;;) {
    const page = await store.scanPolls(id, doneMs, toMs, size);
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    doneMs = last.polledAtMs;
  }
}

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

/** Caches what incidents' messages contain, so that each poll is read only once while an incident stays the same. */
export class ToldByIncidents {
  readonly #kept = new Map<string, Told & { spans: string }>();

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
    const kept = this.#kept.get(key);
    const entry =
      kept?.spans === spans
        ? kept
        : { spans, doneMs: incident.startedAtMs - 1, values: new WorstValues(), nodeIds: new Set<string>() };
    const endMs = incident.endedAtMs ?? endOfTimeMs;
    const isWhole = entry.doneMs >= endMs || (await readTold(source, incident, entry, { endMs, isEnough }));
    this.#kept.delete(key);
    this.#kept.set(key, entry);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= mostKept) break;
      this.#kept.delete(oldest);
    }
    return { ...entry, isWhole };
  }
}

const mostKept = 1_000;

async function readTold(
  source: HistorySource,
  incident: Incident,
  entry: Told,
  { endMs, isEnough }: { endMs: number; isEnough: () => boolean },
): Promise<boolean> {
  // By check: a hostile node has thousands.
  const parts = Map.groupBy(incident.parts, ({ check }) => check);
  let size = firstPolls;
  while (!isEnough()) {
    const page = await source.store.scanPolls(source.id, entry.doneMs, endMs, size);
    let checks = 1;
    for (const poll of page) checks = Math.max(checks, readPoll(parts, entry, poll));
    if (page.length === 0) {
      // An ended incident is read only once.
      if (incident.endedAtMs !== null) entry.doneMs = endMs;
      return true;
    }
    size = Math.min(pageSize, Math.max(1, Math.floor(checksAtOnce / checks)));
  }
  return false;
}

/** Polls, and checks in them, that are read without a break: other calls of the store wait for them. */
const firstPolls = 1;
const checksAtOnce = 4_000;

type PartsByCheck = ReadonlyMap<string, readonly IncidentPart[]>;

/** Collects what one poll tells; returns how many checks its report has. */
function readPoll(parts: PartsByCheck, entry: Told, poll: StoredPoll): number {
  const inside = poll.runs.filter(({ check, ranAtMs }) => isInside(parts.get(check) ?? [], ranAtMs));
  const report = inside.length === 0 || poll.reportJson === null ? null : parseStoredReport(poll.reportJson);
  const messages = new Map(report?.checks.map(({ name, message }) => [name, message]));
  for (const { check } of inside) {
    const message = messages.get(check) ?? null;
    if (message === null) continue;
    entry.values.add(check, message);
    for (const { text, isNodeId } of piecesOf(JSON.stringify(message)))
      if (isNodeId && entry.nodeIds.size < mostNodeIds) entry.nodeIds.add(text);
  }
  entry.doneMs = Math.max(entry.doneMs, poll.polledAtMs);
  return report?.checks.length ?? poll.runs.length;
}

function isInside(parts: readonly IncidentPart[], atMs: number): boolean {
  return parts.some(
    ({ startedAtMs, endedAtMs }) => atMs >= startedAtMs && (endedAtMs === null || atMs < endedAtMs),
  );
}
