import { costUnits } from '../../../shared/endpoints/define.ts';
import type { BudgetShare, BudgetStatus } from '../../../shared/explore/types.ts';
import { originOf, type ServiceProfile } from '../../../shared/settings.ts';
import type { Ports } from '../ports.ts';
import { costOf, type Budget } from './budget.ts';
import type { Scheduler } from './scheduler.ts';

export interface BudgetMonitorDeps extends Pick<Ports, 'emit' | 'clock' | 'timers'> {
  scheduler: Scheduler;
  profile: () => ServiceProfile;
}

/** A rate-limit window up to this long is shown as the minute's, a longer one as the day's. */
const longestMinuteWindowMs = 3_600_000;

/** The remaining rate limits of the service. What it has not told, or of a window that is over, is null. */
export class BudgetMonitor {
  readonly #deps: BudgetMonitorDeps;
  #cancelExpiry: (() => void) | null = null;

  constructor(deps: BudgetMonitorDeps) {
    this.#deps = deps;
    deps.scheduler.onChange(() => this.refresh());
  }

  status(): BudgetStatus {
    const { data, metrics } = this.#budgets();
    return { data: this.#share(data), metrics: this.#share(metrics) };
  }

  /** What a call for chain data takes, as the service counts. */
  callUnits(): number {
    return costOf(this.#budgets().data, costUnits.data);
  }

  /** Publishes the status: after a call, or when another service is configured. */
  refresh(): void {
    this.#watchExpiry();
    this.#deps.emit('budget.changed', this.status());
  }

  /** Publishes again when a window or a hold ends, which happens without a call. */
  #watchExpiry(): void {
    const { clock, timers } = this.#deps;
    const nowMs = clock.monotonicMs();
    const ends = Object.values(this.#budgets())
      .flatMap(({ windowEndsAtMs, heldUntilMs }) => [windowEndsAtMs ?? nowMs, heldUntilMs])
      .filter((endMs) => endMs > nowMs);
    this.#cancelExpiry?.();
    this.#cancelExpiry =
      ends.length === 0 ? null : timers.after(Math.ceil(Math.min(...ends) - nowMs), () => this.refresh());
  }

  #budgets(): Record<'data' | 'metrics', Budget> {
    const { profile, scheduler } = this.#deps;
    const { dataUrl, metricsUrl } = profile();
    return {
      data: scheduler.budget(originOf(dataUrl), 'data'),
      metrics: scheduler.budget(originOf(metricsUrl), 'metrics'),
    };
  }

  #share(budget: Budget): BudgetShare {
    const { windowEndsAtMs, windowMs, limitUnits, dayLimitUnits, heldUntilMs } = budget;
    const monotonicMs = this.#deps.clock.monotonicMs();
    const isCurrent = windowEndsAtMs !== null && windowEndsAtMs > monotonicMs;
    const remaining = isCurrent ? budget.remainingUnits : null;
    const isMinute = windowMs <= longestMinuteWindowMs;
    const heldMs = heldUntilMs - monotonicMs;
    return {
      remainingThisMinute: isMinute ? remaining : null,
      limitPerMinute: isMinute ? limitUnits : null,
      remainingToday: isMinute ? null : remaining,
      limitPerDay: isMinute ? dayLimitUnits : limitUnits,
      heldUntilMs: heldMs > 0 ? Math.round(this.#deps.clock.nowMs() + heldMs) : null,
    };
  }
}
