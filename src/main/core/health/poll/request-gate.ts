/**
 * `regular`: polls and liveness. `extra`: beside that rhythm, such as another look for a late run. `urgent`: because
 * something has happened, such as the end of a connection. `connect`: without a request.
 */
export type Asking = 'regular' | 'extra' | 'urgent' | 'connect';

/**
 * At most 5 requests a minute, averaged over any two minutes, unless the user asked for more: eight of the rhythm, an
 * extra one, and one that is urgent.
 */
const spanMs = 120_000;
const mostRequests = 10;
const mostExtra = 1;
const mostUrgent = 1;
/** So many more within two minutes of the user's wish. */
const burst = 3;
/** At most one connection that brings no request in this time. */
const connectEveryMs = 2_000;

/**
 * The budget of one node: every request and connection passes it directly before it is sent, whatever asks for it and
 * whatever the node does ([0016](docs/adr)). Times are monotonic milliseconds.
 */
export class RequestGate {
  /** Of the last two minutes, oldest first. */
  #sent: { atMs: number; isExtra: boolean }[] = [];
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
    const most = mostRequests + more;
    const after = (sent: readonly { atMs: number }[], count: number): number =>
      Math.max(this.#refusedMs + connectEveryMs, (sent.at(-count)?.atMs ?? -Infinity) + spanMs);
    const regular = after(this.#sent, most - mostUrgent);
    return {
      regular,
      extra: Math.max(
        regular,
        after(
          this.#sent.filter(({ isExtra }) => isExtra),
          mostExtra + more,
        ),
      ),
      urgent: after(this.#sent, most),
      connect: Math.max(this.#openedMs, this.#refusedMs) + connectEveryMs,
    };
  }

  /** True when it allows as much as a new one. */
  isUnused(nowMs: number): boolean {
    const lastMs = this.#sent.at(-1)?.atMs ?? -Infinity;
    return Math.max(lastMs, this.#openedMs, this.#refusedMs, this.#wantedMs) <= nowMs - spanMs;
  }

  /** Counts what is about to be sent; false if it must not be, which is counted as well. */
  pass(asking: Asking, nowMs: number): boolean {
    if (this.allowedFromMs(nowMs)[asking] > nowMs) {
      this.heldBackCount += 1;
      return false;
    }
    this.#sent = this.#sent.filter(({ atMs }) => atMs > nowMs - spanMs);
    if (asking === 'connect') this.#openedMs = nowMs;
    else this.#sent.push({ atMs: nowMs, isExtra: asking === 'extra' });
    return true;
  }

  /** The connection for the last request was refused, so nobody received it: it counts as a connection. */
  refused(nowMs: number): void {
    this.#sent.pop();
    this.#refusedMs = nowMs;
  }
}
