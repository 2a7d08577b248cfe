import type { HttpFailed } from '../../ports.ts';

/**
 * `regular`: polls and liveness. `return`: polls of a node that does not answer, each of which may find it back. `extra`:
 * beside that rhythm, such as another look for a late run. `connect`: without a request.
 */
export type Asking = 'regular' | 'return' | 'extra' | 'connect';

/** At most 5 requests a minute, averaged over any two minutes, unless the user asked for more. */
const spanMs = 120_000;
const mostRequests = 10;
/** One stays free for a return. */
const mostUnlessReturn = 9;
/** With four of the rhythm that is five in a minute. */
const extraEveryMs = 60_000;
/** The longest time between two requests of the rhythm, for which an extra one leaves the room. */
const rhythmMs = 15_750;
/** So many more within two minutes of the user's wish. */
const burst = 3;
/** At most one connection that brings no request in this time. */
const connectEveryMs = 2_000;

/** What comes of what it refuses. */
export const notAllowed: HttpFailed = {
  kind: 'failure',
  reason: 'not-allowed',
  detail: 'The app has reached its request limit for this node for now.',
};

/**
 * The budget of one node: every request and connection passes it directly before it is sent, whatever asks for it and
 * whatever the node does ([0016](docs/adr)). Times are monotonic milliseconds.
 */
export class RequestGate {
  /** Of the last two minutes, oldest first. */
  #sentMs: number[] = [];
  #extraMs: number[] = [];
  #returnMs = -Infinity;
  /** The last connection that was opened without a request, and the last one that was refused. */
  #openedMs = -Infinity;
  #refusedMs = -Infinity;
  #wantedMs = -Infinity;
  /** How often something was put off. */
  heldBackCount = 0;

  /** The user waits for an answer. */
  want(nowMs: number): void {
    this.#wantedMs = nowMs;
  }

  /** From when on each may be sent; not later than `nowMs` if it may be sent now. */
  allowedFromMs(nowMs: number): Record<Asking, number> {
    const more = this.#wantedMs > nowMs - spanMs ? burst : 0;
    const after = (count: number): number =>
      Math.max(this.#refusedMs + connectEveryMs, (this.#sentMs.at(-count - more) ?? -Infinity) + spanMs);
    let extra = (this.#extraMs.at(-1 - more) ?? -Infinity) + extraEveryMs;
    // Those of the rhythm that come before the request `count` places back is two minutes old find their places as well.
    for (let count = 1; count <= mostUnlessReturn; count += 1)
      extra = Math.max(extra, after(count) - (mostUnlessReturn - count) * rhythmMs);
    return {
      // The place of a return stays free for it; where it is taken, the rhythm goes on with its own.
      regular: after(this.#returnMs > nowMs - spanMs ? mostRequests : mostUnlessReturn),
      return: after(mostRequests),
      extra,
      connect: Math.max(this.#openedMs, this.#refusedMs) + connectEveryMs,
    };
  }

  /** True when it allows as much as a new one. */
  isUnused(nowMs: number): boolean {
    const lastMs = this.#sentMs.at(-1) ?? -Infinity;
    return Math.max(lastMs, this.#openedMs, this.#refusedMs, this.#wantedMs) <= nowMs - spanMs;
  }

  /** Counts what is about to be sent; false if it must not be, which is counted as well. */
  pass(asking: Asking, nowMs: number): boolean {
    if (this.allowedFromMs(nowMs)[asking] > nowMs) {
      this.heldBackCount += 1;
      return false;
    }
    this.#sentMs = this.#sentMs.filter((atMs) => atMs > nowMs - spanMs);
    this.#extraMs = this.#extraMs.filter((atMs) => atMs > nowMs - extraEveryMs);
    if (asking === 'return') this.#returnMs = nowMs;
    if (asking === 'extra') this.#extraMs.push(nowMs);
    if (asking === 'connect') this.#openedMs = nowMs;
    else this.#sentMs.push(nowMs);
    return true;
  }

  /** The connection for the last request was refused, so nobody received it: it counts as a connection. */
  refused(nowMs: number): void {
    this.#sentMs.pop();
    this.#returnMs = -Infinity;
    this.#refusedMs = nowMs;
  }
}
