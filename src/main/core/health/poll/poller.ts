import { errorOf } from '../../../../shared/errors.ts';
import type { NodeStatus } from '../../../../shared/health/types.ts';
import { orAdd } from '../../../../shared/or-add.ts';
import type { HttpClient, NodeLine, OpenNodeLine, Ports } from '../../ports.ts';
import { askNode, type AskPorts, type NodeAccess, type NodeAnswer, type Question } from '../ask/ask-node.ts';
import { mayBeItsEnd, noReport } from '../ask/no-report.ts';
import type { Lag } from '../ask/node-clock.ts';
import { step, type PollAction, type PollEvent } from './poll-machine.ts';
import { notAllowed, RequestGate, type Asking } from './request-gate.ts';
import {
  intervalOf,
  isPolling,
  keepsLine,
  mostPeriodMs,
  toldPeriodMs,
  wakeMs,
  newState,
  type PollState,
  type AskKind,
  type PollTarget,
} from './schedule.ts';

export interface PollAnswer extends NodeAnswer {
  targetId: string;
  /** When the answer arrived or the poll timed out; when it was asked for, if the computer slept meanwhile. */
  polledAtMs: number;
  /** The system had no network as it was asked. */
  wasOffline: boolean;
}

/** Allows further requests to the same node after a poll, one after the other. */
export interface FollowUp {
  signal: AbortSignal;
  /** Null once the time for it, or the budget, is used up, or the poll is over. */
  ask(question: Question): Promise<NodeAnswer | null>;
}

export interface PollerPorts extends Omit<AskPorts, 'http'>, Pick<Ports, 'timers' | 'log' | 'isOnline'> {
  openLine: OpenNodeLine;
}

export interface PollerEvents {
  /** What requests to a target need; when it rejects, no request is sent. */
  accessTo(targetId: string): Promise<NodeAccess>;
  /** The next poll of the target waits for this promise. `signal`: it is paused, or asked otherwise, since. */
  onAnswer(answer: PollAnswer, rhythm: Rhythm, signal: AbortSignal): Promise<void>;
  /** Called after `onAnswer` when a report arrived; the poll ends with it. */
  onReport(targetId: string, rest: FollowUp): Promise<void>;
  /** Liveness was answered between two polls. */
  onLiveness(targetId: string, answer: NodeAnswer): void;
  /** The computer will sleep, or has slept although nobody has said so: what a target does meanwhile is not known. */
  onSlept(targetId: string): void;
  /** A poll has ended, has begun before it was due, or is planned for another time or by another period. */
  onChanged(targetId: string): void;
}

/** How often a node runs its checks, and how often it is polled. */
export interface Rhythm {
  /** Period of the node's own checks; null until it is sure. */
  periodMs: number | null;
  /** The longest that it can be (`mostPeriodMs`); null while nothing is known. */
  guessMs: number | null;
  intervalMs: number;
  /** How long after the node's time of a run it is visible, by our monotonic clock; null until learned. */
  lag: Lag | null;
}

export type PollStatus = Pick<
  NodeStatus,
  'polling' | 'nextPollAtMs' | 'periodMs' | 'keepsConnection' | 'heldBackCount'
>;

export type Poller = ReturnType<typeof createPoller>;

/** Time limit for follow-up requests, unless half the interval is shorter. */
const followUpMs = 10_000;
/** How long a node that refuses GET is not asked by it again. */
const byRpcForMs = 3_600_000;
/** A late answer is accepted until the next poll, which comes earlier than this unless the node is paused. */
const longestWaitMs = 3_600_000;
/** No timer is as late, and no clock is set by so much, while the computer is awake. */
const asleepMs = 15_000;

/** What a target's state machine needs to act. */
class Loop {
  state: PollState;
  gate: RequestGate;
  /** Until then (monotonic) it is asked by JSON-RPC alone. */
  refusesGetUntilMs = -Infinity;
  line: NodeLine | null = null;
  cancelTimer: (() => void) | null = null;
  /** As the last request was made. */
  wasOffline = false;
  /** Aborts the request under way. */
  ask: AbortController | null = null;
  /** Aborts follow-up requests while an answer is being processed. */
  taking: AbortController | null = null;
  access: NodeAccess = { headers: {} };
  /** Resolve when the poll under way has ended. */
  readonly waiting: (() => void)[] = [];

