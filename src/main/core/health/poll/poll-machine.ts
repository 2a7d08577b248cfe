import type { NodeAnswer } from '../ask/ask-node.ts';
import type { HttpFailure } from '../../ports.ts';
import { classifyFailure } from '../ask/no-report.ts';
import { learnPhase } from './phase.ts';
import {
  blank,
  extraLook,
  intervalOf,
  isPolling,
  mostSpares,
  nextDueMs,
  nodeIdleLimitMs,
  patienceOf,
  seekEveryMs,
  wakeMs,
  wasDisturbed,
  type Ask,
  type AskKind,
  type PollState,
  type PollTarget,
} from './schedule.ts';
import type { Reading } from '../ask/report.ts';

/**
 * When to send which request to one node ([0011](docs/adr)), as a state machine without clock, timer or network:
 * `poller.ts` executes its actions. All times are monotonic unless they are said to be the system's.
 */

export type PollEvent =
  | { type: 'put'; target: PollTarget }
  | { type: 'suspend' }
  | { type: 'resume' }
  | { type: 'wanted' }
  /** `isConnected`: whether the connection of the request under way is still up. */
  | { type: 'tick'; isConnected: boolean }
  /** The kept-alive connection ended while no request was under way. */
  | { type: 'lost'; idleMs: number }
  /** `isKept`: the request reuses the connection of the previous one. */
  | { type: 'sent'; isKept: boolean }
  | { type: 'connected'; isThere: boolean }
  | { type: 'answered'; answer: NodeAnswer; isKept: boolean }
  /** The answer passed on by `tell` has been processed, with `spent` follow-up requests. */
  | { type: 'taken'; spent: number };

export type PollAction =
  | { do: 'ask'; what: AskKind }
  /** Cancels the request under way; no event of it may arrive any more. */
  | { do: 'abandon' }
  /** Passes on the answer for processing; a report allows up to `spares` follow-up requests. */
  | { do: 'tell'; answer: NodeAnswer; spares: number }
  | { do: 'tell-liveness'; reading: Reading }
  | { do: 'disturbed' };

/** `nowMs` is monotonic, `wallMs` the system's clock; `jitter` is uniform in [0, 1). */
export interface Now {
  nowMs: number;
  wallMs: number;
  jitter: number;
}

/** Two connections that ended after nearly the same idle time, with the node up, show a proxy's idle timeout. */
const sameEndMs = 1_000;
/** After this many disturbed attempts an answer is taken as it is, so that there is one at all. */
const mostDisturbances = 3;
const spareEveryMs = 60_000;

/** The next state and the actions to take. Does not change `before`. */
export function step(
  before: PollState,
  event: PollEvent,
  now: Now,
): { state: PollState; actions: PollAction[] } {
  const machine = new Machine({ ...before }, now);
  machine.take(event);
  return { state: machine.state, actions: machine.actions };
}

/** One step, on its own copy of the state. */
class Machine {
  readonly state: PollState;
  readonly actions: PollAction[] = [];
  readonly #now: Now;

  constructor(state: PollState, now: Now) {
    this.state = state;
    this.#now = now;
  }

  take(event: PollEvent): void {
    const { state } = this;
    const { ask } = state;
    switch (event.type) {
      case 'put':
        return this.#put(event.target);
      case 'suspend':
        state.isAsleep = true;
        // Whether the monotonic clock runs during sleep depends on the system.
        state.phase = null;
        return this.#stop();
      case 'resume':
        if (state.isAsleep) {
          state.isAsleep = false;
          if (!isPolling(state)) this.#start();
        }
        return;
      case 'wanted':
        if (!isPolling(state)) this.#begin('health');
        return;
      case 'tick':
        return this.#tick(event.isConnected);
      case 'lost':
        return this.#lost(event.idleMs);
      case 'sent':
        if (ask !== null) this.#sent(ask, event.isKept);
        return;
      case 'connected':
        if (ask !== null) this.#connected(ask, event.isThere);
        return;
      case 'answered':
        if (ask !== null) this.#answered(ask, event.answer, event.isKept);
        return;
      case 'taken':
        return this.#taken(event.spent);
    }
  }

  #put(target: PollTarget): void {
    const { state } = this;
    const before = state.target;
    state.target = target;
    if (before.url !== target.url) Object.assign(state, blank(this.#now.nowMs));
    if (before.revision !== target.revision) state.spares = mostSpares;
    const asksAnew =
      before.url !== target.url || before.revision !== target.revision || before.paused !== target.paused;
    if (asksAnew) {
      this.#stop();
      this.#start();
    } else if (before.intervalMs !== target.intervalMs && state.due !== null) {
      const atMs = this.#now.nowMs + intervalOf(state);
      this.#plan({ atMs, gridMs: atMs });
    }
  }

  #start(): void {
    if (!this.state.isAsleep && !this.state.target.paused) this.#begin('health');
  }

