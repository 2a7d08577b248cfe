import { alertWords, blindWords, lastingOf, summaryWords, type Words } from '../../../shared/alerts/words.ts';
import { hasEndedWork, plannedAt } from '../../../shared/alerts/planned.ts';
import { isHeldBack } from '../../../shared/alerts/quiet.ts';
import {
  groupOf,
  type Alert,
  type AlertMember,
  type AlertMessage,
  type RuleName,
} from '../../../shared/alerts/types.ts';
import type { AlertSettings } from '../../../shared/settings.ts';
import {
  belong,
  followed,
  isExplained,
  isLeft,
  isNotice,
  isSame,
  joinsMs,
  memberOf,
  newAlert,
  placeOf,
  subjectOf,
  takesIn,
  withMembers,
  withNamed,
} from './members.ts';
import { higher, type Condition } from './rules.ts';

const remindAfterMs = 4 * 3_600_000;
/** A subject that begins or ends `flapChanges` times within `flapSpanMs` comes and goes, until nothing changes for `settleMs`. */
const flapChanges = 3;
const flapSpanMs = 3_600_000;
const settleMs = 30 * 60_000;
/** Shorter times of not seeing the nodes cause no message. */
const leastBlindMs = 120_000;
/** Only of a node that is seen for so long is it known what is still the case: two runs of its checks. */
const knownAfterMs = 120_000;
/** A summary waits so long for nodes that were not seen since the app was started or the computer slept. */
const summedAfterMs = 180_000;
/** How long an ended alert can still matter for messages. */
const rememberedMs = 2 * flapSpanMs;

export interface AlertState {
  alerts: ReadonlyMap<string, Alert>;
  /** What is the case, by node, and since when it is seen without a break. */
  seen: ReadonlyMap<string, { sinceMs: number; conditions: readonly Condition[] }>;
  blindSinceMs: number | null;
  /** Spans of blindness without a message yet. */
  blindSpans: readonly { fromMs: number; toMs: number }[];
}

export const noAlerts: AlertState = {
  alerts: new Map(),
  seen: new Map(),
  blindSinceMs: null,
  blindSpans: [],
};

export type AlertEvent =
  /** All that is the case at a node now, or has just ended. */
  | { kind: 'seen'; nodeId: string; conditions: readonly Condition[] }
  /** Each is one message, and ends at once. */
  | { kind: 'news'; members: readonly AlertMember[] }
  /** It is paused, or not watched any more. */
  | { kind: 'left'; nodeId: string }
  | { kind: 'blind'; isBlind: boolean }
  /** Nobody has said so: what became of the nodes meanwhile is not known before they are seen again. */
  | { kind: 'slept' }
  | { kind: 'tick' }
  | { kind: 'acknowledge'; key: string }
  /** Null: open again, also if it was acknowledged. */
  | { kind: 'snooze'; key: string; untilMs: number | null };

export interface Decision {
  state: AlertState;
  /** To be stored together. */
  changed: Alert[];
  messages: AlertMessage[];
}

export interface Now {
  atMs: number;
  settings: AlertSettings;
}

/** What follows from an event, with everything that is due by now. */
export function decide(state: AlertState, event: AlertEvent, now: Now): Decision {
  const draft = draftOf(state, now);
  take(draft, event, now.atMs);
  return draft.end();
}

function take(draft: ReturnType<typeof draftOf>, event: AlertEvent, atMs: number): void {
  switch (event.kind) {
    case 'seen':
      return draft.see(event.nodeId, event.conditions);
    case 'news':
      return draft.tell(event.members);
    case 'left':
      return draft.leave(event.nodeId);
    case 'blind':
      return draft.blind(event.isBlind);
    case 'slept':
      return draft.forget();
    case 'acknowledge':
      return draft.change(event.key, (alert) => ({
        ...withNamed(alert, alert.members),
        ...{ acknowledgedAtMs: alert.acknowledgedAtMs ?? atMs, snoozedUntilMs: null },
        // Who has seen it needs no summary, but its end.
        ...{ isHeld: false, saidAtMs: alert.saidAtMs ?? atMs },
      }));
    case 'snooze':
      return draft.change(event.key, ({ isHeld, saidAtMs }) => ({
        snoozedUntilMs: event.untilMs,
        ...(event.untilMs === null ? { acknowledgedAtMs: null, saidAtMs: saidAtMs && atMs } : {}),
        // The end of quiet hours says nothing of it.
        isHeld: isHeld && event.untilMs === null,
      }));
    case 'tick':
  }
}

