import { costUnits } from '../../../shared/endpoints/define.ts';
import type { BudgetShare, BudgetStatus } from '../../../shared/explore/types.ts';
import { parseServiceUrl, type ServiceProfile } from '../../../shared/settings.ts';
import type { Clock, Emit, Timers } from '../ports.ts';
import { costOf, type Budget } from './budget.ts';
import type { Scheduler } from './scheduler.ts';

export interface BudgetMonitorDeps {
  emit: Emit;
  scheduler: Scheduler;
  profile: () => ServiceProfile;
  clock: Clock;
  timers: Timers;
}

/** A rate-limit window up to this long is shown as the minute's, a longer one as the day's. */
const longestMinuteWindowMs = 3_600_000;

/**
 * The remaining rate limits of the configured service. Nothing is estimated: a figure that the service has not told, or
 * that belongs to a window that is over, is null.
 */
export class BudgetMonitor {
  readonly #deps: BudgetMonitorDeps;
  #cancelExpiry: (() => void) | null = null;

  constructor(deps: BudgetMonitorDeps) {
    this.#deps = deps;
    deps.scheduler.onChange(() => this.refresh());
  }

  status(): BudgetStatus {
    const { dataUrl, metricsUrl } = this.#deps.profile();
    return { data: this.#share(dataUrl, 'data'), metrics: this.#share(metricsUrl, 'metrics') };
  }

  /** What a call for chain data takes, as the service counts. */
  callUnits(): number {
    return costOf(this.#budget(this.#deps.profile().dataUrl, 'data'), costUnits.data);
  }

  /** Publishes the status: after a call, or when another service is configured. */
  refresh(): void {
    this.#watchExpiry();
    this.#deps.emit('budget.changed', this.status());
  }

  /** Publishes again when a window or a hold ends, which happens without a call. */
  #watchExpiry(): void {
    const { clock, profile, timers } = this.#deps;
    const nowMs = clock.monotonicMs();
    const { dataUrl, metricsUrl } = profile();
    const budgets = [this.#budget(dataUrl, 'data'), this.#budget(metricsUrl, 'metrics')];
    const ends = budgets
      .flatMap(({ windowEndsAtMs, heldUntilMs }) => [windowEndsAtMs ?? nowMs, heldUntilMs])
      .filter((endMs) => endMs > nowMs);
    this.#cancelExpiry?.();
    this.#cancelExpiry =
      ends.length === 0 ? null : timers.after(Math.ceil(Math.min(...ends) - nowMs), () => this.refresh());
  }

  #budget(baseUrl: string, api: 'data' | 'metrics'): Budget {
    return this.#deps.scheduler.budget(parseServiceUrl(baseUrl)?.origin ?? '', api);
  }

  #share(baseUrl: string, api: 'data' | 'metrics'): BudgetShare {
    const { clock } = this.#deps;
    return shareOf(this.#budget(baseUrl, api), clock.monotonicMs(), clock.nowMs());
  }
}

function shareOf(budget: Budget, monotonicMs: number, nowMs: number): BudgetShare {
  const { windowEndsAtMs, windowMs, limitUnits, dayLimitUnits, heldUntilMs } = budget;
  const isCurrent = windowEndsAtMs !== null && windowEndsAtMs > monotonicMs;
  const remaining = isCurrent ? budget.remainingUnits : null;
  const isMinute = windowMs <= longestMinuteWindowMs;
  return {
    remainingThisMinute: isMinute ? remaining : null,
    limitPerMinute: isMinute ? limitUnits : null,
    remainingToday: isMinute ? null : remaining,
    limitPerDay: isMinute ? dayLimitUnits : limitUnits,
    heldUntilMs: heldUntilMs > monotonicMs ? Math.round(nowMs + heldUntilMs - monotonicMs) : null,
  };
}
