import * as z from 'zod';
import type { Clock } from '../clock.ts';
import type { CheckDefinition } from './checks.ts';
import { rampedMessage, type Moment, type Script } from './scenario.ts';

/** Overrides a check's definition and the scenario. */
export const checkOverrideSchema = z.strictObject({
  /** Fails with this text; null passes. */
  error: z.nullable(z.string()),
  /** Absent: the check's own message. */
  message: z.unknown().optional(),
  /** Nanoseconds that each run takes; a long one holds back all checks. */
  durationNs: z.int().min(0).exactOptional(),
  /** Leaves it out of reports, at once. */
  absent: z.boolean().exactOptional(),
});

export type CheckOverride = z.infer<typeof checkOverrideSchema>;

/** A check as the interface shows it (specification, "Node health records"); older nodes differ (service-and-node.md §5). */
interface CheckResult {
  message?: unknown;
  error?: unknown;
  timestamp: string;
  duration: number;
  contiguousFailures?: number;
  timeOfFirstFailure?: string | null;
}

export interface HealthReply {
  checks: Record<string, CheckResult>;
  healthy: boolean;
}

export type NodeHealth = ReturnType<typeof createNodeHealth>;

/** A run of a check; its JSON is made only on request. */
interface Run {
  readonly finishedAtMs: number;
  readonly durationNs: number;
  readonly error: string | null;
  readonly message: () => unknown;
  /** Failures in a row, and the first of them; 0 and null for a run that passed. */
  readonly failures: number;
  readonly firstFailure: Run | null;
}

interface CheckState {
  readonly definition: CheckDefinition;
  /** Null until the first run has ended. */
  shown: Run | null;
  /** The newest run: it may not have ended yet. */
  newest: Run | null;
}

const notYetRun = { error: 'not yet run', timestamp: '0001-01-01T00:00:00Z', duration: 0 } as const;

/**
 * Runs checks in rounds, as service-and-node.md §5 describes: all together, every period, the next round waiting for the slowest.
 * There is no timer; each request first plays the rounds that are due. `roundAtStart` is the number of the first one: what checks
 * report changes with it.
 */
export function createNodeHealth(
  definitions: readonly CheckDefinition[],
  clock: Clock,
  periodAtStartMs: number,
  scriptAtStart: Script,
  roundAtStart = 0,
) {
  const overrides = new Map<string, CheckOverride>();
  let script = scriptAtStart;
  let periodMs = periodAtStartMs;
  let states: CheckState[] = [];
  let lastRoundAtMs = 0;
  let nextRoundAtMs = clock.nowMs();
  let round = roundAtStart;
  let wasReady = false;
  startUp(nextRoundAtMs);

  function startUp(atMs: number): void {
    states = definitions.map((definition) => ({ definition, shown: null, newest: null }));
    lastRoundAtMs = atMs;
    goOnAt(atMs);
    wasReady = false;
  }

  /** Sets the time of the next round, whose number follows from it: the chains go on while checks do not run. */
  function goOnAt(ms: number): void {
    round += Math.round((ms - nextRoundAtMs) / periodMs);
    nextRoundAtMs = ms;
  }

  function advance(): void {
    const nowMs = clock.nowMs();
    for (;;) {
      const restartMs = script.restartAfter(lastRoundAtMs, Math.min(nextRoundAtMs, nowMs));
      if (restartMs !== null) {
        if (restartMs > nowMs) return;
        startUp(restartMs);
      }
      if (nextRoundAtMs > nowMs) break;
      playRound(nextRoundAtMs);
      skipAlikeRounds(nowMs);
    }
    settle(nowMs);
  }

  /** Skips rounds of the phase in which the last one was played, except for the newest two; failures are still counted. */
  function skipAlikeRounds(nowMs: number): void {
    const untilMs = Math.min(nowMs, script.at(lastRoundAtMs).endsAtMs);
    const intervalMs = nextRoundAtMs - lastRoundAtMs;
    const count = Math.floor((untilMs - nextRoundAtMs) / intervalMs) - 1;
    if (count <= 0) return;
    for (const state of states) {
      const { newest } = state;
      if (newest !== null && newest.failures > 0) {
        state.newest = {
          ...newest,
          failures: newest.failures + count,
          firstFailure: newest.firstFailure ?? newest,
        };
      }
    }
    lastRoundAtMs += count * intervalMs;
    goOnAt(nextRoundAtMs + count * intervalMs);
  }

  function settle(nowMs: number): void {
    for (const state of states) {
      if (state.newest === null || state.newest.finishedAtMs > nowMs) continue;
      state.shown = state.newest;
      if (state.definition.key === 'bootstrapped' && state.shown.error === null) wasReady = true;
    }
  }

  function playRound(atMs: number): void {
    settle(atMs);
    let slowestMs = 0;
    for (const state of states) {
      state.newest = runCheck(state, atMs);
      slowestMs = Math.max(slowestMs, state.newest.durationNs / 1e6);
    }
    lastRoundAtMs = atMs;
    // Like the node's ticker, drops ticks during a running round.
    goOnAt(atMs + Math.max(1, Math.ceil(slowestMs / periodMs)) * periodMs);
  }

  function runCheck({ definition, newest }: CheckState, atMs: number): Run {
    const thisRound = round;
    const told = overrides.get(definition.name) ?? scriptedCheck(definition, script.at(atMs), thisRound);
    const durationNs = told?.durationNs ?? definition.durationNs(thisRound);
    const error = told?.error ?? null;
    const message = () => {
      if (told !== undefined && 'message' in told) return told.message;
      return error === null ? definition.message(thisRound) : definition.failing(thisRound).message;
    };
    const failures = error === null ? 0 : (newest?.failures ?? 0) + 1;
    const firstFailure = failures > 1 ? (newest?.firstFailure ?? newest) : null;
    return { finishedAtMs: atMs + durationNs / 1e6, durationNs, error, message, failures, firstFailure };
  }

  function reply(selected: readonly CheckState[]): HealthReply {
    const checks: Record<string, CheckResult> = {};
    const sorted = [...selected].sort((a, b) => (a.definition.name < b.definition.name ? -1 : 1));
    for (const { definition, shown } of sorted) {
      checks[definition.name] = script.shape === 'old' ? oldResult(shown) : currentResult(shown);
    }
    return { checks, healthy: selected.every(({ shown }) => shown !== null && shown.error === null) };
  }

  function select(tags: readonly string[]): CheckState[] {
    const present = states.filter(({ definition: { name } }) => overrides.get(name)?.absent !== true);
    if (tags.length === 0) return present;
    return present.filter(({ definition: { subnetId } }) => subnetId === null || tags.includes(subnetId));
  }

  return {
    /** The last results of the checks that the tags select; all without tags. */
    health(tags: readonly string[]) {
      advance();
      return reply(select(tags));
    },
    readiness(tags: readonly string[]): HealthReply {
      advance();
      const bootstrapped = reply(select(tags).filter(({ definition }) => definition.key === 'bootstrapped'));
      return wasReady ? { ...bootstrapped, healthy: true } : bootstrapped;
    },
    liveness: (): HealthReply => ({ checks: {}, healthy: true }),
    /** Takes effect with the next round, as a real change would. */
    override(check: string, override: CheckOverride | null) {
      advance();
      if (override === null) overrides.delete(check);
      else overrides.set(check, override);
    },
    hasCheck: (check: string) => definitions.some((definition) => definition.name === check),
    setPeriod(value: number) {
      advance();
      nextRoundAtMs += value - periodMs;
      periodMs = value;
    },
    setScript(value: Script) {
      advance();
      script = value;
    },
    /** Forgets all results, as a restart does. */
    restart: () => startUp(clock.nowMs()),
  };
}

