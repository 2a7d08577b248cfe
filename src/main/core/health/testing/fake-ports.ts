import type {
  Clock,
  HttpClient,
  HttpOutcome,
  HttpRequest,
  Keychain,
  Log,
  OpenNodeLine,
  Random,
  Timers,
} from '../../ports.ts';

/** A clock that only moves when a test moves it. */
export interface FakeTime {
  clock: Clock;
  timers: Timers;
  /** Advances time, running each timer when it is due, and lets promises settle after each step. */
  advance(ms: number): Promise<void>;
  /** Changes only the system's clock, as a user or a time server does. */
  stepClock(ms: number): void;
  /** Lets promises settle without advancing time. */
  settle(): Promise<void>;
}

export function createFakeTime(startMs = 1_700_000_000_000): FakeTime {
  let monotonicMs = 0;
  let offsetMs = startMs;
  const pending = new Set<{ dueMs: number; task: () => void }>();

  async function settle(): Promise<void> {
    // `setImmediate` runs only after all promises that can settle have settled.
    await new Promise((resolve) => setImmediate(resolve));
  }

  return {
    // Whole milliseconds, as the clock of a system gives them; the store takes no others.
    clock: { nowMs: () => Math.floor(monotonicMs + offsetMs), monotonicMs: () => monotonicMs },
    timers: {
      after(delayMs, task) {
        const entry = { dueMs: monotonicMs + delayMs, task };
        pending.add(entry);
        return () => pending.delete(entry);
      },
    },
    async advance(ms) {
      const untilMs = monotonicMs + ms;
      await settle();
      for (;;) {
        const [next] = [...pending]
          .filter((entry) => entry.dueMs <= untilMs)
          .sort((a, b) => a.dueMs - b.dueMs);
        if (next === undefined) break;
        pending.delete(next);
        monotonicMs = Math.max(monotonicMs, next.dueMs);
        next.task();
        await settle();
      }
      monotonicMs = untilMs;
    },
    stepClock: (ms) => {
      offsetMs += ms;
    },
    settle,
  };
}

/** How a server answers a request; `hang` means no answer until the request is aborted. */
export type FakeServer = (request: HttpRequest) => HttpOutcome | 'hang';

export interface FakeHttp {
  client: HttpClient;
  requests: HttpRequest[];
  /** Sets the server for URLs that begin with `prefix`. */
  serve(prefix: string, server: FakeServer): void;
  /** Lines to nodes of this network; their requests are among `requests`. */
  openLine: OpenNodeLine;
  /** Connections without a request, and when. */
  connects: { url: string; atMs: number }[];
  /** Ends the idle connections to URLs that begin with `prefix`, as when a process ends. */
  cut(prefix: string): void;
  /** Acts like a proxy that closes connections after this idle time. */
  endIdle(prefix: string, afterMs: number): void;
  /** Refuses requests to URLs that begin with `prefix`, or lets them hang (connections stay); null ends this. */
  bar(prefix: string, failure: 'refused' | 'hang' | null): void;
  /** Answers the requests that hung. */
  wake(prefix: string): void;
}

