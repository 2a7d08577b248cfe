import type { TextPiece } from '../../../../../shared/health/names.ts';
import { noAnswer } from '../../../../../shared/health/no-answer.ts';
import { cleanText } from '../../../../../shared/text.ts';
import { dayMs, hourMs } from '../../../../../shared/time.ts';
import type {
  CheckState,
  FailureEpisode,
  Incident,
  NodeState,
  NodeStatus,
  RecordingInfo,
  Strip,
  StripCell,
} from '../../../../../shared/health/types.ts';
import { checkStateWords, nodeStateWords } from '../../../../../shared/health/words.ts';
import {
  formatMinute,
  formatGrowing,
  formatPlural,
  formatShort,
  formatSpan,
  formatTime,
  isSameDay,
} from '../../../ui/text/format.ts';
import type { Tone } from '../../../ui/text/tone.ts';
import type { StripSpan } from '../../../ui/sign/strip-span.ts';
import { lastedWords } from './past-words.ts';

export const nodeTones: Readonly<Record<NodeState, Tone>> = {
  healthy: 'pass',
  unhealthy: 'fail',
  starting: 'warn',
  stalled: 'stalled',
  unreachable: 'gone',
  unknown: 'idle',
};

export const checkTones: Readonly<Record<CheckState, Tone>> = {
  pass: 'pass',
  fail: 'fail',
  pending: 'warn',
  stalled: 'stalled',
  unknown: 'idle',
};

/** Shape and word for a node in a list; a paused node has no state. */
export function nodeLabel({ node, state }: Pick<NodeStatus, 'node' | 'state'>): { tone: Tone; word: string } {
  return node.paused
    ? { tone: 'paused', word: 'Paused' }
    : { tone: nodeTones[state], word: nodeStateWords[state] };
}

/** The last report is not current: the node is paused, or did not give a readable answer since. */
export function isOldReport({ node, state }: Pick<NodeStatus, 'node' | 'state'>): boolean {
  return node.paused || state === 'unreachable' || state === 'unknown';
}

/** Checks that fail in the last report, or null where that report is not current. */
export function failingNow(status: NodeStatus): number | null {
  if (isOldReport(status)) return null;
  return status.report?.checks.filter((check) => check.state === 'fail').length ?? null;
}

/** For an incident or episode of this check; an unreachable node has its own shape here, too. */
export const failureTone = (check: string): Tone => (check === noAnswer ? 'gone' : 'fail');

/** The watched nodes whose ids are in a text; null where it does not end with an id, or names unwatched nodes. */
export function namedNodes(
  pieces: readonly TextPiece[],
  nodes: ReadonlyMap<string, NodeStatus>,
): NodeStatus[] | null {
  if (pieces.at(-1)?.isNodeId !== true) return null;
  const named = pieces.filter(({ isNodeId }) => isNodeId).map(({ text }) => nodes.get(text));
  return named.every((status) => status !== undefined) ? named : null;
}

/** `, both unreachable`: the state that the named nodes share; empty where they differ or the first is healthy. */
export function sharedState(statuses: readonly NodeStatus[] | null): string {
  const [first] = statuses ?? [];
  if (first === undefined || statuses === null) return '';
  const { word } = nodeLabel(first);
  if (first.state === 'healthy' || statuses.some((status) => nodeLabel(status).word !== word)) return '';
  const all = statuses.length === 1 ? '' : statuses.length === 2 ? 'both ' : 'all ';
  return `, ${all}${word.toLowerCase()}`;
}

/** A node as a whole has other words than a check: it is healthy, a check passes. */
const nodeCellWords: Readonly<Record<StripCell['state'], string>> = {
  pass: nodeStateWords.healthy,
  fail: nodeStateWords.unhealthy,
  pending: nodeStateWords.starting,
  stalled: nodeStateWords.stalled,
  unreachable: nodeStateWords.unreachable,
  unknown: 'Not observed',
  none: checkStateWords.none,
};

/** `2026-09-16 14:00 – 14:15`; the end has a date where that is another day. */
export function spanTimes(fromMs: number, toMs: number): string {
  const to = formatTime(toMs, isSameDay(fromMs, toMs) ? 'time' : 'minute');
  return `${formatMinute(fromMs)} – ${to}`;
}

/** The cells of a strip; those before `sinceMs`, when watching began, do not count as unknown. */
export function spansOf(strip: Strip, sinceMs: number): StripSpan[] {
  let isWatched = false;
  return strip.cells.map((cell) => {
    // The first poll may bring runs from before watching began.
    isWatched ||= cell.toMs > sinceMs || cell.state !== 'none';
    if (isWatched) return spanOf(cell, strip);
    return { tone: null, words: `${cellTimes(cell)} · Not watched yet` };
  });
}