/** What a phase sets for a check in a round; undefined when nothing. */
function scriptedCheck(
  definition: CheckDefinition,
  { phase, progress }: Moment,
  round: number,
): CheckOverride | undefined {
  const entry = phase.checks[definition.key] ?? (definition.isChain ? phase.checks['chains'] : undefined);
  if (entry === undefined) return undefined;
  return {
    error: entry.error ?? (entry.failing === true ? definition.failing(round).error : null),
    ...(entry.message === undefined ? {} : { message: rampedMessage(entry.message, progress) }),
    ...(entry.durationSeconds === undefined ? {} : { durationNs: entry.durationSeconds * 1e9 }),
  };
}

/** A run as current nodes report it; null has not ended yet. */
function currentResult(run: Run | null): CheckResult {
  if (run === null) return { ...notYetRun };
  const message = run.message();
  return {
    ...(message === null || message === undefined ? {} : { message }),
    ...(run.error === null ? {} : { error: run.error }),
    timestamp: timestampOf(run),
    duration: run.durationNs,
    ...(run.failures === 0
      ? {}
      : { contiguousFailures: run.failures, timeOfFirstFailure: timestampOf(run.firstFailure ?? run) }),
  };
}

/** A run as nodes before 1.7.4 reported it: an error object, counters always, no level `engine`, a local time zone. */
function oldResult(run: Run | null): CheckResult {
  if (run === null)
    return {
      ...notYetRun,
      error: { message: notYetRun.error },
      contiguousFailures: 0,
      timeOfFirstFailure: null,
    };
  const message = run.message() ?? null;
  return {
    message: flattened(message),
    ...(run.error === null ? {} : { error: { message: run.error } }),
    timestamp: inZone(run),
    duration: run.durationNs,
    contiguousFailures: run.failures,
    timeOfFirstFailure: run.failures === 0 ? null : inZone(run.firstFailure ?? run),
  };
}

/** A chain's message without the nesting of later versions. */
function flattened(message: unknown): unknown {
  if (typeof message !== 'object' || message === null || !('engine' in message)) return message;
  const networking: unknown = Reflect.get(message, 'networking');
  return { ...Object(message.engine), ...Object(networking) };
}

/** RFC 3339 in UTC with nanoseconds; those below the millisecond are made up from the duration. */
function timestampOf({ finishedAtMs, durationNs }: Run): string {
  const whole = new Date(Math.floor(finishedAtMs)).toISOString().slice(0, -1);
  return `${whole}${String((durationNs * 7919) % 1_000_000).padStart(6, '0')}Z`;
}

/** The same time written five hours behind UTC, with seven digits. */
function inZone({ finishedAtMs, durationNs }: Run): string {
  const whole = new Date(Math.floor(finishedAtMs) - 5 * 3_600_000).toISOString().slice(0, -1);
  return `${whole}${String((durationNs * 7919) % 10_000).padStart(4, '0')}-05:00`;
}
