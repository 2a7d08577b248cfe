import type {
  Clock,
  HttpClient,
  HttpOutcome,
  HttpRequest,
  Keychain,
  Knock,
  Log,
  Random,
  Timers,
} from '../../ports.ts';

/** Time that stands still until a test moves it. */
export interface FakeTime {
  clock: Clock;
  timers: Timers;
  /** Moves on, running what is due at its own moment, and lets promises settle after each step. */
  advance(ms: number): Promise<void>;
  /** Changes the system's clock and nothing else, as a person or a time server does. */
  stepClock(ms: number): void;
  /** Lets promises settle without moving on. */
  settle(): Promise<void>;
}

export function createFakeTime(startMs = 1_700_000_000_000): FakeTime {
  let monotonicMs = 0;
  let offsetMs = startMs;
  const pending = new Set<{ dueMs: number; task: () => void }>();

  async function settle(): Promise<void> {
    // The loop takes its next turn when no promise has anything left to do.
    await new Promise((resolve) => setImmediate(resolve));
  }

  return {
    clock: { nowMs: () => monotonicMs + offsetMs, monotonicMs: () => monotonicMs },
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

/** What a server at one URL does with a request; `hang` never answers, until the request is given up. */
export type FakeServer = (request: HttpRequest) => HttpOutcome | 'hang';

export interface FakeHttp {
  client: HttpClient;
  requests: HttpRequest[];
  /** Decides what answers at a URL that begins with `prefix`. */
  serve(prefix: string, server: FakeServer): void;
  knock: Knock;
  /** What was knocked at, and when. */
  knocks: { url: string; atMs: number }[];
  /** Decides how a knock at a URL that begins with `prefix` ends; without a word of this it is answered. */
  bar(prefix: string, failure: 'refused' | 'hang' | null): void;
}

/** A network in which each answer takes `latencyMs`, and a request that hangs ends at its time limit. */
export function createFakeHttp(time: FakeTime, latencyMs = 0): FakeHttp {
  const servers = new Map<string, FakeServer>();
  const requests: HttpRequest[] = [];
  const barred = new Map<string, 'refused' | 'hang' | null>();
  const knocks: FakeHttp['knocks'] = [];
  return {
    requests,
    serve: (prefix, server) => servers.set(prefix, server),
    knocks,
    bar: (prefix, failure) => barred.set(prefix, failure),
    knock: ({ url, timeoutMs, signal }) =>
      new Promise((resolve) => {
        knocks.push({ url, atMs: time.clock.monotonicMs() });
        const [, failure = null] = [...barred].find(([prefix]) => url.startsWith(prefix)) ?? [];
        const cancel =
          failure === 'hang'
            ? time.timers.after(timeoutMs, () => resolve(false))
            : time.timers.after(latencyMs, () => resolve(failure === null));
        signal.addEventListener('abort', () => {
          cancel();
          resolve(false);
        });
      }),
    client: {
      send: (request) =>
        new Promise((resolve) => {
          requests.push(request);
          const [, server] = [...servers].find(([prefix]) => request.url.startsWith(prefix)) ?? [];
          const outcome: HttpOutcome | 'hang' =
            server === undefined ? { kind: 'failure', reason: 'dns', detail: '' } : server(request);
          const cancel =
            outcome === 'hang' || latencyMs > request.timeoutMs
              ? time.timers.after(request.timeoutMs, () =>
                  resolve({ kind: 'failure', reason: 'timeout', detail: '' }),
                )
              : time.timers.after(latencyMs, () => resolve(outcome));
          request.signal?.addEventListener('abort', () => {
            cancel();
            resolve({ kind: 'failure', reason: 'cancelled', detail: '' });
          });
        }),
    },
  };
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
}

export function createFakeKeychain(): FakeKeychain {
  const entries = new Map<string, string>();
  let failure: 'locked' | 'absent' | null = null;
  let reads = 0;
  const answer = <T>(use: () => T) =>
    Promise.resolve(failure === null ? { ok: true as const, value: use() } : { ok: false as const, failure });
  return {
    entries,
    fail: (value) => {
      failure = value;
    },
    reads: () => reads,
    read: (account) => {
      reads += 1;
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

/** Identifiers `id-1`, `id-2` …, and always the same fraction. */
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
