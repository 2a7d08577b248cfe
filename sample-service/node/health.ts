import type { Clock } from '../clock.ts';
import type { CheckDefinition } from './checks.ts';

/** What a check is made to do, whatever its definition says. */
export interface CheckOverride {
  /** Fails with this text; null passes. */
  readonly error: string | null;
  /** Without it the definition's own message. */
  readonly message?: unknown;
  /** Nanoseconds that each run takes; a long one holds back all checks. */
  readonly durationNs?: number;
}

/** A check as the interface shows it (specification, "Node health records"). */
export interface CheckResult {
  message?: unknown;
  error?: string;
  timestamp: string;
  duration: number;
  contiguousFailures?: number;
  timeOfFirstFailure?: string;
}

export interface HealthReply {
  checks: Record<string, CheckResult>;
  healthy: boolean;
}

export interface NodeHealth {
  /** The last results of the checks that the tags select; all without tags. */
  health(tags: readonly string[]): HealthReply;
  readiness(tags: readonly string[]): HealthReply;
  liveness(): HealthReply;
  /** Takes effect with the next round, as a real change would. */
  override(check: string, override: CheckOverride | null): void;
  hasCheck(check: string): boolean;
  setPeriod(periodMs: number): void;
  /** Forgets all results, as a restart does. */
  restart(): void;
}

interface Run {
  readonly finishedAtMs: number;
  readonly result: CheckResult;
}

interface CheckState {
  readonly definition: CheckDefinition;
  /** Null until the first run has ended. */
  shown: CheckResult | null;
  pending: Run | null;
  contiguousFailures: number;
  firstFailure: string | null;
}

const notYetRun: CheckResult = {
  error: 'not yet run',
  timestamp: '0001-01-01T00:00:00Z',
  duration: 0,
};

/** Rounds played one by one when the clock jumps; of more only the last ones, counters included. */
const roundsPlayed = 2000;

/**
 * Runs checks in rounds, as facts §5 describes: all together, every period, the next round waiting for the slowest.
 * There is no timer; each question first plays the rounds that are due by the clock.
 */
export function createNodeHealth(
  definitions: readonly CheckDefinition[],
  clock: Clock,
  periodAtStartMs: number,
): NodeHealth {
  const overrides = new Map<string, CheckOverride>();
  let periodMs = periodAtStartMs;
  let states = freshStates();
  let startedAtMs = clock.nowMs();
  let nextRoundAtMs = startedAtMs;
  let round = 0;
  let wasReady = false;

  function freshStates(): CheckState[] {
    return definitions.map((definition) => ({
      definition,
      shown: null,
      pending: null,
      contiguousFailures: 0,
      firstFailure: null,
    }));
  }

  function advance(): void {
    const nowMs = clock.nowMs();
    const due = Math.floor((nowMs - nextRoundAtMs) / periodMs);
    if (due > roundsPlayed) skipRounds(due - roundsPlayed);
    for (;;) {
      settle(nowMs);
      if (nextRoundAtMs > nowMs) return;
      playRound(nextRoundAtMs);
    }
  }

  function skipRounds(count: number): void {
    for (const state of states) {
      if (state.contiguousFailures > 0) state.contiguousFailures += count;
    }
    round += count;
    nextRoundAtMs += count * periodMs;
  }

  function settle(nowMs: number): void {
    for (const state of states) {
      if (state.pending === null || state.pending.finishedAtMs > nowMs) continue;
      state.shown = state.pending.result;
      state.pending = null;
      if (state.definition.name === 'bootstrapped' && state.shown.error === undefined) wasReady = true;
    }
  }

  function playRound(atMs: number): void {
    let slowestMs = 0;
    for (const state of states) {
      settle(atMs);
      const { durationMs, run } = runCheck(state, atMs);
      state.pending = run;
      slowestMs = Math.max(slowestMs, durationMs);
    }
    round += 1;
    // The node's ticker drops the ticks that fall into a round that is still running.
    nextRoundAtMs = atMs + Math.max(1, Math.ceil(slowestMs / periodMs)) * periodMs;
  }

  function runCheck(state: CheckState, atMs: number): { durationMs: number; run: Run } {
    const { definition } = state;
    const override = overrides.get(definition.name);
    const duration = override?.durationNs ?? definition.durationNs(round);
    const finishedAtMs = atMs + duration / 1e6;
    const timestamp = rfc3339(finishedAtMs, (duration * 7919) % 1_000_000);
    const error = override?.error ?? undefined;
    const message =
      override !== undefined && 'message' in override
        ? override.message
        : error === undefined
          ? definition.message(round)
          : definition.failing(round).message;
    const shownMessage = message === null || message === undefined ? {} : { message };
    if (error === undefined) {
      state.contiguousFailures = 0;
      state.firstFailure = null;
      return {
        durationMs: duration / 1e6,
        run: { finishedAtMs, result: { ...shownMessage, timestamp, duration } },
      };
    }
    state.contiguousFailures += 1;
    state.firstFailure ??= timestamp;
    const result = {
      ...shownMessage,
      error,
      timestamp,
      duration,
      contiguousFailures: state.contiguousFailures,
      timeOfFirstFailure: state.firstFailure,
    };
    return { durationMs: duration / 1e6, run: { finishedAtMs, result } };
  }

  function reply(selected: readonly CheckState[]): HealthReply {
    const checks: Record<string, CheckResult> = {};
    const sorted = [...selected].sort((a, b) => (a.definition.name < b.definition.name ? -1 : 1));
    for (const state of sorted) checks[state.definition.name] = state.shown ?? notYetRun;
    return { checks, healthy: Object.values(checks).every((check) => check.error === undefined) };
  }

  function select(tags: readonly string[]): CheckState[] {
    if (tags.length === 0) return states;
    return states.filter(({ definition: { subnetId } }) => subnetId === null || tags.includes(subnetId));
  }

  return {
    health(tags) {
      advance();
      return reply(select(tags));
    },
    readiness(tags) {
      advance();
      const bootstrapped = reply(select(tags).filter((state) => state.definition.name === 'bootstrapped'));
      return wasReady ? { ...bootstrapped, healthy: true } : bootstrapped;
    },
    liveness: () => ({ checks: {}, healthy: true }),
    override(check, override) {
      advance();
      if (override === null) overrides.delete(check);
      else overrides.set(check, override);
    },
    hasCheck: (check) => definitions.some((definition) => definition.name === check),
    setPeriod(value) {
      advance();
      nextRoundAtMs += value - periodMs;
      periodMs = value;
    },
    restart() {
      states = freshStates();
      startedAtMs = clock.nowMs();
      nextRoundAtMs = startedAtMs;
      round = 0;
      wasReady = false;
    },
  };
}

/** RFC 3339 in UTC with nanoseconds; `nanoseconds` are those below the millisecond. */
function rfc3339(ms: number, nanoseconds: number): string {
  const whole = new Date(Math.floor(ms)).toISOString().slice(0, -1);
  return `${whole}${String(nanoseconds).padStart(6, '0')}Z`;
}
