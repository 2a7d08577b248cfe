import { byText } from '../../../../shared/by-text.ts';
import { notFound } from '../../../../shared/errors.ts';
import { noteMarks, type Thresholds } from '../../../../shared/health/incidents.ts';
import { checkName } from '../../../../shared/health/names.ts';
import { noAnswer } from '../../../../shared/health/no-answer.ts';
import { createRedactor } from '../../../../shared/health/redact.ts';
import { mostPasses } from '../../../../shared/health/stored.ts';
import type { FailureEpisode, Incident } from '../../../../shared/health/types.ts';
import type { ArgsOf, IncidentFilter, ResultOf } from '../../../../shared/ipc/contract.ts';
import { Turns } from '../../../../shared/turns.ts';
import type { StoredPoll } from '../../health-ports.ts';
import type { FileSaver, Ports } from '../../ports.ts';
import { fileNameOf } from '../../file-name.ts';
import { incidentsAsCsv, incidentsAsJson, type NamedIncident } from './incident-export.ts';
import { ToldByIncidents } from './incident-reader.ts';
import { KnownIncidents, type SourceIncidents } from './known-incidents.ts';
import type { HistorySource, HistorySources } from '../history/history-source.ts';
import { readPostMortem } from './post-mortem-facts.ts';
import { postMortemHtml } from './post-mortem.ts';

export interface IncidentDeps extends Pick<Ports, 'emit' | 'clock'> {
  sources: HistorySources;
  thresholds: () => Thresholds;
  saver: FileSaver;
}

interface Found {
  known: SourceIncidents;
  incident: Incident;
}

/** How long a list waits for what messages tell: a day of failing has 2,880 polls. */
const listWaitsMs = 20;

/**
 * Incidents of nodes and recordings, computed from stored episodes and the user's marks and cached until one of these
 * changes. An incident is also found by the id of any of its parts, as its leading one may change.
 */
export class IncidentService {
  readonly #deps: IncidentDeps;
  readonly #known = new KnownIncidents();
  readonly #told = new ToldByIncidents();
  readonly #readingOn = new Set<string>();
  readonly #turns = new Turns();

  constructor(deps: IncidentDeps) {
    this.#deps = deps;
  }

  /** Must be called for every poll once it is stored, or the disk has refused it. */
  pollRecorded({ nodeId, episodes }: Pick<StoredPoll, 'nodeId' | 'episodes'>): void {
    this.#known.changed(nodeId, episodes);
    const { recoverAfter } = this.#deps.thresholds();
    // Further passes than are required change nothing, unless they settle it.
    if (episodes.some(({ passes }) => passes <= recoverAfter || passes === mostPasses)) this.#changed(nodeId);
  }

  /** Must be called when the settings have changed, and when the store may have let failures go. */
  readAnew(): void {
    this.#known.keep(new Set());
    for (const { id } of this.#deps.sources.all()) this.#changed(id);
  }

  /** Failures that are open or have ended at `fromMs` or later. */
  failuresOf(source: HistorySource, fromMs: number): Promise<FailureEpisode[]> {
    return this.#known.failuresOf(source, fromMs);
  }

  /** Newest start first. `nodeId` null means all watched nodes, without recordings. */
  async list({ filter, offset, limit }: ArgsOf<'incidents.list'>): Promise<ResultOf<'incidents.list'>> {
    const all = await this.#filtered(filter);
    const incidents: Incident[] = [];
    const { clock } = this.#deps;
    const untilMs = clock.monotonicMs() + listWaitsMs;
    for (const found of all.slice(offset, offset + limit))
      incidents.push(await this.#withTold(found, () => clock.monotonicMs() >= untilMs));
    return { incidents, totalCount: all.length };
  }

  async find(nodeId: string, id: string): Promise<Incident> {
    return await this.#withTold(await this.#find(nodeId, id));
  }

  /** One at a time: each call depends on the marks that the previous one left. */
  note({ nodeId, id, note }: ArgsOf<'incidents.note'>): Promise<ResultOf<'incidents.note'>> {
    return this.#turns.take(async () => {
      const { known, incident } = await this.#find(nodeId, id);
      try {
        for (const mark of noteMarks(incident, note.trim(), known.marks))
          await known.source.store.putIncidentMark(nodeId, mark);
      } finally {
        this.#changed(nodeId);
      }
      return await this.find(nodeId, incident.id);
    });
  }

  /** Null when the user cancelled the save dialog. */
  async export({ filter, format }: ArgsOf<'incidents.export'>): Promise<ResultOf<'incidents.export'>> {
    const all = await this.#filtered(filter);
    const { saver, clock } = this.#deps;
    const path = await saver.choose(fileNameOf('incidents', clock.nowMs(), format), format);
    if (path === null) return null;
    const named = this.#named(all);
    await saver.write(path, format === 'csv' ? incidentsAsCsv(named) : incidentsAsJson(named));
    return { path, count: all.length };
  }

