import { noAnswer } from './no-answer.ts';
import { byText } from '../by-text.ts';
import type { HealthSettings } from '../settings.ts';
import type { FailureEpisode, Incident, IncidentMark, IncidentPart } from './types.ts';

export type Thresholds = Pick<HealthSettings, 'failAfter' | 'recoverAfter'>;

export interface IncidentHistory {
  nodeId: string;
  /** In any order; of equal ids the last one counts. */
  episodes: readonly FailureEpisode[];
  marks: readonly IncidentMark[];
  /** Checks that are of a chain; all others are global. */
  chainChecks: ReadonlySet<string>;
  thresholds: Thresholds;
  /**
   * Passing runs from the end of an episode to the next failure of its check, or to now. Asked for only when `recoverAfter`
   * is more than 1, since the end of an episode is one.
   */
  passesAfter: (episodeId: string) => number;
}

/** Failures whose onsets lie no further apart began together. Four runs of a node that runs its checks every 30 s. */
export const onsetWindowMs = 120_000;
/** So long after its onset the failure of a global check explains failures of chains that begin while it lasts. */
export const causeReachMs = 3_600_000;

/** Failures of one check that one incident shows as one part. */
interface Stretch {
  /** Its id is that of the first episode. */
  part: IncidentPart;
  isChain: boolean;
  note: string;
}

interface Group {
  onsetMs: number;
  members: [Stretch, ...Stretch[]];
  globals: Stretch[];
  checks: Set<string>;
}

/**
 * Folds the failures of a node's checks into incidents; newest start first. The same history gives the same incidents, to
 * the byte.
 *
 * A failure of a check counts from `failAfter` failed runs in a row, and ends with the first of `recoverAfter` passing runs
 * in a row: failures with fewer passes between them are one. Then, in order of onset, a failure joins an incident
 * - when it began within `onsetWindowMs` of the incident, and the same check has not failed in it before, or
 * - when it is a chain's, and a global check of the incident was failing at its onset and had begun to do so no more than
 *   `causeReachMs` before;
 * of several incidents the one with the latest onset. Otherwise it begins an incident. A global failure is never explained
 * by a chain's. That the node did not answer is an incident of its own, which ends with the first answer. The leading check is a
 * global one where there is one, then the one that failed first.
 */
export function foldIncidents(history: IncidentHistory): Incident[] {
  const groups: Group[] = [];
  /** Groups that a later failure may still join by rule, oldest onset first. */
  let reachable: Group[] = [];
  for (const stretch of stretchesOf(history)) {
    const onsetMs = stretch.part.startedAtMs;
    reachable = reachable.filter((group) => mayStillGrow(group, onsetMs));
    const known = groupByRule(reachable, stretch);
    const group: Group = known ?? { onsetMs, members: [stretch], globals: [], checks: new Set() };
    group.checks.add(stretch.part.check);
    if (!stretch.isChain) group.globals.push(stretch);
    if (known === undefined) {
      groups.push(group);
      reachable.push(group);
    } else known.members.push(stretch);
  }
  return groups.map((group) => toIncident(history.nodeId, group)).sort(newestFirst);
}

function mayStillGrow({ onsetMs, globals }: Group, nowMs: number): boolean {
  // Members come in order of onset, so the last global is the one that reaches furthest.
  const reachMs = globals.at(-1)?.part.startedAtMs ?? Number.NEGATIVE_INFINITY;
  return nowMs - onsetMs <= onsetWindowMs || nowMs - reachMs <= causeReachMs;
}

function groupByRule(reachable: readonly Group[], stretch: Stretch): Group | undefined {
  return reachable.findLast(
    (group) => beganTogether(group, stretch) || group.globals.some((cause) => explains(cause, stretch)),
  );
}

function beganTogether(group: Group, { part }: Stretch): boolean {
  if (part.check === noAnswer || group.checks.has(noAnswer)) return false;
  return part.startedAtMs - group.onsetMs <= onsetWindowMs && !group.checks.has(part.check);
}

/** Whether a chain's failure can be due to that of a global check. */
function explains(cause: Stretch, { part, isChain }: Stretch): boolean {
  const { startedAtMs, endedAtMs } = cause.part;
  return (
    isChain &&
    cause.part.check !== noAnswer &&
    part.startedAtMs - startedAtMs <= causeReachMs &&
    (endedAtMs === null || part.startedAtMs < endedAtMs)
  );
}

// ---- Failures of one check -------------------------------------------------------------------------------------------

