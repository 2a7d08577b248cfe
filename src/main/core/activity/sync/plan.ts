import type { ChainSync, SyncPlan, SyncWhat } from '../../../../shared/activity/types.ts';
import type { BudgetShare } from '../../../../shared/explore/types.ts';
import type { ListRef } from '../../activity-ports.ts';
import { holes, readIntervals, type Blocks } from '../../../../shared/activity/blocks.ts';

/** What the service allows, and what a call costs of it. */
export interface PlanLimits {
  share: BudgetShare;
  /** Compute units of one call. */
  callUnits: number;
}

export interface PlanPart extends ListRef {
  sync: ChainSync;
}

/** What is known of the pace. */
export interface PlanPace {
  nowMs: number;
  /** How long a call takes; null while none was made. */
  callMs: number | null;
}

const elementsPerCall = 100;

/**
 * What fetching `what` of these lists costs, from what is stored of them: a list is taken to be as dense where it is
 * missing as where it is known. Nothing is guessed about a list of which nothing is stored.
 */
export function planOf(
  parts: readonly PlanPart[],
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

/** The service's documented headers tell the limit of a minute; that of a day only where it names both. */
function shareOf(units: number, { limitPerDay, limitPerMinute }: BudgetShare): SyncPlan['share'] {
  if (limitPerDay !== null && limitPerDay > 0) return { window: 'day', part: units / limitPerDay };
  if (limitPerMinute !== null && limitPerMinute > 0)
    return { window: 'minute', part: units / limitPerMinute };
  return null;
}

interface Calls {
  leastCalls: number;
  estimatedCalls: number | null;
}

/** The calls that one list needs. */
export function callsFor(sync: ChainSync, what: SyncWhat, nowMs: number): Calls {
  const covered = readIntervals(sync.covered);
  if (covered.length === 0) return callsForUnknown(sync, what);
  const missing = holes(covered);
  const ranges = {
    newer: [],
    holes: missing.filter(({ from }) => from > 0n),
    older: missing.filter(({ from }) => from === 0n),
    all: missing,
  }[what];
  const head = what === 'newer' || what === 'all' ? [callsForNew(sync, nowMs)] : [];
  const calls = [...head, ...ranges.map((range) => callsForRange(range, sync.rowCount, covered))];
  return {
    leastCalls: calls.length,
    estimatedCalls: calls.reduce<number | null>(addKnown, 0),
  };
}

/** Of a list without any block there is nothing to estimate from, except where it is known to be empty. */
function callsForUnknown(sync: ChainSync, what: SyncWhat): Calls {
  if (what === 'holes') return { leastCalls: 0, estimatedCalls: 0 };
  return { leastCalls: 1, estimatedCalls: sync.reachedStart ? 1 : null };
}

/** The newest end, at the pace at which elements have come so far. */
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
  // To a page more or less: the numbers may exceed what a double holds exactly.
  const expected = (Number(range.to - range.from) / Number(known)) * rowCount;
  return Math.max(1, Math.ceil(expected / elementsPerCall));
}

/** As long as the calls take one after the other, or as the limits of a minute let them; null where neither is known. */
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

/** What is left of this minute goes at once; the rest a minute's worth a minute. */
function limitedMs(units: number, limit: number, remaining: number): number {
  return limit <= 0 ? 0 : (Math.max(0, units - remaining) / limit) * 60_000;
}

function addKnown(sum: number | null, part: number | null): number | null {
  return sum === null || part === null ? null : sum + part;
}
