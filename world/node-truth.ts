import type { HttpRequest } from '../src/main/core/ports.ts';
import type { Answer } from './network.ts';
import type { NodePlan } from './history.ts';
import { chanceOf } from './chance.ts';
import type { WorldTime } from './time.ts';

/** What is known of a check from its last run. Times are true ones. */
interface CheckTruth {
  fails: boolean;
  ranAtMs: number | null;
  failures: number;
  firstFailureMs: number | null;
}

/** Consecutive failed runs of a check, in true time; `endMs` is the first run that passed. */
export interface FailedStretch {
  check: string;
  fromMs: number;
  /** The first run, and the first one after each restart of the node, which does not know of those before. */
  startsMs: number[];
  endMs: number | null;
  runs: number;
}

type NodeBeing = 'alive' | 'dead' | 'hung' | 'stalled';

const names = [
  'C',
  'P',
  'X',
  'bootstrapped',
  'database',
  'diskspace',
  'network',
  'router',
  'bls',
  'validation',
];

/** A node with a truth: its checks run by themselves, and it can be asked what its answers would be. */
export class NodeTruth {
  readonly url: string;
  readonly host: string;
  readonly plan: NodePlan;
  being: NodeBeing = 'alive';
  /** Since when `being`, the checks and what they say have been as they are. */
  steadySinceMs = 0;
  /** It has gone on without running its checks. */
  hasStoodStill = false;
  /** It is on this computer, and has slept with it. */
  hasSlept = false;
  readonly stretches: FailedStretch[] = [];
  readonly #time: WorldTime;
  readonly #checks: CheckTruth[];
  #isAlternate = false;
  #beganMs = 0;
  #rounds = 0;

  constructor(time: WorldTime, which: number, plan: NodePlan) {
    this.#time = time;
    this.plan = plan;
    this.host = `node${which}`;
    this.url = plan.isLocal ? `http://127.0.0.1:${9650 + which}` : `http://node${which}.example:9650`;
    this.#checks = Array.from({ length: plan.checks }, () => newCheck());
    this.#planRound();
  }

  setCheck(check: number, fails: boolean): void {
    const truth = this.#checks[check % Math.max(1, this.#checks.length)];
    if (truth !== undefined) truth.fails = fails;
    this.#changed();
  }

