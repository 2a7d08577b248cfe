import { alertWords, blindWords, lastingOf, summaryWords, type Words } from '../../../shared/alerts/words.ts';
import { hasEndedWork, plannedAt } from '../../../shared/alerts/planned.ts';
import { isHeldBack } from '../../../shared/alerts/quiet.ts';
import type { Alert, AlertMember, AlertMessage, RuleName } from '../../../shared/alerts/types.ts';
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
  const draft = new Draft(state, now);
  switch (event.kind) {
    case 'seen':
      draft.see(event.nodeId, event.conditions);
      break;
    case 'news':
      draft.tell(event.members);
      break;
    case 'left':
      draft.leave(event.nodeId);
      break;
    case 'blind':
      draft.blind(event.isBlind);
      break;
    case 'slept':
      draft.forget();
      break;
    case 'acknowledge':
      draft.change(event.key, (alert) => ({
        ...withNamed(alert, alert.members),
        ...{ acknowledgedAtMs: alert.acknowledgedAtMs ?? now.atMs, snoozedUntilMs: null },
        // Who has seen it needs no summary, but its end.
        ...{ isHeld: false, saidAtMs: alert.saidAtMs ?? now.atMs },
      }));
      break;
    case 'snooze':
      draft.change(event.key, ({ isHeld, saidAtMs }) => ({
        snoozedUntilMs: event.untilMs,
        ...(event.untilMs === null ? { acknowledgedAtMs: null, saidAtMs: saidAtMs && now.atMs } : {}),
        // The end of quiet hours says nothing of it.
        isHeld: isHeld && event.untilMs === null,
      }));
      break;
    case 'tick':
  }
  return draft.end();
}

class Draft {
  readonly #alerts: Map<string, Alert>;
  readonly #seen: Map<string, { sinceMs: number; conditions: readonly Condition[] }>;
  readonly #changed = new Set<string>();
  readonly #messages: AlertMessage[] = [];
  readonly #now: Now;
  #blind: Pick<AlertState, 'blindSinceMs' | 'blindSpans'>;

  constructor({ alerts, seen, ...blind }: AlertState, now: Now) {
    this.#alerts = new Map(alerts);
    this.#seen = new Map(seen);
    this.#blind = blind;
    this.#now = now;
  }

