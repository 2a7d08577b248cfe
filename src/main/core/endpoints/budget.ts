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
  /** From here on the remaining units are out of date: a new window has begun. */
  windowEndsAtMs: number | null;
  /** Length of the window. */
  windowMs: number;
  /** Units a day, when the service names that limit besides the one of the window; null while it has named none. */
  dayLimitUnits: number | null;
  /** The service said (429) that nothing may be sent before. */
  heldUntilMs: number;
  /** Calls under way. */
  inFlight: number;
}

/** Minutes are the shorter of the two windows of the public service (facts §4). */
const defaultWindowMs = 60_000;

const dayMs = 86_400_000;

/** More calls at once would not be faster, and some services count them. */
const maxInFlight = 6;

/** The rest is kept free, so that what the user asks for never waits for history. */
const maxInFlightInBackground = 4;

/** The share of a window that only the user's own requests may use, and at most this many calls. */
const userReserveShare = 0.04;
const userReserveCalls = 4;

export const freshBudget: Budget = {
  limitUnits: null,
  remainingUnits: null,
  windowEndsAtMs: null,
  windowMs: defaultWindowMs,
  dayLimitUnits: null,
  heldUntilMs: Number.NEGATIVE_INFINITY,
  inFlight: 0,
};

export type Decision =
  | { kind: 'send' }
  /** A call that ends makes room; nothing to wait for but that. */
  | { kind: 'wait-for-slot' }
  | { kind: 'wait-until'; atMs: number };

/** Whether a call of `costUnits` may be sent now. */
export function decide(budget: Budget, priority: Priority, costUnits: number, nowMs: number): Decision {
  if (budget.heldUntilMs > nowMs) return { kind: 'wait-until', atMs: budget.heldUntilMs };
  const slots = priority === 'user' ? maxInFlight : maxInFlightInBackground;
  if (budget.inFlight >= slots) return { kind: 'wait-for-slot' };
  const { remainingUnits, windowEndsAtMs } = budget;
  if (remainingUnits === null || windowEndsAtMs === null || !isInWindow(budget, nowMs))
    return { kind: 'send' };
  const available = remainingUnits - budget.inFlight * costUnits;
  const reserve = priority === 'user' ? 0 : userReserve(budget.limitUnits ?? 0, costUnits);
  if (available - reserve >= costUnits) return { kind: 'send' };
  return { kind: 'wait-until', atMs: windowEndsAtMs };
}

function userReserve(limitUnits: number, costUnits: number): number {
  return Math.min(Math.floor((limitUnits * userReserveShare) / costUnits), userReserveCalls) * costUnits;
}

export function withCallSent(budget: Budget): Budget {
  return { ...budget, inFlight: budget.inFlight + 1 };
}

/** What the end of a call teaches. `headers` have lower-case names; null when no answer came. */
export function withCallEnded(
  budget: Budget,
  headers: Readonly<Record<string, string>> | null,
  costUnits: number,
  nowMs: number,
): Budget {
  const ended = { ...budget, inFlight: Math.max(0, budget.inFlight - 1) };
  const told = headers === null ? null : leadingNumber(headers['ratelimit-remaining']);
  if (headers === null || told === null) return ended;
  const known = isInWindow(budget, nowMs) ? budget.remainingUnits : null;
  // Answers overtake each other: a figure that is a little larger was true before one that is known already.
  const isOvertaken = known !== null && told > known && told - known <= ended.inFlight * costUnits;
  const policies = readPolicies(headers['ratelimit-policy']);
  const policy = policies[0] ?? null;
  const day = policies.find((other) => other !== policy && other.windowMs === dayMs);
  const windowMs = policy?.windowMs ?? budget.windowMs;
  return {
    ...ended,
    limitUnits: leadingNumber(headers['ratelimit-limit']) ?? policy?.limitUnits ?? budget.limitUnits,
    remainingUnits: isOvertaken ? known : told,
    windowMs,
    dayLimitUnits: day?.limitUnits ?? budget.dayLimitUnits,
    windowEndsAtMs: windowEnd(
      headers,
      known !== null && (isOvertaken || told <= known),
      budget,
      windowMs,
      nowMs,
    ),
  };
}

/** Without a word about its end, a window that is seen first now ends at the latest a whole window from now. */
function windowEnd(
  headers: Readonly<Record<string, string>>,
  isSameWindow: boolean,
  budget: Budget,
  windowMs: number,
  nowMs: number,
): number | null {
  const resetSeconds = leadingNumber(headers['ratelimit-reset']);
  if (resetSeconds !== null) return nowMs + resetSeconds * 1000;
  return isSameWindow ? budget.windowEndsAtMs : nowMs + windowMs;
}

function isInWindow(budget: Budget, nowMs: number): boolean {
  return budget.windowEndsAtMs !== null && budget.windowEndsAtMs > nowMs;
}

/** Nothing may be sent for `waitMs`; an earlier, longer hold stays. */
export function withHold(budget: Budget, waitMs: number, nowMs: number): Budget {
  return { ...budget, heldUntilMs: Math.max(budget.heldUntilMs, nowMs + waitMs) };
}

/** `8000;w=60`: units, and seconds of the window; of several policies the one with the shortest window first. */
function readPolicies(text: string | undefined): { limitUnits: number; windowMs: number }[] {
  const policies = (text ?? '').split(',').flatMap((part) => {
    const match = /(?:^|[;=\s"])(\d{1,12})\s*;\s*w=(\d{1,7})/.exec(part.trim());
    return match === null ? [] : [{ limitUnits: Number(match[1]), windowMs: Number(match[2]) * 1000 }];
  });
  return policies.sort((a, b) => a.windowMs - b.windowMs);
}

function leadingNumber(text: string | undefined): number | null {
  const match = /^\s*(\d{1,12})/.exec(text ?? '');
  return match === null ? null : Number(match[1]);
}