/** All that an event changes, and the messages about it. */
function draftOf(state: AlertState, { atMs, settings }: Now) {
  const alerts = new Map(state.alerts);
  const seen = new Map(state.seen);
  const messages: AlertMessage[] = [];
  let { blindSinceMs, blindSpans } = state;

  function see(nodeId: string, conditions: readonly Condition[]): void {
    seen.set(nodeId, { sinceMs: seen.get(nodeId)?.sinceMs ?? atMs, conditions });
    drop((member) => member.nodeId === nodeId && levelOf(member) === 'off');
    for (const condition of conditions) unite(condition);
    const follow = (member: AlertMember) =>
      member.nodeId === nodeId ? followed(member, conditions, atMs) : member;
    for (const alert of open()) update(alert, alert.members.map(follow));
    for (const condition of conditions) {
      if (!condition.isDue || condition.endedAtMs !== null || isKnown(condition)) continue;
      if (isPlanned(condition) || levelOf(condition) === 'off') continue;
      const home = open().find((alert) => takesIn(alert, condition, atMs));
      const left = [...alerts.values()].find((alert) => isLeft(alert, condition));
      if (home !== undefined) update(home, [...home.members, memberOf(condition)]);
      else if (left !== undefined) put({ ...left, members: [memberOf(condition)], endedAtMs: null });
      else begin(condition);
    }
  }

  function tell(news: readonly AlertMember[]): void {
    for (const member of news) say(put(newAlert([member], () => false)), 'news');
  }

  function leave(nodeId: string): void {
    seen.delete(nodeId);
    drop((member) => member.nodeId === nodeId);
  }

  function forget(): void {
    seen.clear();
  }

  function blind(isBlind: boolean): void {
    if (isBlind === (blindSinceMs !== null)) return;
    if (isBlind) forget();
    else if (blindSinceMs !== null && atMs - blindSinceMs >= leastBlindMs)
      blindSpans = [...blindSpans, { fromMs: blindSinceMs, toMs: atMs }];
    blindSinceMs = isBlind ? atMs : null;
  }

  function change(key: string, to: (alert: Alert) => Partial<Alert>): void {
    const alert = alerts.get(key);
    if (alert?.endedAtMs === null) put({ ...alert, ...to(alert) });
  }

  /** Says what is due by now. */
  function end(): Decision {
    for (const alert of alerts.values()) {
      if (!isCurrent(alert)) continue;
      if (alert.flapping === 'said') settle(alert);
      else if (alert.endedAtMs === null) remind(alert);
    }
    endQuiet();
    const changed = [...alerts.values()].filter((alert) => state.alerts.get(alert.key) !== alert);
    for (const [key, { endedAtMs, isHeld, flapping }] of alerts) {
      if (endedAtMs !== null && atMs - endedAtMs > rememberedMs && !isHeld && flapping !== 'said')
        alerts.delete(key);
    }
    return { state: { alerts, seen, blindSinceMs, blindSpans }, changed, messages };
  }

  // ---- Alerts -------------------------------------------------------------------------------------------------------

  function open(): Alert[] {
    return [...alerts.values()].filter(({ endedAtMs }) => endedAtMs === null);
  }

  /** Whether it is known that it still is the case: after a start of the app or a time of blindness its nodes have to be seen first. */
  function isCurrent({ members, flapping }: Alert): boolean {
    const isSeen = ({ nodeId }: AlertMember) =>
      Math.abs(atMs - (seen.get(nodeId)?.sinceMs ?? atMs)) >= knownAfterMs;
    return flapping === 'said'
      ? members.some(isSeen)
      : members.every((member) => member.endedAtMs !== null || isSeen(member));
  }

  /** Alerts whose incidents have become one go on as one of them, as an open one if any is. */
  function unite(condition: Condition): void {
    const isOf = (member: AlertMember) => isSame(member, condition);
    const [first, ...others] = open()
      .filter(({ members }) => members.some(isOf))
      .sort((a, b) => Number(groupOf(a) !== 'open') - Number(groupOf(b) !== 'open'));
    if (first === undefined || others.length === 0) return;
    // What another has said needs no message again, but is no reason to leave a later alert unsaid.
    if (others.some(({ named }) => named.includes(condition.nodeId))) put(withNamed(first, [condition]));
    const twice = new Set(others.flatMap(({ members }) => members.filter(isOf)));
    drop((member) => twice.has(member), { saidAtMs: null });
  }

  /** Their end causes no message: nobody knows it. */
  function drop(isDropped: (member: AlertMember) => boolean, changed: Partial<Alert> = {}): void {
    for (const alert of alerts.values())
      if (alert.flapping === 'said' && alert.members.every(isDropped)) put({ ...alert, flapping: 'settled' });
    for (const alert of open()) {
      const members = alert.members.filter((member) => !isDropped(member));
      if (members.length === alert.members.length) continue;
      if (members.length > 0) update(alert, members);
      else put({ ...alert, ...changed, endedAtMs: atMs, isHeld: false });
    }
  }

  function sameAs(alert: Alert): Alert[] {
    return [...alerts.values()].filter((other) => subjectOf(other) === subjectOf(alert));
  }

  function isKnown(condition: Condition): boolean {
    return open().some(({ members }) => members.some((member) => isSame(member, condition)));
  }

  function begin(condition: Condition): void {
    const beside = [...seen.values()]
      .flatMap(({ conditions }) => conditions)
      .filter(
        (other) =>
          other !== condition &&
          other.endedAtMs === null &&
          belong(condition, other) &&
          !isPlanned(other) &&
          !isKnown(other),
      );
    // Ids of an incident that a message has called ended, and which a later failure joins.
    const isUsed = (id: string): boolean =>
      [...alerts.values()].some(({ members }) => members.some(({ ids }) => ids.includes(id)));
    say(put(newAlert([condition, ...beside].map(memberOf), isUsed)), 'begin');
  }

  function update(alert: Alert, members: readonly AlertMember[]): void {
    if (JSON.stringify(members) === JSON.stringify(alert.members)) return;
    const changed = withMembers(alert, members);
    // Where all of its rule is urgent, only the settings have changed.
    const isWorse = changed.level !== alert.level && members.every((member) => levelOf(member) !== 'wake');
    put(changed);
    if (changed.endedAtMs !== null) say(changed, 'end');
    else if (isWorse && alert.acknowledgedAtMs === null) say(changed, 'worse');
  }

  function put(alert: Alert): Alert {
    alerts.set(alert.key, alert);
    return alert;
  }

  /** Once a message has named what it is about. */
  function putSaid(alert: Alert, changed: Partial<Alert> = {}): void {
    const said = withNamed(alert, meant(alert).members);
    put({ ...said, saidAtMs: atMs, isHeld: false, ...changed });
  }

  // ---- Messages -----------------------------------------------------------------------------------------------------

  /** What the settings say; null for what is chosen for each address. */
  function levelOf({ rule }: AlertMember): AlertSettings['rules'][RuleName] | null {
    return rule === 'address' ? null : settings.rules[rule];
  }

  /** Its node is being worked on. */
  function isPlanned({ nodeId }: AlertMember): boolean {
    return plannedAt(settings.planned, nodeId, atMs) !== undefined;
  }

  /** Without members that have ended while others last, and those at nodes that are being worked on. */
  const meant = (alert: Alert): Alert => ({
    ...alert,
    members: lastingOf(alert).filter((member) => !isPlanned(member)),
  });

  function say(alert: Alert, kind: AlertMessage['kind']): void {
    const about = meant(alert);
    const isWork = about.members.length === 0;
    // Who heard of it before the work hears of its end after it.
    if (alert.snoozedUntilMs !== null || (isWork && (kind !== 'end' || alert.saidAtMs === null))) return;
    const same = sameAs(alert);
    const isSaid = same.some(
      ({ flapping, members }) =>
        flapping === 'said' &&
        alert.members.every((one) => members.some(({ nodeId }) => nodeId === one.nodeId)),
    );
    if (isSaid) return;
    // It is no trouble: nobody waits for its end.
    if (kind === 'end' && isNotice(alert)) return;
    if (isWork || isHeldBack(settings, alert.level, atMs)) {
      put({ ...alert, isHeld: true });
      return;
    }
    // No message was about it.
    if (kind === 'end' && alert.saidAtMs === null) return;
    // Of one without a known end the other that it has become counts, or nobody has seen it come and go.
    const changes = same
      .filter(
        ({ endedAtMs, members }) => endedAtMs === null || members.every((one) => one.endedAtMs !== null),
      )
      .flatMap(({ startedAtMs, endedAtMs }) => [startedAtMs, endedAtMs])
      .filter((changedAtMs) => changedAtMs !== null && Math.abs(atMs - changedAtMs) < flapSpanMs).length;
    const isFlapping = (kind === 'begin' || kind === 'end') && changes >= flapChanges;
    putSaid(alert, isFlapping ? { flapping: 'said' } : {});
    const saidKind = isFlapping ? 'flapping' : kind;
    message(saidKind, alertWords(saidKind, about, atMs), about);
  }

  function message(
    kind: AlertMessage['kind'],
    words: Words,
    alert: Alert | null,
    level = alert?.level ?? 'tell',
  ) {
    messages.push({
      // One that can be said once only for an alert has the same id whenever it is decided.
      id: `${alert?.key ?? ''} ${kind} ${['begin', 'end', 'news'].includes(kind) ? '' : atMs}`,
      alertKey: alert?.key ?? null,
      ...{ kind, level, atMs, ...words },
      ...placeOf(alert?.members ?? []),
      sent: [],
    });
  }

  function remind(alert: Alert): void {
    const { snoozedUntilMs, acknowledgedAtMs, saidAtMs, isHeld } = alert;
    if (snoozedUntilMs !== null) {
      if (snoozedUntilMs <= atMs) say(put({ ...alert, snoozedUntilMs: null }), 'reminder');
      return;
    }
    if (saidAtMs === null || acknowledgedAtMs !== null || isHeld || isNotice(alert)) return;
    const isWorkOver = ({ nodeId }: AlertMember) =>
      hasEndedWork(settings.planned, nodeId, { fromMs: saidAtMs, toMs: atMs });
    const isUntold = (member: AlertMember) => !isExplained(alert, member, atMs);
    const saidMs = Math.abs(atMs - saidAtMs);
    if (saidMs >= joinsMs && meant(alert).members.some(isUntold)) say(alert, 'worse');
    else if (saidMs >= remindAfterMs || lastingOf(alert).some(isWorkOver)) say(alert, 'reminder');
  }

  function settle(flapped: Alert): void {
    const same = sameAs(flapped);
    const lastMs = Math.max(...same.map(({ startedAtMs, endedAtMs }) => endedAtMs ?? startedAtMs));
    const said = same.filter(({ flapping }) => flapping === 'said');
    const last = same.find(({ endedAtMs }) => endedAtMs === null) ?? said.at(-1) ?? flapped;
    // What settles during planned work causes a message after it.
    if (Math.abs(atMs - lastMs) < settleMs || meant(last).members.length === 0) return;
    for (const alert of said) put({ ...alert, flapping: 'settled' });
    // Other nodes that came and went with it, and are over, are named with it when it is.
    const others = said
      .flatMap(({ members }) => members)
      .filter((one) => one.endedAtMs !== null && !last.members.some(({ nodeId }) => nodeId === one.nodeId));
    const settled = alerts.get(last.key) ?? last;
    say(put({ ...settled, members: [...settled.members, ...others] }), 'settled');
  }

  function endQuiet(): void {
    // What is urgent waits for the end of a pause, and not for that of quiet hours in which it ends.
    const due = [...alerts.values()]
      .filter(({ isHeld, level }) => isHeld && !isHeldBack(settings, level, atMs))
      .filter((alert) => meant(alert).members.length > 0);
    // After a sleep one summary is for all that is seen again soon.
    const current = due.filter(isCurrent);
    const isAwake = [...seen.values()].some(({ sinceMs }) => Math.abs(atMs - sinceMs) >= summedAfterMs);
    const held = isAwake || current.length === due.length ? current : [];
    for (const alert of held) putSaid(alert);
    const level = held.map((alert) => alert.level).reduce(higher, 'tell');
    if (held.length > 0) message('summary', summaryWords(held.map(meant), atMs), null, level);
    if (blindSpans.length === 0 || blindSinceMs !== null || isHeldBack(settings, 'tell', atMs)) return;
    message('blind', blindWords(blindSpans, atMs), null);
    blindSpans = [];
  }

  return { see, tell, leave, forget, blind, change, end };
}