  see(nodeId: string, conditions: readonly Condition[]): void {
    this.#seen.set(nodeId, { sinceMs: this.#seen.get(nodeId)?.sinceMs ?? this.#now.atMs, conditions });
    this.#drop((member) => member.nodeId === nodeId && this.#levelOf(member) === 'off');
    const follow = (member: AlertMember) =>
      member.nodeId === nodeId ? followed(member, conditions, this.#now.atMs) : member;
    for (const alert of this.#open()) this.#update(alert, alert.members.map(follow));
    for (const condition of conditions) {
      if (!condition.isDue || condition.endedAtMs !== null || this.#isKnown(condition)) continue;
      if (this.#isPlanned(condition) || this.#levelOf(condition) === 'off') continue;
      const home = this.#open().find((alert) => takesIn(alert, condition, this.#now.atMs));
      const left = [...this.#alerts.values()].find((alert) => isLeft(alert, condition));
      if (home !== undefined) this.#update(home, [...home.members, memberOf(condition)]);
      else if (left !== undefined) this.#put({ ...left, members: [memberOf(condition)], endedAtMs: null });
      else this.#begin(condition);
    }
  }

  tell(news: readonly AlertMember[]): void {
    for (const member of news) this.#say(this.#put(newAlert([member], () => false)), 'news');
  }

  leave(nodeId: string): void {
    this.#seen.delete(nodeId);
    this.#drop((member) => member.nodeId === nodeId);
  }

  forget(): void {
    this.#seen.clear();
  }

  blind(isBlind: boolean): void {
    const { atMs: toMs } = this.#now;
    const { blindSinceMs: fromMs, blindSpans } = this.#blind;
    if (isBlind === (fromMs !== null)) return;
    if (isBlind) this.forget();
    const isLong = fromMs !== null && toMs - fromMs >= leastBlindMs;
    this.#blind = {
      blindSinceMs: isBlind ? toMs : null,
      blindSpans: isLong ? [...blindSpans, { fromMs, toMs }] : blindSpans,
    };
  }

  change(key: string, to: (alert: Alert) => Partial<Alert>): void {
    const alert = this.#alerts.get(key);
    if (alert?.endedAtMs === null) this.#put({ ...alert, ...to(alert) });
  }

  /** Says what is due by now. */
  end(): Decision {
    const { atMs } = this.#now;
    for (const alert of this.#alerts.values()) {
      if (!this.#isCurrent(alert)) continue;
      if (alert.flapping === 'said') this.#settle(alert);
      else if (alert.endedAtMs === null) this.#remind(alert);
    }
    this.#endQuiet();
    const changed = [...this.#changed].flatMap((key) => this.#alerts.get(key) ?? []);
    for (const [key, { endedAtMs, isHeld, flapping }] of this.#alerts) {
      if (endedAtMs !== null && atMs - endedAtMs > rememberedMs && !isHeld && flapping !== 'said')
        this.#alerts.delete(key);
    }
    return {
      state: { alerts: this.#alerts, seen: this.#seen, ...this.#blind },
      changed,
      messages: this.#messages,
    };
  }

  // ---- Alerts -------------------------------------------------------------------------------------------------------

  #open(): Alert[] {
    return [...this.#alerts.values()].filter(({ endedAtMs }) => endedAtMs === null);
  }

  /** Whether it is known that it still is the case: after a start of the app or a time of blindness its nodes have to be seen first. */
  #isCurrent({ members, flapping }: Alert): boolean {
    const { atMs } = this.#now;
    const isSeen = ({ nodeId }: AlertMember) =>
      Math.abs(atMs - (this.#seen.get(nodeId)?.sinceMs ?? atMs)) >= knownAfterMs;
    return flapping === 'said'
      ? members.some(isSeen)
      : members.every((member) => member.endedAtMs !== null || isSeen(member));
  }

  /** Their end causes no message: nobody knows it. */
  #drop(isDropped: (member: AlertMember) => boolean): void {
    for (const alert of this.#alerts.values())
      if (alert.flapping === 'said' && alert.members.every(isDropped))
        this.#put({ ...alert, flapping: 'settled' });
    for (const alert of this.#open()) {
      const members = alert.members.filter((member) => !isDropped(member));
      if (members.length === alert.members.length) continue;
      if (members.length > 0) this.#update(alert, members);
      else this.#put({ ...alert, endedAtMs: this.#now.atMs, isHeld: false });
    }
  }

  #sameAs(alert: Alert): Alert[] {
    return [...this.#alerts.values()].filter((other) => subjectOf(other) === subjectOf(alert));
  }

  #isKnown(condition: Condition): boolean {
    return this.#open().some(({ members }) => members.some((member) => isSame(member, condition)));
  }

  #begin(condition: Condition): void {
    const beside = [...this.#seen.values()]
      .flatMap(({ conditions }) => conditions)
      .filter(
        (other) =>
          other !== condition &&
          other.endedAtMs === null &&
          belong(condition, other) &&
          !this.#isPlanned(other) &&
          !this.#isKnown(other),
      );
    // Ids of an incident that a message has called ended, and which a later failure joins.
    const isUsed = (id: string): boolean =>
      [...this.#alerts.values()].some(({ members }) => members.some(({ ids }) => ids.includes(id)));
    this.#say(this.#put(newAlert([condition, ...beside].map(memberOf), isUsed)), 'begin');
  }

  #update(alert: Alert, members: readonly AlertMember[]): void {
    if (JSON.stringify(members) === JSON.stringify(alert.members)) return;
    const changed = withMembers(alert, members);
    // Where all of its rule is urgent, only the settings have changed.
    const isWorse =
      changed.level !== alert.level && members.every((member) => this.#levelOf(member) !== 'wake');
    this.#put(changed);
    if (changed.endedAtMs !== null) this.#say(changed, 'end');
    else if (isWorse && alert.acknowledgedAtMs === null) this.#say(changed, 'worse');
  }

  #put(alert: Alert): Alert {
    this.#alerts.set(alert.key, alert);
    this.#changed.add(alert.key);
    return alert;
  }

  // ---- Messages -----------------------------------------------------------------------------------------------------

  /** What the settings say; null for what is chosen for each address. */
  #levelOf({ rule }: AlertMember): AlertSettings['rules'][RuleName] | null {
    return rule === 'address' ? null : this.#now.settings.rules[rule];
  }

  /** Its node is being worked on. */
  #isPlanned({ nodeId }: AlertMember): boolean {
    return plannedAt(this.#now.settings.planned, nodeId, this.#now.atMs) !== undefined;
  }

  /** Without members that have ended while others last, and those at nodes that are being worked on. */
  readonly #meant = (alert: Alert): Alert => ({
    ...alert,
    members: lastingOf(alert).filter((member) => !this.#isPlanned(member)),
  });

  #isAllPlanned(alert: Alert): boolean {
    return this.#meant(alert).members.length === 0;
  }

  #say(alert: Alert, kind: AlertMessage['kind']): void {
    const { atMs, settings } = this.#now;
    const isPlanned = this.#isAllPlanned(alert);
    // Who heard of it before the work hears of its end after it.
    if (alert.snoozedUntilMs !== null || (isPlanned && (kind !== 'end' || alert.saidAtMs === null))) return;
    const same = this.#sameAs(alert);
    const isSaid = same.some(
      ({ flapping, members }) =>
        flapping === 'said' &&
        alert.members.every((one) => members.some(({ nodeId }) => nodeId === one.nodeId)),
    );
    if (isSaid && kind !== 'settled') return;
    // It is no trouble: nobody waits for its end.
    if (kind === 'end' && isNotice(alert)) return;
    if (isPlanned || isHeldBack(settings, alert.level, atMs)) {
      this.#put({ ...alert, isHeld: true });
      return;
    }
    // No message was about it.
    if (kind === 'end' && alert.saidAtMs === null) return;
    const changes = same
      .flatMap(({ startedAtMs, endedAtMs }) => [startedAtMs, endedAtMs])
      .filter((changedAtMs) => changedAtMs !== null && Math.abs(atMs - changedAtMs) < flapSpanMs).length;
    const isFlapping = (kind === 'begin' || kind === 'end') && changes >= flapChanges;
    const meant = this.#meant(alert);
    const said: Alert = {
      ...withNamed(alert, meant.members),
      saidAtMs: atMs,
      isHeld: false,
      flapping: isFlapping ? 'said' : alert.flapping,
    };
    this.#put(said);
    const saidKind = isFlapping ? 'flapping' : kind;
    this.#message(saidKind, alertWords(saidKind, meant, atMs), meant);
  }

  #message(kind: AlertMessage['kind'], words: Words, alert: Alert | null, level = alert?.level ?? 'tell') {
    const { atMs } = this.#now;
    this.#messages.push({
      // One that can be said once only for an alert has the same id whenever it is decided.
      id: `${alert?.key ?? ''} ${kind} ${['begin', 'end', 'news'].includes(kind) ? '' : atMs}`,
      alertKey: alert?.key ?? null,
      ...{ kind, level, atMs, ...words },
      ...placeOf(alert?.members ?? []),
      sent: [],
    });
  }

