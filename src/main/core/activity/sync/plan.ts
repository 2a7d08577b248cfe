import type { ChainSync, SyncPlan, SyncWhat } from '../../../../shared/activity/types.ts';
import type { BudgetShare } from '../../../../shared/explore/types.ts';
import type { ListRef } from '../../activity-ports.ts';
import { holes, readIntervals, type Blocks } from '../../../../shared/activity/blocks.ts';

export interface PlanLimits {
  share: BudgetShare;
  /** Compute units of one call. */
  callUnits: number;
}

/** What the estimate of the duration is based on. */
export interface PlanPace {
  nowMs: number;
  /** How long a call takes; null before the first one. */
  callMs: number | null;
}

const elementsPerCall = 100;

/** Estimates the calls for `what`, taking missing parts as dense as known ones; none for unknown lists. */
export function planOf(
  parts: readonly (ListRef & { sync: ChainSync })[],
  what: SyncWhat,
  limits: PlanLimits,
  pace: PlanPace,
): SyncPlan {
  const items = parts.map(({ address, chainId, list, sync }) => ({
    address,
    chainId,
    list,
    ...callsFor(sync, what, pace.nowMs),
  }));
  const estimates = items.map(({ estimatedCalls }) => estimatedCalls);
  const estimatedCalls = estimates.reduce<number | null>(addKnown, 0);
  return {
    items,
    leastCalls: items.reduce((sum, { leastCalls }) => sum + leastCalls, 0),
    estimatedCalls,
    estimatedMs: estimatedCalls === null ? null : durationMs(estimatedCalls, limits, pace),
    share: estimatedCalls === null ? null : shareOf(estimatedCalls * limits.callUnits, limits.share),
  };
}

/** The documented headers give the limit per minute; a limit per day is known only where the service names both. */
function shareOf(units: number, { limitPerDay, limitPerMinute }: BudgetShare): SyncPlan['share'] {
  if (limitPerDay !== null && limitPerDay > 0) return { window: 'day', part: units / limitPerDay };
  if (limitPerMinute !== null && limitPerMinute > 0)
    return { window: 'minute', part: units / limitPerMinute };
  return null;
}

export function callsFor(
  sync: ChainSync,
  what: SyncWhat,
  nowMs: number,
): Pick<SyncPlan, 'leastCalls' | 'estimatedCalls'> {
  const covered = readIntervals(sync.covered);
  if (covered.length === 0 && what === 'holes') return { leastCalls: 0, estimatedCalls: 0 };
  // A list without any covered block can only be estimated if it is known to be empty.
  if (covered.length === 0) return { leastCalls: 1, estimatedCalls: sync.reachedStart ? 1 : null };
  const missing = holes(covered);
  const older = missing.filter(({ from }) => from === 0n);
  const ranges = { newer: [], holes: missing.filter(({ from }) => from > 0n), older, all: missing }[what];
  const head = what === 'newer' || what === 'all' ? [callsForNew(sync, nowMs)] : [];
  const calls = [...head, ...ranges.map((range) => callsForRange(range, sync.rowCount, covered))];
  return { leastCalls: calls.length, estimatedCalls: calls.reduce<number | null>(addKnown, 0) };
}

/** Calls for new elements, at the rate at which they came so far. */
function callsForNew(sync: ChainSync, nowMs: number): number | null {
  const { checkedAtMs, newestTimestampMs, oldestTimestampMs, rowCount } = sync;
  if (checkedAtMs === null) return null;
  const spanMs = (newestTimestampMs ?? 0) - (oldestTimestampMs ?? 0);
  if (spanMs <= 0) return 1;
  const expected = (rowCount / spanMs) * Math.max(0, nowMs - checkedAtMs);
  return Math.max(1, Math.ceil(expected / elementsPerCall));
}

function callsForRange(range: Blocks, rowCount: number, covered: readonly Blocks[]): number | null {
  const known = covered.reduce((sum, { from, to }) => sum + (to - from), 0n);
  if (known <= 0n) return null;
  // A double is precise enough: the estimate may be off by a page.
  const expected = (Number(range.to - range.from) / Number(known)) * rowCount;
  return Math.max(1, Math.ceil(expected / elementsPerCall));
}

/** The longer of the calls' own time and the time that the limit per minute requires; null if neither is known. */
function durationMs(
  calls: number,
  { share: { heldUntilMs, limitPerMinute, remainingThisMinute }, callUnits }: PlanLimits,
  { nowMs, callMs }: PlanPace,
): number | null {
  const heldMs = Math.max(0, (heldUntilMs ?? nowMs) - nowMs);
  const callsMs = callMs === null ? null : calls * callMs;
  const limitMs =
    limitPerMinute === null
      ? null
      : limitedMs(calls * callUnits, limitPerMinute, remainingThisMinute ?? limitPerMinute);
  if (callsMs === null && limitMs === null) return null;
  return Math.round(heldMs + Math.max(callsMs ?? 0, limitMs ?? 0));
}

/** The units left in this minute are used at once, the rest at the limit per minute. */
const limitedMs = (units: number, limit: number, remaining: number): number =>
  limit <= 0 ? 0 : (Math.max(0, units - remaining) / limit) * 60_000;

const addKnown = (sum: number | null, part: number | null): number | null =>
  sum === null || part === null ? null : sum + part;