  setCount(count: number): void {
    this.#checks.length = Math.min(this.#checks.length, count);
    while (this.#checks.length < count) this.#checks.push(newCheck());
    const names = new Set(this.checkNames);
    for (const stretch of this.stretches) if (!names.has(stretch.check)) stretch.endMs ??= this.#time.nowMs;
    this.#changed();
  }

  become(being: NodeBeing): void {
    if (being === this.being) return;
    const isNew = this.being === 'dead';
    this.being = being;
    if (being === 'hung' || being === 'stalled') this.hasStoodStill = true;
    this.#changed();
    if (!isNew) return;
    // A new process: nothing has run yet, and its rounds begin now.
    this.#checks.forEach((check) => Object.assign(check, { ...newCheck(), fails: check.fails }));
    this.#beganMs = this.#time.nowMs;
    this.#rounds = 0;
    this.#planRound();
  }

  /** Everything passes and goes on from now. */
  heal(): void {
    this.become('alive');
    for (const check of this.#checks) check.fails = false;
    this.#changed();
  }

  get isHealthy(): boolean {
    return this.#checks.every(({ ranAtMs, failures }) => ranAtMs !== null && failures === 0);
  }

  get checkNames(): string[] {
    return this.#checks.map((_one, index) => nameOf(index));
  }

  /** What the last run of each check said, but for those that have not run. */
  *checkStates(): Generator<readonly [name: string, fails: boolean]> {
    for (const [index, { ranAtMs, failures }] of this.#checks.entries()) {
      if (ranAtMs !== null) yield [nameOf(index), failures > 0];
    }
  }

  #changed(): void {
    this.steadySinceMs = this.#time.nowMs;
  }

  #planRound(): void {
    const { periodMs, lateMs } = this.plan;
    const began = this.#beganMs;
    this.#rounds += 1;
    const lateBy = Math.floor(chanceOf('late', this.url, began, this.#rounds).fraction() * lateMs);
    const atMs = began + this.#rounds * periodMs + lateBy;
    const round = (): void => {
      if (this.being === 'dead' || this.#beganMs !== began) return;
      const sleeps = this.plan.isLocal && this.#time.isAsleep;
      if (sleeps) this.hasSlept = true;
      else if (this.being === 'alive') this.#run();
      this.#planRound();
    };
    this.#time.outside(atMs - this.#time.nowMs, round);
  }

  #run(): void {
    const atMs = this.#time.nowMs;
    for (const [index, check] of this.#checks.entries()) {
      const name = nameOf(index);
      const open = this.stretches.findLast((stretch) => stretch.check === name && stretch.endMs === null);
      check.ranAtMs = atMs;
      if (check.fails) {
        check.firstFailureMs ??= atMs;
        check.failures += 1;
        if (open === undefined) {
          this.stretches.push({
            check: name,
            fromMs: atMs,
            startsMs: [atMs],
            endMs: null,
            runs: 1,
          });
        } else {
          if (check.failures === 1) open.startsMs.push(atMs);
          open.runs += 1;
        }
      } else {
        check.firstFailureMs = null;
        check.failures = 0;
        if (open !== undefined) open.endMs = atMs;
      }
    }
  }

  /** The answer to a request; null while the node hangs. `alternates`: two nodes answer in turn. */
  answer(request: HttpRequest, alternates: boolean): Answer | null {
    if (this.being === 'hung') return null;
    const path = new URL(request.url).pathname;
    // The app's own request.
    const rpc = JSON.parse(request.body ?? 'null') as { id: number; method: string } | null;
    const what = rpc === null ? path : rpc.method;
    this.#isAlternate = alternates && !this.#isAlternate;
    const headers = {
      'node-id': `NodeID-${this.host}${this.#isAlternate ? 'b' : ''}`,
      'content-type': 'application/json',
    };
    const result = this.#result(what);
    if (result === null) return { status: 404, headers, body: '404 page not found' };
    if (rpc !== null) {
      return { status: 200, headers, body: JSON.stringify({ jsonrpc: '2.0', id: rpc.id, result }) };
    }
    return { status: result.healthy ? 200 : 503, headers, body: JSON.stringify(result) };
  }

  #result(what: string): { checks: Record<string, unknown>; healthy: boolean } | null {
    if (/liveness$/.test(what)) return { checks: {}, healthy: true };
    if (/readiness$/.test(what))
      return { checks: {}, healthy: this.#checks.every(({ ranAtMs }) => ranAtMs !== null) };
    if (!/^(\/ext\/health(\/health)?|health\.health)$/.test(what)) return null;
    // The second node behind the same address passes everything.
    const checks: Record<string, unknown> = {};
    for (const [index, check] of this.#checks.entries()) {
      // After a start, some checks are registered only when the first ones have run.
      const isLate = this.#beganMs > 0 && index > 0 && index >= this.#checks.length / 2;
      if (isLate && check.ranAtMs === null) continue;
      checks[nameOf(index)] = this.#report(check);
    }
    return { checks, healthy: this.#isAlternate || this.isHealthy };
  }

  #report({ ranAtMs, failures, firstFailureMs }: CheckTruth): unknown {
    if (ranAtMs === null) return { error: 'not yet run', timestamp: '0001-01-01T00:00:00Z', duration: 0 };
    // In nanoseconds, no two runs take equally long.
    const duration = 1_200_000 + (Math.floor(ranAtMs) % 1_000_003);
    const run = { timestamp: this.#stamp(ranAtMs), duration, message: { height: 7 } };
    if (failures === 0 || this.#isAlternate || firstFailureMs === null) return run;
    return {
      ...run,
      error: 'it fails',
      contiguousFailures: failures,
      timeOfFirstFailure: this.#stamp(firstFailureMs),
    };
  }

  /** By the node's own clock, which is right but for what the plan says. */
  #stamp(trueMs: number): string {
    return new Date(beginningMs + trueMs + this.plan.clockMs).toISOString();
  }
}

/** When the world begins, by a clock that is right. */
export const beginningMs = Date.UTC(2026, 2, 2, 6, 0, 0);

function newCheck(): CheckTruth {
  return { fails: false, ranAtMs: null, failures: 0, firstFailureMs: null };
}

function nameOf(index: number): string {
  return names[index] ?? `check-${index}`;
}
