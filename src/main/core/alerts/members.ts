import { noAnswer } from '../../../shared/health/no-answer.ts';
import type { Alert, AlertMember, AlertMessage } from '../../../shared/alerts/types.ts';
import { higher, type Condition } from './rules.ts';

// What alerts are about: which belong together, and which are the same.

/** What begins within this time at several nodes is one alert. */
const togetherMs = 20_000;
/** What is seen so soon after a message joins its alert. */
export const joinsMs = 60_000;
/** What fails because of a node that is gone has so long to recover once that is back. */
const recoversMs = 300_000;

export const memberOf = ({ isDue: _, ...member }: Condition): AlertMember => member;

export const isSame = (a: AlertMember, b: AlertMember): boolean =>
  a.rule === b.rule && a.nodeId === b.nodeId && a.ids.some((id) => b.ids.includes(id));

/** Whether there was a message before its node was paused: it goes on without a new one. */
export function isLeft({ endedAtMs, saidAtMs, members }: Alert, condition: Condition): boolean {
  // Of what ended while it was watched, that is known.
  const isOpen = (member: AlertMember) => member.endedAtMs === null && isSame(member, condition);
  return endedAtMs !== null && saidAtMs !== null && members.some(isOpen);
}

/**
 * Whether two share a message: of one rule and begun within `togetherMs`, at one node if it is no failure; or one
 * speaks of the other's node as gone.
 */
export function belong(a: AlertMember, b: AlertMember): boolean {
  if (a.rule !== b.rule || a.rule === 'app' || a.endedAtMs !== null) return false;
  return (
    (Math.abs(a.sinceMs - b.sinceMs) <= togetherMs && (a.rule === 'incident' || a.nodeId === b.nodeId)) ||
    isCause(a, b) ||
    isCause(b, a)
  );
}

/** Whether a failure speaks of the node of another, which does not answer. */
const isCause = ({ subject, nodeId }: AlertMember, { because }: AlertMember): boolean =>
  subject === noAnswer && because.includes(nodeId);

/** Nodes that do not answer first, then in order of onset. */
const byCause = (a: AlertMember, b: AlertMember): number =>
  Number(b.subject === noAnswer) - Number(a.subject === noAnswer) || a.sinceMs - b.sinceMs;

/** No trouble, so that it is one message: a newer version of the app. */
export const isNotice = ({ members }: Alert): boolean =>
  members.every(({ rule, subject }) => rule === 'app' && subject === 'version');

/** What comes and goes: one check of one node. */
export function subjectOf({ members }: Alert): string {
  const [lead] = members;
  return lead === undefined ? '' : `${lead.rule} ${lead.nodeId} ${lead.subject}`;
}

/** What has become of a member of an alert, by all that is the case at its node. */
export function followed(member: AlertMember, conditions: readonly Condition[], atMs: number): AlertMember {
  const found = conditions.find((condition) => isSame(condition, member));
  if (found === undefined) return { ...member, endedAtMs: member.endedAtMs ?? atMs };
  const ids = [...new Set([...member.ids, ...found.ids])];
  const sinceMs = Math.min(member.sinceMs, found.sinceMs);
  return { ...memberOf(found), ids, sinceMs, level: higher(member.level, found.level) };
}

/** An alert with other members: it never gets less urgent, and is over when all of them are. */
export function withMembers(alert: Alert, members: readonly AlertMember[]): Alert {
  const isOver = members.every(({ endedAtMs }) => endedAtMs !== null);
  // What begins at a node after that was over there is news.
  const hasEnded = (nodeId: string) => {
    const own = members.filter((member) => member.nodeId === nodeId);
    return own.length > 0 && own.every(({ endedAtMs }) => endedAtMs !== null);
  };
  return {
    ...alert,
    level: members.map(({ level }) => level).reduce(higher, alert.level),
    members: members.toSorted(byCause),
    named: alert.named.filter((nodeId) => !hasEnded(nodeId)),
    startedAtMs: Math.min(...members.map(({ sinceMs }) => sinceMs)),
    endedAtMs: isOver ? Math.max(...members.map(({ endedAtMs }) => endedAtMs ?? 0)) : null,
  };
}

/** `isUsed`: whether an id is one of another alert. */
export function newAlert(members: readonly AlertMember[], isUsed: (id: string) => boolean): Alert {
  const [lead] = members.toSorted(byCause);
  const empty: Alert = {
    key: `${lead?.nodeId} ${lead?.ids.find((id) => !isUsed(id)) ?? lead?.ids[0]} ${lead?.sinceMs}`,
    ...{ level: 'tell', members: [], startedAtMs: 0, endedAtMs: null, saidAtMs: null, named: [] },
    ...{ acknowledgedAtMs: null, snoozedUntilMs: null, isHeld: false, flapping: 'no' },
  };
  return withMembers(empty, members);
}

/**
 * Whether an open alert takes in what is the case by now. At a node that no message has named only soon after the last one:
 * then the next one names all such nodes. Later it has a message for itself.
 */
export function takesIn(
  { saidAtMs, isHeld, named, members }: Alert,
  condition: Condition,
  atMs: number,
): boolean {
  // What comes and goes may never cause a message.
  const isSoon = saidAtMs === null ? isHeld : atMs - saidAtMs < joinsMs;
  // Of a node that was paused for a while.
  const isBack = !members.some(({ nodeId }) => nodeId === condition.nodeId);
  const isKnown = (member: AlertMember) =>
    isCause(member, condition) ||
    (named.includes(condition.nodeId) && (isBack || !isCause(condition, member))) ||
    (isSoon && !isCause(condition, member));
  return members.some((member) => belong(member, condition) && isKnown(member));
}

/** Whether a member needs no message: one has named its node, or it fails because of another that is gone, or was until lately. */
export function isExplained({ named, members }: Alert, member: AlertMember, atMs: number): boolean {
  const explains = (one: AlertMember) =>
    one.endedAtMs === null
      ? isCause(one, member)
      : one.subject === noAnswer && Math.abs(atMs - one.endedAtMs) < recoversMs;
  return named.includes(member.nodeId) || members.some(explains);
}

/** An alert once the user knows of these. */
export function withNamed(alert: Alert, members: readonly AlertMember[]): Alert {
  return { ...alert, named: [...new Set([...alert.named, ...members.map(({ nodeId }) => nodeId)])] };
}

/** Where a message about them leads. */
export function placeOf(
  members: readonly AlertMember[],
): Pick<AlertMessage, 'incident' | 'address' | 'transaction'> {
  const lead = members.find(({ endedAtMs }) => endedAtMs === null) ?? members[0];
  return {
    incident: lead?.rule === 'incident' ? { nodeId: lead.nodeId, id: lead.ids[0] ?? '' } : null,
    ...(lead?.rule === 'address' ? { address: lead.nodeId } : {}),
    ...(lead?.transaction === undefined ? {} : { transaction: lead.transaction }),
  };
}
