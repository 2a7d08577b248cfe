import { err, ok, type Result } from '../../../shared/errors.ts';
import { createListeners, type Listeners } from '../listeners.ts';
import type { Ports } from '../ports.ts';
import {
  decide,
  freshBudget,
  priorities,
  withCallEnded,
  withCallSent,
  type AnswerSeen,
  type Budget,
  type Decision,
  type Priority,
} from './budget.ts';

/** What a call brings that was cancelled. */
export const cancelled = err({ code: 'cancelled', message: 'The request was cancelled.' } as const);

export interface CallRequest {
  /** Origin of the service: a hold applies to all its interfaces. */
  origin: string;
  /** The chain that it is about: a 503 holds back only the calls about that. */
  chainId?: string | undefined;
  /** Each interface has its own budget. */
  api: 'data' | 'metrics';
  costUnits: number;
  priority: Priority;
  /** If the call would have to wait longer than this, it is refused at once instead of queued. */
  mayWaitMs: number;
  signal?: AbortSignal;
}

/** Permission to send one call; `end` must be called in any case. */
export interface Permit {
  end(answer: AnswerSeen | null): void;
}

interface Waiting {
  request: CallRequest;
  admit: (result: Result<Permit>) => void;
}

/** Others wait behind a call that waits for its chain: it is refused for longer waits than this. */
const mayWaitForChainMs = 2_000;

/** Sends calls by priority within the service's rate limits. One for all services: budgets are kept by origin. */
export class Scheduler {
  readonly #deps: Pick<Ports, 'clock' | 'timers'>;
  readonly #budgets = new Map<string, Budget>();
  /** By origin, or by origin and chain. */
  readonly #holds = new Map<string, number>();
  readonly #changes: Listeners<null> = createListeners();
  #queue: Waiting[] = [];
  #cancelWakeUp: (() => void) | null = null;
  #pumping: Promise<void> | null = null;
  /** How often the key has changed. */
  #keyNumber = 0;

  constructor(deps: Pick<Ports, 'clock' | 'timers'>) {
    this.#deps = deps;
  }

  /** Waits for the call's turn. Errors are `rate-limited` (nothing was sent) and `cancelled`. */
  async admit(request: CallRequest): Promise<Result<Permit>> {
    const { signal } = request;
    if (signal?.aborted === true) return cancelled;
    return await new Promise((resolve) => {
      const waiting: Waiting = {
        request,
        admit: (result) => {
          signal?.removeEventListener('abort', giveUp);
          resolve(result);
        },
      };
      const giveUp = (): void => {
        this.#queue = this.#queue.filter((other) => other !== waiting);
        waiting.admit(cancelled);
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#queue.push(waiting);
      // Once for all that are asked for together: thousands, where as many addresses are added.
      this.#pumping ??= Promise.resolve().then(() => this.#pump());
    });
  }

  /** Calls the listener when a budget may have changed: a call has ended, or the key is another. */
  readonly onChange = this.#changes.add;

  /** Another key has limits of its own: what is known, and what calls under way bring, does not hold. */
  keyChanged(): void {
    this.#keyNumber += 1;
    for (const [key, { inFlight }] of this.#budgets) this.#budgets.set(key, { ...freshBudget, inFlight });
    this.#holds.clear();
    this.#changes.emit(null);
    this.#pump();
  }

  budget(origin: string, api: CallRequest['api']): Budget {
    const budget = this.#budgets.get(`${origin} ${api}`) ?? freshBudget;
    return { ...budget, heldUntilMs: Math.max(budget.heldUntilMs, this.#holds.get(origin) ?? -Infinity) };
  }

  /** Admits queued calls by priority, refuses those that would wait too long, and sets a timer for the rest. */
  #pump(): void {
    this.#pumping = null;
    const nowMs = this.#deps.clock.monotonicMs();
    let wakeUpAtMs = Infinity;
    const left: Waiting[] = [];
    const byUrgency = [...this.#queue].sort(
      (a, b) => priorities.indexOf(a.request.priority) - priorities.indexOf(b.request.priority),
    );
    const admitted: (() => void)[] = [];
    for (const waiting of byUrgency) {
      const { origin, api, chainId, priority, costUnits, mayWaitMs } = waiting.request;
      const budget = this.budget(origin, api);
      const chainHold = chainId === undefined ? undefined : this.#holds.get(chainOf(waiting.request));
      const chainHeldMs = (chainHold ?? nowMs) - nowMs;
      const decision: Decision =
        chainHeldMs > 0
          ? { kind: 'wait-until', atMs: nowMs + chainHeldMs }
          : decide(budget, priority, costUnits, nowMs);
      if (chainHeldMs > Math.min(mayWaitMs, mayWaitForChainMs)) {
        admitted.push(() => waiting.admit(err(chainHeld(chainHeldMs))));
      } else if (decision.kind === 'send') {
        this.#budgets.set(`${origin} ${api}`, withCallSent(budget, nowMs));
        admitted.push(() => waiting.admit(ok(this.#permit(waiting.request))));
      } else if (decision.kind === 'wait-until' && decision.atMs - nowMs > mayWaitMs) {
        admitted.push(() => waiting.admit(err(tooLong(decision.atMs - nowMs, this.#deps.clock.nowMs()))));
      } else {
        left.push(waiting);
        if (decision.kind === 'wait-until') wakeUpAtMs = Math.min(wakeUpAtMs, decision.atMs);
      }
    }
    this.#queue = left;
    this.#cancelWakeUp?.();
    this.#cancelWakeUp = null;
    if (wakeUpAtMs < Infinity)
      this.#cancelWakeUp = this.#deps.timers.after(Math.max(1, wakeUpAtMs - nowMs), () => this.#pump());
    for (const tell of admitted) tell();
  }

  #permit(request: CallRequest): Permit {
    const key = `${request.origin} ${request.api}`;
    const keyNumber = this.#keyNumber;
    let ended = false;
    return {
      end: (given) => {
        if (ended) return;
        ended = true;
        const answer = keyNumber === this.#keyNumber ? given : null;
        const nowMs = this.#deps.clock.monotonicMs();
        const budget = this.#budgets.get(key) ?? freshBudget;
        this.#budgets.set(key, withCallEnded(budget, answer, request, nowMs));
        if (answer !== null && answer.holdMs !== null) {
          const held = answer.status === 429 ? request.origin : chainOf(request);
          const untilMs = Math.max(this.#holds.get(held) ?? -Infinity, nowMs + answer.holdMs);
          this.#holds.set(held, untilMs);
        }
        this.#changes.emit(null);
        this.#pump();
      },
    };
  }
}

const chainOf = ({ origin, chainId }: CallRequest): string =>
  chainId === undefined ? origin : `${origin} ${chainId}`;

function chainHeld(waitMs: number) {
  const message = `The service can’t respond for this chain for another ${Math.ceil(waitMs / 1000)} s, so nothing was sent.`;
  return { code: 'upstream' as const, message, status: 503 };
}

function tooLong(waitMs: number, nowMs: number) {
  const message = `The service won’t accept requests for another ${Math.ceil(waitMs / 1000)} s, so nothing was sent.`;
  return { code: 'rate-limited' as const, message, retryAtMs: nowMs + Math.ceil(waitMs) };
}
