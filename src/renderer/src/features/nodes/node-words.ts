import type {
  CheckState,
  FailureEpisode,
  NodeState,
  Strip,
  StripCell,
} from '../../../../shared/health/types.ts';
import { checkStateWords, nodeStateWords } from '../../../../shared/health/words.ts';
import type { TimeZoneChoice } from '../../ui/clock.svelte.ts';
import { formatMinute, formatPlural, formatSpan } from '../../ui/format.ts';
import type { Tone } from '../../ui/tone.ts';
import type { StripSpan } from '../../ui/strip-span.ts';

export const nodeTones: Readonly<Record<NodeState, Tone>> = {
  healthy: 'pass',
  unhealthy: 'fail',
  starting: 'warn',
  unreachable: 'idle',
  unknown: 'idle',
};

export const checkTones: Readonly<Record<CheckState, Tone>> = {
  pass: 'pass',
  fail: 'fail',
  pending: 'warn',
  unknown: 'idle',
};

/** The words of the node as a whole differ from those of a check: it is healthy, a check passes. */
const nodeCellWords: Readonly<Record<StripCell['state'], string>> = {
  pass: nodeStateWords.healthy,
  fail: nodeStateWords.unhealthy,
  pending: nodeStateWords.starting,
  unknown: 'Not seen',
  none: checkStateWords.none,
};

/** One cell as a shape and a sentence. */
export function spanOf(cell: StripCell, strip: Strip, timeZone: TimeZoneChoice): StripSpan {
  const word = (strip.check === null ? nodeCellWords : checkStateWords)[cell.state];
  const from = formatMinute(cell.fromMs, timeZone);
  const to = formatMinute(cell.toMs, timeZone).slice(11);
  const what = strip.check === null ? 'poll' : 'run';
  const counts =
    cell.failures > 0
      ? `, ${cell.failures} of ${formatPlural(cell.runs, what)} failed`
      : cell.runs > 0
        ? `, ${formatPlural(cell.runs, what)}`
        : '';
  const error = cell.error === null ? '' : `: ${cell.error}`;
  const tone = cell.state === 'none' ? 'none' : checkTones[cell.state];
  return { tone, words: `${from} – ${to} · ${word}${counts}${error}` };
}

/** How long an episode lasted, as far as that is known. */
export function episodeSpan(episode: FailureEpisode, nowMs: number): string {
  const until = episode.endedAtMs ?? nowMs;
  const span = formatSpan(Math.max(0, until - episode.startedAtMs));
  if (episode.endedAtMs === null) return `${span}, still failing`;
  return episode.endKnownFrom === 'inferred' ? `at most ${span}` : span;
}

/** `3 seen`, `3 seen, 41 reported`: polls see only some of a node's runs. */
export function episodeCounts(episode: FailureEpisode): string {
  const seen = `${episode.failuresSeen} seen`;
  return episode.failuresReported === null || episode.failuresReported <= episode.failuresSeen
    ? seen
    : `${seen}, ${episode.failuresReported} reported`;
}
