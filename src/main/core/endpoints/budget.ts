import { dayMs } from '../../../shared/time.ts';

/** Priorities of calls, highest first: what the user looks at, completing rows, fetching history. */
export type Priority = 'user' | 'completion' | 'backfill';

export const priorities: readonly Priority[] = ['user', 'completion', 'backfill'];

/** Rate limit of one interface of one service, as far as known. Times are monotonic milliseconds: the clock may be set. */
export interface Budget {
  /** Compute units per window, and how many are left; null until the service has said. */
  limitUnits: number | null;
  remainingUnits: number | null;
  /** When the window ends; the figures of the window are out of date then. */
  windowEndsAtMs: number | null;
  windowMs: number;
  /** Units per day, where the service names a daily limit besides that of the window; else null. */
  dayLimitUnits: number | null;
  /** After a 429: nothing may be sent before this time. */
  heldUntilMs: number;
  inFlight: number;
  /** Units of the calls answered in this window; null when it was not counted from its start. */
  usedUnits: number | null;
  /** Units of these that the user's calls took, in this window and in the one before. */
  usedByUser: number;
  usedByUserBefore: number;
  /** A call takes no more than this, as the service counts, which may be requests; Infinity until it has said. */
  mostPerCall: number;
  /** For a service that tells no limit: the units that one window gave before a 429; null until there was one. */
  seenLimitUnits: number | null;
}

/** The shorter of the public service's two windows is a minute (service-and-node.md §4). */
const defaultWindowMs = 60_000;

/** More concurrent calls would not be faster, and some services limit them. */
const maxInFlight = 6;

/** The rest stays free, so that the user's calls never wait for background work. */
const maxInFlightInBackground = 4;

/** The share reserved for the user: a quarter more than was taken in the window before, within bounds. */
const leastUserShare = 0.12;
/** What a user asks for at once: 20 calls of the data interface. Of a small limit a larger share is kept, up to that. */
const unitsAtOnce = 400;
const leastShareOfSmall = 0.2;
const largestUserShare = 0.5;
const userGrowth = 1.25;

/** From this time before a window ends no more is kept than a user asks for at once. */
const keepsLessFromMs = 10_000;
/**
 * In this span before it most of that is released too: whoever needs more is served soon, by the next window. The last second is
 * left out, since the service tells the end in whole seconds.
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
  mostPerCall: Infinity,
  seenLimitUnits: null,
};

export const costOf = ({ mostPerCall }: Budget, costUnits: number): number =>
  Math.min(costUnits, mostPerCall);

export type Decision =
  | { kind: 'send' }
  /** Wait until a call under way has ended. */
  | { kind: 'wait-for-slot' }
  | { kind: 'wait-until'; atMs: number };

export function decide(given: Budget, priority: Priority, givenUnits: number, nowMs: number): Decision {
  const costUnits = costOf(given, givenUnits);
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
  const reserve = userReserve(budget, costUnits);
  const fewUnits = Math.min(reserve, fewCalls * costUnits);
  const lessFromMs = windowEndsAtMs - keepsLessFromMs;
  const lessUnits = Math.min(reserve, unitsAtOnce);
  const releasedFromMs = windowEndsAtMs - releaseFromMs;
  const isReleased = nowMs >= releasedFromMs && nowMs < windowEndsAtMs - releaseToMs;
  const kept = isReleased ? fewUnits : nowMs >= lessFromMs ? lessUnits : reserve;
  if (available - kept >= costUnits) return { kind: 'send' };
  // The limit seen before a 429 may be too low if others share it; single calls find out.
  if (isReleased && isAssumed) return inFlight === 0 ? { kind: 'send' } : { kind: 'wait-for-slot' };
  if (nowMs < lessFromMs && available - lessUnits >= costUnits)
    return { kind: 'wait-until', atMs: lessFromMs };
  const mayBeReleased = nowMs < releasedFromMs && (available - fewUnits >= costUnits || isAssumed);
  return { kind: 'wait-until', atMs: mayBeReleased ? releasedFromMs : windowEndsAtMs };
}

