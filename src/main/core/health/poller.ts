import { err, type Result } from '../../../shared/errors.ts';
import type { Clock, HttpClient, Knock, Log, Random, Timers } from '../ports.ts';
import { askNode, healthUrl, type AskLimits, type NodeAnswer, type NodeEndpoint } from './ask-node.ts';
import { classifyFailure, withoutRequest } from './no-report.ts';
import { learnPhase } from './phase.ts';
import {
  forgetWhatWasLearned,
  newFlight,
  newLoop,
  patientPeriodMs,
  toldPeriodMs,
  type Due,
  type Flight,
  type Loop,
  type PollTarget,
} from './poller-loop.ts';
import type { Reading } from './report.ts';
import {
  automaticIntervalMs,
  nextDueMs,
  nextKnockMs,
  extraLook,
  timeoutMs,
  wasDisturbed,
  type RequestKind,
} from './schedule.ts';

/** What a poll brought. */
export interface PollAnswer extends NodeAnswer {
  targetId: string;
  /** When the answer arrived, or was given up. */
  polledAtMs: number;
}

/** What is left of a poll for further requests to the same node, one after the other. */
export interface FollowUp {
  endpoint: NodeEndpoint;
  signal: AbortSignal;
  /** By the monotonic clock. */
  untilMs: number;
}

export interface PollerPorts {
  http: HttpClient;
  knock: Knock;
  clock: Clock;
  timers: Timers;
  random: Random;
  log: Log;
}

export interface PollerEvents {
  /** The extra headers for a target; without them it is not asked. */
  headersFor(targetId: string): Promise<Result<Readonly<Record<string, string>>>>;
  /** The next poll of the target waits until this has ended. Not called for a poll that was abandoned. */
  onAnswer(answer: PollAnswer): Promise<void>;
  /** Called after `onAnswer` when a report arrived; the poll ends with it. */
  onReport(targetId: string, rest: FollowUp): Promise<void>;
  /** `polling` or `nextPollAtMs` of the target changed. */
  onChanged(targetId: string): void;
}

export interface PollStatus {
  polling: boolean;
  nextPollAtMs: number | null;
  /** The node's own period; null until it is learned. */
  periodMs: number | null;
}

/** Asks each target in its own rhythm, so that none waits for another. */
export interface Poller {
  /** Begins with a target, or changes it. One that is new, has a new URL or is no longer paused is polled at once. */
  put(target: PollTarget): void;
  /** Ends with a target; a poll under way is abandoned. */
  remove(targetId: string): void;
  /** Polls now, or joins the poll under way; ends with it. */
  pollNow(targetId: string): Promise<void>;
  statusOf(targetId: string): PollStatus;
  rhythmOf(targetId: string): { periodMs: number | null; intervalMs: number };
  /** Before sleep: abandons what is under way, without blaming the nodes, and plans nothing. */
  suspend(): void;
  /** Polls every target that is not paused at once and goes on. */
  resume(): void;
}

/** Knocks in a row that fail although the node answers say more about the way to it than about the node. */
const mostFalseAlarms = 2;
const quietAfterAlarmsMs = 3_600_000;
/** After so many disturbed tries an answer is taken as it is, or nothing would ever be told. */
const mostDisturbances = 3;
/** Further requests of a poll may take so long, if the interval is long enough. */
const followUpMs = 10_000;

