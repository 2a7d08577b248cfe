import type {
  HttpFailed,
  HttpFailure,
  HttpOutcome,
  HttpRequest,
  NodeLine,
  OutboundGate,
} from '../src/main/core/ports.ts';
import type { Door } from './history.ts';
import type { WorldTime } from './time.ts';

/** What a server answers. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A host of the world: its door, who answers behind it, and what has reached it. */
export interface Host {
  name: string;
  isLocal: boolean;
  door: Door;
  /** Null for no answer. */
  answer: (request: HttpRequest) => Answer | null;
  /** Whether a process listens. */
  isThere: () => boolean;
  /** True times of what has reached it since the app's last start. */
  requestsMs: number[];
  connectsMs: number[];
  requestCount: number;
  /** True time at which it last refused a connection for a request. */
  refusedMs: number;
  /** True time at which a connection of the app last ended with all others. */
  cutMs: number;
  idleEnds: number;
  hold: Hold;
}

/** Until when a host wants no request, as it has said since the app's last start. */
export interface Hold {
  untilMs: number;
  /** The same about a chain alone. */
  ofChainsMs: Map<string, number>;
  /** As it had said before that start, of which the app knows nothing; 0 from the end of its first request on. */
  forgottenUntilMs: number;
  /** Requests since the start, until the first one has ended. */
  unanswered: number;
  /** Requests that came too early. */
  tooEarly: number;
}

export const newHold = (forgottenUntilMs = 0): Hold => ({
  untilMs: 0,
  ofChainsMs: new Map(),
  forgottenUntilMs,
  unanswered: 0,
  tooEarly: 0,
});

/** So many may be under way when a new start of the app hears of a hold. */
const mostUnanswered = 6;

/** How long an answer asks for no further request, in milliseconds: what can be said without doubt. */
function heldMs({ status, headers }: Omit<Answer, 'body'>): number {
  const told = headers['retry-after'] ?? headers['ratelimit-reset'];
  if (status === 429 && told === undefined) return 10_000;
  const isHold = status === 429 || (status === 503 && headers['retry-after'] !== undefined);
  return isHold && /^\d+$/.test(told ?? '') ? Number(told) * 1_000 : 0;
}

/** The chain that a request names; a 503 to it is about that. */
const chainOf = (url: URL): string => /\/chains\/([^/]+)/.exec(url.pathname)?.[1] ?? '';

/** Clocks drift, and timers end in whole milliseconds. */
const holdSlackMs = 100;

type Seen = (what: string) => void;

interface Ended {
  outcome: HttpOutcome;
  delayMs: number;
  /** The connection can be used again. */
  keeps: boolean;
}

const failure = (reason: HttpFailure, detail = ''): HttpFailed => ({ kind: 'failure', reason, detail });
const failed = (reason: HttpFailure, delayMs = 0): Ended => ({
  outcome: failure(reason),
  delayMs,
  keeps: false,
});

/** The network between the computer and all hosts. What is under way in it does not stop when the app does. */
export class Network {
  readonly hosts = new Map<string, Host>();
  isUp = true;
  /** What the system says of it. */
  isToldUp = true;
  /** While it is down: nothing comes back, not even an error. */
  hangs = false;
  readonly #time: WorldTime;
  readonly #latencyMs: number;
  readonly #lines = new Set<Line>();
  readonly #waiting = new Set<{ host: Host; tryAgain: () => void }>();
  readonly #seen: Seen;

  constructor(time: WorldTime, latencyMs: number, seen: Seen) {
    this.#time = time;
    this.#latencyMs = latencyMs;
    this.#seen = seen;
  }

  hostOf(url: string): Host | undefined {
    return this.hosts.get(new URL(url).origin);
  }