/** In order of onset; at the same moment global before chain, then by name. */
function stretchesOf({ episodes, marks, chainChecks, thresholds, passesAfter }: IncidentHistory): Stretch[] {
  const byCheck = new Map<string, FailureEpisode[]>();
  for (const episode of new Map(episodes.map((each) => [each.id, each])).values()) {
    const list = byCheck.get(episode.check);
    if (list === undefined) byCheck.set(episode.check, [episode]);
    else list.push(episode);
  }
  const noteOf = new Map(marks.map(({ episodeId, note }) => [episodeId, note]));
  const stretches: Stretch[] = [];
  for (const [check, list] of byCheck) {
    list.sort((a, b) => a.startedAtMs - b.startedAtMs || byText(a.id, b.id));
    // Whoever answers answers: there are no runs to be counted.
    const limits = check === noAnswer ? { ...thresholds, recoverAfter: 1 } : thresholds;
    for (const run of joinRuns(list, limits, passesAfter)) {
      const part = toPart(run, limits, passesAfter);
      stretches.push({ part, isChain: chainChecks.has(check), note: noteOf.get(part.id) ?? '' });
    }
  }
  return stretches.sort(
    (a, b) =>
      a.part.startedAtMs - b.part.startedAtMs || Number(a.isChain) - Number(b.isChain) || byPart(a, b),
  );
}

type Failure = [FailureEpisode, ...FailureEpisode[]];

/** The episodes of a check that are one failure by the thresholds; those that never became one are left out. */
function joinRuns(
  episodes: readonly FailureEpisode[],
  { failAfter, recoverAfter }: Thresholds,
  passesAfter: (episodeId: string) => number,
): Failure[] {
  const runs: Failure[] = [];
  let current: Failure | null = null;
  for (const episode of episodes) {
    const last: FailureEpisode | undefined = current?.at(-1);
    if (last !== undefined && recoverAfter > 1 && !isOver(last, recoverAfter, passesAfter)) {
      current?.push(episode);
    } else if (failuresOf(episode) >= failAfter) {
      current = [episode];
      runs.push(current);
    } else current = null;
  }
  return runs;
}

/** Whether an episode has ended for good: with enough passing runs, or because its check is not reported any more. */
function isOver(
  { id, endedAtMs, endKnownFrom }: FailureEpisode,
  recoverAfter: number,
  passesAfter: IncidentHistory['passesAfter'],
): boolean {
  if (endedAtMs === null) return false;
  return endKnownFrom === 'unreported' || recoverAfter <= 1 || passesAfter(id) >= recoverAfter;
}

function failuresOf(episode: FailureEpisode): number {
  return Math.max(episode.failuresSeen, episode.failuresReported ?? 0);
}

function toPart(
  run: Failure,
  { recoverAfter }: Thresholds,
  passesAfter: (episodeId: string) => number,
): IncidentPart {
  const [first] = run;
  const last = run.at(-1) ?? first;
  const hasRecovered = isOver(last, recoverAfter, passesAfter);
  return {
    id: first.id,
    check: first.check,
    startedAtMs: first.startedAtMs,
    startKnownFrom: first.startKnownFrom,
    endedAtMs: hasRecovered ? last.endedAtMs : null,
    endKnownFrom: hasRecovered ? last.endKnownFrom : null,
    failures: run.reduce((sum, episode) => sum + failuresOf(episode), 0),
    firstError: run.find(({ firstError }) => firstError !== null)?.firstError ?? null,
  };
}

// ---- Incidents -------------------------------------------------------------------------------------------------------

function toIncident(nodeId: string, group: Group): Incident {
  const { members, onsetMs } = group;
  const lead = group.globals[0] ?? members[0];
  const parts = members.map(({ part }) => part);
  const isOpen = parts.some(({ endedAtMs }) => endedAtMs === null);
  const last = parts.reduce((latest, part) =>
    (part.endedAtMs ?? 0) > (latest.endedAtMs ?? 0) ? part : latest,
  );
  const others = members.filter((member) => member !== lead);
  return {
    id: lead.part.id,
    nodeId,
    startedAtMs: onsetMs,
    // Of several that began at the same moment, one that was seen settles it.
    startKnownFrom: parts.some((part) => part.startedAtMs === onsetMs && part.startKnownFrom === 'seen')
      ? 'seen'
      : members[0].part.startKnownFrom,
    endedAtMs: isOpen ? null : last.endedAtMs,
    endKnownFrom: isOpen ? null : last.endKnownFrom,
    leadingCheck: lead.part.check,
    firstError:
      lead.part.firstError ?? parts.find(({ firstError }) => firstError !== null)?.firstError ?? null,
    parts,
    worst: [],
    gone: [],
    note: [lead, ...others].flatMap(({ note }) => (note === '' ? [] : [note])).join('\n\n'),
  };
}

function newestFirst(a: Incident, b: Incident): number {
  return b.startedAtMs - a.startedAtMs || byText(a.leadingCheck, b.leadingCheck) || byText(a.id, b.id);
}

function byPart(a: Stretch, b: Stretch): number {
  return byText(a.part.check, b.part.check) || byText(a.part.id, b.part.id);
}

/** The marks that change for a note of an incident: it is kept at the leading part alone. */
export function noteMarks(incident: Incident, note: string, marks: readonly IncidentMark[]): IncidentMark[] {
  const noteOf = new Map(marks.map((mark) => [mark.episodeId, mark.note]));
  return incident.parts.flatMap(({ id }) => {
    const own = id === incident.id ? note : '';
    return (noteOf.get(id) ?? '') === own ? [] : [{ episodeId: id, note: own }];
  });
}