export function createPoller(ports: PollerPorts, events: PollerEvents): Poller {
  const { clock, timers, random, log } = ports;
  const loops = new Map<string, Loop>();
  let isSuspended = false;

  function intervalOf({ target, phase }: Loop): number {
    return target.intervalMs ?? automaticIntervalMs(phase?.periodMs ?? null);
  }

  function plan(loop: Loop, next: Due): void {
    loop.due = next;
    loop.nextPollAtMs = clock.nowMs() + Math.max(0, next.atMs - clock.monotonicMs());
    arm(loop, next);
  }

  /** Sets the timer for the next poll, or for a knock before it. */
  function arm(loop: Loop, next: Due): void {
    loop.cancelTimer?.();
    const knockMs = isKnockedAt(loop) ? nextKnockMs(loop.lastSignMs, next.atMs) : null;
    loop.cancelTimer = timers.after(Math.max(0, (knockMs ?? next.atMs) - clock.monotonicMs()), () => {
      if (knockMs === null) begin(loop, next.gridMs, 'poll');
      else knockBefore(loop, next);
    });
  }

  function isKnockedAt(loop: Loop): boolean {
    const isQuiet = clock.monotonicMs() < loop.quietUntilMs;
    return loop.failuresInRow === 0 && !isQuiet;
  }

  function unplan(loop: Loop): void {
    loop.cancelTimer?.();
    loop.cancelTimer = null;
    loop.due = null;
    loop.nextPollAtMs = null;
  }

  function onDefect(loop: Loop, flight: Flight, dueMs: number, error: unknown): void {
    // Nothing is expected to throw here. A defect of ours must not make the node fall silent.
    log.error('node.poll', error);
    if (loop.flight === flight) finish(loop, flight, dueMs, null);
  }

  // ---- A knock -----------------------------------------------------------------------------------------------------

  function knockBefore(loop: Loop, next: Due): void {
    loop.cancelTimer = null;
    const flight = newFlight('knock');
    loop.flight = flight;
    void knock(loop, flight, next).catch((error: unknown) => {
      onDefect(loop, flight, next.gridMs, error);
    });
  }

  async function knock(loop: Loop, flight: Flight, next: Due): Promise<void> {
    const limitMs = timeoutMs('knock', loop.usualMs, intervalOf(loop));
    const isThere = await isReachable(loop.target, { timeoutMs: limitMs, signal: flight.controller.signal });
    if (loop.flight !== flight) return;
    loop.flight = null;
    flight.end();
    if (!isThere) {
      begin(loop, clock.monotonicMs(), 'confirm');
      return;
    }
    loop.lastSignMs = clock.monotonicMs();
    loop.falseAlarms = 0;
    arm(loop, next);
  }

  /** Asks for liveness, which takes a node no work, and which a process that hangs does not answer either. */
  async function isReachable({ id, url }: PollTarget, limits: AskLimits): Promise<boolean> {
    const headers = await headersOf(id);
    if (!headers.ok) return true;
    return await ports.knock({ url: healthUrl(url, 'liveness'), headers: headers.value, ...limits });
  }

  function countFalseAlarm(loop: Loop): void {
    loop.falseAlarms += 1;
    if (loop.falseAlarms < mostFalseAlarms) return;
    loop.falseAlarms = 0;
    loop.quietUntilMs = clock.monotonicMs() + quietAfterAlarmsMs;
  }

  // ---- A poll ------------------------------------------------------------------------------------------------------

  function begin(loop: Loop, dueMs: number, kind: RequestKind): void {
    unplan(loop);
    if (loop.flight?.kind === 'knock') abandon(loop);
    const flight = newFlight('poll');
    loop.flight = flight;
    events.onChanged(loop.target.id);
    void fly(loop, flight, dueMs, kind).catch((error: unknown) => {
      onDefect(loop, flight, dueMs, error);
    });
  }

  async function ask(endpoint: NodeEndpoint, limitMs: number, signal: AbortSignal): Promise<NodeAnswer> {
    try {
      return await askNode(ports, endpoint, { timeoutMs: limitMs, signal });
    } catch (error) {
      // The client promises not to throw; if it does, that is told as what it means for the node.
      const detail = `defect ${log.error('node.poll', error)}`;
      return {
        reading: classifyFailure({ kind: 'failure', reason: 'network', detail }),
        reportedNodeId: null,
      };
    }
  }

  async function fly(loop: Loop, flight: Flight, dueMs: number, kind: RequestKind): Promise<void> {
    const { target } = loop;
    const headers = await headersOf(target.id);
    if (loop.flight !== flight) return;
    const limitMs = timeoutMs(kind, loop.usualMs, intervalOf(loop));
    const sentMs = clock.monotonicMs();
    const sentAtMs = clock.nowMs();
    const endpoint = { url: target.url, headers: headers.ok ? headers.value : {} };
    const answer = headers.ok
      ? await ask(endpoint, limitMs, flight.controller.signal)
      : { reading: withoutRequest(headers.error), reportedNodeId: null };
    // Abandoned meanwhile: the answer is no longer about this target.
    if (loop.flight !== flight) return;
    const answeredMs = clock.monotonicMs();
    const polledAtMs = clock.nowMs();
    const spans = { wallMs: polledAtMs - sentAtMs, monotonicMs: answeredMs - sentMs, timeoutMs: limitMs };
    if (answer.reading.kind === 'no-report' && isUnsettled(loop, spans)) {
      await fly(loop, flight, answeredMs, 'poll');
      return;
    }
    loop.disturbances = 0;
    if (answer.reading.kind === 'report') {
      const { checks } = answer.reading.report;
      const lastRunMs = loop.phase?.lastRunMs ?? null;
      loop.phase = learnPhase(loop.phase, { checks, sentMs, answeredMs });
      loop.sawNewRun = loop.phase !== null && loop.phase.lastRunMs !== lastRunMs;
      const tookMs = answeredMs - sentMs;
      loop.usualMs = loop.usualMs === null ? tookMs : 0.8 * loop.usualMs + 0.2 * tookMs;
      if (kind === 'confirm') countFalseAlarm(loop);
    }
    await events.onAnswer({ targetId: target.id, polledAtMs, ...answer });
    if (loop.flight !== flight) return;
    if (answer.reading.kind === 'report') {
      const { signal } = flight.controller;
      const untilMs = answeredMs + Math.min(followUpMs, intervalOf(loop) / 2);
      await events.onReport(target.id, { endpoint, signal, untilMs });
    }
    if (loop.flight === flight) finish(loop, flight, dueMs, answer.reading);
  }

  function isUnsettled(loop: Loop, spans: Parameters<typeof wasDisturbed>[0]): boolean {
    if (!wasDisturbed(spans) || loop.disturbances >= mostDisturbances) return false;
    loop.disturbances += 1;
    loop.phase = null;
    log.info('node.poll-disturbed', { nodeId: loop.target.id });
    return true;
  }

  async function headersOf(targetId: string): Promise<Result<Readonly<Record<string, string>>>> {
    try {
      return await events.headersFor(targetId);
    } catch (error) {
      const ref = log.error('node.headers', error);
      return err({ code: 'internal', message: 'The extra headers of the node could not be read.', ref });
    }
  }

  function finish(loop: Loop, flight: Flight, dueMs: number, reading: Reading | null): void {
    const hadAnswered = loop.failuresInRow === 0;
    const endedMs = clock.monotonicMs();
    loop.flight = null;
    loop.failuresInRow = reading?.kind === 'report' ? 0 : loop.failuresInRow + 1;
    // Who was away may have come back with another period.
    if (loop.failuresInRow > 0) loop.explored = null;
    loop.lastSignMs = endedMs;
    if (!isSuspended && !loop.target.paused) {
      const nextMs = nextDueMs({
        dueMs,
        endedMs,
        intervalMs: intervalOf(loop),
        failuresInRow: loop.failuresInRow,
        retryAfterMs: retryAfterMs(reading),
        jitter: random.fraction(),
        phase: loop.phase,
        isAutomatic: loop.target.intervalMs === null,
        confirms: hadAnswered && loop.usualMs !== null,
      });
      const lookMs = reading?.kind === 'report' ? nextLookMs(loop, endedMs) : null;
      plan(
        loop,
        lookMs !== null && lookMs < nextMs
          ? { atMs: lookMs, gridMs: dueMs }
          : { atMs: nextMs, gridMs: nextMs },
      );
    }
    events.onChanged(loop.target.id);
    flight.end();
  }

  /** When a node that is polled automatically is looked at once more before its next poll is due. */
  function nextLookMs(loop: Loop, endedMs: number): number | null {
    const { phase, sawNewRun, explored, learnLooks, isExtraLook } = loop;
    loop.isExtraLook = false;
    if (loop.target.intervalMs !== null) return null;
    const look = extraLook({ endedMs, phase, sawNewRun, explored, learnLooks });
    loop.learnLooks = look?.why === 'learn' ? learnLooks + 1 : phase?.periodMs == null ? learnLooks : 0;
    if (look === null || (isExtraLook && look.why !== 'learn')) return null;
    loop.isExtraLook = look.why !== 'learn';
    if (look.why === 'explore') loop.explored = { periodMs: phase?.periodMs ?? 0, atMs: endedMs };
    return look.atMs;
  }

  function abandon(loop: Loop): void {
    const { flight } = loop;
    loop.flight = null;
    flight?.controller.abort();
    flight?.end();
  }

  function start(loop: Loop): void {
    if (!isSuspended && !loop.target.paused) begin(loop, clock.monotonicMs(), 'poll');
  }

  return {
    put(target) {
      const loop = loops.get(target.id);
      if (loop === undefined) {
        const added = newLoop(target);
        loops.set(target.id, added);
        start(added);
        return;
      }
      const previous = loop.target;
      loop.target = target;
      const hasMoved = previous.url !== target.url;
      if (hasMoved) forgetWhatWasLearned(loop);
      if (hasMoved || previous.revision !== target.revision || previous.paused !== target.paused) {
        unplan(loop);
        abandon(loop);
        start(loop);
      } else if (previous.intervalMs !== target.intervalMs && loop.due !== null) {
        if (loop.flight?.kind === 'knock') abandon(loop);
        const atMs = clock.monotonicMs() + intervalOf(loop);
        plan(loop, { atMs, gridMs: atMs });
        events.onChanged(target.id);
      }
    },
    remove(targetId) {
      const loop = loops.get(targetId);
      if (loop === undefined) return;
      loops.delete(targetId);
      unplan(loop);
      abandon(loop);
    },
    async pollNow(targetId) {
      const loop = loops.get(targetId);
      if (loop === undefined) return;
      if (loop.flight?.kind !== 'poll') begin(loop, clock.monotonicMs(), 'poll');
      // A change of the URL abandons the poll under way and begins another.
      while (loop.flight?.kind === 'poll') await loop.flight.ended;
    },
    statusOf(targetId) {
      const loop = loops.get(targetId);
      return {
        polling: loop?.flight?.kind === 'poll',
        nextPollAtMs: loop?.nextPollAtMs ?? null,
        periodMs: loop === undefined ? null : toldPeriodMs(loop),
      };
    },
    rhythmOf(targetId) {
      const loop = loops.get(targetId);
      return {
        periodMs: loop === undefined ? null : patientPeriodMs(loop),
        intervalMs: loop === undefined ? automaticIntervalMs(null) : intervalOf(loop),
      };
    },
    suspend() {
      isSuspended = true;
      for (const loop of loops.values()) {
        unplan(loop);
        abandon(loop);
        // Whether our clock goes on during sleep depends on the system.
        loop.phase = null;
        events.onChanged(loop.target.id);
      }
    },
    resume() {
      if (!isSuspended) return;
      isSuspended = false;
      for (const loop of loops.values()) {
        if (loop.flight === null) start(loop);
      }
    },
  };
}

function retryAfterMs(reading: Reading | null): number | null {
  if (reading?.kind !== 'no-report' || reading.error.code !== 'rate-limited') return null;
  return reading.error.retryAfterMs;
}
