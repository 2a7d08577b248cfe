import { noAnswer } from '../../../shared/health/no-answer.ts';
import type { Alert, AlertMember } from '../../../shared/alerts/types.ts';
import type { Condition } from './rules.ts';

// What alerts are about: which belong together, and which are the same.

/** What begins within this time at several nodes is one alert. */
const togetherMs = 20_000;

export function memberOf({ isDue: _, ...member }: Condition): AlertMember {
  return member;
}

export function shares(a: readonly string[], b: readonly string[]): boolean {
  return a.some((id) => b.includes(id));
}

/**
 * Whether two are told of together: of one rule and begun within `togetherMs`, at one node if it is no failure; or one
 * speaks of the other's node as gone.
 */
export function belong(a: AlertMember, b: AlertMember): boolean {
  if (a.rule !== b.rule || a.rule === 'app' || a.endedAtMs !== null) return false;
  return (
    (Math.abs(a.sinceMs - b.sinceMs) <= togetherMs && (a.rule === 'incident' || a.nodeId === b.nodeId)) ||
    (a.subject === noAnswer && b.because.includes(a.nodeId)) ||
    (b.subject === noAnswer && a.because.includes(b.nodeId))
  );
}

/** Nodes that do not answer first, then in order of onset. */
export function byCause(a: AlertMember, b: AlertMember): number {
  return Number(b.subject === noAnswer) - Number(a.subject === noAnswer) || a.sinceMs - b.sinceMs;
}

/** No trouble, so that it is told once: a newer version of the app. */
export function isNotice({ members }: Alert): boolean {
  return members.every(({ rule, subject }) => rule === 'app' && subject === 'version');
}

/** What comes and goes: one check of one node. */
export function subjectOf({ members }: Alert): string {
  const [lead] = members;
  return lead === undefined ? '' : `${lead.rule} ${lead.nodeId} ${lead.subject}`;
}