  #remind(alert: Alert): void {
    const { atMs, settings } = this.#now;
    const { snoozedUntilMs, acknowledgedAtMs, saidAtMs, isHeld } = alert;
    if (snoozedUntilMs !== null) {
      if (snoozedUntilMs <= atMs) this.#say(this.#put({ ...alert, snoozedUntilMs: null }), 'reminder');
      return;
    }
    if (saidAtMs === null || acknowledgedAtMs !== null || isHeld || isNotice(alert)) return;
    const isWorkOver = ({ nodeId }: AlertMember) =>
      hasEndedWork(settings.planned, nodeId, { fromMs: saidAtMs, toMs: atMs });
    const isUntold = (member: AlertMember) => !isExplained(alert, member, atMs);
    const saidMs = Math.abs(atMs - saidAtMs);
    if (saidMs >= joinsMs && this.#meant(alert).members.some(isUntold)) this.#say(alert, 'worse');
    else if (saidMs >= remindAfterMs || lastingOf(alert).some(isWorkOver)) this.#say(alert, 'reminder');
  }

  #settle(flapped: Alert): void {
    const { atMs } = this.#now;
    const same = this.#sameAs(flapped);
    const lastMs = Math.max(...same.map(({ startedAtMs, endedAtMs }) => endedAtMs ?? startedAtMs));
    const said = same.filter(({ flapping }) => flapping === 'said');
    const last = same.find(({ endedAtMs }) => endedAtMs === null) ?? said.at(-1) ?? flapped;
    // What settles during planned work causes a message after it.
    if (Math.abs(atMs - lastMs) < settleMs || this.#isAllPlanned(last)) return;
    for (const alert of said) this.#put({ ...alert, flapping: 'settled' });
    this.#say(this.#alerts.get(last.key) ?? last, 'settled');
  }

  #endQuiet(): void {
    const { atMs, settings } = this.#now;
    // What is urgent waits for the end of a pause, and not for that of quiet hours in which it ends.
    const due = [...this.#alerts.values()]
      .filter(({ isHeld, level }) => isHeld && !isHeldBack(settings, level, atMs))
      .filter((alert) => !this.#isAllPlanned(alert));
    // After a sleep one summary is for all that is seen again soon.
    const current = due.filter((alert) => this.#isCurrent(alert));
    const isAwake = [...this.#seen.values()].some(({ sinceMs }) => Math.abs(atMs - sinceMs) >= summedAfterMs);
    const held = isAwake || current.length === due.length ? current : [];
    for (const alert of held)
      this.#put({ ...withNamed(alert, this.#meant(alert).members), isHeld: false, saidAtMs: atMs });
    const level = held.map((alert) => alert.level).reduce(higher, 'tell');
    if (held.length > 0) this.#message('summary', summaryWords(held.map(this.#meant), atMs), null, level);
    const { blindSinceMs, blindSpans } = this.#blind;
    if (blindSpans.length === 0 || blindSinceMs !== null || isHeldBack(settings, 'tell', atMs)) return;
    this.#message('blind', blindWords(blindSpans, atMs), null);
    this.#blind = { blindSinceMs, blindSpans: [] };
  }
}
