import { noAnswer } from './no-answer.ts';
import { byText } from '../by-text.ts';
import type { HealthSettings } from '../settings.ts';
import type { FailureEpisode, Incident, IncidentMark, IncidentPart } from './types.ts';
import { chainOf } from './scope.ts';

export type Thresholds = Pick<HealthSettings, 'failAfter' | 'recoverAfter'>;

export interface IncidentHistory {
  nodeId: string;
  /** In any order; the last of several with the same id counts. */
  episodes: readonly FailureEpisode[];
  marks: readonly IncidentMark[];
  /** Checks that belong to a chain; all others are global. */
  chainChecks: ReadonlySet<string>;
  thresholds: Thresholds;
}

/** Failures that begin within this time belong together: four runs of a node that runs its checks every 30 s. */
export const onsetWindowMs = 120_000;
/** How long after its onset a global check's failure counts as the cause of chains' failures that begin during it. */
export const causeReachMs = 3_600_000;

/** Failures of one check that an incident shows as one part. */
interface Stretch {
  /** Has the id of the first episode. */
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
 * Groups the failures of a node's checks into incidents; newest start first. Deterministic: the same history gives
 * exactly the same incidents.
 *
 * A check counts as failed after `failAfter` failed runs in a row, until the first of `recoverAfter` passing runs in a
 * row; failures with fewer passes between them are one. Then, in order of onset, a failure joins an incident
 * - if it began within `onsetWindowMs` of the incident's onset and the same check has not failed in it before, or
 * - if its check is a chain's, and a global check of the incident was failing at its onset, since no more than
 * `causeReachMs`.
 * Of several such incidents it joins the one with the latest onset; otherwise it begins a new one. A chain's failure
 * never explains a global one. An unreachable node is an incident of its own, which ends with the first answer. The
 * leading check is the global one, if any, that failed first, else the first one.
 */
export function foldIncidents(history: IncidentHistory): Incident[] {
  const groups: Group[] = [];
  /** Groups that later failures may still join, oldest onset first. */
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
  // Members are in order of onset, so the last global one reaches furthest.
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

/** Whether a global check's failure may be the cause of a chain's. */
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

/** In order of onset; at the same time global before chain, then by name. */
function stretchesOf({ episodes, marks, chainChecks, thresholds }: IncidentHistory): Stretch[] {
  const byId = new Map(episodes.map((episode) => [episode.id, episode]));
  const noteOf = new Map(marks.map(({ episodeId, note }) => [episodeId, note]));
  const stretches: Stretch[] = [];
  for (const [check, list] of Map.groupBy(byId.values(), (episode) => episode.check)) {
    list.sort((a, b) => a.startedAtMs - b.startedAtMs || byText(a.id, b.id));
    // One answer is enough to be reachable: there are no runs to count.
    const limits = check === noAnswer ? { ...thresholds, recoverAfter: 1 } : thresholds;
    for (const run of joinRuns(list, limits)) {
      const part = toPart(run, limits, list.at(-1));
      // A chain's check may be gone from the reports, which must not change what is past.
      const isChain = chainChecks.has(check) || chainOf(check, null) !== null;
      stretches.push({ part, isChain, note: noteOf.get(part.id) ?? '' });
    }
  }
  return stretches.sort(
    (a, b) =>
      a.part.startedAtMs - b.part.startedAtMs || Number(a.isChain) - Number(b.isChain) || byPart(a, b),
  );
}

type Failure = [FailureEpisode, ...FailureEpisode[]];

/** Combines a check's episodes into failures by the thresholds; leaves out those too short to count. */
function joinRuns(episodes: readonly FailureEpisode[], { failAfter, recoverAfter }: Thresholds): Failure[] {
  const runs: Failure[] = [];
  let current: Failure | null = null;
  for (const episode of episodes) {
    const last: FailureEpisode | undefined = current?.at(-1);
    // Our clock was ahead of this one where the last one ends after it begins, and set back during one without a length,
    // which follows only what ended as it began.
    const { startedAtMs, endedAtMs } = episode;
    const gapMs = startedAtMs - (last?.endedAtMs ?? Infinity);
    const follows = gapMs === 0 || (gapMs > 0 && endedAtMs !== startedAtMs);
    if (last !== undefined && follows && recoverAfter > 1 && !isOver(last, recoverAfter)) {
      current?.push(episode);
    } else if (failuresOf(episode) >= failAfter) {
      current = [episode];
      runs.push(current);
    } else current = null;
  }
  return runs;
}

/** Whether an episode is over: after enough passing runs, or because its check is not reported any more. */
function isOver({ endedAtMs, endKnownFrom, passes }: FailureEpisode, recoverAfter: number): boolean {
  if (endedAtMs === null) return false;
  return endKnownFrom === 'unreported' || recoverAfter <= 1 || passes >= recoverAfter;
}

function failuresOf(episode: FailureEpisode): number {
  return Math.max(episode.failuresSeen, episode.failuresReported ?? 0);
}

function toPart(run: Failure, { recoverAfter }: Thresholds, newest?: FailureEpisode): IncidentPart {
  const [first] = run;
  const last = run.at(-1) ?? first;
  // Passes are counted for the newest episode alone, so one before it that it is no part of is over.
  const hasRecovered = isOver(last, recoverAfter) || (last !== newest && last.endedAtMs !== null);
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
    // If several began at the same time, it is enough that one was seen.
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

/** The changes of marks for a new note: it is stored at the leading part only. */
export function noteMarks(incident: Incident, note: string, marks: readonly IncidentMark[]): IncidentMark[] {
  const noteOf = new Map(marks.map((mark) => [mark.episodeId, mark.note]));
  return incident.parts.flatMap(({ id }) => {
    const own = id === incident.id ? note : '';
    return (noteOf.get(id) ?? '') === own ? [] : [{ episodeId: id, note: own }];
  });
}