  /** Null when the user cancelled the save dialog. */
  async postMortem(args: ArgsOf<'incidents.postMortem'>): Promise<ResultOf<'incidents.postMortem'>> {
    const { nodeId, id, redact } = args;
    const found = await this.#find(nodeId, id);
    const { saver, clock, sources } = this.#deps;
    const { source, chainChecks } = found.known;
    const incident = await this.#withTold(found);
    const check = incident.leadingCheck === noAnswer ? 'no-answer' : incident.leadingCheck;
    // Notes may mention any node, and an alias of a chain is a name chosen by the operator.
    const redactor = () => createRedactor([...sources.every().map((each) => each.name), ...chainChecks]);
    const name = redact ? `incident-${redactor()(check)}` : `${source.name}-${check}`;
    const path = await saver.choose(fileNameOf(name, incident.startedAtMs, 'html', 'second'), 'html');
    if (path === null) return null;
    const named = redact ? [] : sources.all();
    const facts = await readPostMortem(source, incident, {
      nowMs: clock.nowMs(),
      nodeNames: new Map(named.flatMap(({ nodeId, name }) => (nodeId == null ? [] : [[nodeId, name]]))),
      redact: redact ? redactor() : null,
    });
    await saver.write(path, [postMortemHtml(facts)]);
    return { path };
  }

  // ---- Cache and search ---------------------------------------------------------------------------------------------

  #incidentsOf(source: HistorySource): Promise<SourceIncidents> {
    return this.#known.of(source, this.#deps.thresholds());
  }

  async #filtered(filter: IncidentFilter): Promise<Found[]> {
    const { sources } = this.#deps;
    // Closed recordings do not stay in memory.
    this.#known.keep(new Set(sources.every().map(({ id }) => id)));
    const one = filter.nodeId === null ? null : sources.find(filter.nodeId);
    const wanted = filter.nodeId === null ? sources.all() : one === null ? [] : [one];
    const found: Found[] = [];
    for (const source of wanted) {
      const known = await this.#incidentsOf(source);
      for (const incident of known.incidents) if (matches(incident, filter)) found.push({ known, incident });
    }
    // The sort is stable, so incidents of one node keep their order.
    return found.sort(
      ({ incident: a }, { incident: b }) => b.startedAtMs - a.startedAtMs || byText(a.nodeId, b.nodeId),
    );
  }

  /** Finds an incident by its id or the id of one of its parts, in one source: a recording's ids equal its node's. */
  async #find(nodeId: string, id: string): Promise<Found> {
    const source = this.#deps.sources.find(nodeId);
    const known = source === null ? null : await this.#incidentsOf(source);
    const incident =
      known?.incidents.find((each) => each.id === id) ??
      known?.incidents.find(({ parts }) => parts.some((part) => part.id === id));
    if (known !== null && incident !== undefined) return { known, incident };
    notFound(
      'This incident isn’t stored here. It may have been removed with its node, or be on another computer.',
    );
  }

  async #withTold({ known, incident }: Found, isEnough?: () => boolean): Promise<Incident> {
    const { values, nodeIds, isWhole } = await this.#told.of(known.source, incident, isEnough);
    if (!isWhole) this.#readOn(known.source, incident);
    const { startedAtMs, endedAtMs } = incident;
    const gone: string[] = [];
    for (const other of this.#deps.sources.all()) {
      if (other.nodeId == null || !nodeIds.has(other.nodeId)) continue;
      const { incidents } = await this.#incidentsOf(other);
      const isGone = (each: Incident): boolean =>
        each.leadingCheck === noAnswer &&
        each.startedAtMs < (endedAtMs ?? Infinity) &&
        startedAtMs < (each.endedAtMs ?? Infinity);
      if (incidents.some(isGone)) gone.push(other.name);
    }
    return { ...incident, worst: values.list(), gone };
  }

  /** Reads on what an incident's messages tell, and then has it shown. A failure shows with the next call. */
  #readOn(source: HistorySource, incident: Incident): void {
    const key = `${source.id} ${incident.id}`;
    if (this.#readingOn.has(key)) return;
    this.#readingOn.add(key);
    const end = (): boolean => this.#readingOn.delete(key);
    this.#told
      .of(source, incident)
      .then(() => end() && this.#deps.emit('incidents.changed', { nodeId: source.id }), end);
  }

  async *#named(all: readonly Found[]): AsyncGenerator<NamedIncident> {
    for (const found of all) yield { nodeName: found.known.source.name, ...(await this.#withTold(found)) };
  }

  #changed(nodeId: string): void {
    this.#known.outdate(nodeId);
    this.#deps.emit('incidents.changed', { nodeId });
  }
}

function matches(incident: Incident, { check, state, fromMs, toMs, text }: IncidentFilter): boolean {
  if (check !== null && !incident.parts.some((part) => part.check === check)) return false;
  if (state !== 'all' && (incident.endedAtMs === null) !== (state === 'open')) return false;
  if (fromMs !== null && incident.endedAtMs !== null && incident.endedAtMs < fromMs) return false;
  if (toMs !== null && incident.startedAtMs > toMs) return false;
  const words = text.trim().toLowerCase();
  if (words === '') return true;
  const texts = [
    incident.note,
    ...incident.parts.flatMap((part) => [checkName(part.check), part.firstError ?? '']),
  ];
  return texts.some((each) => each.toLowerCase().includes(words));
}
