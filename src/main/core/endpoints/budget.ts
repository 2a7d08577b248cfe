/** Who asks, most urgent first: what the user looks at, alerts, completing known rows, filling history. */
export type Priority = 'user' | 'alert' | 'completion' | 'backfill';

export const priorities: readonly Priority[] = ['user', 'alert', 'completion', 'backfill'];

/**
 * What is known of the calls that one interface of one service still allows. All times are monotonic milliseconds, so
 * that a step of the system's clock neither ends a hold nor prolongs it.
 */
export interface Budget {
  /** Compute units a window, and what is left of them; null while the service has not said. */
  limitUnits: number | null;
  remainingUnits: number | null;
  /** From here on what is known of the window is out of date: a new one has begun. */
  windowEndsAtMs: number | null;
  /** Length of the window. */
  windowMs: number;
  /** Units a day, when the service names that limit besides the one of the window; null while it has named none. */
  dayLimitUnits: number | null;
  /** The service said (429) that nothing may be sent before. */
  heldUntilMs: number;
  /** Calls under way. */
  inFlight: number;
  /** Units that were answered in this window; null in one that was not counted from its beginning. */
  usedUnits: number | null;
  /** What of them was the user's, and what in the window before. */
  usedByUser: number;
  usedByUserBefore: number;
  /** What a service that tells no limit gave in a window before it refused; null while it has not. */
  seenLimitUnits: number | null;
}

/** Minutes are the shorter of the two windows of the public service (service-and-node.md §4). */
const defaultWindowMs = 60_000;

const dayMs = 86_400_000;

/** More calls at once would not be faster, and some services count them. */
const maxInFlight = 6;

/** The rest is kept free, so that what the user asks for never waits for history. */
const maxInFlightInBackground = 4;

/**
 * The share of a window that only the user may use: as much as was used by the user in the window before and a quarter
 * more, within these bounds.
 */
const leastUserShare = 0.12;
const largestUserShare = 0.5;
const userGrowth = 1.25;

/**
 * From here on before its end only a few calls of a window are kept back: who makes more then is soon served by the next
 * one. The very end is left out, because the service tells it in whole seconds.
 */
const releaseFromMs = 2_000;
const releaseToMs = 1_000;
const fewCalls = 4;

export const freshBudget: Budget = {
  limitUnits: null,
  remainingUnits: null,
  windowEndsAtMs: null,
  windowMs: defaultWindowMs,
  dayLimitUnits: null,
  heldUntilMs: Number.NEGATIVE_INFINITY,
  inFlight: 0,
  usedUnits: null,
  usedByUser: 0,
  usedByUserBefore: 0,
  seenLimitUnits: null,
};

export type Decision =
  | { kind: 'send' }
  /** A call that ends makes room; nothing to wait for but that. */
  | { kind: 'wait-for-slot' }
  | { kind: 'wait-until'; atMs: number };

/** Whether a call of `costUnits` may be sent now. */
export function decide(given: Budget, priority: Priority, costUnits: number, nowMs: number): Decision {
  if (given.heldUntilMs > nowMs) return { kind: 'wait-until', atMs: given.heldUntilMs };
  const slots = priority === 'user' ? maxInFlight : maxInFlightInBackground;
  if (given.inFlight >= slots) return { kind: 'wait-for-slot' };
  const budget = inWindowAt(given, nowMs);
  const { windowEndsAtMs, remainingUnits, seenLimitUnits, usedUnits, inFlight } = budget;
  if (windowEndsAtMs === null || (remainingUnits === null && seenLimitUnits === null))
    return { kind: 'send' };
  const available = (remainingUnits ?? (seenLimitUnits ?? 0) - (usedUnits ?? 0)) - inFlight * costUnits;
  const isAssumed = remainingUnits === null;
  if (priority === 'user') {
    return available >= costUnits || isAssumed
      ? { kind: 'send' }
      : { kind: 'wait-until', atMs: windowEndsAtMs };
  }
  const releasedFromMs = windowEndsAtMs - releaseFromMs;
  const isReleased = nowMs >= releasedFromMs && nowMs < windowEndsAtMs - releaseToMs;
  const reserve = userReserve(budget, costUnits);
  const fewUnits = Math.min(reserve, fewCalls * costUnits);
  if (available - (isReleased ? fewUnits : reserve) >= costUnits) return { kind: 'send' };
  // What was given before a refusal may not have been all, if others share the limit: one call at a time finds out.
  if (isReleased && isAssumed) return inFlight === 0 ? { kind: 'send' } : { kind: 'wait-for-slot' };
  const mayBeReleased = nowMs < releasedFromMs && (available - fewUnits >= costUnits || isAssumed);
  return { kind: 'wait-until', atMs: mayBeReleased ? releasedFromMs : windowEndsAtMs };
}

/** Whole calls that are kept for the user, in units. */
function userReserve(budget: Budget, costUnits: number): number {
  const limit = budget.limitUnits ?? budget.seenLimitUnits ?? 0;
  const wanted = Math.max(limit * leastUserShare, budget.usedByUserBefore * userGrowth);
  const kept = Math.min(wanted, limit * largestUserShare) - budget.usedByUser;
  return Math.max(0, Math.floor(kept / costUnits)) * costUnits;
}

/** The budget with what is known of the window that `nowMs` lies in. */
function inWindowAt(budget: Budget, nowMs: number): Budget {
  const { windowEndsAtMs, windowMs } = budget;
  if (windowEndsAtMs === null || windowEndsAtMs > nowMs) return budget;
  const passed = Math.ceil((nowMs - windowEndsAtMs + 1) / windowMs);
  return { ...withNextWindow(budget, passed === 1), windowEndsAtMs: windowEndsAtMs + passed * windowMs };
}

