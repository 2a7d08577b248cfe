import type { NodeAnswer } from '../ask/ask-node.ts';
import type { HttpFailed, HttpFailure } from '../../ports.ts';
import { classifyFailure } from '../ask/no-report.ts';
import { learnPhase } from './phase.ts';
import type { Asking } from './request-gate.ts';
import {
  extraLook,
  intervalOf,
  isPolling,
  Learned,
  newAsk,
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
  /** The kept-alive connection ended while no request was under way; null: a follow-up request failed. */
  | { type: 'lost'; idleMs: number | null }
  /** `isKept`: the request reuses the connection of the previous one. */
  | { type: 'sent'; isKept: boolean }
  | { type: 'connected'; failure: HttpFailed | null }
  | { type: 'answered'; answer: NodeAnswer; isKept: boolean }
  /** The answer passed on by `tell` has been processed, with its follow-up requests. */
  | { type: 'taken' };

export type PollAction =
  | { do: 'ask'; what: AskKind; asking: Asking }
  /** Cancels the request under way; no event of it may arrive any more. */
  | { do: 'abandon' }
  /** Passes on the answer for processing; a report allows follow-up requests. */
  | { do: 'tell'; answer: NodeAnswer }
  /** Something is planned for later, because the budget is used up. */
  | { do: 'hold-back' }
  | { do: 'tell-liveness'; answer: NodeAnswer }
  | { do: 'disturbed' };

/**
 * `nowMs` is monotonic, `wallMs` the system's clock; `jitter` is uniform in [0, 1). `allowedFromMs`: from when on the
 * budget allows each (`RequestGate`).
 */
export interface Now {
  nowMs: number;
  wallMs: number;
  jitter: number;
  allowedFromMs: Readonly<Record<Asking, number>>;
}

/** How much earlier than seen the connections of a proxy may end. */
const endSlackMs = 1_000;
/** After this many disturbed attempts an answer is taken as it is, so that there is one at all. */
const mostDisturbances = 3;

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
        if (ask !== null) this.#connected(ask, event.failure);
        return;
      case 'answered':
        if (ask !== null) this.#answered(ask, event.answer, event.isKept);
        return;
      case 'taken':
        return this.#taken();
    }
  }

  #put(target: PollTarget): void {
    const { state } = this;
    const before = state.target;
    state.target = target;
    if (before.url !== target.url) Object.assign(state, new Learned(this.#now.nowMs));
    const asksAnew =
      before.url !== target.url || before.revision !== target.revision || before.paused !== target.paused;
    if (asksAnew) {
      this.#stop();
      this.#start();
    } else if (before.intervalMs !== target.intervalMs && state.due !== null) {
      const atMs = this.#now.nowMs + intervalOf(state);
      this.state.due = { atMs, gridMs: atMs, asking: 'regular' };
    }
  }

  #start(): void {
    if (!this.state.isAsleep && !this.state.target.paused) this.#begin('health');
  }

  #stop(): void {
    this.#abandon();
    this.state.due = null;
    this.state.seekMs = null;
    this.state.taking = null;
  }

  #abandon(): void {
    if (this.state.ask !== null) this.actions.push({ do: 'abandon' });
    this.state.ask = null;
  }

  #begin(what: AskKind, asking = this.#asking(), given: Partial<Ask> = {}): void {
    const { state } = this;
    const { allowedFromMs, nowMs, wallMs } = this.#now;
    const ask = { ...newAsk, what, asking, sentAtMs: wallMs, gridMs: nowMs, ...given };
    if (allowedFromMs[asking] > nowMs) return this.#holdBack(ask, allowedFromMs[asking]);
    this.#abandon();
    // When the next poll is due is only known once this one has ended.
    if (what === 'health') this.state.due = null;
    state.ask = ask;
    this.actions.push({ do: 'ask', what, asking });
  }

  /** Each poll of a node that does not answer may be the first one after its return. */
  #asking(): Asking {
    return this.state.isAway ? 'return' : 'regular';
  }

  /** What the budget does not allow now is planned for when it does. */
  #holdBack({ what, asking, gridMs }: Ask, fromMs: number): void {
    this.actions.push({ do: 'hold-back' });
    if (what === 'health') this.state.due = { atMs: fromMs, gridMs, asking };
    else this.state.notBeforeMs = fromMs;
  }

  #tick(isConnected: boolean): void {
    const { state } = this;
    const { ask, due } = state;
    const { nowMs } = this.#now;
    const atMs = wakeMs(state);
    if (atMs === null || nowMs < atMs) return;
    if (ask !== null && !ask.isOverdue) this.#patienceEnded(ask, isConnected);
    else if (due !== null && nowMs >= due.atMs) this.#begin('health', due.asking, { gridMs: due.gridMs });
    else if (state.seekMs === null) this.#begin('liveness', 'regular');
    else this.#begin('connect', 'connect');
  }

  #patienceEnded(ask: Ask, isConnected: boolean): void {
    if (ask.what === 'connect') {
      this.#abandon();
      return this.#foundNobody(ask, timedOut, this.#now.nowMs);
    }
    if (this.#wasDisturbed(ask)) return this.#askAgain();
    // While the connection is up, the answer may come once the hang is over; without one it never comes.
    if (isConnected) this.state.ask = { ...ask, isOverdue: true };
    else this.#abandon();
    this.#tell(ask, { reading: classifyFailure(timedOut), reportedNodeId: null });
    this.state.seekMs = isConnected ? null : this.#now.nowMs;
  }

  #wasDisturbed(ask: Ask): boolean {
    if (this.state.disturbances >= mostDisturbances) return false;
    const { nowMs, wallMs } = this.#now;
    const spans = { wallMs: wallMs - ask.sentAtMs, monotonicMs: nowMs - (ask.sentMs ?? nowMs) };
    return wasDisturbed({ ...spans, patienceMs: patienceOf(this.state, ask) });
  }

  #askAgain(): void {
    this.state.disturbances += 1;
    this.state.phase = null;
    this.actions.push({ do: 'disturbed' });
    this.#begin('health');
  }

  #lost(idleMs: number | null): void {
    const { ask, due, taking, idleLimitMs } = this.state;
    if (idleMs !== null && idleMs >= idleLimitMs) return;
    if (taking !== null) this.state.taking = { ...taking, lost: { afterMs: idleMs } };
    else if (ask === null && due !== null) this.#lookInto(idleMs);
  }

  /** Polls whose connection ended; where the budget has no request left, a bare connection tells whether it is there. */
  #lookInto(lostAfterMs: number | null): void {
    const { nowMs } = this.#now;
    // A liveness request that waits does not hold up a connection.
    if (this.#now.allowedFromMs.regular > nowMs)
      Object.assign(this.state, { seekMs: nowMs, notBeforeMs: nowMs });
    else this.#begin('health', 'regular', { lostAfterMs });
  }

  #sent(ask: Ask, isKept: boolean): void {
    const { state } = this;
    const { nowMs, wallMs } = this.#now;
    state.ask = { ...ask, sentMs: nowMs, sentAtMs: wallMs };
    // The connection was idle longer than the learned limit, so the limit was wrong.
    if (isKept && nowMs - state.lastSignMs > state.idleLimitMs + endSlackMs)
      state.idleLimitMs = nodeIdleLimitMs;
  }

  #connected(ask: Ask, failure: HttpFailed | null): void {
    this.state.ask = null;
    if (failure !== null)
      return this.#foundNobody(ask, failure, (ask.sentMs ?? this.#now.nowMs) + seekEveryMs);
    this.state.seekMs = null;
    this.#begin('health', this.#asking(), { isSought: true });
  }

  #foundNobody(ask: Ask, failure: HttpFailed, seekMs: number): void {
    if (!this.state.isAway) this.#tell(ask, { reading: classifyFailure(failure), reportedNodeId: null });
    this.state.seekMs = seekMs;
  }

  #answered(ask: Ask, answer: NodeAnswer, isKept: boolean): void {
    const { state } = this;
    const { reading } = answer;
    const isSilent = reading.state === 'unreachable';
    const failure = reading.kind === 'no-report' ? reading.failure : null;
    if (failure === null && ask.lostAfterMs !== null) this.#learnEnd(ask.lostAfterMs);
    state.ask = null;
    if (ask.isOverdue) {
      // A failure was already reported. A late answer to a liveness request shows that the node is back: poll it.
      if (isSilent) state.seekMs = this.#now.nowMs;
      else if (ask.what === 'liveness') this.#begin('health');
      else this.#heard(ask, answer, isKept);
      return;
    }
    if (reading.kind === 'no-report' && (ask.what === 'health' || isSilent) && this.#wasDisturbed(ask))
      return this.#askAgain();
    if (isSilent) {
      this.#tell(ask, answer);
      // A connection that was accepted and brought no answer shows nothing: the polls back off alone.
      const canBeSought = failure !== null && nobodyThere.has(failure) && !ask.isSought;
      state.seekMs = canBeSought ? this.#now.nowMs + seekEveryMs : null;
    } else if (ask.what === 'liveness') {
      this.#gaveSign(isKept);
      this.actions.push({ do: 'tell-liveness', answer });
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
    let sawNewRun = false;
    if (reading.kind === 'report') {
      const { checks } = reading.report;
      if (answer.reportedNodeId !== state.nodeId) state.phase = null;
      state.nodeId = answer.reportedNodeId;
      const lastRunMs = state.phase?.lastRunMs ?? null;
      state.phase = learnPhase(state.phase, { checks, sentMs, answeredMs });
      sawNewRun = state.phase !== null && state.phase.lastRunMs !== lastRunMs;
      const tookMs = answeredMs - sentMs;
      if (!ask.isOverdue)
        state.usualMs = state.usualMs === null ? tookMs : 0.8 * state.usualMs + 0.2 * tookMs;
    }
    this.#tell(ask, answer, sawNewRun);
  }

  #gaveSign(isKept: boolean): void {
    this.state.isKept = isKept;
    this.state.lastSignMs = this.#now.nowMs;
  }

  /** The connection ended although the server is up: the second time means that a proxy ends them as it likes. */
  #learnEnd(idleMs: number): void {
    const { state } = this;
    if (state.falseEndMs !== null)
      state.idleLimitMs = Math.max(0, Math.min(state.falseEndMs, idleMs) - endSlackMs);
    state.falseEndMs = idleMs;
  }

  #tell({ gridMs, what, asking }: Ask, answer: NodeAnswer, sawNewRun = false): void {
    const { state } = this;
    const { nowMs } = this.#now;
    state.disturbances = 0;
    const grid = what === 'health' ? gridMs : nowMs;
    state.taking = { gridMs: grid, asking, reading: answer.reading, sawNewRun };
    this.state.due = null;
    this.actions.push({ do: 'tell', answer });
  }

  #taken(): void {
    const { state } = this;
    const { taking } = state;
    if (taking === null) return;
    state.taking = null;
    const { reading, gridMs, lost } = taking;
    const hadAnswered = state.failuresInRow === 0 && state.isKept !== null;
    const isReport = reading.kind === 'report';
    state.failuresInRow = isReport ? 0 : state.failuresInRow + 1;
    state.isAway = reading.state === 'unreachable';
    // After an outage the node may run its checks with another period.
    if (!isReport) state.explored = null;
    if (state.isAsleep || state.target.paused) return;
    const endedMs = this.#now.nowMs;
    const nextMs = nextDueMs({
      ...state,
      dueMs: gridMs,
      endedMs,
      intervalMs: intervalOf(state),
      retryAfterMs: retryAfterMs(reading, this.#now.wallMs),
      jitter: this.#now.jitter,
      isAutomatic: state.target.intervalMs === null,
      confirms: hadAnswered,
    });
    const look = isReport ? this.#nextLook(taking, endedMs) : null;
    const next = { atMs: nextMs, gridMs: nextMs, asking: this.#asking() };
    this.state.due = look !== null && look.atMs < nextMs ? look : next;
    if (lost !== undefined && isReport) this.#lookInto(lost.afterMs);
  }

  /** An extra poll before the regular one, for a node polled automatically; null for none. None follows another. */
  #nextLook(after: NonNullable<PollState['taking']>, endedMs: number): PollState['due'] {
    const { state } = this;
    const { gridMs, sawNewRun } = after;
    const { phase, learnLooks } = state;
    if (state.target.intervalMs !== null) return null;
    const look = extraLook({ ...state, endedMs, sawNewRun });
    state.learnLooks = look?.why === 'learn' ? learnLooks + 1 : phase?.periodMs == null ? learnLooks : 0;
    if (look?.why === 'learn') return { atMs: look.atMs, gridMs, asking: 'regular' };
    if (look === null || after.asking === 'extra' || this.#now.allowedFromMs.extra > look.atMs) return null;
    if (look.why === 'explore') state.explored = { periodMs: phase?.periodMs ?? 0, atMs: endedMs };
    return { atMs: look.atMs, gridMs, asking: 'extra' };
  }
}

const timedOut: HttpFailed = { kind: 'failure', reason: 'timeout', detail: '' };
/** Failures where nothing accepts connections; a connection that succeeds then shows that the node is back. */
const nobodyThere: ReadonlySet<HttpFailure> = new Set(['refused', 'network']);

function retryAfterMs(reading: Reading, wallMs: number): number | null {
  if (reading.kind !== 'no-report' || reading.error.code !== 'rate-limited') return null;
  return reading.error.retryAtMs - wallMs;
}