/** A network in which each answer takes `latencyMs`, and a request that hangs ends at its time limit. */
export function createFakeHttp(time: FakeTime, latencyMs = 0): FakeHttp {
  const servers = new Map<string, FakeServer>();
  const requests: HttpRequest[] = [];
  const barred = new Map<string, 'refused' | 'hang'>();
  const connects: FakeHttp['connects'] = [];
  const idleLimits = new Map<string, number>();
  const lines = new Set<{ url: string; idleSinceMs: number | null; onLost: (idleMs: number) => void }>();
  const underWay = new Set<{ request: HttpRequest; hangs: boolean; end: (late: HttpOutcome) => void }>();
  const nowMs = (): number => time.clock.monotonicMs();
  const find = <T>(all: ReadonlyMap<string, T>, url: string): T | undefined =>
    [...all].find(([prefix]) => url.startsWith(prefix))?.[1];

  function outcomeOf(request: HttpRequest): HttpOutcome | 'hang' {
    const bar = find(barred, request.url);
    if (bar !== undefined)
      return bar === 'hang' ? 'hang' : { kind: 'failure', reason: 'refused', detail: '' };
    return find(servers, request.url)?.(request) ?? { kind: 'failure', reason: 'dns', detail: '' };
  }

  function send(request: HttpRequest): Promise<HttpOutcome> {
    return new Promise((resolve) => {
      requests.push(request);
      const outcome = outcomeOf(request);
      const isLate = outcome === 'hang' || latencyMs > request.timeoutMs;
      const cancel = isLate
        ? time.timers.after(request.timeoutMs, () =>
            held.end({ kind: 'failure', reason: 'timeout', detail: '' }),
          )
        : time.timers.after(latencyMs, () => held.end(outcome));
      const held = {
        request,
        hangs: outcome === 'hang',
        end: (late: HttpOutcome) => {
          cancel();
          underWay.delete(held);
          resolve(late);
        },
      };
      underWay.add(held);
      request.signal?.addEventListener('abort', () =>
        held.end({ kind: 'failure', reason: 'cancelled', detail: '' }),
      );
    });
  }

  const http: FakeHttp = {
    requests,
    serve: (prefix, server) => servers.set(prefix, server),
    connects,
    client: { send },
    endIdle: (prefix, afterMs) => idleLimits.set(prefix, afterMs),
    cut(prefix) {
      for (const line of lines) {
        if (!line.url.startsWith(prefix) || line.idleSinceMs === null) continue;
        const idleMs = nowMs() - line.idleSinceMs;
        line.idleSinceMs = null;
        line.onLost(idleMs);
      }
    },
    bar(prefix, failure) {
      if (failure === null) barred.delete(prefix);
      else barred.set(prefix, failure);
      if (failure !== 'refused') return;
      http.cut(prefix);
      for (const { request, end } of [...underWay])
        if (request.url.startsWith(prefix)) end({ kind: 'failure', reason: 'reset', detail: '' });
    },
    wake(prefix) {
      for (const { request, hangs, end } of [...underWay]) {
        const late = hangs && request.url.startsWith(prefix) ? outcomeOf(request) : 'hang';
        if (late !== 'hang') end(late);
      }
    },
    openLine: (url, onLost) => {
      const line: { url: string; idleSinceMs: number | null; onLost: (idleMs: number) => void } = {
        url,
        idleSinceMs: null,
        onLost,
      };
      lines.add(line);
      let isHanging = false;
      return {
        async send(request) {
          line.idleSinceMs = null;
          isHanging = true;
          const outcome = await http.client.send(request);
          isHanging = false;
          const isClosed = outcome.kind === 'failure' || outcome.headers['connection'] === 'close';
          if (!isClosed) {
            const sinceMs = nowMs();
            line.idleSinceMs = sinceMs;
            const limitMs = find(idleLimits, url);
            if (limitMs !== undefined)
              time.timers.after(limitMs, () => {
                if (line.idleSinceMs === sinceMs) http.cut(url);
              });
          }
          return outcome;
        },
        connect: (signal, isProven = false) =>
          new Promise((resolve) => {
            connects.push({ url, atMs: nowMs() });
            const outcome = outcomeOf({
              method: 'GET',
              url: `${url}/`,
              headers: {},
              timeoutMs: 0,
              maxBytes: 0,
            });
            const failed = outcome === 'hang' || outcome.kind === 'response' ? null : outcome;
            const failure = failed?.reason === 'tls' && !isProven ? null : failed;
            const cancel = time.timers.after(latencyMs, () => resolve(failure));
            signal.addEventListener('abort', () => {
              cancel();
              resolve({ kind: 'failure', reason: 'cancelled', detail: '' });
            });
          }),
        isConnected: () => isHanging,
        isKept: () => line.idleSinceMs !== null,
        close: () => void lines.delete(line),
      };
    },
  };
  return http;
}

/** An answer as a node gives it. */
export function jsonAnswer(
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): HttpOutcome {
  const body = typeof value === 'string' ? value : JSON.stringify(value);
  return { kind: 'response', status, headers, body, byteLength: body.length };
}

/** A keychain in memory. */
export interface FakeKeychain extends Keychain {
  entries: Map<string, string>;
  /** Makes every call fail until it is told null. */
  fail(failure: 'locked' | 'absent' | null): void;
  /** How often it was read. */
  reads(): number;
  readsByUser(): number;
}

export function createFakeKeychain(): FakeKeychain {
  const entries = new Map<string, string>();
  let failure: 'locked' | 'absent' | null = null;
  let reads = 0;
  let readsByUser = 0;
  const answer = <T>(use: () => T) =>
    Promise.resolve(failure === null ? { ok: true as const, value: use() } : { ok: false as const, failure });
  return {
    entries,
    fail: (value) => {
      failure = value;
    },
    reads: () => reads,
    readsByUser: () => readsByUser,
    read: (account, { isAskedFor }) => {
      reads += 1;
      readsByUser += isAskedFor ? 1 : 0;
      return answer(() => entries.get(account) ?? null);
    },
    write: (account, secret) =>
      answer(() => {
        entries.set(account, secret);
        return null;
      }),
    remove: (account) =>
      answer(() => {
        entries.delete(account);
        return null;
      }),
  };
}

/** Generates the ids `id-1`, `id-2` …, and always the same fraction. */
export function createFakeRandom(fraction = 0): Random {
  let count = 0;
  return {
    fraction: () => fraction,
    id: () => {
      count += 1;
      return `id-${count}`;
    },
  };
}

export interface FakeLog extends Log {
  entries: { level: 'info' | 'warn' | 'error'; event: string; cause?: unknown }[];
}

export function createFakeLog(): FakeLog {
  const entries: FakeLog['entries'] = [];
  return {
    entries,
    info: (event) => entries.push({ level: 'info', event }),
    warn: (event) => entries.push({ level: 'warn', event }),
    error: (event, cause) => {
      entries.push({ level: 'error', event, cause });
      return `ref-${entries.length}`;
    },
  };
}