  /** A host that did not answer goes on: what waits for it is answered now. */
  wake(host: Host): void {
    for (const waiting of [...this.#waiting]) if (waiting.host === host) waiting.tryAgain();
  }

  /** The end of all connections to a host, as when its process ends; nobody hears it while the network is cut. */
  cut(host: Host): void {
    for (const line of [...this.#lines].filter(({ url }) => this.hostOf(url) === host)) {
      if (!this.#isCut(host) && line.isHeld) host.cutMs = this.#time.nowMs;
      if (this.#isCut(host)) line.idleSinceMs = null;
      else line.end();
    }
  }

  /** Nothing that is sent to it arrives. */
  #isCut(host: Host): boolean {
    return !host.isLocal && !this.isUp;
  }

  /** `null`: never ends by itself. */
  #exchange(host: Host | undefined, request: HttpRequest): Ended | null {
    const latencyMs = host?.isLocal === true ? 1 : this.#latencyMs;
    if (host === undefined) return failed('dns', latencyMs);
    if (this.#isCut(host)) {
      if (!this.isToldUp) return failed('dns', 1);
      return this.hangs ? null : failed('network', 3_000);
    }
    const { door } = host;
    if (door.kind === 'dns') return failed('dns', latencyMs);
    if (door.kind === 'silent') return null;
    if (door.kind === 'refuse' || !host.isThere()) {
      host.refusedMs = this.#time.nowMs;
      return failed('refused', latencyMs);
    }
    host.requestsMs.push(this.#time.nowMs);
    host.requestCount += 1;
    switch (door.kind) {
      case 'accept-close':
      case 'close-after-request':
      case 'reset':
      case 'half-body':
        return failed('reset', 2 * latencyMs);
      case 'banner':
      case 'garbage':
        return failed('bad-encoding', 2 * latencyMs);
      case 'tls':
        return failed('tls', 2 * latencyMs);
      case 'captive':
        return this.#ended({
          status: 200,
          headers: { 'content-type': 'text/html' },
          body: '<html>Log in</html>',
        });
      case 'status':
        return this.#ended({ status: door.status, headers: door.headers, body: '<html>no</html>' });
      case 'no-get':
        if (request.method === 'GET') return this.#ended({ status: 405, headers: {}, body: 'no' });
        break;
      default:
    }
    const answer = host.answer(request);
    if (answer === null) return null;
    const ended = this.#ended(answer);
    return door.kind === 'slow' ? { ...ended, delayMs: ended.delayMs + door.ms } : ended;
  }

  #ended({ status, headers, body }: Answer): Ended {
    return {
      outcome: { kind: 'response', status, headers, body, byteLength: body.length },
      delayMs: 2 * this.#latencyMs,
      keeps: true,
    };
  }

  #noteSent(hold: Hold, chain: string): void {
    const nowMs = this.#time.nowMs + holdSlackMs;
    if (nowMs < hold.forgottenUntilMs) hold.unanswered += 1;
    const heldUntilMs = Math.max(hold.untilMs, hold.ofChainsMs.get(chain) ?? 0);
    if (nowMs < heldUntilMs || hold.unanswered > mostUnanswered) hold.tooEarly += 1;
  }

  /** Sends a request of an app, which does not go on once it has crashed. */
  async sendWhile(
    life: { isAlive: boolean },
    gate: OutboundGate,
    request: HttpRequest,
  ): Promise<HttpOutcome> {
    const outcome = life.isAlive ? await this.send(gate, request) : null;
    return outcome !== null && life.isAlive ? outcome : await new Promise<never>(() => undefined);
  }