/** `Watched since 2026-09-16 14:00`, where that is after the start of the strips; else null. */
export function sinceWords(sinceMs: number, fromMs: number, isRecorded = false): string | null {
  if (sinceMs <= fromMs) return null;
  return `${isRecorded ? 'Recorded' : 'Watched'} since ${formatMinute(sinceMs)}`;
}

/** One cell as a shape and a sentence. A cell of a whole day is named by its date alone. */
export function spanOf(cell: StripCell, strip: Strip): StripSpan {
  const word = (strip.check === null ? nodeCellWords : checkStateWords)[cell.state];
  const times = cellTimes(cell);
  const what = strip.check === null ? 'poll' : 'run';
  const counts =
    cell.failures > 0
      ? `, ${cell.failures} of ${formatPlural(cell.runs, what)} failed`
      : cell.runs > 0
        ? `, ${formatPlural(cell.runs, what)}`
        : '';
  const error = cell.error === null ? '' : `: ${cleanText(cell.error, 300)}`;
  const tone =
    cell.state === 'none' ? 'none' : cell.state === 'unreachable' ? 'gone' : checkTones[cell.state];
  return { tone, words: `${times} · ${word}${counts}${error}` };
}

function cellTimes({ fromMs, toMs }: StripCell): string {
  // Where clocks are set, it has 23 or 25 hours.
  const isDay = Math.abs(toMs - fromMs - dayMs) <= hourMs;
  return isDay ? formatTime((fromMs + toMs) / 2, 'date') : spanTimes(fromMs, toMs);
}

/**
 * Until when something of a check that has not ended can be known, of a node or a recording: the last report of a node that
 * gives none any more, the end of a recording. Null while reports come. A node that does not answer is seen not to, as long
 * as it is asked.
 */
export function heardOfMs(check: string, wantedId: string, { nodes, recordings }: Known): number | null {
  const status = nodes.find(({ node }) => node.id === wantedId);
  if (status === undefined || !isOldReport(status))
    return recordings.find(({ id }) => id === wantedId)?.toMs ?? null;
  if (check !== noAnswer) return status.reportAtMs;
  return status.state === 'unreachable' && !status.node.paused
    ? null
    : (status.silentAtMs ?? status.reportAtMs);
}

interface Known {
  nodes: readonly Pick<NodeStatus, 'node' | 'state' | 'reportAtMs' | 'silentAtMs'>[];
  recordings: readonly Pick<RecordingInfo, 'id' | 'toMs'>[];
}

/** How long an incident lasted or lasts, as far as that is known. */
export function incidentLasted(
  { nodeId, leadingCheck, startedAtMs, endedAtMs, endKnownFrom }: Incident,
  known: Known,
  nowMs: number,
): string {
  const words = lastedWords(startedAtMs, endedAtMs, nowMs, heardOfMs(leadingCheck, nodeId, known));
  return endedAtMs === null ? words : spanUntil(words, endKnownFrom);
}

/** `2 h`, or `at most 2 h` where the end was not seen. */
function spanUntil(span: string, endKnownFrom: string | null): string {
  return endKnownFrom === 'seen' ? span : `at most ${span}`;
}

/** How long an episode lasted, as far as that is known; `heardMs` as in `heardOfMs`. */
export function episodeSpan(
  episode: Pick<FailureEpisode, 'startedAtMs' | 'endedAtMs'> & { endKnownFrom: string | null },
  { nowMs, heardMs }: { nowMs: number; heardMs: number | null },
): string {
  const until = episode.endedAtMs ?? heardMs ?? nowMs;
  const ms = Math.max(0, until - episode.startedAtMs);
  if (episode.endedAtMs === null)
    return heardMs === null
      ? `Failing for ${formatGrowing(ms)}`
      : `Failing for ${formatGrowing(ms)} as of the last report (${formatShort(heardMs, nowMs)})`;
  return spanUntil(formatSpan(ms), episode.endKnownFrom);
}

/** `3 seen`, `3 seen, 41 reported by the node`: polls see only some of a node's runs. */
export function episodeCounts(episode: FailureEpisode): string {
  const seen = `${episode.failuresSeen} seen`;
  return episode.failuresReported === null || episode.failuresReported <= episode.failuresSeen
    ? seen
    : `${seen}, ${episode.failuresReported} reported by the node`;
}
