import { counted } from '../../../../shared/text.ts';
import { utcText } from '../../../../shared/time.ts';

/** Writes that have failed because of the disk since the app was started. */
export interface LostWrites {
  /** The cause, as a sentence. */
  words: string;
  sinceMs: number;
  /** When writing worked again; null while it does not. */
  untilMs: number | null;
  polls: number;
  others: number;
}

/** Counts another failed write; `words` is its cause. */
export function refused(
  lost: LostWrites | null,
  { words, isPoll, nowMs }: { words: string; isPoll: boolean; nowMs: number },
): LostWrites {
  const { sinceMs = nowMs, polls = 0, others = 0 } = lost ?? {};
  return {
    words,
    sinceMs,
    untilMs: null,
    polls: polls + (isPoll ? 1 : 0),
    others: others + (isPoll ? 0 : 1),
  };
}

/** A write has succeeded. */
export function written(lost: LostWrites | null, nowMs: number): LostWrites | null {
  return lost === null || lost.untilMs !== null ? lost : { ...lost, untilMs: nowMs };
}

/** The notice for the user. It stays the same while the problem lasts, so that a dismissed notice stays dismissed. */
export function lostNotice({ words, sinceMs, untilMs, polls, others }: LostWrites): string {
  if (untilMs === null) {
    return `${words} No new data has been saved since ${utcText(sinceMs)} UTC. What you see stays live, and the app starts saving again as soon as it can.`;
  }
  const counts = [
    ...(polls === 0 ? [] : [counted(polls, 'node poll')]),
    ...(others === 0 ? [] : [counted(others, 'other change')]),
  ];
  return `The app is saving new data again. Not saved from ${utcText(sinceMs)} UTC to ${utcText(untilMs)} UTC: ${counts.join(' and ')}.`;
}