  constructor(state: PollState, gate: RequestGate) {
    this.state = state;
    this.gate = gate;
  }
}

/** Polls each target on its own schedule, independent of the others: executes what `poll-machine.ts` decides. */
export function createPoller(ports: PollerPorts, events: PollerEvents) {
  const { clock, timers, random, log } = ports;
  const loops = new Map<string, Loop>();
  /** By address: who is removed and added again has the same budget. */
  const gates = new Map<string, RequestGate>();
  let isSuspended = false;

  function gateOf(url: string): RequestGate {
    const used = new Set([...loops.values()].map((loop) => loop.gate));
    for (const [known, gate] of gates)
      if (!used.has(gate) && gate.isUnused(clock.monotonicMs())) gates.delete(known);
    return orAdd(gates, url, () => new RequestGate());
  }

  function dispatch(loop: Loop, event: PollEvent): void {
    const { id } = loop.state.target;
    if (loops.get(id) !== loop) return;
    const before = loop.state;
    const nowMs = clock.monotonicMs();
    const allowedFromMs = loop.gate.allowedFromMs(nowMs);
    const now = { nowMs, wallMs: clock.nowMs(), jitter: random.fraction(), allowedFromMs };
    const { state, actions } = step(before, event, now);
    loop.state = state;
    if (state.taking === null) {
      loop.taking?.abort();
      loop.taking = null;
    }
    for (const action of actions) execute(loop, action);
    loop.cancelTimer?.();
    const atMs = wakeMs(loop.state);
    loop.cancelTimer =
      atMs === null
        ? null
        : timers.after(Math.max(0, atMs - clock.monotonicMs()), () => {
            if (clock.monotonicMs() - atMs > asleepMs) events.onSlept(id);
            dispatch(loop, { type: 'tick', isConnected: loop.line?.isConnected() ?? false });
          });
    const [was, is] = [isPolling(before), isPolling(loop.state)];
    const hasBegunEarly = !was && is && nowMs < (before.due?.atMs ?? 0);
    const isOther =
      loop.state.due?.atMs !== before.due?.atMs || toldPeriodMs(loop.state) !== toldPeriodMs(before);
    if (is ? hasBegunEarly : was || isOther) events.onChanged(id);
    if (!is) for (const end of loop.waiting.splice(0)) end();
  }

  function execute(loop: Loop, action: PollAction): void {
    const { id } = loop.state.target;
    switch (action.do) {
      case 'ask':
        loop.ask = new AbortController();
        return void ask(loop, action, loop.ask.signal);
      case 'abandon':
        loop.ask?.abort();
        loop.ask = null;
        return;
      case 'tell':
        return void tell(loop, action.answer);
      case 'hold-back':
        loop.gate.heldBackCount += 1;
        return;
      case 'tell-liveness':
        return events.onLiveness(id, action.answer);
      case 'disturbed':
        log.info('node.poll-disturbed', { nodeId: id });
    }
  }

  function lineOf(loop: Loop): NodeLine {
    loop.line ??= ports.openLine(loop.state.target.url, (idleMs) => dispatch(loop, { type: 'lost', idleMs }));
    return loop.line;
  }

  /** Sends over a target's line what its gate lets through; requests after the first count as `further`. */
  function behindGate(loop: Loop, line: NodeLine, first: Asking, further: Asking): HttpClient {
    const { gate } = loop;
    let asking = first;
    return {
      async send(request) {
        const mayGoOn = (): boolean => {
          const passes = gate.pass(asking, clock.monotonicMs());
          asking = further;
          return passes;
        };
        if (!mayGoOn()) return notAllowed;
        const outcome = await line.send({ ...request, mayGoOn });
        if (outcome.kind === 'failure' && outcome.reason === 'refused') gate.refused(clock.monotonicMs());
        if (outcome.kind === 'failure' && mayBeItsEnd(outcome.reason) && loop.state.taking !== null)
          dispatch(loop, { type: 'lost', idleMs: null });
        return outcome;
      },
    };
  }

  function hangUp(loop: Loop): void {
    loop.line?.close();
    loop.line = null;
  }

  async function ask(
    loop: Loop,
    { what, asking }: { what: AskKind; asking: Asking },
    signal: AbortSignal,
  ): Promise<void> {
    loop.wasOffline = !ports.isOnline();
    const line = lineOf(loop);
    // The machine knows one request only; nothing may arrive from one that was abandoned.
    const tellMachine = (event: PollEvent): void => {
      if (!signal.aborted) dispatch(loop, event);
    };
    const sent = (): void => tellMachine({ type: 'sent', isKept: line.isKept() });
    if (what === 'connect') {
      sent();
      const mayTry = loop.gate.pass(asking, clock.monotonicMs());
      tellMachine({ type: 'connected', failure: mayTry ? await line.connect(signal) : notAllowed });
      return;
    }
    const { id: targetId, url } = loop.state.target;
    let answer: NodeAnswer;
    try {
      const access = await events.accessTo(targetId);
      if (signal.aborted) return;
      loop.access = access;
      sent();
      const limits = { timeoutMs: longestWaitMs, signal };
      const question = { what, tags: [], byRpc: asksByRpc(loop) };
      // Where GET is refused, the poll is not over without JSON-RPC.
      const http = behindGate(loop, line, asking, asking === 'extra' ? 'regular' : asking);
      const [askedAtMs, askedMs] = [clock.nowMs(), clock.monotonicMs()];
      answer = await askNode({ ...ports, http }, { url, ...access }, limits, question);
      const uncountedMs = clock.nowMs() - askedAtMs - (clock.monotonicMs() - askedMs);
      const hasSlept = Math.max(overdueMs(loop), uncountedMs) > asleepMs;
      // A failure is of the moment of waking.
      if (hasSlept && answer.reading.kind === 'report') answer = { ...answer, askedAtMs };
      noteProtocol(loop, question.byRpc, answer);
    } catch (cause) {
      sent();
      const error = errorOf(cause, log, 'node.poll', 'Something went wrong inside Watchkeeper.');
      answer = { reading: noReport(error), reportedNodeId: null };
    }
    tellMachine({ type: 'answered', answer, isKept: line.isKept() });
  }

  /** How late the timer is that would have ended the patience with the request. */
  function overdueMs({ state }: Loop): number {
    const nowMs = clock.monotonicMs();
    return state.ask?.isOverdue === false ? nowMs - (wakeMs(state) ?? nowMs) : 0;
  }

  function asksByRpc(loop: Loop): boolean {
    return clock.monotonicMs() < loop.refusesGetUntilMs;
  }

  /** A node that refuses GET is asked by JSON-RPC from then on, until that brings nothing. */
  function noteProtocol(loop: Loop, byRpc: boolean, answer: NodeAnswer): void {
    if (answer.refusesGet === true) loop.refusesGetUntilMs = clock.monotonicMs() + byRpcForMs;
    else if (byRpc && answer.reading.kind !== 'report') loop.refusesGetUntilMs = -Infinity;
  }

  async function tell(loop: Loop, answer: NodeAnswer): Promise<void> {
    const { id: targetId, url } = loop.state.target;
    const polledAtMs = answer.askedAtMs ?? clock.nowMs();
    const untilMs = clock.monotonicMs() + Math.min(followUpMs, intervalOf(loop.state) / 2);
    const taking = new AbortController();
    const { signal } = taking;
    const { wasOffline } = loop;
    loop.taking = taking;
    try {
      await events.onAnswer({ targetId, polledAtMs, wasOffline, ...answer }, rhythmOf(loop.state), signal);
      if (!signal.aborted && answer.reading.kind === 'report') {
        const endpoint = { url, ...loop.access };
        const http = behindGate(loop, lineOf(loop), 'extra', 'extra');
        const byRpc = asksByRpc(loop);
        const ask: FollowUp['ask'] = async (question) => {
          const nowMs = clock.monotonicMs();
          const limits = { timeoutMs: Math.ceil(untilMs - nowMs), signal };
          const isSpare =
            loop.state.taking?.lost === undefined && loop.gate.allowedFromMs(nowMs).extra <= nowMs;
          if (limits.timeoutMs <= 0 || signal.aborted || !isSpare) return null;
          return await askNode({ ...ports, http }, endpoint, limits, { byRpc, ...question });
        };
        await events.onReport(targetId, { signal, ask });
      }
    } catch (error) {
      // Nothing is expected to throw here, but a bug must not stop the polling of this node.
      log.error('node.poll', error);
    }
    // If a second answer was passed on meanwhile, only the later one ends the poll.
    if (loop.taking === taking && !signal.aborted) dispatch(loop, { type: 'taken' });
  }

  function newLoop(target: PollTarget): Loop {
    const state = newState({ ...target, paused: true, revision: 0 }, clock.monotonicMs());
    const loop = new Loop(state, gateOf(target.url));
    loops.set(target.id, loop);
    if (isSuspended) dispatch(loop, { type: 'suspend' });
    return loop;
  }

  return {
    /** Adds or updates a target. One that is new, has a new URL or is no longer paused is polled at once. */
    put(target: PollTarget): void {
      const known = loops.get(target.id);
      const loop = known ?? newLoop(target);
      const before = loop.state.target;
      if (before.url !== target.url || target.paused) hangUp(loop);
      // Another address is another host, with a budget of its own.
      if (before.url !== target.url)
        Object.assign(loop, { gate: gateOf(target.url), refusesGetUntilMs: -Infinity });
      const isResumed = known?.state.target.paused === true && !target.paused;
      if (isResumed || before.revision !== target.revision) loop.gate.want(clock.monotonicMs());
      dispatch(loop, { type: 'put', target });
    },
    /** Removes a target and abandons a poll under way. */
    remove(targetId: string): void {
      const loop = loops.get(targetId);
      if (loop === undefined) return;
      loops.delete(targetId);
      loop.cancelTimer?.();
      loop.ask?.abort();
      loop.taking?.abort();
      hangUp(loop);
      for (const end of loop.waiting.splice(0)) end();
    },
    /** Polls as soon as the budget allows. */
    pollSoon(targetId: string): void {
      const loop = loops.get(targetId);
      if (loop !== undefined) dispatch(loop, { type: 'wanted' });
    },
    /** For the user: polls now, or joins the poll under way; resolves when it has ended. */
    async pollNow(targetId: string): Promise<void> {
      const loop = loops.get(targetId);
      if (loop === undefined) return;
      loop.gate.want(clock.monotonicMs());
      const ended = new Promise<void>((resolve) => loop.waiting.push(resolve));
      dispatch(loop, { type: 'wanted' });
      await ended;
    },
    statusOf(targetId: string): PollStatus {
      const { state = null, gate = null } = loops.get(targetId) ?? {};
      const due = state?.due ?? null;
      return {
        polling: state !== null && isPolling(state),
        nextPollAtMs: due && clock.nowMs() + Math.max(0, due.atMs - clock.monotonicMs()),
        periodMs: state && toldPeriodMs(state),
        keepsConnection: state && keepsLine(state),
        heldBackCount: gate?.heldBackCount ?? 0,
      };
    },
    /** Before sleep: abandons requests without counting them as failures, and plans no further polls. */
    suspend(): void {
      isSuspended = true;
      for (const loop of loops.values()) {
        events.onSlept(loop.state.target.id);
        dispatch(loop, { type: 'suspend' });
        hangUp(loop);
      }
    },
    /** After sleep: polls every target that is not paused at once. */
    resume(): void {
      isSuspended = false;
      for (const loop of loops.values()) dispatch(loop, { type: 'resume' });
    },
  };
}

function rhythmOf(state: PollState): Rhythm {
  const { phase } = state;
  const lag = phase === null ? null : { minMs: phase.minLagMs, maxMs: phase.maxLagMs };
  return { periodMs: toldPeriodMs(state), guessMs: mostPeriodMs(phase), intervalMs: intervalOf(state), lag };
}
