import type { Clock, HttpClient, Log, Random, Timers } from '../ports.ts';
import { askNode, type NodeAnswer } from './ask-node.ts';
import { classifyFailure } from './no-report.ts';
import { learnPhase, type Phase } from './phase.ts';
import type { Reading } from './report.ts';
import { nextDueMs } from './schedule.ts';

export interface PollTarget {
  id: string;
  /** Base URL without trailing slash. */
  url: string;
  intervalMs: number;
}

/** What a poll brought. */
export interface PollAnswer extends NodeAnswer {
  targetId: string;
  /** When the answer arrived, or was given up. */
  polledAtMs: number;
}

export interface PollerPorts {
  http: HttpClient;
  clock: Clock;
  timers: Timers;
  random: Random;
  log: Log;
}

export interface PollerEvents {
  /** The next poll of the target waits until this has ended. Not called for a poll that was abandoned. */
  onAnswer(answer: PollAnswer): Promise<void>;
  /** `polling` or `nextPollAtMs` of the target changed. */
  onChanged(targetId: string): void;
}

/** Asks each target in its own rhythm, so that none waits for another. */
export interface Poller {
  /** Begins with a target, or changes it. A new one, and one with a new URL, is polled at once. */
  put(target: PollTarget): void;
  /** Ends with a target; a poll under way is abandoned. */
  remove(targetId: string): void;
  /** Polls now, or joins the poll under way; ends with it. */
  pollNow(targetId: string): Promise<void>;
  statusOf(targetId: string): { polling: boolean; nextPollAtMs: number | null };
  /** Before sleep: abandons what is under way, without blaming the nodes, and plans nothing. */
  suspend(): void;
  /** Polls every target at once and goes on. */
  resume(): void;
}

const longestTimeoutMs = 10_000;

interface Flight {
  controller: AbortController;
  ended: Promise<void>;
  end: () => void;
}

interface Loop {
  target: PollTarget;
  flight: Flight | null;
  cancelTimer: (() => void) | null;
  nextPollAtMs: number | null;
  failuresInRow: number;
  phase: Phase | null;
}

export function createPoller(ports: PollerPorts, events: PollerEvents): Poller {
  const { clock, timers, random, log } = ports;
  const loops = new Map<string, Loop>();
  let isSuspended = false;

  function plan(loop: Loop, dueMs: number): void {
    loop.cancelTimer?.();
    const delayMs = Math.max(0, dueMs - clock.monotonicMs());
    loop.nextPollAtMs = clock.nowMs() + delayMs;
    loop.cancelTimer = timers.after(delayMs, () => {
      begin(loop, dueMs);
    });
  }

  function unplan(loop: Loop): void {
    loop.cancelTimer?.();
    loop.cancelTimer = null;
    loop.nextPollAtMs = null;
  }

  function begin(loop: Loop, dueMs: number): void {
    unplan(loop);
    const flight = newFlight();
    loop.flight = flight;
    events.onChanged(loop.target.id);
    void fly(loop, flight, dueMs).catch((error: unknown) => {
      // Nothing in `fly` is expected to throw. A defect of ours must not make the node fall silent.
      log.error('node.poll', error);
      if (loop.flight === flight) finish(loop, flight, dueMs, null);
    });
  }

  async function ask(target: PollTarget, signal: AbortSignal): Promise<NodeAnswer> {
    try {
      return await askNode(ports, target.url, Math.min(longestTimeoutMs, target.intervalMs), signal);
    } catch (error) {
      // The client promises not to throw; if it does, that is told as what it means for the node.
      const detail = `defect ${log.error('node.poll', error)}`;
      return {
        reading: classifyFailure({ kind: 'failure', reason: 'network', detail }),
        reportedNodeId: null,
      };
    }
  }

  async function fly(loop: Loop, flight: Flight, dueMs: number): Promise<void> {
    const { target } = loop;
    const sentMs = clock.monotonicMs();
    const answer = await ask(target, flight.controller.signal);
    // Abandoned meanwhile: the answer is no longer about this target.
    if (loop.flight !== flight) return;
    if (answer.reading.kind === 'report') {
      const { checks } = answer.reading.report;
      loop.phase = learnPhase(loop.phase, { checks, sentMs, answeredMs: clock.monotonicMs() });
    }
    await events.onAnswer({ targetId: target.id, polledAtMs: clock.nowMs(), ...answer });
    if (loop.flight === flight) finish(loop, flight, dueMs, answer.reading);
  }

  function finish(loop: Loop, flight: Flight, dueMs: number, reading: Reading | null): void {
    loop.flight = null;
    loop.failuresInRow = reading?.kind === 'report' ? 0 : loop.failuresInRow + 1;
    if (!isSuspended) {
      plan(
        loop,
        nextDueMs({
          dueMs,
          endedMs: clock.monotonicMs(),
          intervalMs: loop.target.intervalMs,
          failuresInRow: loop.failuresInRow,
          retryAfterMs: retryAfterMs(reading),
          jitter: random.fraction(),
          phase: loop.phase,
        }),
      );
    }
    events.onChanged(loop.target.id);
    flight.end();
  }

  function abandon(loop: Loop): void {
    const { flight } = loop;
    loop.flight = null;
    flight?.controller.abort();
    flight?.end();
  }

  return {
    put(target) {
      const loop = loops.get(target.id);
      if (loop === undefined) {
        const added = {
          target,
          flight: null,
          cancelTimer: null,
          nextPollAtMs: null,
          failuresInRow: 0,
          phase: null,
        };
        loops.set(target.id, added);
        if (!isSuspended) begin(added, clock.monotonicMs());
        return;
      }
      const hasMoved = loop.target.url !== target.url;
      const hasNewRhythm = loop.target.intervalMs !== target.intervalMs;
      loop.target = target;
      if (hasMoved) {
        abandon(loop);
        loop.failuresInRow = 0;
        loop.phase = null;
        if (!isSuspended) begin(loop, clock.monotonicMs());
      } else if (hasNewRhythm && loop.cancelTimer !== null) {
        plan(loop, clock.monotonicMs() + target.intervalMs);
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
      if (loop.flight === null) begin(loop, clock.monotonicMs());
      // A change of the URL abandons the poll under way and begins another.
      while (loop.flight !== null) await loop.flight.ended;
    },
    statusOf(targetId) {
      const loop = loops.get(targetId);
      if (loop === undefined) return { polling: false, nextPollAtMs: null };
      return { polling: loop.flight !== null, nextPollAtMs: loop.nextPollAtMs };
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
        if (loop.flight === null) begin(loop, clock.monotonicMs());
      }
    },
  };
}

function newFlight(): Flight {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { controller: new AbortController(), ended, end };
}

function retryAfterMs(reading: Reading | null): number | null {
  if (reading?.kind !== 'no-report' || reading.error.code !== 'rate-limited') return null;
  return reading.error.retryAfterMs;
}