  #stop(): void {
    this.#abandon();
    this.#plan(null);
    this.state.seekMs = null;
    this.state.taking = null;
  }

  #abandon(): void {
    if (this.state.ask !== null) this.actions.push({ do: 'abandon' });
    this.state.ask = null;
  }

  #plan(due: PollState['due']): void {
    this.state.due = due;
    this.state.nextPollAtMs =
      due === null ? null : this.#now.wallMs + Math.max(0, due.atMs - this.#now.nowMs);
  }

  #begin(what: AskKind, gridMs = this.#now.nowMs, lostAfterMs: number | null = null): void {
    const { state } = this;
    this.#abandon();
    // When the next poll is due is only known once this one has ended.
    if (what === 'health') this.#plan(null);
    const sentAtMs = this.#now.wallMs;
    state.ask = { what, sentMs: null, sentAtMs, gridMs, lostAfterMs, isOverdue: false };
    this.actions.push({ do: 'ask', what });
  }

  #tick(isConnected: boolean): void {
    const { state } = this;
    const { ask, due } = state;
    const { nowMs } = this.#now;
    const atMs = wakeMs(state);
    if (atMs === null || nowMs < atMs) return;
    if (ask !== null && !ask.isOverdue) this.#patienceEnded(ask, isConnected);
    else if (due !== null && nowMs >= due.atMs) this.#begin('health', due.gridMs);
    else this.#begin(state.seekMs === null ? 'liveness' : 'connect');
  }

  #patienceEnded(ask: Ask, isConnected: boolean): void {
    if (ask.what === 'connect') {
      this.#abandon();
      this.state.seekMs = this.#now.nowMs;
      return;
    }
    if (this.#wasDisturbed(ask)) return this.#askAgain();
    // While the connection is up, the answer may come once the hang is over; without one it never comes.
    if (isConnected) this.state.ask = { ...ask, isOverdue: true };
    else this.#abandon();
    const reading = classifyFailure({ kind: 'failure', reason: 'timeout', detail: '' });
    this.#tell(ask, { reading, reportedNodeId: null });
    this.state.seekMs = isConnected ? null : this.#now.nowMs;
  }

  #wasDisturbed(ask: Ask): boolean {
    const { state } = this;
    const { nowMs, wallMs } = this.#now;
    return (
      state.disturbances < mostDisturbances &&
      wasDisturbed({
        wallMs: wallMs - ask.sentAtMs,
        monotonicMs: nowMs - (ask.sentMs ?? nowMs),
        patienceMs: patienceOf(state, ask),
      })
    );
  }

  #askAgain(): void {
    this.state.disturbances += 1;
    this.state.phase = null;
    this.actions.push({ do: 'disturbed' });
    this.#begin('health');
  }

  #lost(idleMs: number): void {
    const { ask, due, idleLimitMs } = this.state;
    if (idleMs >= idleLimitMs || ask !== null || due === null) return;
    this.#begin('health', this.#now.nowMs, idleMs);
  }

  #sent(ask: Ask, isKept: boolean): void {
    const { state } = this;
    const { nowMs, wallMs } = this.#now;
    state.ask = { ...ask, sentMs: nowMs, sentAtMs: wallMs };
    // The connection was idle longer than the learned limit, so the limit was wrong.
    if (isKept && nowMs - state.lastSignMs > state.idleLimitMs + sameEndMs)
      state.idleLimitMs = nodeIdleLimitMs;
  }

  #connected(ask: Ask, isThere: boolean): void {
    this.state.ask = null;
    if (isThere) this.#begin('health');
    else this.state.seekMs = (ask.sentMs ?? this.#now.nowMs) + seekEveryMs;
  }

  #answered(ask: Ask, answer: NodeAnswer, isKept: boolean): void {
    const { state } = this;
    const { reading } = answer;
    const isSilent = reading.state === 'unreachable';
    const failure = reading.kind === 'no-report' ? reading.failure : null;
    if (failure === null && ask.lostAfterMs !== null) this.#learnEnd(ask.lostAfterMs);
    state.ask = null;
    if (ask.isOverdue) {
      // A failure was already told. A late answer to a liveness request shows that the node is back: poll it.
      if (isSilent) state.seekMs = this.#now.nowMs;
      else if (ask.what === 'liveness') this.#begin('health');
      else this.#heard(ask, answer, isKept);
      return;
    }
    if (reading.kind === 'no-report' && (ask.what === 'health' || isSilent) && this.#wasDisturbed(ask)) {
      return this.#askAgain();
    }
    if (isSilent) {
      this.#tell(ask, answer);
      state.seekMs = canBeSought(failure) ? (state.seekMs ?? this.#now.nowMs + seekEveryMs) : null;
    } else if (ask.what === 'liveness') {
      this.#gaveSign(isKept);
      this.actions.push({ do: 'tell-liveness', reading });
    } else this.#heard(ask, answer, isKept);
  }

  /** Handles any response to a poll. */
  #heard(ask: Ask, answer: NodeAnswer, isKept: boolean): void {
    const { state } = this;
    const { reading } = answer;
    const answeredMs = this.#now.nowMs;
    const sentMs = ask.sentMs ?? answeredMs;
    this.#gaveSign(isKept);
    state.seekMs = null;
    if (reading.kind === 'report') {
      const { checks } = reading.report;
      const lastRunMs = state.phase?.lastRunMs ?? null;
      state.phase = learnPhase(state.phase, { checks, sentMs, answeredMs });
      state.sawNewRun = state.phase !== null && state.phase.lastRunMs !== lastRunMs;
      const tookMs = answeredMs - sentMs;
      if (!ask.isOverdue)
        state.usualMs = state.usualMs === null ? tookMs : 0.8 * state.usualMs + 0.2 * tookMs;
    }
    this.#tell(ask, answer);
  }

  #gaveSign(isKept: boolean): void {
    this.state.isKept = isKept;
    this.state.lastSignMs = this.#now.nowMs;
  }

  /** The connection ended although the server is up: twice after the same idle time means an idle timeout. */
  #learnEnd(idleMs: number): void {
    const { state } = this;
    const { falseEndMs } = state;
    if (falseEndMs !== null && Math.abs(falseEndMs - idleMs) <= sameEndMs)
      state.idleLimitMs = Math.max(0, Math.min(falseEndMs, idleMs) - sameEndMs);
    state.falseEndMs = idleMs;
  }

  #tell({ gridMs, what }: Ask, answer: NodeAnswer): void {
    const { state } = this;
    const { nowMs } = this.#now;
    state.disturbances = 0;
    const refilled = Math.min(1, state.spares + (nowMs - state.sparesAtMs) / spareEveryMs);
    state.spares = Math.max(state.spares, refilled);
    state.sparesAtMs = nowMs;
    const hadAnswered = state.failuresInRow === 0 && state.usualMs !== null;
    const grid = what === 'health' ? gridMs : nowMs;
    state.taking = { gridMs: grid, reading: answer.reading, hadAnswered };
    this.#plan(null);
    this.actions.push({ do: 'tell', answer, spares: Math.floor(state.spares) });
  }

  #taken(spent: number): void {
    const { state } = this;
    const { taking } = state;
    if (taking === null) return;
    state.taking = null;
    state.spares -= spent;
    const { reading, gridMs, hadAnswered } = taking;
    const isReport = reading.kind === 'report';
    state.failuresInRow = isReport ? 0 : state.failuresInRow + 1;
    // After an outage the node may run its checks with another period.
    if (!isReport) state.explored = null;
    if (state.isAsleep || state.target.paused) return;
    const endedMs = this.#now.nowMs;
    const nextMs = nextDueMs({
      dueMs: gridMs,
      endedMs,
      intervalMs: intervalOf(state),
      failuresInRow: state.failuresInRow,
      retryAfterMs: retryAfterMs(reading, this.#now.wallMs),
      jitter: this.#now.jitter,
      phase: state.phase,
      isAutomatic: state.target.intervalMs === null,
      confirms: hadAnswered,
    });
    const lookMs = isReport ? this.#nextLookMs(endedMs) : null;
    this.#plan(
      lookMs !== null && lookMs < nextMs ? { atMs: lookMs, gridMs } : { atMs: nextMs, gridMs: nextMs },
    );
  }

  /** Time of an extra poll before the regular one, for a node polled automatically; null for none. */
  #nextLookMs(endedMs: number): number | null {
    const { state } = this;
    const { phase, sawNewRun, explored, learnLooks, isExtraLook } = state;
    state.isExtraLook = false;
    if (state.target.intervalMs !== null) return null;
    const look = extraLook({ endedMs, phase, sawNewRun, explored, learnLooks });
    state.learnLooks = look?.why === 'learn' ? learnLooks + 1 : phase?.periodMs == null ? learnLooks : 0;
    if (look === null || (isExtraLook && look.why !== 'learn')) return null;
    if (look.why === 'retry') {
      if (state.spares < 1) return null;
      state.spares -= 1;
    }
    state.isExtraLook = look.why !== 'learn';
    if (look.why === 'explore') state.explored = { periodMs: phase?.periodMs ?? 0, atMs: endedMs };
    return look.atMs;
  }
}

/** Failures where nothing accepts connections; a connection that succeeds then shows that the node is back. */
function canBeSought(failure: HttpFailure | null): boolean {
  return failure === 'refused' || failure === 'reset' || failure === 'network';
}

function retryAfterMs(reading: Reading, wallMs: number): number | null {
  if (reading.kind !== 'no-report' || reading.error.code !== 'rate-limited') return null;
  return reading.error.retryAtMs - wallMs;
}