  /** Sends a request, as the adapters do; `line` has the connection. */
  async send(gate: OutboundGate, request: HttpRequest, line?: Line): Promise<HttpOutcome> {
    const url = new URL(request.url);
    const refusal = gate.refusal(url, 'request');
    if (refusal !== null) return failure('not-allowed', refusal);
    const host = this.hosts.get(url.origin);
    const hold = host?.hold;
    if (hold !== undefined) this.#noteSent(hold, chainOf(url));
    const ended = this.#exchange(host, request);
    return await new Promise((resolve) => {
      let isOver = false;
      const end = (outcome: HttpOutcome): void => {
        if (isOver) return;
        isOver = true;
        cancelTimer();
        if (line !== undefined) line.under = null;
        if (hold !== undefined) {
          if (outcome.kind === 'response') {
            const untilMs = Math.max(hold.untilMs, this.#time.nowMs + heldMs(outcome));
            if (outcome.status === 429 || chainOf(url) === '') hold.untilMs = untilMs;
            else hold.ofChainsMs.set(chainOf(url), Math.max(hold.ofChainsMs.get(chainOf(url)) ?? 0, untilMs));
          }
          hold.forgottenUntilMs = 0;
        }
        const what = outcome.kind === 'response' ? outcome.status : outcome.reason;
        this.#seen(`${request.method} ${host?.name ?? url.origin}${url.pathname}${url.search} ${what}`);
        resolve(outcome);
      };
      const cancelTimer = this.#time.inside(request.timeoutMs, () => end(failure('timeout')));
      request.signal?.addEventListener('abort', () => end(failure('cancelled')), { once: true });
      if (request.signal?.aborted === true) end(failure('cancelled'));
      if (line !== undefined)
        line.under = { isConnected: ended === null || ended.keeps, end: () => end(failure('reset')) };
      const deliver = ({ delayMs, keeps, outcome }: Ended): void =>
        // What arrives while the computer sleeps waits for it.
        this.#time.outside(delayMs, () =>
          this.#time.inside(0, () => {
            if (!isOver && keeps) line?.keep();
            end(outcome);
          }),
        );
      if (ended !== null) deliver(ended);
      else if (host?.door.kind !== 'silent' && host !== undefined && !this.#isCut(host)) {
        const waiting = {
          host,
          tryAgain: () => {
            this.#waiting.delete(waiting);
            const late = isOver ? null : host.answer(request);
            if (late !== null) deliver(this.#ended(late));
          },
        };
        this.#waiting.add(waiting);
      }
    });
  }

  openLine(gate: OutboundGate, url: string, onLost: (idleMs: number) => void): NodeLine {
    const line = new Line(url, this, this.#time, onLost);
    this.#lines.add(line);
    return {
      send: (request) => {
        line.idleSinceMs = null;
        return this.send(gate, request, line);
      },
      connect: async (signal) => {
        const refusal = gate.refusal(new URL(url), 'connection');
        return refusal === null ? await this.#connect(url, signal) : failure('not-allowed', refusal);
      },
      isConnected: () => line.under?.isConnected ?? false,
      isKept: () => line.idleSinceMs !== null,
      close: () => {
        line.isClosed = true;
        this.#lines.delete(line);
      },
    };
  }

  #connect(url: string, signal: AbortSignal): Promise<HttpFailed | null> {
    const host = this.hostOf(url);
    const isReached = host !== undefined && !this.#isCut(host);
    const kind = host?.door.kind ?? 'dns';
    const isThere = isReached && kind !== 'dns' && kind !== 'refuse' && host.isThere();
    const reason = host === undefined || kind === 'dns' ? 'dns' : isReached ? 'refused' : 'network';
    if (isReached && kind !== 'dns') host.connectsMs.push(this.#time.nowMs);
    this.#seen(`connect ${host?.name ?? url} ${isThere}`);
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve(failure('cancelled')), { once: true });
      if (kind === 'silent') return;
      this.#time.outside(this.#latencyMs, () =>
        this.#time.inside(0, () => resolve(isThere ? null : failure(reason))),
      );
    });
  }
}

/** A connection of the app that is kept between requests. */
class Line {
  idleSinceMs: number | null = null;
  under: { isConnected: boolean; end: () => void } | null = null;
  isClosed = false;
  readonly url: string;
  readonly #network: Network;
  readonly #time: WorldTime;
  readonly #onLost: (idleMs: number) => void;

  constructor(url: string, network: Network, time: WorldTime, onLost: (idleMs: number) => void) {
    this.url = url;
    this.#network = network;
    this.#time = time;
    this.#onLost = onLost;
  }

  get isHeld(): boolean {
    return !this.isClosed && (this.idleSinceMs !== null || this.under !== null);
  }

  keep(): void {
    const host = this.#network.hostOf(this.url);
    if (host === undefined) return;
    const sinceMs = this.#time.nowMs;
    this.idleSinceMs = sinceMs;
    const { door } = host;
    const limits = door.kind === 'idle-end' ? door.afterMs : [];
    // A node closes an idle connection after two minutes.
    const limitMs = limits[host.idleEnds % Math.max(1, limits.length)] ?? 120_000;
    this.#time.outside(limitMs, () => {
      if (this.idleSinceMs !== sinceMs) return;
      host.idleEnds += 1;
      this.end();
    });
  }

  /** The other side ends the connection. */
  end(): void {
    const { idleSinceMs, under } = this;
    this.idleSinceMs = null;
    this.#time.inside(0, () => {
      if (this.isClosed) return;
      under?.end();
      if (idleSinceMs !== null) this.#onLost(this.#time.nowMs - idleSinceMs);
    });
  }
}