/** `isNext`: the new window follows the one that was known without another one between. */
function withNextWindow(budget: Budget, isNext: boolean): Budget {
  const { seenLimitUnits, usedUnits, usedByUser } = budget;
  return {
    ...budget,
    remainingUnits: null,
    usedUnits: 0,
    usedByUser: 0,
    usedByUserBefore: isNext ? usedByUser : 0,
    seenLimitUnits: seenLimitUnits === null ? null : Math.max(seenLimitUnits, usedUnits ?? 0),
  };
}

export function withCallSent(budget: Budget, nowMs: number): Budget {
  const current = inWindowAt(budget, nowMs);
  return { ...current, inFlight: current.inFlight + 1 };
}

/** An answer, as far as it teaches something about the limits. */
export interface AnswerSeen {
  status: number;
  /** With lower-case names. */
  headers: Readonly<Record<string, string>>;
  /** How long it is until the window ends; null when the answer does not say. */
  resetMs: number | null;
  /** For how long it forbids further calls; null when it does not. */
  holdMs: number | null;
}

/** What the end of a call teaches; `answer` is null when none came. */
export function withCallEnded(
  budget: Budget,
  answer: AnswerSeen | null,
  { priority, costUnits }: { priority: Priority; costUnits: number },
  nowMs: number,
): Budget {
  const current = inWindowAt(budget, nowMs);
  const ended = { ...current, inFlight: Math.max(0, current.inFlight - 1) };
  if (answer === null) return ended;
  const told = leadingNumber(answer.headers['ratelimit-remaining']);
  const learned =
    told === null ? withoutWord(ended, answer, nowMs) : withWord(ended, answer, told, costUnits, nowMs);
  if (answer.status === 429) return learned;
  const usedByUser = learned.usedByUser + (priority === 'user' ? costUnits : 0);
  const usedUnits = learned.usedUnits === null ? null : learned.usedUnits + costUnits;
  return { ...learned, usedUnits, usedByUser };
}

/** The service says what is left. */
function withWord(
  budget: Budget,
  { headers, resetMs }: AnswerSeen,
  told: number,
  costUnits: number,
  nowMs: number,
): Budget {
  const known = budget.remainingUnits;
  // Answers overtake each other: a figure that is a little larger was true before one that is known already.
  const isOvertaken = known !== null && told > known && told - known <= budget.inFlight * costUnits;
  const isRenewed = known !== null && told > known && !isOvertaken;
  const policies = readPolicies(headers['ratelimit-policy']);
  const policy = policies[0] ?? null;
  const day = policies.find((other) => other !== policy && other.windowMs === dayMs);
  const windowMs = policy?.windowMs ?? budget.windowMs;
  // Without a word about its end, a window that is seen first now ends at the latest a whole window from now.
  const endsAtMs = known === null || isRenewed ? nowMs + windowMs : budget.windowEndsAtMs;
  return {
    ...(isRenewed ? withNextWindow(budget, true) : budget),
    limitUnits: leadingNumber(headers['ratelimit-limit']) ?? policy?.limitUnits ?? budget.limitUnits,
    remainingUnits: isOvertaken ? known : told,
    windowMs,
    dayLimitUnits: day?.limitUnits ?? budget.dayLimitUnits,
    windowEndsAtMs: resetMs === null ? endsAtMs : nowMs + Math.min(resetMs, windowMs),
    seenLimitUnits: null,
  };
}

/**
 * The service says nothing of what is left, but a refusal says when there is more, and so when the windows begin, and what
 * was given in one that was counted whole.
 */
function withoutWord(budget: Budget, { status, holdMs }: AnswerSeen, nowMs: number): Budget {
  const isOfWindow = status === 429 && holdMs !== null && holdMs <= budget.windowMs;
  if (!isOfWindow || budget.remainingUnits !== null) return budget;
  const { usedUnits, seenLimitUnits } = budget;
  const endsAtMs = nowMs + holdMs;
  const known = seenLimitUnits === null ? null : budget.windowEndsAtMs;
  const isKnown = known !== null && known <= endsAtMs && endsAtMs - known < 1_000;
  return {
    ...budget,
    // Not less than half of it at once: a refusal may be late, and of the window before.
    seenLimitUnits: usedUnits === null ? seenLimitUnits : Math.max(usedUnits, (seenLimitUnits ?? 0) / 2),
    // Told in whole seconds, the end is never earlier than it is: of two that are told the first one counts.
    windowEndsAtMs: isKnown ? known : endsAtMs,
  };
}

/** Nothing may be sent for `waitMs`; an earlier, longer hold stays. */
export function withHold(budget: Budget, waitMs: number, nowMs: number): Budget {
  return { ...budget, heldUntilMs: Math.max(budget.heldUntilMs, nowMs + waitMs) };
}

/** `8000;w=60`: units, and seconds of the window; of several policies the one with the shortest window first. */
function readPolicies(text: string | undefined): { limitUnits: number; windowMs: number }[] {
  const policies = (text ?? '').split(',').flatMap((part) => {
    const match = /(?:^|[;=\s"])(\d{1,12})"?\s*;\s*w=(\d{1,7})/.exec(part);
    return match === null ? [] : [{ limitUnits: Number(match[1]), windowMs: Number(match[2]) * 1000 }];
  });
  return policies.sort((a, b) => a.windowMs - b.windowMs);
}

function leadingNumber(text: string | undefined): number | null {
  const match = /^\s*(\d{1,12})/.exec(text ?? '');
  return match === null ? null : Number(match[1]);
}