/** Units reserved for the user, in whole calls. */
function userReserve(budget: Budget, costUnits: number): number {
  const limit = budget.limitUnits ?? budget.seenLimitUnits ?? 0;
  const wanted = Math.max(
    limit * leastUserShare,
    Math.min(limit * leastShareOfSmall, unitsAtOnce),
    budget.usedByUserBefore * userGrowth,
  );
  const kept = Math.min(wanted, limit * largestUserShare) - budget.usedByUser;
  return Math.max(0, Math.floor(kept / costUnits)) * costUnits;
}

/** The budget as of `nowMs`: figures of a window that is over are dropped. */
function inWindowAt(budget: Budget, nowMs: number): Budget {
  const { windowEndsAtMs, windowMs } = budget;
  if (windowEndsAtMs === null || windowEndsAtMs > nowMs) return budget;
  const passed = Math.ceil((nowMs - windowEndsAtMs + 1) / windowMs);
  return { ...withNextWindow(budget, passed === 1), windowEndsAtMs: windowEndsAtMs + passed * windowMs };
}

/** `isNext`: the new window directly follows the known one. */
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

/** The parts of a response that tell something about the limits. */
export interface AnswerSeen {
  status: number;
  /** With lower-case names. */
  headers: Readonly<Record<string, string>>;
  /** Time until the window ends; null when the response does not say. */
  resetMs: number | null;
  /** How long no calls may be sent; null when the response does not say. */
  holdMs: number | null;
}

/** Updates the budget after a call; `answer` is null when there was no response. */
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
  // Some limits come back bit by bit, so that a call seems to take less than it does.
  if (answer.status === 429) return { ...learned, mostPerCall: Infinity };
  const cost = costOf(learned, costUnits);
  const usedByUser = learned.usedByUser + (priority === 'user' ? cost : 0);
  const usedUnits = learned.usedUnits === null ? null : learned.usedUnits + cost;
  return { ...learned, usedUnits, usedByUser };
}

/** Updates the budget when the response says how many units are left. */
function withWord(
  budget: Budget,
  { headers, resetMs }: AnswerSeen,
  told: number,
  costUnits: number,
  nowMs: number,
): Budget {
  const known = budget.remainingUnits;
  // Responses can overtake each other: a slightly larger figure is just older than the known one.
  const overtaking = budget.inFlight * costOf(budget, costUnits);
  const isOvertaken = known !== null && told > known && told - known <= overtaking;
  const isRenewed = known !== null && told > known && !isOvertaken;
  const policies = readPolicies(headers['ratelimit-policy']);
  const policy = policies[0] ?? null;
  const day = policies.find((other) => other !== policy && other.windowMs === dayMs);
  const windowMs = policy?.windowMs ?? budget.windowMs;
  const limitUnits = leadingNumber(headers['ratelimit-limit']) ?? policy?.limitUnits ?? budget.limitUnits;
  // Of the limit, this call and those before it in its window have taken the rest.
  const taken = limitUnits === null || told >= limitUnits ? Infinity : limitUnits - told;
  // If the response does not tell the end, a new window ends at the latest one window length from now.
  const endsAtMs = known === null || isRenewed ? nowMs + windowMs : budget.windowEndsAtMs;
  return {
    ...(isRenewed ? withNextWindow(budget, true) : budget),
    limitUnits,
    mostPerCall: Math.min(budget.mostPerCall, taken),
    remainingUnits: isOvertaken ? known : told,
    windowMs,
    dayLimitUnits: day?.limitUnits ?? budget.dayLimitUnits,
    windowEndsAtMs: resetMs === null ? endsAtMs : nowMs + Math.min(resetMs, windowMs),
    seenLimitUnits: null,
  };
}

/**
 * For a service that does not tell what is left: a 429 tells when the window ends, and so when the next begins, and how
 * many units one window gave, if it was counted from its start.
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
    // Never lowered by more than half at once: a late 429 may belong to the window before.
    seenLimitUnits: usedUnits === null ? seenLimitUnits : Math.max(usedUnits, (seenLimitUnits ?? 0) / 2),
    // The end is given in whole seconds, rounded up, so of two ends less than a second apart the earlier is better.
    windowEndsAtMs: isKnown ? known : endsAtMs,
  };
}

/** Parses `8000;w=60` (units; seconds of the window); of several policies the shortest window comes first. */
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
